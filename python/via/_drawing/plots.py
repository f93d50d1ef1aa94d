# SPDX-License-Identifier: GPL-2.0-only
"""The common look of all figures: meaning of colours, marks of published points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from cycler import cycler
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from via import figures
from via._base.files import place_for
from via._base.published import is_verified
from via._base.units import SYMBOLS

# Okabe and Ito's colours, distinguishable with any kind of colour vision.
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, BLACK, GREY = "#56B4E9", "#CC79A7", "#000000", "#999999"

US = SYMBOLS["us"]

WIDE = 20.0  # values that span a larger factor get a logarithmic axis
DECADE = 10.0  # so do these, against such an axis: there a straight line looks like a knee

LINES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
FILLS = ("full", "none", "left", "right", "top", "bottom")  # of marks, where colours repeat

# The part of a cluster that owns a stretch of time.
ENGINES = {
    "cpu": ("host CPU and program", BLUE),
    "program": ("host CPU and program", BLUE),
    "bus": ("host bus", ORANGE),
    "nic-send": ("NIC", GREEN),
    "nic-receive": ("NIC", GREEN),
    "link": ("link", SKY),
    "crossbar": ("switch", PURPLE),
}
RESIDUAL_HATCH = "////"

STYLE = {
    "figure.dpi": 130,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=LINES),
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.7,
    "lines.markersize": 4.5,
    "legend.edgecolor": "none",
    "legend.framealpha": 0.85,  # what lies behind does not disturb
    "legend.borderpad": 0.1,
    "legend.fontsize": 8,
    "svg.hashsalt": "via",  # if not set, each file has other names for its clips
}

_LETTERS_PER_INCH = 18  # in notes
_EDGE = 4  # pixels beside a title
_LEAST = 3  # points of a font

Axes = Any  # of matplotlib, which has no types
Draw = Callable[[Axes], None]


@contextmanager
def style() -> Iterator[None]:
    """Draw in our style, not the user's."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def save(
    path: Path,
    draw: Draw,
    size: tuple[float, float] = (5.2, 3.6),
    provenance: figures.Provenance = (),
) -> None:
    """Draw one panel into a .png, .svg or .pdf file; the same data give the same bytes.

    Args:
        path: the file.
        draw: called with the panel.
        size: in inches.
        provenance: of the run or runs drawn; written into the file, see via.figures.
    """
    compose(path, [draw], (1, 1), size, provenance=provenance)


def compose(
    path: Path,
    draws: Sequence[Draw],
    grid: tuple[int, int],
    size: tuple[float, float],
    notes: Sequence[str] = (),
    provenance: figures.Provenance = (),
) -> None:
    """Draw several panels into one file, with notes on assumptions below them.

    Args:
        path: the file.
        draws: called with one panel each.
        grid: rows and columns of panels.
        size: in inches.
        notes: one sentence each.
        provenance: of the run or runs drawn.
    """
    with panels(path, grid, size, provenance) as places:
        for panel, draw in zip(places, draws, strict=True):
            draw(panel)
        if notes:
            write_below(places[0].get_figure(), notes)


def write_below(figure: Figure, notes: Sequence[str]) -> None:
    """Write notes below a figure, a paragraph each."""
    width = int(_LETTERS_PER_INCH * figure.get_figwidth())
    lines = (fill(note, width, initial_indent="-  ", subsequent_indent="   ") for note in notes)
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=7, color="#333333")


@contextmanager
def canvas(
    path: Path, size: tuple[float, float], provenance: figures.Provenance = ()
) -> Iterator[Figure]:
    """Yield an empty figure in our style; the file is written when the block succeeds.

    Raises:
        ConfigError: the suffix is not that of a figure.
    """
    figures.check_kind(path)
    with style(), place_for(path) as place:
        figure = Figure(figsize=size)
        yield figure
        about = figures.metadata(figure, path, provenance)
        _fit_titles(figure)
        figure.savefig(place, metadata=about)


def _fit_titles(figure: Figure) -> None:
    """Move titles that would be cut at the right to the left; make them smaller if need be."""
    figure.draw_without_rendering()  # only then the layout is known
    figure.set_layout_engine("none")  # and it stays: another round could move the panels
    for axes in figure.axes:
        title = axes._left_title
        right = figure.bbox.width - _EDGE
        if not title.get_text() or title.get_window_extent().x1 <= right:
            continue
        while title.get_window_extent().width > right - _EDGE and title.get_fontsize() > _LEAST:
            title.set_fontsize(0.97 * title.get_fontsize())  # widths of letters are rounded
        start = max(_EDGE, right - title.get_window_extent().width)
        title.set_x(axes.transAxes.inverted().transform((start, 0.0))[0])


@contextmanager
def panels(
    path: Path,
    grid: tuple[int, int] = (1, 1),
    size: tuple[float, float] = (5.2, 3.6),
    provenance: figures.Provenance = (),
) -> Iterator[list[Any]]:
    """Yield the panels of a figure to draw on; the file is written when the block succeeds.

    Raises:
        ConfigError: the suffix is not that of a figure.
    """
    with canvas(path, size, provenance) as figure:
        yield list(figure.subplots(*grid, squeeze=False).flat)


def part_of(owner: str) -> tuple[str, str]:
    """Return label and colour of an owner: those of the bus for "n0.bus"."""
    return ENGINES.get(owner.rpartition(".")[2], ("other", GREY))


def nth(looks: Sequence[Any], place: int) -> tuple[Any, str]:
    """Return the look of one of many lines, and the fill of its marks: each round has another."""
    turn, which = divmod(place, len(looks))
    return looks[which], FILLS[turn % len(FILLS)]


def is_wide(values: Iterable[float], least: float = WIDE) -> bool:
    """Return whether values span at least this factor, and so need a logarithmic axis."""
    found = np.asarray(list(values), dtype=float)
    return bool(len(found) and found.min() > 0 and found.max() / found.min() >= least)


def in_bytes(value: float, _position: object = None) -> str:
    """Return a size as text: 4 B, 32 KiB, 2 MiB; in bytes if it is no whole number of KiB."""
    size = round(value)
    for unit, name in ((2**20, "MiB"), (2**10, "KiB")):
        if size and size % unit == 0:
            return f"{size // unit:,} {name}"
    return f"{size:,} B"


def doubling_axis(axes: Any, values: Sequence[float], text: Callable[..., str]) -> None:
    """Make the x axis logarithmic with base 2, with ticks at these values."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(values)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(text))


def nodes_axis(axes: Any, nodes: Sequence[int]) -> None:
    """Make an x axis of node counts; if there are many, label every second one and the last."""
    named = nodes[::-1][:: 1 if len(nodes) < 8 else 2]
    doubling_axis(axes, named, lambda value, _: f"{value:,.0f}")
    axes.set_xlim(nodes[0] / 1.25, nodes[-1] * 1.25)


def sizes_axis(axes: Any, sizes: Sequence[int]) -> None:
    """Make an x axis of sizes in bytes; if there are many, label every second one."""
    doubling_axis(axes, sizes[:: 1 if len(sizes) < 8 else 2], in_bytes)


def in_bytes_axis(axis: Any) -> None:
    """Write the numbers of a logarithmic axis as sizes."""
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(in_bytes))


def log_axis(axes: Any, limits: tuple[float, float], *, steps: Sequence[int] = (1,)) -> None:
    """Make a logarithmic y axis with numbers written out: 10, 100, 1,000."""
    axes.set_yscale("log")
    axes.set_ylim(limits[0] / 1.5, limits[1] * 1.5)
    written_out(axes.yaxis, steps=steps)


def written_out(axis: Any, *, steps: Sequence[int] = (1,), ticks: bool = True) -> None:
    """Write out the numbers of a logarithmic axis, at steps of each decade or at its ticks."""
    if ticks:
        axis.set_major_locator(LogLocator(subs=steps, numticks=30))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def mark_published(
    axes: Any, points: Sequence[tuple[float, Any]], *, left: bool, colour: str = VERMILION
) -> None:
    """Mark published values: full if read where they were published, hollow if recalled.

    Args:
        axes: the panel, with its limits set.
        points: x and the row of each.
        left: put the names at the left of the points, not at the right.
        colour: of marks and names.
    """
    heights = spread([axes.transData.transform((x, row.published))[1] for x, row in points], 13)
    for (x, row), height in zip(points, heights, strict=True):
        read = is_verified(row.trust)
        axes.plot(
            x, row.published, "D", color=colour, markersize=5, zorder=4, linestyle="none",
            markerfacecolor=colour if read else "white",
            label="published, read" if read else "published, recalled",
        )  # fmt: skip
        at = axes.transData.transform((x, row.published))
        axes.annotate(
            row.source, (x, row.published), xytext=(-9 if left else 9, (height - at[1]) * 0.55),
            textcoords="offset points", fontsize=7, color=colour, va="center",
            ha="right" if left else "left", path_effects=[withStroke(linewidth=2, foreground="w")],
        )  # fmt: skip


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights up, as little as possible, so that labels do not overlap."""
    moved = list(heights)
    order = sorted(range(len(moved)), key=lambda i: moved[i])
    for below, above in pairwise(order):
        moved[above] = max(moved[above], moved[below] + gap)
    return moved


def legend(axes: Any, place: str) -> None:
    """Draw the legend with each kind of mark once."""
    handles, labels = axes.get_legend_handles_labels()
    kinds = dict(zip(labels, handles, strict=True))
    axes.legend(kinds.values(), kinds.keys(), loc=place)


def latency(
    axes: Any, ours: pd.DataFrame, published: pd.DataFrame, label: str, product: str
) -> None:
    """Draw one-way latency against message size, with published points."""
    sizes = ours["size_bytes"]
    axes.plot(sizes, ours["latency_us"], "o-", color=BLUE, label=label)
    doubling_axis(axes, [size for i, size in enumerate(sizes) if i % 3 == 0], in_bytes)
    axes.set_yscale("log")
    axes.set_xlim(sizes.iloc[0] / 32, sizes.iloc[-1] * 2)
    axes.set_ylim(5, ours["latency_us"].iloc[-1] * 1.6)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set(title=f"{product}: one-way latency", xlabel="message size")
    axes.set_ylabel(f"one-way latency ({US}), half a ping-pong")
    for size, rows in published.groupby("size_bytes"):
        few = [(float(size), row) for row in rows.itertuples()]
        mark_published(axes, few, left=size == sizes.iloc[0])
    legend(axes, "upper left")


def bandwidth(
    axes: Any, ours: pd.DataFrame, published: pd.DataFrame, limit_mb_s: float, product: str
) -> None:
    """Draw bandwidth against message size, with the limit that cell headers impose."""
    sizes = ours["size_bytes"].drop_duplicates()
    for colour, (work, rows) in zip(
        (BLUE, GREEN), ours.groupby("bytes_are", sort=False), strict=True
    ):
        label = f"simulated, bytes {work}"
        axes.plot(rows["size_bytes"], rows["mb_s"], "o-", color=colour, label=label)
    axes.axhline(limit_mb_s, color=GREY, linestyle="--", linewidth=1)
    axes.annotate(
        f"the cells allow {limit_mb_s:.0f} MB/s", (sizes.iloc[0], limit_mb_s),
        xytext=(0, 4), textcoords="offset points", fontsize=7, color="#666666",
    )  # fmt: skip
    doubling_axis(axes, [size for i, size in enumerate(sizes) if i % 3 == 0], in_bytes)
    axes.set_xlim(sizes.iloc[0] / 1.5, sizes.iloc[-1] * 16)
    axes.set_ylim(0, limit_mb_s * 1.15)
    axes.set(title=f"{product}: bandwidth, window of 16", xlabel="message size")
    axes.set_ylabel("bandwidth (MB/s)")
    mark_published(axes, [(sizes.iloc[-1], row) for row in published.itertuples()], left=False)
    legend(axes, "lower right")


def stages(axes: Any, rows: pd.DataFrame, residual: str, product: str) -> None:
    """Draw the stages of a latency as steps on a time line, coloured by owner."""
    rows = rows[rows["latency_ps"] > 0]
    lengths = rows["latency_ps"].to_numpy() / 1e6
    ends = lengths.cumsum()
    used: dict[str, str] = {}
    for place, row in enumerate(rows.itertuples()):
        what, colour = ENGINES.get(row.owner.split()[-1], ("other", GREY))
        used[what] = colour
        axes.barh(
            place, lengths[place], left=ends[place] - lengths[place], color=colour,
            edgecolor="white" if row.stage == residual else colour, height=0.72,
            linewidth=0, hatch=RESIDUAL_HATCH if row.stage == residual else None,
        )  # fmt: skip
        axes.annotate(
            f"{lengths[place]:.2f}", (ends[place], place), xytext=(3, 0),
            textcoords="offset points", va="center", fontsize=6.5, color="#444444",
        )  # fmt: skip
    names = [f"{row.stage} ({row.owner})" for row in rows.itertuples()]
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, ends[-1] * 1.08)
    axes.set(title=f"{product}: {ends[-1]:.2f} {US} of 4 bytes")
    axes.set_xlabel(f"time after the post ({US})")
    axes.legend(handles=engine_keys(used), loc="upper right")


def engine_keys(used: Mapping[str, str]) -> list[Patch]:
    """Return the handles of a legend of owners, by colour, and of the residual."""
    keys = [Patch(color=colour, label=what) for what, colour in used.items()]
    return [*keys, Patch(facecolor=GREEN, edgecolor="white", hatch=RESIDUAL_HATCH,
                         label="residual, fitted")]  # fmt: skip


QUEUES = {
    "fifo": "FIFO queues at inputs, round robin",
    "voq": "virtual output queues, iSLIP",
    "output": "queues at outputs",
}


def _line_per_queueing(axes: Any, rows: pd.DataFrame, column: str) -> None:
    """Draw a column against the offered load; lines that coincide are all visible."""
    groups = rows.groupby("queueing", sort=False)
    for colour, look, (name, group) in zip(LINES, ("o-", "s--", "D:"), groups, strict=False):
        axes.plot(group["load_pct"], group[column], look, color=colour, label=QUEUES[name])


def throughput_by_load(axes: Any, rows: pd.DataFrame, limit: float) -> None:
    """Draw the delivered load of a crossbar against the offered load, in % of wire capacity."""
    _line_per_queueing(axes, rows, "throughput_pct")
    axes.axhline(limit, color=GREY, linestyle="--", linewidth=1)
    axes.annotate(
        f"Karol et al. 1987: {limit:.1f} %", (2, limit), xytext=(0, 4), color=GREY, fontsize=7,
        textcoords="offset points",
    )  # fmt: skip
    axes.set(
        title="Ideal crossbar: throughput", xlabel="offered load (%)", ylabel="delivered load (%)"
    )
    axes.set_xlim(0, 103)
    axes.set_ylim(0, 103)
    axes.legend(loc="lower right")


def latency_by_load(axes: Any, rows: pd.DataFrame) -> None:
    """Draw the mean latency of a cell through a crossbar against the offered load."""
    _line_per_queueing(axes, rows, "mean_slots")
    axes.set_yscale("log")
    axes.set(
        title="Ideal crossbar: latency", xlabel="offered load (%)", ylabel="mean latency (slots)"
    )
    axes.set_xlim(0, 103)
    axes.legend(loc="upper left")


def barrier(axes: Any, rows: pd.DataFrame, product: str) -> None:
    """Draw the time of a barrier against the number of nodes, one line per signalling method.

    Args:
        axes: the panel.
        rows: mode, nodes and barrier_us.
        product: the product of all lines.
    """
    names = {"send": "send and receive", "rdma": "RDMA write with immediate data"}
    for colour, (mode, group) in zip(LINES, rows.groupby("mode", sort=False), strict=False):
        axes.plot(
            group["nodes"], group["barrier_us"], "o-", color=colour, label=names.get(mode, mode)
        )
    doubling_axis(axes, sorted(rows["nodes"].unique()), lambda value, _: f"{value:.0f}")
    axes.set_ylim(bottom=0)
    axes.set(
        title=f"{product}: dissemination barrier",
        xlabel="nodes",
        ylabel=f"time of a barrier ({US})",
    )
    axes.legend(loc="upper left")
