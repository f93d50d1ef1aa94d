#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# All quick tests under the sanitizers; the gate runs those that touch memory.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via test --preset asan
