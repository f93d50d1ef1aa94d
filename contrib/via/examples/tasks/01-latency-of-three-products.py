# SPDX-License-Identifier: GPL-2.0-only
"""Latency of three products, with confidence."""

import via
from via.workloads import PingPong

products = ["giganet-clan1000", "mvia-gnic2", "berkeley-via-lanai4"]
grid = {"profile": products, "size": [4, 256, 4096]}
table = via.sweep(PingPong(rounds=20), grid, seeds=4)
print(via.intervals(table, by=["profile", "size"], ci=95).to_string(index=False))
with via.charts.figure("latency.svg") as panel:
    via.charts.latency(panel, table, x="size", by="profile", ci=95)
