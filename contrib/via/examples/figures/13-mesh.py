# SPDX-License-Identifier: GPL-2.0-only
"""Load on a mesh.

How busy each direction of each cable was: the middle works most.
"""

import via

cluster = via.Cluster("mesh:4x4", nodes=16, record=False)
run = cluster.run("all-to-all", size=1024, rounds=2)
with via.charts.figure("figure.svg", size=(6, 4.6)) as panel:
    via.charts.link_load(panel, cluster.topology, run.links)
