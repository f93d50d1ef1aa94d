#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Each source includes what it needs: a build without precompiled headers.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via build --preset debug
