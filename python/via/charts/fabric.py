# SPDX-License-Identifier: GPL-2.0-only
"""The load of links as a heat map on the drawing of the topology."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize

from via._drawing import plots
from via._drawing.topology_layout import Places, layout
from via._drawing.topology_plot import SIDE, frame, wire, write_names
from via.charts.paper import columns, product_of
from via.errors import refuse

if TYPE_CHECKING:
    from via._core import Topology

COLOURS = "cividis_r"  # looks the same with any kind of colour vision; dark is busy
THINNEST, THICKEST = 0.4, 2.6  # points


def link_load(
    panel: Any, topology: Topology, links: pd.DataFrame, *, column: str = "busy_pct"
) -> None:
    """Draw a topology with cables coloured by load, separately for each direction.

    A cable is two lines side by side; each sender's wire is the line on its right.

    Args:
        panel: the panel to draw on.
        topology: the cluster's topology: cluster.topology.
        links: the table run.links.
        column: the column to draw: "busy_pct", "cells" or "bytes".
    """
    columns(links, ["source", "destination", column], "link_load")
    places = layout(topology)
    nodes = [[str(end).partition(".")[0] for end in links[of]] for of in ("source", "destination")]
    unknown = sorted({name for ends in nodes for name in ends} - set(places))
    if unknown:
        raise refuse("links", unknown[0], f"there is no such end of a cable in {topology.name}")
    wires = [wire(topology, places, a, b) for a, b in zip(*nodes, strict=True)]
    values = links[column].to_numpy(float)
    order = values.argsort(kind="stable")  # busy wires on top
    lines = LineCollection(
        [wires[i] for i in order], array=values[order], cmap=COLOURS, zorder=2,
        norm=Normalize(0, 100 if column == "busy_pct" else max(1.0, float(values.max()))),
        linewidths=_width(panel, places),
    )  # fmt: skip
    panel.add_collection(lines)
    _nodes(panel, topology, places)
    frame(panel, places)
    name = f" of {product_of(links)}" if product_of(links) else ""
    panel.set_title(f"Load of the links: {topology.name}{name}")
    label = {"busy_pct": "busy (% of the time)"}.get(column, f"{column} sent")
    panel.figure.colorbar(lines, ax=panel, label=label, shrink=0.8)


def _width(panel: Any, places: Places) -> float:
    """Return the largest width of lines side by side, in points."""
    extent = panel.get_window_extent()
    spans = [max(axis) - min(axis) + 1.0 for axis in zip(*places.values(), strict=True)]
    scale = min(extent.width / spans[0], extent.height / spans[1]) * 72 / panel.figure.dpi
    return float(min(THICKEST, max(THINNEST, 1.6 * SIDE * scale)))


def _nodes(panel: Any, topology: Topology, places: Places) -> None:
    dot = max(2.0, min(9.0, 60 / len(places) ** 0.5))
    for letter, marker, colour, label in (("s", "s", plots.BLACK, "switch"),
                                          ("n", "o", plots.GREY, "host")):  # fmt: skip
        points = [at for name, at in places.items() if name[0] == letter]
        if points:
            panel.plot(
                *zip(*points, strict=True), marker, color=colour, label=label, zorder=3,
                markersize=dot if letter == "s" else 0.7 * dot, linestyle="none",
            )  # fmt: skip
    write_names(panel, topology, places, dot)
    panel.legend(loc="upper left", bbox_to_anchor=(0, 0), ncols=2)
