# SPDX-License-Identifier: GPL-2.0-only
"""CPU, bus, card or wire.

Shares of 64 bytes on five products.
"""

import via

CARDS = ("giganet-clan1000", "berkeley-via-lanai4", "mvia-gnic2", "gamma-gnic2", "servernet1")
runs = {card: via.Cluster(profile=card).run("ping-pong", size=64, rounds=9) for card in CARDS}
with via.charts.figure("figure.svg", size=(8.5, 3.0)) as panel:
    via.charts.stacked(panel, {card: run.breakdown for card, run in runs.items()}, share=True)
