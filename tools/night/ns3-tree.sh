#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The module inside an ns-3 tree, with asserts and without optimization, and the same digest there.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
tree=$(tools/fetch-ns3.sh "${VIA_NS3_TREES:-$PWD/.cache/ns3}")
# Precompiled headers instead of ccache: what can be kept from run to run is the tree itself. The
# Boost.Test cases have run outside.
CCACHE_DISABLE=1 tools/check-ns3.sh -d debug --no-boost "$tree"
inside=("$tree"/build/contrib/via/examples/ns3*-via-ping-pong-debug)
found=$(VIA_PROFILE_PATH=$PWD/contrib/via/profiles "${inside[0]}")
printf '%s\n' "$found"
[[ $found == "$(build/release/bin/via-ping-pong)" ]]
