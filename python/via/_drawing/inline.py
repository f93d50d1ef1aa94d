# SPDX-License-Identifier: GPL-2.0-only
"""Small figures that notebooks show beside the table of an object, as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from via._base.units import PS_PER_US
from via._drawing import plots

WIDTH = 4.6  # inches
_SILENT = {"Date": None, "Creator": None}  # the same object gives the same text
_MOST_STEPS = 2000  # of a distribution; more cannot be told apart
_KNOWN = (plots.BLUE, plots.SKY, plots.GREEN, plots.ORANGE, plots.PURPLE, plots.VERMILION)


def svg(draw: plots.Draw, height: float) -> str:
    """Return a panel as an SVG element. height: in inches."""
    with plots.style():
        figure = Figure(figsize=(WIDTH, height))
        draw(figure.subplots())
        text = StringIO()
        figure.savefig(text, format="svg", metadata=_SILENT)
    whole = text.getvalue()
    return whole[whole.find("<svg") :]


def distribution(times_ps: NDArray[np.int64]) -> str:
    """Return the share of times at or below each time; there must be at least one time."""
    count = len(times_ps)
    shown = np.linspace(0, count - 1, min(count, _MOST_STEPS)).astype(int)  # both ends are there
    times = np.sort(times_ps)[shown] / PS_PER_US

    def draw(axes: plots.Axes) -> None:
        axes.step([times[0], *times], [0, *(shown + 1) / count], where="post", color=plots.BLUE)
        axes.set_ylim(0, 1.02)
        axes.set(xlabel=f"time ({plots.US})", ylabel="share at or below")

    return svg(draw, 2.0)


def quantiles(least: float, median: float, high: float, most: float) -> str:
    """Return a line from the least to the most time, with marks at median and 99 %; in us."""

    def draw(axes: plots.Axes) -> None:
        axes.plot([least, most], [0, 0], color=plots.BLUE, linewidth=2, zorder=1)
        for value, label, colour in ((median, "median", plots.BLUE), (high, "99 %", plots.ORANGE)):
            axes.plot(value, 0, "o", color=colour, markersize=7, label=label)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set(xlabel=f"time ({plots.US})")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 0.75), ncols=2)

    return svg(draw, 0.9)


def shares(counts: Mapping[str, int], title: str) -> str:
    """Return one bar divided by counts."""

    def draw(axes: plots.Axes) -> None:
        left = 0
        for number, (name, count) in enumerate(counts.items()):
            colour = _KNOWN[number] if number < len(_KNOWN) else plots.GREY
            axes.barh(0, count, left=left, color=colour, edgecolor="white", label=name)
            left += count
        axes.set_yticks([])
        axes.set_xlim(0, left)
        axes.grid(visible=False)
        axes.spines["left"].set_visible(False)
        axes.set(xlabel=title)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, fontsize=7)

    return svg(draw, 1.2)
