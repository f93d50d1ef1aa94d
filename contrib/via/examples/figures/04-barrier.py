# SPDX-License-Identifier: GPL-2.0-only
"""A barrier by number of nodes.

Medians, and a band up to the 99th percentile.
"""

import pandas as pd
import via

rows = []
for card in ("giganet-clan1000", "gm-lanai9-200"):
    for nodes in (2, 4, 8, 16, 32):
        run = via.Cluster(nodes=nodes, profile=card, record=False).run("barrier", rounds=30)
        rows.append((card, nodes, *run.percentiles((50, 99))))
table = pd.DataFrame(rows, columns=["profile", "nodes", "latency_us", "latency_p99_us"])
with via.charts.figure("figure.svg") as panel:
    via.charts.scaling(panel, table, by="profile", title="Dissemination barrier")
