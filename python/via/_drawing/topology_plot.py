# SPDX-License-Identifier: GPL-2.0-only
"""Drawings of topologies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import cycle
from math import atan2, hypot, pi
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from via._drawing import plots
from via._drawing.topology_graph import attributes_of
from via._drawing.topology_layout import Places, Point, layout

if TYPE_CHECKING:
    from via._core import Topology

IN_ROWS = ("grid", "chain", "hypercube")
NEIGHBOURS = 1.2  # a longer cable of a grid passes over nodes and is bent
BEND = 0.16
BENT_STEPS = 16
SIDE = 0.035  # distance of a wire from the middle of its cable
SIDES = ((0, -1), (0, 1), (1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0))  # preferred first
FAR = 3 * pi / 4  # from a cable; names of neighbours, too, do not meet if they are below or above
NARROW = 1.0  # the least width of a drawing; neighbours are about 1 apart
LARGEST_NAMED = 40  # largest number of switches and hosts that get names
INCHES = (4.4, 9.0)
WIDE = 6.0  # inches in which three columns of the legend fit
_WIRES = {"rate_mbit_s": "{:,} Mbit/s", "wires": "{} wires", "cells": "{:,} cells"}  # in the legend
_COLOURS = (plots.GREEN, plots.ORANGE, plots.PURPLE, plots.SKY, plots.BLACK)


def write_names(axes: Any, topology: Topology, places: Places, dot: float) -> None:
    """Write the names of switches and hosts, if there are few, where their cables leave room."""
    if len(places) > LARGEST_NAMED:
        return
    ends: dict[str, list[Point]] = {name: [] for name in places}
    for cable in topology.cables:
        one, other = (end.partition(".")[0] for end in cable)
        ends[one].append(places[other])
        ends[other].append(places[one])
    behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.4}  # cables
    for name, at in places.items():
        right, up = free_side(at, ends[name])
        axes.annotate(
            name, at, xytext=(right * dot * 0.65, up * dot * 0.65), textcoords="offset points",
            ha=("center", "left", "right")[right], va=("center", "bottom", "top")[up],
            fontsize=6.5, color="#444444", zorder=4, bbox=behind,
        )  # fmt: skip


def free_side(at: Point, ends: Sequence[Point]) -> tuple[int, int]:
    """Return the direction, right and up, that is far from the cables to these ends."""
    cables = [atan2(y - at[1], x - at[0]) for x, y in ends]

    def gap(side: tuple[int, int]) -> float:
        turns = (abs(atan2(side[1], side[0]) - cable) for cable in cables)
        return round(min((min(turn, 2 * pi - turn, FAR) for turn in turns), default=FAR), 3)

    return max(SIDES, key=gap)


def plot_topology(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Draw a topology into a .png, .svg or .pdf file.

    Grids are drawn as grids, trees in levels, dragonflies as groups in a circle, rings and stars
    as circles; other graphs by the lengths of their paths.
    """
    places = layout(topology)
    xs, ys = zip(*places.values(), strict=True)
    wide, high = max(xs) - min(xs) + 1.4, max(ys) - min(ys) + 1.4
    scale = min(0.75, INCHES[1] / max(wide, high))
    size = (max(wide * scale, INCHES[0]), max(high * scale, INCHES[0] / 2) + 0.6)
    plots.save(Path(path), lambda axes: draw(axes, topology, places), size)


def draw(axes: Any, topology: Topology, places: Places) -> None:
    """Draw a topology on one panel."""
    many = len(places)
    dot = max(2.0, min(9.0, 60 / many**0.5))
    kinds = wire_kinds(topology)
    _cables(axes, topology, places, kinds, width=0.9 if many < 200 else 0.4)
    for letter, marker, colour, size in (
        ("s", "s", plots.VERMILION, dot),
        ("n", "o", plots.BLUE, 0.7 * dot),
    ):
        points = [at for name, at in places.items() if name[0] == letter]
        if points:
            axes.plot(
                *zip(*points, strict=True), marker, color=colour, markersize=size, zorder=3,
                linestyle="none",
            )  # fmt: skip
    write_names(axes, topology, places, dot)
    axes.set_title(_title(topology))
    frame(axes, places)
    axes.legend(handles=_legend(topology, kinds), loc="upper left", bbox_to_anchor=(0, 0),
                ncols=3 if axes.get_figure().get_figwidth() >= WIDE else 2)  # fmt: skip


def frame(axes: Any, places: Places) -> None:
    """Give a drawing equal scales, no axes, and room for the marks at its edges."""
    xs = [x for x, _ in places.values()]
    if max(xs) - min(xs) < NARROW:  # nodes above each other: marks would be cut at both sides
        middle = (max(xs) + min(xs)) / 2
        axes.update_datalim([(middle + side * NARROW / 2, 0.0) for side in (-1, 1)], updatey=False)
        axes.autoscale_view()
    axes.set_aspect("equal")
    axes.axis("off")
    axes.margins(0.07)


def _title(topology: Topology) -> str:
    name = topology.name
    return name if not name.startswith("file:") else Path(name.removeprefix("file:")).name


def wire_kinds(topology: Topology) -> list[str]:
    """Return what each cable has in place of the product's rate, wires and cells; "": nothing."""
    kinds = []
    for number in range(len(topology.cables)):
        wire = attributes_of(topology, number)
        told = [text.format(wire[name]) for name, text in _WIRES.items() if name in wire]
        kinds.append(", ".join(told))
    return kinds


def _looks(kinds: Sequence[str]) -> dict[str, str]:
    """Return the colour of each kind of wire; the usual one is grey."""
    unusual = dict.fromkeys(kind for kind in kinds if kind)
    return {"": plots.GREY} | dict(zip(unusual, cycle(_COLOURS), strict=False))


def _legend(topology: Topology, kinds: Sequence[str]) -> list[Line2D]:
    switches = len(topology.switch_ports)
    marks = [
        ("o", plots.BLUE, topology.hosts, "host"),
        ("s", plots.VERMILION, switches, "switch"),
    ]
    looks = _looks(kinds)
    counts = {kind: kinds.count(kind) for kind in looks if kind in kinds}
    cables = [
        Line2D([], [], color=looks[kind], linewidth=2 if kind else 1,
               label=f"{count} {_plural_of('cable', count)}{f', {kind}' if kind else ''}")
        for kind, count in counts.items()
    ]  # fmt: skip
    return cables + [
        Line2D(
            [], [], color=colour, marker=marker, linestyle="none" if marker else "-", markersize=5,
            label=f"{count} {_plural_of(what, count)}",
        )
        for marker, colour, count, what in marks
    ]  # fmt: skip


def _plural_of(word: str, count: int) -> str:
    return word if count == 1 else f"{word}es" if word.endswith("ch") else f"{word}s"


def _cables(
    axes: Any, topology: Topology, places: Places, kinds: Sequence[str], width: float
) -> None:
    looks = _looks(kinds)
    straight: dict[str, list[tuple[Point, Point]]] = {}
    for (one, other), kind in zip(topology.cables, kinds, strict=True):
        ends = [end.partition(".")[0] for end in (one, other)]
        a, b = (places[end] for end in ends)
        if passes_others(topology, ends, hypot(a[0] - b[0], a[1] - b[1])):
            axes.add_patch(
                FancyArrowPatch(
                    a, b, arrowstyle="-", connectionstyle=f"arc3,rad={BEND}",
                    linewidth=2 * width if kind else width, color=looks[kind], zorder=1,
                    shrinkA=0, shrinkB=0,
                )
            )  # fmt: skip
        else:
            straight.setdefault(kind, []).append((a, b))
    for kind, lines in straight.items():
        wide = 2 * width if kind else width
        axes.add_collection(LineCollection(lines, colors=looks[kind], linewidths=wide, zorder=1))


def passes_others(topology: Topology, ends: list[str], length: float) -> bool:
    """Return whether a straight cable would cross other nodes, so that it must be bent."""
    if topology.family == "dragonfly" and ends[0][0] == ends[1][0] == "s":
        (group, a), (other, b) = (topology.places[int(end[1:])] for end in ends)
        return group == other and abs(a - b) > 1
    return topology.family in IN_ROWS and length > NEIGHBOURS


def wire(topology: Topology, places: Places, source: str, destination: str) -> list[Point]:
    """Return the line of a sender's wire: right of its cable, bent around nodes between."""
    a, b = places[source], places[destination]
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    right = (dy / length, -dx / length)
    bent = passes_others(topology, [source, destination], length)
    steps = BENT_STEPS if bent else 1
    line = []
    for step in range(steps + 1):
        t = step / steps
        off = SIDE + (4 * t * (1 - t) * (BEND * length / 2) if bent else 0.0)
        line.append((a[0] + t * dx + off * right[0], a[1] + t * dy + off * right[1]))
    return line
