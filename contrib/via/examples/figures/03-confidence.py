# SPDX-License-Identifier: GPL-2.0-only
"""Confidence over seeds.

The seed moves the phases of the clocks: means of eight seeds with a band of 95 %.
"""

import via

grid = {"size": [4, 16, 64, 256], "rounds": 5, "profile": ["gm-lanai9-200", "mx-d"]}
table = via.sweep("ping-pong", grid, seeds=8)
with via.charts.figure("figure.svg") as panel:
    via.charts.latency(panel, table, x="size", by="profile", ci=95)
