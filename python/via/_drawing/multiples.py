# SPDX-License-Identifier: GPL-2.0-only
"""Small multiples: one panel per product, the others as grey lines behind; dots in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from via._base import published
from via._drawing import plots

COLUMNS = 5
CELL = (1.75, 1.4)  # inches of one panel
MARGIN = (0.7, 0.75)  # inches for labels of axes, title and legend of a block
MOST_TICKS = 3
_WIDE = 30  # a logarithmic axis of more than this factor has ticks at powers of ten only
_TITLE_INCHES = 0.095  # width of a letter
_LEGEND_INCHES = (0.55, 0.065)  # of an entry, and of each of its letters
_BEHIND: dict[str, Any] = {"color": "#d4d4d4", "linewidth": 0.6, "zorder": 1}
_WIDTHS = (3.4, 1.9, 0.9)  # of series that may coincide: the last is drawn on top


@dataclass(frozen=True)
class Line:
    """Values of a product; series: what it is called in the legend."""

    name: str
    series: str
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
class Block:
    """Panels with the same axes.

    Attributes:
        title: stands above the block.
        x: label of the x axis.
        y: label of the y axis.
        log: whether the y axis is logarithmic.
        doubling: whether the x axis is logarithmic.
        in_bytes: whether x is a size.
        lines: of all products and series.
        points: published values.
    """

    title: str
    x: str
    y: str
    log: bool
    doubling: bool
    in_bytes: bool
    lines: Sequence[Line]
    points: Sequence[Point] = ()


def grid(count: int) -> tuple[int, int]:
    """Return rows and columns of a block of so many products."""
    columns = min(count, COLUMNS)
    return ceil(count / columns), columns


def size(count: int, blocks: int) -> tuple[float, float]:
    """Return the inches of a figure of blocks of so many products each."""
    rows, columns = grid(count)
    return (
        MARGIN[0] + CELL[0] * max(columns, 2),
        blocks * (MARGIN[1] + CELL[1] * rows * (1.6 if rows == 1 else 1.0)),
    )


def save(path: Path, blocks: Sequence[Block], labels: Mapping[str, str]) -> None:
    """Draw blocks below each other into a file; labels: of each product, in order."""
    with plots.canvas(path, size(len(labels), len(blocks))) as figure:
        parts = figure.subfigures(len(blocks), 1, squeeze=False).ravel()
        for part, block in zip(parts, blocks, strict=True):
            draw(part, block, labels)
        behind = [BEHIND] if len(labels) > 1 else []
        points = [point for block in blocks for point in block.points]
        if notes := [*behind, *explanation(points)]:
            plots.write_below(figure, notes)


def draw(place: Any, block: Block, labels: Mapping[str, str]) -> None:
    """Draw a block on a figure or a part of one: a panel per product, in this order."""
    rows, columns = grid(len(labels))
    panels = place.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    kept = [_positive(line) for line in block.lines] if block.log else block.lines
    series = list(dict.fromkeys(line.series for line in kept))
    widths = _WIDTHS if len(series) > 1 else _WIDTHS[1:]
    for panel in panels[len(labels) :]:
        panel.set_axis_off()
    for number, (panel, (name, label)) in enumerate(zip(panels, labels.items(), strict=False)):
        for line in kept:
            own = line.name == name
            place_of = series.index(line.series)
            look = {"color": plots.LINES[place_of], "marker": "o", "markersize": 2.5, "zorder": 3,
                    "linewidth": widths[min(place_of, len(widths) - 1)]}  # fmt: skip
            panel.plot(line.xs, line.ys, **look if own else _BEHIND,
                       label=line.series if own else None)  # fmt: skip
        for point in block.points:
            if point.name == name:
                _mark(panel, point)
        panel.set_title(label, fontsize=7.5)
        panel.tick_params(
            labelsize=6.5, labelbottom=number + columns >= len(labels),
            labelleft=number % columns == 0,
        )  # fmt: skip
    _scales(panels[0], block, kept)
    place.suptitle(block.title, x=0.01, ha="left", fontsize=10, fontweight="bold")
    place.supxlabel(block.x, fontsize=8)
    place.supylabel(block.y, fontsize=8)
    inches = size(len(labels), 1)[0]
    if len(series) > 1 and not _is_room_above(block.title, series, inches):
        panels[0].legend(loc="best", fontsize=7)
    elif len(series) > 1:
        handles = {
            label: handle
            for panel in panels[: len(labels)]
            for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        }
        found = [each for each in series if each in handles]
        place.legend([handles[each] for each in found], found, loc="upper right", ncols=len(found))


def _is_room_above(title: str, series: Sequence[str], inches: float) -> bool:
    """Return whether a legend of one row has its place beside the title."""
    legend = sum(_LEGEND_INCHES[0] + _LEGEND_INCHES[1] * len(each) for each in series)
    return _TITLE_INCHES * len(title) + legend < inches


def _positive(line: Line) -> Line:
    """Leave out times that were too short for the program's clock."""
    kept = [(x, y) for x, y in zip(line.xs, line.ys, strict=True) if y > 0]
    return Line(line.name, line.series, [x for x, _ in kept], [y for _, y in kept])


def _mark(panel: Any, point: Point) -> None:
    """Mark a published value: full if read, hollow if recalled; the bar is its uncertainty."""
    low, high = published.limits(point.y, point.trust)
    panel.errorbar(
        point.x, point.y, yerr=[[point.y - low], [high - point.y]], fmt="D", color=plots.BLACK,
        markersize=4, capsize=2, zorder=4, markeredgewidth=0.9, elinewidth=0.8,
        markerfacecolor=plots.BLACK if published.is_verified(point.trust) else "white",
    )  # fmt: skip


def _scales(panel: Any, block: Block, lines: Sequence[Line]) -> None:
    """Set the scales of the panel whose axes all others of its block share."""
    places = sorted({x for line in lines for x in line.xs})
    values = [y for line in lines for y in line.ys] + [point.y for point in block.points]
    if block.doubling and len(places) > 1:
        panel.set_xscale("log", base=2)
    step = max(1, ceil((len(places) - 1) / (MOST_TICKS - 1)))
    panel.set_xticks(places[::step])
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_major_formatter(FuncFormatter(plots.in_bytes if block.in_bytes else _plain))
    if block.log and values:
        panel.set_yscale("log")
        wide = max(values) > _WIDE * min(values)
        panel.yaxis.set_major_locator(LogLocator(subs=(1,) if wide else (1, 2, 5), numticks=30))
        panel.yaxis.set_minor_locator(NullLocator())
        panel.yaxis.set_major_formatter(FuncFormatter(_plain))
        panel.set_ylim(min(values) / 1.5, max(values) * 1.5)
    elif values:
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.08 * (high - low) or 1.0
        panel.set_ylim(low - room if low < 0 else 0, high + room)


def _plain(value: float, _position: object = None) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def dots(
    axes: Any, title: str, x: str, values: Mapping[str, float], points: Sequence[Point],
    labels: Mapping[str, str],
) -> None:  # fmt: skip
    """Draw one value per product, one product per row."""
    names = list(labels)
    for place, name in enumerate(names):
        if values.get(name, 0.0) > 0:  # a time too short for the program's clock has no place
            axes.plot(values[name], place, "o", color=plots.BLUE, markersize=5, zorder=3)
    for point in points:
        low, high = published.limits(point.y, point.trust)
        axes.errorbar(
            point.y, names.index(point.name), xerr=[[point.y - low], [high - point.y]], fmt="D",
            color=plots.BLACK, markersize=7, capsize=3, markerfacecolor="none", elinewidth=1.0,
            fillstyle="full" if published.is_verified(point.trust) else "none",
        )  # fmt: skip
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    wide = high > 100 * low  # a panel is wider than it is high
    axes.xaxis.set_major_locator(LogLocator(subs=(1,) if wide else (1, 2, 5), numticks=30))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(_plain))
    axes.set_yticks(range(len(names)), labels.values(), fontsize=7.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set(title=title, xlabel=x)


BEHIND = "Grey: the other products, all series."


def explanation(points: Sequence[Point]) -> list[str]:
    """Return what the marks of published values mean, if there are any."""
    if not points:
        return []
    parts = ", ".join(
        f"{trust.removeprefix('MEMORY-')} {part:.0%}" for trust, part in
        published.UNCERTAINTY.items()
    )  # fmt: skip
    return [
        "Diamonds: published values, full if read, hollow if recalled; bars: how far to trust them"
        f" ({parts}, low a factor of {published.LOW_FACTOR:.0f})."
    ]
