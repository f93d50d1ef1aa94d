# SPDX-License-Identifier: GPL-2.0-only
"""From nothing to a figure: barrier latency against cluster size."""

import via

grid = {"profile": ["giganet-clan1000", "mvia-gnic2"], "nodes": [2, 4, 8, 16, 32, 64], "rounds": 20}
table = via.sweep("barrier", grid, out="barrier.csv")
with via.charts.figure("barrier.png") as panel:
    via.charts.scaling(panel, table, by="profile", title="Dissemination barrier")
