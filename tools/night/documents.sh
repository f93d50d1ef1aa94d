#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The documentation site builds; a warning is an error.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via docs --yes
