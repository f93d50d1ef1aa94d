# SPDX-License-Identifier: GPL-2.0-only
"""A fabric from networkx, with two kinds of wires."""

import networkx as nx
import via

graph = nx.petersen_graph()
for u, v in graph.edges:
    graph.edges[u, v]["rate_mbit_s"] = 1250 if u < 5 and v < 5 else 2500
fabric = via.topology.from_networkx(graph, hosts=2, name="petersen")
run = via.Cluster(fabric).run("all-to-all", size=1024, rounds=2)
print(run.links.sort_values("bytes", ascending=False).head())
with via.charts.figure("load.svg", size=(6, 5)) as panel:
    via.charts.link_load(panel, fabric, run.links)
