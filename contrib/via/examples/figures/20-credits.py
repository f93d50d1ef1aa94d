# SPDX-License-Identifier: GPL-2.0-only
"""Credits on a long cable.

Too few cells of room at the receiver leave a long wire idle.
"""

import via

credits = [32, 64, 128, 256, 512, 1024]
with via.charts.figure("figure.svg") as panel:
    for km in (1, 5):
        rates = []
        for cells in credits:
            keys = {"link.credits": cells, "link.cable_length_mm": km * 1_000_000}
            cluster = via.Cluster(overrides=keys, record=False)
            run = cluster.run("stream", size=32768, messages=40)
            rates.append(40 * 32768 / run.samples[0] * 1e6)
        panel.plot(credits, rates, "o-", label=f"{km} km")
    panel.set_xscale("log", base=2)
    panel.set_xticks(credits, credits)
    panel.set(title="giganet-clan1000: stream of 32 KiB", ylim=(0, None))
    panel.set(xlabel="room at the receiver (cells)", ylabel="bandwidth (MB/s)")
    panel.legend()
