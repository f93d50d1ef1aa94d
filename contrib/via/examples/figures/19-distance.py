# SPDX-License-Identifier: GPL-2.0-only
"""Latency by distance.

Longer cables add their flight time twice, once to the switch and once from it.
"""

import via

metres = [1, 10, 100, 1000, 10_000]
latency = [
    via.Cluster(overrides={"link.cable_length_mm": 1000 * m}, record=False)
    .run("ping-pong", size=4, rounds=50)
    .latency_us()
    for m in metres
]
with via.charts.figure("figure.svg") as panel:
    panel.plot(metres, latency, "o-")
    panel.set(xscale="log", yscale="log", title="giganet-clan1000: 4 bytes")
    panel.xaxis.set_major_formatter("{x:,.0f}")
    panel.yaxis.set_major_formatter("{x:,.0f}")
    panel.set(xlabel="length of each cable (m)", ylabel="one-way latency (\u00b5s)")
