# SPDX-License-Identifier: GPL-2.0-only
"""Lives of messages.

Distributions in an all-to-all of 4 KiB, by number of nodes.
"""

import via

lives = {}
for nodes in (4, 8, 16):
    messages = via.Cluster(nodes=nodes).run("all-to-all", size=4096, rounds=3).messages
    lives[f"{nodes} nodes"] = messages["end_ps"] - messages["posted_ps"]
with via.charts.figure("figure.svg") as panel:
    via.charts.cdf(panel, lives)
    panel.set_title("giganet-clan1000: messages of an all-to-all")
