#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A table, and the same bytes again: somebody else has only the file and what lies beside it.
set -e
via sweep barrier nodes=2,4,8 rounds=20 --out barrier.csv
via reproduce --yes barrier.csv
