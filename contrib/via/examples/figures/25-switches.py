# SPDX-License-Identifier: GPL-2.0-only
"""Queues of a switch.

Raw traffic: cells at inputs in one queue reach 58.6 % of the load, as is known.
"""

import via

loads = [0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
with via.charts.figure("figure.svg") as panel:
    for queues, more in (("fifo", {"switch.arbitration": "round-robin"}), ("output", {})):
        keys = {"switch.queueing": queues, **more}
        found = [
            via.traffic(nodes=16, profile="ideal", load=load, slots=2000, overrides=keys).throughput
            for load in loads
        ]
        panel.plot(loads, found, "o-", label=queues)
    panel.set(title="ideal: a crossbar of 16 ports", xlabel="offered load", ylabel="delivered load")
    panel.legend()
