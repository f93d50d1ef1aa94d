# SPDX-License-Identifier: GPL-2.0-only
"""The tail of a barrier.

The share of rounds at or above a time, on a logarithmic axis.
"""

import via

runs = {
    card: via.Cluster(nodes=16, profile=card, record=False).run("barrier", rounds=200)
    for card in ("giganet-clan1000", "gm-lanai9-200", "berkeley-via-lanai4")
}
with via.charts.figure("figure.svg") as panel:
    via.charts.cdf(panel, runs, tail=True)
