# SPDX-License-Identifier: GPL-2.0-only
"""The life of one message.

Its critical path, and paler what the same parts did meanwhile.
"""

import via

run = via.Cluster().run("ping-pong", size=4, rounds=9)
with via.charts.figure("figure.svg", size=(10, 3.6)) as panel:
    via.charts.gantt(panel, run.breakdown(message="0.0.7"), run.spans)
