# SPDX-License-Identifier: GPL-2.0-only
"""A graph of networkx.

Any graph is a fabric: here Petersen, under an all-to-all.
"""

import networkx as nx
import via

topology = via.topology.from_networkx(nx.petersen_graph(), hosts=1, name="petersen")
run = via.Cluster(topology, record=False).run("all-to-all", size=1024, rounds=2)
with via.charts.figure("figure.svg", size=(6, 5)) as panel:
    via.charts.link_load(panel, topology, run.links)
