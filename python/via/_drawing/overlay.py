# SPDX-License-Identifier: GPL-2.0-only
"""Many products in one panel: lines differ in colour, dashes and marker, and end in a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from via._base import published
from via._drawing import plots

_COLOURS = (
    plots.BLUE, plots.VERMILION, plots.GREEN, plots.PURPLE, plots.ORANGE, plots.SKY, plots.BLACK,
)  # fmt: skip
_DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
_MARKS = ("o", "s", "^", "v", "P", "X", "<")
_TEXT = "#333333"
_LABEL_INCHES = 0.135  # height of a name with its gap
_LEADER = (0.005, 0.05, 0.11, 0.12)  # in widths of the panel: from the line's end to its name
_OCTAVES = 0.8  # published values of one size are drawn side by side, up to this far to each side


@dataclass(frozen=True)
class Look:
    """Style and label of a product in every figure of a study."""

    label: str
    colour: str
    dashes: Any
    mark: str


@dataclass(frozen=True)
class Line:
    """A product's values."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]


@dataclass(frozen=True)
class Point:
    """A published value."""

    name: str
    x: float
    y: float
    trust: str


@dataclass(frozen=True)
class Axes:
    """Labels of a panel; places: ticks of the x axis, whether doubling or not.

    in_bytes: whether x is a size.
    names_left: put the names at the left ends of the lines, and the y axis at the right.
    """

    title: str
    x: str
    y: str
    log: bool
    places: Sequence[float]
    doubling: bool = True
    in_bytes: bool = False
    names_left: bool = False


def looks(labels: Mapping[str, str]) -> dict[str, Look]:
    """Give each product its own look: neighbours differ in colour, others in dashes."""
    return {
        name: Look(
            label, _COLOURS[i % len(_COLOURS)], _DASHES[i // len(_COLOURS) % len(_DASHES)],
            _MARKS[i % len(_MARKS)],
        )
        for i, (name, label) in enumerate(labels.items())
    }  # fmt: skip


def height(count: int) -> float:
    """Return the height in inches of a panel with the names of this many products."""
    return max(3.6, 1.1 + count * _LABEL_INCHES * 1.15)


def lines(
    axes: Any, panel: Axes, rows: Sequence[Line], points: Sequence[Point], look: Mapping[str, Look]
) -> None:
    """Draw every product's line, the published values, and the names at one side."""
    if panel.log:
        rows = [_positive(row) for row in rows]
    for row in rows:
        style = look[row.name]
        axes.plot(
            row.xs, row.ys, color=style.colour, linestyle=style.dashes, marker=style.mark,
            markersize=3.6, linewidth=1.4,
        )  # fmt: skip
    for point, x in zip(points, _side_by_side(points), strict=True):
        _mark(axes, x, point.y, point.trust, look[point.name].colour)
    axes.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
    _scale(axes, panel, [y for row in rows for y in row.ys] + [point.y for point in points])
    _name_ends(axes, [row for row in rows if row.xs], look, left=panel.names_left)


def _positive(row: Line) -> Line:
    """Leave out times that were too short for the program's clock."""
    kept = [(x, y) for x, y in zip(row.xs, row.ys, strict=True) if y > 0]
    return Line(row.name, [x for x, _ in kept], [y for _, y in kept])


def _side_by_side(points: Sequence[Point]) -> list[float]:
    """Return the x of each point: points of one size are side by side, in order of y."""
    places = [point.x for point in points]
    for x in set(places):
        group = sorted((point.y, i) for i, point in enumerate(points) if point.x == x)
        step = 2 * _OCTAVES / max(len(group), 8)
        for rank, (_, i) in enumerate(group):
            places[i] = x * 2 ** (step * (rank - (len(group) - 1) / 2))
    return places


def _mark(axes: Any, x: float, y: float, trust: str, colour: str) -> None:
    """Mark a published value: full if read, hollow if recalled; the bar is its uncertainty."""
    low, high = published.limits(y, trust)
    axes.errorbar(
        x, y, yerr=[[y - low], [high - y]], fmt="D", color=colour, markersize=6, capsize=3,
        markerfacecolor=colour if published.is_verified(trust) else "white", zorder=4,
        markeredgewidth=1.3, elinewidth=1.0,
    )  # fmt: skip


def _scale(axes: Any, panel: Axes, values: Sequence[float]) -> None:
    if panel.doubling and len(panel.places) > 1:
        axes.set_xscale("log", base=2)
    axes.set_xticks(panel.places)
    axes.xaxis.set_minor_locator(NullLocator())
    text = plots.in_bytes if panel.in_bytes else _plain
    axes.xaxis.set_major_formatter(FuncFormatter(text))
    axes.tick_params(axis="x", labelsize=7.5)
    if panel.log and values:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=30))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(_plain))
        axes.set_ylim(min(values) / 1.4, max(values) * 1.4)
    elif values:
        axes.set_ylim(1.08 * min(0.0, *values), 1.08 * max(values) or 1.0)


def _plain(value: float, _position: object = None) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def _name_ends(axes: Any, rows: Sequence[Line], look: Mapping[str, Look], *, left: bool) -> None:
    to_axes = axes.transScale + axes.transLimits
    end_of = 0 if left else -1
    ends = [to_axes.transform((row.xs[end_of], row.ys[end_of]))[1] for row in rows]
    panel_inches = height(len(rows)) - 0.9
    begin, bend, name, text = (-x if left else 1 + x for x in _LEADER)
    if left:
        axes.yaxis.tick_right()
        axes.yaxis.set_label_position("right")
        axes.spines["left"].set_visible(False)
        axes.spines["right"].set_visible(True)
    for row, end, place in zip(rows, ends, spread(ends, _LABEL_INCHES / panel_inches), strict=True):
        style = look[row.name]
        axes.plot(
            [begin, bend, name], [end, place, place], color=style.colour, linestyle=style.dashes,
            linewidth=1.1, transform=axes.transAxes, clip_on=False,
        )  # fmt: skip
        axes.plot(
            [(bend + name) / 2], [place], color=style.colour, marker=style.mark, markersize=3.6,
            transform=axes.transAxes, clip_on=False,
        )  # fmt: skip
        axes.annotate(
            style.label, (text, place), xycoords="axes fraction", va="center", fontsize=7,
            ha="right" if left else "left", color=_TEXT, annotation_clip=False,
        )  # fmt: skip


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Move places apart to at least this gap, within 0 to 1 if they fit, in the same order."""
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    moved = list(places)
    least = 0.0
    for i in order:
        moved[i] = max(moved[i], least)
        least = moved[i] + gap
    most = max(1.0, gap * (len(places) - 1))
    for i in reversed(order):
        moved[i] = min(moved[i], most)
        most = moved[i] - gap
    return moved


def dots(
    axes: Any, panel: Axes, values: Mapping[str, float], points: Sequence[Point],
    look: Mapping[str, Look], names: Sequence[str],
) -> None:  # fmt: skip
    """Draw one value per product, one product per row."""
    for place, name in enumerate(names):
        if values.get(name, 0.0) > 0:  # a time too short for the program's clock has no place
            style = look[name]
            axes.plot(values[name], place, style.mark, color=style.colour, markersize=5, zorder=3)
    for point in points:
        low, high = published.limits(point.y, point.trust)
        colour = look[point.name].colour
        axes.errorbar(
            point.y, names.index(point.name), xerr=[[point.y - low], [high - point.y]], fmt="D",
            color=colour, markersize=7, capsize=3, markerfacecolor="none", elinewidth=1.0,
            fillstyle="full" if published.is_verified(point.trust) else "none",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(_plain))
    axes.set_yticks(range(len(names)), [look[name].label for name in names], fontsize=7.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set(title=panel.title, xlabel=panel.y)


def explain(axes: Any) -> None:
    """Explain the marks of published values below a panel."""
    parts = ", ".join(
        f"{trust.removeprefix('MEMORY-')} {part:.0%}" for trust, part in
        published.UNCERTAINTY.items()
    )  # fmt: skip
    axes.annotate(
        "diamonds: published, full if read, hollow if recalled; bars: how far to trust them\n"
        f"({parts}, low a factor of {published.LOW_FACTOR:.0f})",
        (0, -0.19), xycoords="axes fraction", fontsize=6.5, color=_TEXT, va="top",
    )  # fmt: skip
