# SPDX-License-Identifier: GPL-2.0-only
"""Curves: latency and bandwidth against size, anything against the number of nodes, CDFs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from via import confidence
from via._base import kinds, published
from via._base.units import SYMBOLS, between
from via._drawing import plots
from via.charts.paper import (
    UNITS,
    columns,
    decades,
    looks,
    named,
    product_of,
    quantities,
    shared_title,
    sizes,
    unit_for,
)
from via.errors import refuse
from via.results import Run

MAX_MB_S = 1e9
BAND = 0.18  # opacity between median and percentile
BAND_LABEL = "what the numbers' trust leaves"
PS_PER_US = UNITS["us"]
# Columns that tell experiments apart, in a table that does not say which those of its grid are.
USUAL_GRID = ("workload", "topology", "nodes", "profile", "host", "kernel")
NAME_ROOM = 8.0  # factor on a logarithmic axis for the name of a source


def latency(
    panel: Any,
    rows: pd.DataFrame,
    *,
    x: str = "size_bytes",
    y: str = "latency_us",
    by: str | None = None,
    ci: float | None = None,
    band: tuple[str, str] | None = None,
    published: str | pd.DataFrame | None = None,
    label: str = "simulated",
) -> None:
    """Draw latency against message size.

    Args:
        panel: the panel to draw on.
        rows: a table with columns `x` and `y`, latencies in microseconds.
        x: the column of sizes in bytes.
        y: the column of latencies.
        by: draw one line per value of this column; None: one line.
        ci: percent: rows that differ in their seed alone become a mean and a band, its confidence
            interval; None: each row is a point.
        band: the columns with the lower and upper end of each value, such as those of
            via.uncertainty: ("low", "high"); None: no band.
        published: points to add: a provider in published.csv, such as "cLAN", or rows of it.
        label: label of a single line; the product stands before it if all rows have the same.
    """
    ends = _ends(band, ci)
    columns(rows, [x, y, *named("by", by), *ends], "latency")
    points = _points(published, "latency")
    rows = _averaged(panel, rows, x, y, by, label, ci, ends)
    tops = ends if ci is None else (f"{y}_high",)
    shown = [*rows[y], *points["published"], *(value for top in tops for value in rows[top])]
    sizes(panel, [*rows[x], *points["size_bytes"]], plots.in_bytes)
    quantities(panel, shown, plots.WIDE if panel.get_xscale() == "linear" else plots.DECADE)
    panel.set(
        title="One-way latency", xlabel="message size", ylabel=f"one-way latency ({plots.US})"
    )
    _mark(panel, points, float(rows[x].min()), "upper left")


def bandwidth(
    panel: Any,
    rows: pd.DataFrame,
    *,
    y: str = "mb_s",
    by: str | None = None,
    band: tuple[str, str] | None = None,
    published: str | pd.DataFrame | None = None,
    label: str = "simulated",
    limit: float | None = None,
) -> None:
    """Draw bandwidth against message size.

    Args:
        panel: the panel to draw on.
        rows: a table with columns `size_bytes` and `y`, bandwidths in 10^6 bytes per second.
        y: the column of bandwidths.
        by: draw one line per value of this column; None: one line.
        band: the columns with the lower and upper end of each value, such as those of
            via.uncertainty: ("low", "high"); None: no band.
        published: a provider in published.csv, or rows of it; a peak is at the largest size.
        label: label of a single line; the product stands before it if all rows have the same.
        limit: bandwidth limit of the wire, drawn as a horizontal line.
    """
    ends = _ends(band, None)
    columns(rows, ["size_bytes", y, *named("by", by), *ends], "bandwidth")
    limit = None if limit is None else between("limit", limit, 0, MAX_MB_S)
    points = _points(published, "bandwidth")
    stated = [size for size in points["size_bytes"] if not pd.isna(size)]
    largest = float(max([rows["size_bytes"].max(), *stated]))
    points["size_bytes"] = points["size_bytes"].fillna(largest)
    _averaged(panel, rows, "size_bytes", y, by, label, None, ends)
    sizes(panel, [*rows["size_bytes"], *points["size_bytes"]], plots.in_bytes)
    top = [*rows[y], *points["published"], *([limit] if limit else [])]
    top += [value for end in ends for value in rows[end]]
    panel.set_ylim(0, _largest(top) * 1.12 or 1.0)
    if limit:
        panel.axhline(limit, color=plots.GREY, linestyle="--", linewidth=1)
        panel.annotate(
            f"the wire allows {limit:.0f} MB/s", (0, limit), xycoords=("axes fraction", "data"),
            xytext=(4, 3), textcoords="offset points", fontsize=7, color="#666666",
        )  # fmt: skip
    panel.set(title="Bandwidth", xlabel="message size", ylabel="bandwidth (MB/s)")
    _mark(panel, points, float(rows["size_bytes"].min()), "lower right")


def scaling(
    panel: Any,
    rows: pd.DataFrame,
    *,
    x: str = "nodes",
    y: str = "latency_us",
    high: str | None = "latency_p99_us",
    by: str | None = None,
    ci: float | None = None,
    band: tuple[str, str] | None = None,
    label: str | None = None,
    title: str = "",
) -> None:
    """Draw times against cluster size: a line of medians and a band up to a percentile.

    Args:
        panel: the panel to draw on.
        rows: a table with columns `x`, `y` and, unless None, `high`; times in microseconds.
        x: the column of cluster sizes.
        y: the column of medians.
        high: the column of a percentile; None: no band.
        by: draw one line per value of this column; None: one line.
        ci: percent: rows that differ in their seed alone become a mean and a band, its confidence
            interval, in place of the percentile; None: each row is a point.
        band: the columns with the lower and upper end of each value, such as those of
            via.uncertainty, in place of the percentile; None: no band.
        label: label of a single line; the product stands before it if all rows have the same;
            None: "median", with ci "mean".
        title: title of the panel.
    """
    label = label if label is not None else "median" if ci is None else "mean"
    ends = _ends(band, ci)
    high = high if ci is None and not ends else None
    needed = [x, y, *named("high", high), *named("by", by), *ends]
    columns(rows, needed, "scaling")
    times = [column for column in (y, high, *ends) if column]
    shown = np.concatenate([rows[column].to_numpy(float) for column in times])
    unit = unit_for(_largest(shown) * PS_PER_US)
    scaled = rows.assign(**{name: rows[name] * PS_PER_US / UNITS[unit] for name in times})
    is_averaged = ci is not None or bool(ends)
    if is_averaged:
        means = _averaged(panel, scaled, x, y, by, label, ci, ends)
        if ci is not None:
            shown = means[[y, f"{y}_high"]].to_numpy(float).ravel() * UNITS[unit] / PS_PER_US
    for colour, group in [] if is_averaged else _lines(panel, scaled, x, y, by, label):
        if high:
            panel.fill_between(
                group[x], group[y], group[high], color=colour, alpha=BAND, linewidth=0
            )
    sizes(panel, rows[x], lambda value, _: f"{value:.0f}")
    quantities(panel, shown * PS_PER_US / UNITS[unit])
    panel.set(title=title, xlabel=x, ylabel=f"{_quantity(y)} ({SYMBOLS[unit]})")
    if high:
        panel.fill_between([], [], color=plots.GREY, alpha=BAND * 2, label=f"up to {_name(high)}")
    panel.legend(loc="upper left")


def cdf(panel: Any, times_ps: Mapping[str, Run | ArrayLike], *, tail: bool = False) -> None:
    """Draw cumulative distributions of times.

    Args:
        panel: the panel to draw on.
        times_ps: by label: times in picoseconds, or a run, whose samples or messages are used; NaN
            is left out.
        tail: draw the share at or above each time instead, on a logarithmic axis.
    """
    sorted_ps = {
        name: np.sort(_times(name, given))
        for name, given in kinds.mapping("times_ps", times_ps).items()
    }
    if not sorted_ps:
        raise refuse("times_ps", "none", "a CDF needs at least one label")
    largest = max(float(times[-1]) for times in sorted_ps.values())
    unit = unit_for(largest)
    for look, (name, times) in zip(looks(), sorted_ps.items(), strict=False):
        share = np.arange(1, len(times) + 1) / len(times)
        look.pop("marker")
        values = times / UNITS[unit]
        if tail:
            # Up to a time and with it, its share and those of later ones are at or above.
            panel.step(values, 1 - share + 1 / len(times), where="pre", label=name, **look)
        else:
            panel.step(
                np.r_[values[0], values], np.r_[0.0, share], where="post", label=name, **look
            )
    if plots.is_wide([min(float(times[0]) for times in sorted_ps.values()), largest]):
        panel.set_xscale("log")
        decades(panel.xaxis)
    panel.set_xlabel(f"time ({SYMBOLS[unit]})")
    products = map(product_of, times_ps.values())
    if tail:
        panel.set_yscale("log")
        decades(panel.yaxis)
        panel.set(title=shared_title(products, "tail of times"), ylabel="share at or above")
    else:
        panel.set_ylim(0, 1.02)
        panel.set(title=shared_title(products, "distribution of times"), ylabel="share at or below")
    panel.legend(loc="best" if tail else "lower right")


def _times(name: str, given: Run | ArrayLike) -> Any:
    times = given.times_ps() if isinstance(given, Run) else np.asarray(given)
    if times.ndim == 1 and np.issubdtype(times.dtype, np.floating):
        times = times[~np.isnan(times)]
    if times.ndim != 1 or len(times) == 0:
        raise refuse("times_ps", name, "at least one time is needed, in one dimension")
    if not np.issubdtype(times.dtype, np.number):
        raise refuse("times_ps", name, "numbers are needed, in picoseconds")
    return times


def _largest(values: Any) -> float:
    """Return the largest value but NaN, which is a point that failed; 0: there is none."""
    found = pd.Series(values).dropna()
    return float(found.max()) if len(found) else 0.0


def _lines(
    panel: Any, rows: pd.DataFrame, x: str, y: str, by: str | None, label: str
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Draw a line for each group of rows; yield colour and rows of each."""
    product = product_of(rows)
    single = f"{product}, {label}" if product else label
    groups = rows.groupby(by, sort=False, observed=True) if by else [(single, rows)]
    drawn = []
    for look, (name, group) in zip(looks(), groups, strict=False):
        ordered = group.sort_values(x)
        panel.plot(ordered[x], ordered[y], label=str(name), **look)
        drawn.append((look["color"], ordered))
    return iter(drawn)


def _averaged(
    panel: Any,
    rows: pd.DataFrame,
    x: str,
    y: str,
    by: str | None,
    label: str,
    ci: float | None,
    ends: tuple[str, ...] = (),
) -> pd.DataFrame:
    """Draw a line per group of rows, with a band if ci or its ends are given; return the rows."""
    told = BAND_LABEL
    if ci is not None:
        if by == x:
            raise refuse("by", by, "it is the column of x: each line would be a point")
        means = confidence.intervals(rows, y, [*named("by", by), x], ci)
        _check_differ_in_seed(rows[rows[y].notna()], x, by)
        rows = means
        ends, told = (f"{y}_low", f"{y}_high"), f"{ci:g} % confidence"
    drawn = _lines(panel, rows, x, y, by, label)
    if ends:
        for colour, group in drawn:
            low, high = (group[end] for end in ends)
            panel.fill_between(group[x], low, high, color=colour, alpha=BAND, linewidth=0)
        panel.fill_between([], [], color=plots.GREY, alpha=BAND * 2, label=told)
    return rows


def _check_differ_in_seed(rows: pd.DataFrame, x: str, by: str | None) -> None:
    """Refuse rows of one point of a line that differ in more than their seed.

    Raises:
        ConfigError: the text names the columns.
    """
    keys = [x, *named("by", by)]
    grid = rows.attrs.get("via", {}).get("grid", USUAL_GRID)
    others = [name for name in grid if name in rows.columns and name not in (*keys, "seed")]
    counts = rows[keys].join(rows[others].astype(str)).groupby(keys, dropna=False).nunique()
    if found := [name for name in others if (counts[name] > 1).any()]:
        raise refuse(
            "by", by, f"rows of the same {' and '.join(keys)} differ in {', '.join(found)}, and ci"
            f' averages over seeds alone: by="{found[0]}" draws a line for each, or select rows',
        )  # fmt: skip


def _ends(band: tuple[str, str] | None, ci: float | None) -> tuple[str, ...]:
    """Return the columns of a band.

    Raises:
        ConfigError: they are not two, or rows are averaged.
    """
    if band is None:
        return ()
    ends = tuple(kinds.listed("band", band))
    if len(ends) != 2:
        raise refuse("band", band, "the names of two columns are needed, low and high")
    if ci is not None:
        raise refuse("band", band, "ci draws a band of its own: give one of both")
    return ends


def _quantity(column: str) -> str:
    """Return what a column of times holds: "latency" for latency_us."""
    return column.removesuffix("_us").replace("_", " ")


def _name(column: str) -> str:
    """Return the label of a column: "percentile 99" for latency_p99_us."""
    percent = re.search(r"(?:^|_)p(\d+)_", column)
    return f"percentile {percent[1]}" if percent else column


def _points(given: str | pd.DataFrame | None, what: str) -> pd.DataFrame:
    """Return points to mark: size_bytes, published, trust, source."""
    empty = pd.DataFrame(columns=["size_bytes", "published", "trust", "source"])
    if given is None:
        return empty
    column = "value_us" if what == "latency" else "value_mb_s"
    if isinstance(given, str):
        get = published.latencies_us if what == "latency" else published.bandwidths_mb_s
        rows = get(given)
        if len(rows) == 0:
            known = ", ".join(sorted(set(published.load()["provider"])))
            raise refuse("published", given, f"there is no {what} of it; providers are {known}")
    else:
        if not isinstance(given, pd.DataFrame):
            raise refuse("published", repr(given), "a provider, or rows of published.csv")
        columns(given, ["size_bytes", column, "status", "source"], "published")
        rows = given
    return pd.DataFrame(
        {
            "size_bytes": rows["size_bytes"].astype("Float64").astype(object),
            "published": rows[column],
            "trust": rows["status"],
            "source": [published.short_source(source) for source in rows["source"]],
        }
    )


def _mark(panel: Any, points: pd.DataFrame, first: float, place: str) -> None:
    """Mark published points; names of those at the curves' first size are at the left."""
    low, high = panel.get_xlim()
    at_left = first > 0 and panel.get_xscale() == "log"
    if len(points) and float(points["size_bytes"].max()) * NAME_ROOM > high:
        panel.set_xlim(right=high * NAME_ROOM)
    if at_left and len(points) and float(points["size_bytes"].min()) <= first:
        panel.set_xlim(left=low / NAME_ROOM**1.5)
    for size, group in points.groupby("size_bytes"):
        few = [(float(size), row) for row in group.itertuples()]
        left = at_left and float(size) <= first
        plots.mark_published(panel, few, left=left, colour=plots.BLACK)
    plots.legend(panel, place)
