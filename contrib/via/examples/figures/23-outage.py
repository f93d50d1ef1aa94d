# SPDX-License-Identifier: GPL-2.0-only
"""A cable is cut and comes back.

Messages of an all-to-all by start and length of life; the cut is shaded.
"""

import via

plan = via.Faults().link_down("n1", at="200 us", until="350 us")
messages = via.Cluster(nodes=4, faults=plan).run("all-to-all", size=2048, rounds=8).messages
with via.charts.figure("figure.svg") as panel:
    panel.axvspan(200, 350, color="#eeeeee")
    for touched, rows in messages.groupby((messages[["src_rank", "dst_rank"]] == 1).any(axis=1)):
        lives = (rows["end_ps"] - rows["posted_ps"]) / 1e6
        panel.plot(rows["posted_ps"] / 1e6, lives, ".", label="of node 1" if touched else "others")
    panel.set(title="giganet-clan1000: n1 is cut off", yscale="log")
    panel.set(xlabel="posted at (\u00b5s)", ylabel="life of the message (\u00b5s)")
    panel.yaxis.set_major_formatter("{x:,.0f}")
    panel.legend()
