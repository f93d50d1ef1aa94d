#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The documentation site builds; a warning is an error. Wide figures of the gallery have two places.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via docs --yes
grep -q '<a href="#09-message" class="wide">' build/docs/gallery.html
