# SPDX-License-Identifier: GPL-2.0-only
"""Three barriers.

Dissemination, a tree, and a coordinator on the same card.
"""

import pandas as pd
import via

rows = [
    (kind, nodes, via.Cluster(nodes=nodes, record=False).run(kind, rounds=20).latency_us())
    for kind in ("barrier", "tree-barrier", "central-barrier")
    for nodes in (2, 4, 8, 16, 32)
]
table = pd.DataFrame(rows, columns=["protocol", "nodes", "latency_us"])
with via.charts.figure("figure.svg") as panel:
    via.charts.scaling(panel, table, by="protocol", high=None, title="Barriers on giganet-clan1000")
