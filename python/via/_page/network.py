# SPDX-License-Identifier: GPL-2.0-only
"""The drawing of a run's network, from its table of links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from via import topology as topologies
from via._drawing.topology_layout import Places, layout
from via._drawing.topology_plot import wire
from via.errors import ConfigError

MOST_WIRES = 20_000
MOST_SPRINGS = 400  # nodes of a graph of no known family: its layout costs their cube
_END = re.compile(r"(n|s)(\d{1,6})(?:\.(\d{1,6}))?")


@dataclass(frozen=True)
class _Graph:
    """Hosts, switches and cables of a network whose family is not known."""

    name: str
    hosts: int
    switch_ports: list[int]
    cables: list[tuple[str, str]]
    family: str = "graph"
    rails: int = 1
    places: list[list[int]] = field(default_factory=list)
    wires: dict[str, list[int]] = field(default_factory=dict)


def drawing(links: pd.DataFrame, origin: Mapping[str, Any]) -> tuple[Places, list[Any]] | str:
    """Return the places of nodes and a line per wire, in the order of the table.

    Args:
        links: the run's table.
        origin: its provenance.

    Returns:
        Places and lines; or why there is no drawing.
    """
    ends = [*links["source"].astype(str), *links["destination"].astype(str)]
    if not ends or not all(_END.fullmatch(end) for end in ends):
        return "the table of links has no cables that can be drawn"
    if len(links) > MOST_WIRES:
        return f"{len(links):,} wires are more than the {MOST_WIRES:,} that a page draws"
    cables = list(zip(ends[: len(links)], ends[len(links) :], strict=True))
    graph: Any = _named(origin, cables) or _graph(cables)
    if graph.family == "graph" and graph.hosts + len(graph.switch_ports) > MOST_SPRINGS:
        return f"a graph of no known family is drawn up to {MOST_SPRINGS} nodes"
    try:
        places = layout(graph)
    except ConfigError as error:  # no networkx
        return str(error)
    lines = [wire(graph, places, a.partition(".")[0], b.partition(".")[0]) for a, b in cables]
    return places, lines


def _named(origin: Mapping[str, Any], cables: list[tuple[str, str]]) -> Any | None:
    """Return the topology with the run's name, if it has these cables.

    Files are not read: what a run's folder names may be anything.
    """
    name, nodes = origin.get("topology"), origin.get("nodes")
    if not isinstance(name, str) or not isinstance(nodes, int) or name.startswith("file:"):
        return None
    try:
        found = topologies.parse(name, nodes, str(origin.get("profile")))
    except ConfigError:
        return None
    is_it = 2 * len(found.cables) == len(cables) and set(found.cables) <= set(cables)
    return found if is_it else None


def _graph(cables: list[tuple[str, str]]) -> _Graph:
    numbers: dict[str, int] = {"n": -1, "s": -1}
    for end in {end for cable in cables for end in cable}:
        found = _END.fullmatch(end)
        assert found is not None
        numbers[found[1]] = max(numbers[found[1]], int(found[2]))
    return _Graph(
        "graph", numbers["n"] + 1, [0] * (numbers["s"] + 1), cables[::2],
        places=[[] for _ in range(numbers["s"] + 1)],
    )  # fmt: skip
