# SPDX-License-Identifier: GPL-2.0-only
"""VIA, UDP and TCP.

A two-phase commit by transport: the kernel costs more than the wire.
"""

import pandas as pd
import via

rows = []
for transport in ("via-send", "kernel-udp", "kernel-tcp"):
    for nodes in (2, 4, 8):
        cluster = via.Cluster(nodes=nodes, record=False)
        run = cluster.run("two-phase-commit", rounds=15, transport=transport)
        rows.append((transport, nodes, run.latency_us()))
table = pd.DataFrame(rows, columns=["transport", "nodes", "latency_us"])
with via.charts.figure("figure.svg") as panel:
    via.charts.scaling(panel, table, by="transport", high=None)
    panel.set_title("giganet-clan1000: two-phase commit")
