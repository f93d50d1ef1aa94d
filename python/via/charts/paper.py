# SPDX-License-Identifier: GPL-2.0-only
"""Figures for charts, and axes that choose scale and unit by the data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from via import figures
from via._base import kinds, notebook
from via._base.files import check_writable
from via._base.hints import hint
from via._base.units import whole
from via._drawing import plots
from via.errors import refuse

SIZE = (5.2, 3.6)  # inches of one panel
MANY_TICKS = 9
MOST_PANELS = 100  # in a row or column
FEW_DECADES = 2.5  # a shorter logarithmic axis has room for 1, 2, 5, 10 of each decade

# Units in picoseconds, by name.
UNITS = {"ns": 1e3, "us": 1e6, "ms": 1e9, "s": 1e12}

# Lines differ in more than colour.
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", "-.", ":")


@contextmanager
def figure(
    path: str | os.PathLike[str],
    *,
    size: tuple[float, float] | None = None,
    panels: tuple[int, int] = (1, 1),
    provenance: figures.Provenance = (),
) -> Iterator[Any]:
    """Yield a panel, or a list of them, to draw on; the file is written when the block succeeds.

    A notebook shows it below the cell, unless it is a .pdf.

    Args:
        path: a .png, .svg or .pdf file.
        size: size of the figure in inches; None: by the number of panels.
        panels: rows and columns of panels.
        provenance: run.provenance, or a list of them; written into the file.

    Raises:
        ConfigError: the path cannot be written to, or has another suffix.
    """
    where = kinds.path("path", path)
    figures.check_kind(where)
    check_writable(where, "path")
    given = kinds.listed("panels", panels)
    if len(given) != 2:
        raise refuse("panels", repr(panels), "rows and columns: two numbers")
    rows, columns = (whole("panels", each, 1, MOST_PANELS) for each in given)
    inches = size or (SIZE[0] * columns, SIZE[1] * rows)
    with plots.panels(where, panels, inches, provenance) as places:
        yield places[0] if len(places) == 1 else places
    notebook.show(where)


def looks() -> Iterator[dict[str, Any]]:
    """Yield looks for lines without end: colour and marker, then other dashes."""
    for dash in cycle(DASHES):
        for colour, marker in zip(plots.LINES, MARKERS, strict=True):
            yield {"color": colour, "marker": marker, "linestyle": dash}


def product_of(rows: Any) -> str:
    """Return the product that a run or a table is about; empty if it does not say."""
    origin = getattr(rows, "attrs", {}).get("via", {}) or getattr(rows, "provenance", {})
    found = str(origin.get("profile", ""))
    if not found and "profile" in getattr(rows, "columns", ()) and rows["profile"].nunique() == 1:
        found = str(rows["profile"].iloc[0])
    return found


def shared_title(products: Iterable[str], what: str) -> str:
    """Return a title that begins with the product, if there is one alone."""
    names = set(products)
    product = names.pop() if len(names) == 1 else ""
    return f"{product}: {what}" if product else what.capitalize()


def unit_for(largest_ps: float) -> str:
    """Return the largest unit that keeps a time above 1, from ns to s."""
    return next((name for name in reversed(UNITS) if largest_ps >= UNITS[name]), "ns")


def sizes(panel: Any, values: Iterable[float], text: Any) -> None:
    """Set ticks of an x axis of sizes or counts; it is logarithmic for a wide range."""
    places = sorted({float(value) for value in values})
    above = [place for place in places if place > 0]
    if plots.is_wide(above):
        if len(above) == len(places):
            panel.set_xscale("log", base=2)
        else:  # size 0 has a place, too
            panel.set_xscale("symlog", base=2, linthresh=above[0])
    panel.set_xticks(_apart(panel, places))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_major_formatter(FuncFormatter(text))


def _apart(panel: Any, places: list[float]) -> list[float]:
    """Return places, including the first, whose labels fit side by side."""
    at = [panel.transData.transform((place, 1.0))[0] for place in places]
    gap = (max(at) - min(at)) / MANY_TICKS
    chosen: list[int] = []
    for i, x in enumerate(at):
        if not chosen or x - at[chosen[-1]] >= gap:
            chosen.append(i)
    return [places[i] for i in chosen]


def quantities(panel: Any, values: Iterable[float], least: float = plots.WIDE) -> None:
    """Set the scale of a y axis: logarithmic for a range of this factor, from 0 if not."""
    found = [float(value) for value in values if np.isfinite(value)]
    if plots.is_wide(found, least):
        panel.set_yscale("log")
        few = np.log10(max(found) / min(found)) < FEW_DECADES
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,)))
        panel.yaxis.set_minor_locator(NullLocator())
        panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    elif found and min(found) >= 0:
        panel.set_ylim(0, max(found) * 1.08 or 1.0)


def decades(axis: Any) -> None:
    """Write the numbers of a logarithmic axis as decimals: 0.1, 1, 10."""
    axis.set_major_locator(LogLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def named(option: str, column: str | None) -> list[str]:
    """Return a list of one column name, empty for None."""
    return [] if column is None else [kinds.text(option, column)]


def columns(rows: Any, needed: Iterable[str], what: str) -> None:
    """Refuse a table that is empty or lacks a column.

    Raises:
        ConfigError: the text names the columns.
    """
    if not hasattr(rows, "columns"):
        raise refuse("rows", repr(rows), f"{what} needs a table with columns")
    known = list(map(str, rows.columns))
    missing = [name for name in needed if name not in known]
    if missing:
        raise refuse("rows", f"columns {', '.join(known)}",
                     f"{what} needs a column {', '.join(map(str, missing))}"
                     f"{hint(str(missing[0]), known)}")  # fmt: skip
    if len(rows) == 0:
        raise refuse("rows", "no rows", f"{what} needs at least one")
