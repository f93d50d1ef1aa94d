# SPDX-License-Identifier: GPL-2.0-only
"""Latency with error bars.

The band is what the trust of the profile's numbers leaves; where the product was fitted, it
is that of the measurement.
"""

import pandas as pd
import via

CARDS = ("giganet-clan1000", "vmmc")
rows = []
for card in CARDS:
    for size in (4, 256, 4096):
        found = via.uncertainty(
            "ping-pong", profile=card, size=size, rounds=4, phases=1, linear=True
        )
        rows.append((card, size, found.value, found.low, found.high))
table = pd.DataFrame(rows, columns=["profile", "size_bytes", "latency_us", "low", "high"])
with via.charts.figure("figure.svg") as panel:
    via.charts.latency(panel, table, by="profile", band=("low", "high"))
