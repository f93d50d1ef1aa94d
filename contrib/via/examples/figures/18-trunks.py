# SPDX-License-Identifier: GPL-2.0-only
"""How fast must a trunk be?.

An all-to-all through one cable between two switches of four hosts each.
"""

import via

chain = via.topology.chain(2, hosts=4)
rates = [250, 500, 1000, 2000, 4000, 8000]
ends = []
for rate in rates:
    fabric = via.topology.with_wires(chain, trunks={"rate_mbit_s": rate})
    run = via.Cluster(fabric, record=False).run("all-to-all", size=8192, rounds=2)
    ends.append(run.latency_us() / 1000)
with via.charts.figure("figure.svg") as panel:
    panel.plot(rates, ends, "o-")
    panel.set_xscale("log", base=2)
    panel.set_xticks(rates, [f"{rate:,}" for rate in rates])
    panel.set(title="giganet-clan1000: all-to-all of 8 KiB", ylim=(0, None))
    panel.set(xlabel="data rate of the trunk (Mbit/s)", ylabel="time of a round (ms)")
