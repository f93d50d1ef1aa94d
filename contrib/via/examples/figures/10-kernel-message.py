# SPDX-License-Identifier: GPL-2.0-only
"""A message through a kernel.

The same four bytes on M-VIA: interrupts and the kernel take over.
"""

import via

run = via.Cluster(profile="mvia-gnic2").run("ping-pong", size=4, rounds=9)
with via.charts.figure("figure.svg", size=(10, 3.6)) as panel:
    via.charts.gantt(panel, run.breakdown(message="0.0.7"), run.spans)
