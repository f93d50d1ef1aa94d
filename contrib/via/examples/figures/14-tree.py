# SPDX-License-Identifier: GPL-2.0-only
"""Cells in a fat tree.

What a barrier sends over each wire.
"""

import via

cluster = via.Cluster("fat-tree:k=4,n=2", nodes=16, record=False)
run = cluster.run("barrier", rounds=10)
with via.charts.figure("figure.svg", size=(8, 3.4)) as panel:
    via.charts.link_load(panel, cluster.topology, run.links, column="cells")
