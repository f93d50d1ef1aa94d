#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The benchmarks build and run. Their numbers are for people.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via bench --quick --json build/bench.json
