# SPDX-License-Identifier: GPL-2.0-only
"""Where the time goes.

The mean message by part and size.
"""

import via

runs = {f"{size} B": via.Cluster().run("ping-pong", size=size, rounds=9) for size in (4, 256, 4096)}
with via.charts.figure("figure.svg", size=(8.5, 2.4)) as panel:
    via.charts.stacked(panel, {label: run.breakdown for label, run in runs.items()})
