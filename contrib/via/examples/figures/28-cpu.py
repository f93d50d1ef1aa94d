# SPDX-License-Identifier: GPL-2.0-only
"""What CPUs do.

Picoseconds of each node by stage: those who poll and those who wait.
"""

import via

run = via.Cluster(nodes=4, profile="mvia-gnic2").run("all-to-all", size=4096, rounds=3)
wide = run.cpu.pivot(index="node", columns="stage", values="ps") / 1e6
largest = wide.sum().sort_values(ascending=False).index[:5]
with via.charts.figure("figure.svg") as panel:
    wide[largest].plot.bar(stacked=True, ax=panel, rot=0)
    panel.set(title="mvia-gnic2: all-to-all of 4 KiB", ylabel="time of the CPU (\u00b5s)")
    panel.legend(loc="upper left", bbox_to_anchor=(1, 1))
