#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The demo runs to its end.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via demo --yes
