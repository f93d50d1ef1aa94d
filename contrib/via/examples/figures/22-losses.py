# SPDX-License-Identifier: GPL-2.0-only
"""Losses and retransmission.

Bandwidth of a reliable stream by the share of cells that vanish.
"""

import via

ppb = [0, 1000, 10_000, 100_000, 1_000_000]
rates = []
for vanish in ppb:
    plan = via.Faults().loss("all", vanish_ppb=vanish) if vanish else None
    run = via.Cluster(faults=plan, record=False).run("stream", size=8192, messages=300)
    rates.append(300 * 8192 / run.samples[0] * 1e6)
with via.charts.figure("figure.svg") as panel:
    panel.bar([f"{1e-9 * each:.0e}" if each else "0" for each in ppb], rates)
    panel.set(title="giganet-clan1000: stream of 8 KiB")
    panel.set(xlabel="share of cells that vanish", ylabel="bandwidth (MB/s)")
