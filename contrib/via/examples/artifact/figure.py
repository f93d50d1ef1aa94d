#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table and the figure of this artifact: put the experiment of your paper here."""

import via
from matplotlib.figure import Figure

PRODUCTS = ["giganet-clan1000", "ideal"]


def barrier(profile: str, nodes: int, seed: int) -> dict[str, float]:
    """Measure a barrier on a cluster."""
    latency = (
        via.Cluster(nodes=nodes, profile=profile, seed=seed).run("barrier", rounds=20).latency()
    )
    return {"latency_us": latency.median_us, "latency_p99_us": latency.p99_us}


if __name__ == "__main__":
    table = via.sweep(barrier, {"profile": PRODUCTS, "nodes": [2, 4, 8, 16]}, out="barrier.csv")
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.subplots()
    for name, rows in table.groupby("profile", sort=False):
        axes.plot(rows["nodes"], rows["latency_us"], "o-", label=name)
    axes.set(xlabel="nodes", ylabel="microseconds", ylim=(0, None))
    axes.set_xscale("log", base=2)
    axes.legend(title="barrier")
    via.save_figure(figure, "barrier.png")
