# SPDX-License-Identifier: GPL-2.0-only
"""A sweep, and its figure for a paper: the width of a column, vectors, intervals."""

import via
from via.workloads import Barrier

grid = {"profile": ["giganet-clan1000", "gm-lanai9-200"], "nodes": [2, 4, 8, 16]}
table = via.sweep(Barrier(rounds=20), grid, seeds=5, out="barrier.csv")
with via.charts.figure("barrier.pdf", size=(3.4, 2.6)) as panel:
    via.charts.scaling(panel, table, by="profile", ci=95, title="barrier")
