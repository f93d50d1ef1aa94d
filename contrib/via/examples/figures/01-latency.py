# SPDX-License-Identifier: GPL-2.0-only
"""Latency of three products.

Half of a ping-pong by message size; diamonds are published.
"""

import pandas as pd
import via

CARDS = ("giganet-clan1000", "berkeley-via-lanai4", "mvia-gnic2")
rows = [
    (card, size, via.Cluster(profile=card, record=False).run("ping-pong", size=size).latency_us())
    for card in CARDS
    for size in (4, 64, 1024, 4096, 32768)
]
table = pd.DataFrame(rows, columns=["profile", "size_bytes", "latency_us"])
with via.charts.figure("figure.svg") as panel:
    via.charts.latency(panel, table, by="profile", published="cLAN")
