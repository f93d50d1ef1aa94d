# SPDX-License-Identifier: GPL-2.0-only
"""Bandwidth of three products.

A stream with a window of 16 messages, and what the cells of cLAN allow.
"""

import pandas as pd
import via

rows = []
for card in ("giganet-clan1000", "gm-lanai9-200", "mvia-gnic2"):
    cluster = via.Cluster(profile=card, record=False)
    for size in (64, 256, 1024, 4096, 16384, 32768):
        run = cluster.run("stream", size=size, messages=40)
        rows.append((card, size, 40 * size / run.samples[0] * 1e6))
table = pd.DataFrame(rows, columns=["profile", "size_bytes", "mb_s"])
with via.charts.figure("figure.svg") as panel:
    via.charts.bandwidth(panel, table, by="profile", limit=125 * 48 / 53)
