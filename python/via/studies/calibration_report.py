# SPDX-License-Identifier: GPL-2.0-only
"""Output of the calibration: a table that says what each agreement is worth, and a figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from via._base import published
from via._base.published import is_verified
from via._base.text import pipes, table
from via._drawing import plots
from via.studies.calibration_rows import PREDICTED, Row
from via.studies.calibration_table import Left
from via.studies.costs import SLOPE_SIZES

# By standing: colour and meaning.
STANDINGS = {
    "predicted": (plots.BLUE, "predicted: no number of product, host or kernel was taken from it"),
    "input": (plots.ORANGE, "input: taken from it, so agreement shows nothing"),
    "fitted": (plots.VERMILION, "fitted: a number was chosen to meet it"),
}
_MARKS = {"VERIFIED": "D", "MEMORY-high": "o", "MEMORY-medium": "o", "MEMORY-low": "v"}
_TRUSTS = {
    "D": "published, read", "o": "recalled, high or medium", "v": "recalled, an order of magnitude",
}  # fmt: skip
MOST_RESIDUAL_PCT = 25  # a kernel with more is a sketch, as a product is
_WIDEST = 2.5  # uncertainties; larger errors are drawn at the edge


def text(rows: Sequence[Row], left: Sequence[Left], wrong: Sequence[str] = ()) -> str:
    """Return the tables and the verdict for the terminal."""
    used = [row for row in rows if row.used]
    parts = [
        "Simulated beside published measurements",
        _compared(used),
        "Published, but not compared",
        _left_out([row for row in rows if not row.used], left),
        verdict(used, wrong),
    ]
    return "\n\n".join(parts)


def _compared(rows: Sequence[Row]) -> str:
    header = ["product", "metric", "bytes", "unit", "target", "simulated", "error", "of its",
              "residual", "trust", "standing", "host", "source"]  # fmt: skip
    sketches = sketchy_kernels(rows)
    lines = [
        [
            row.label, row.comparison.row.metric, row.comparison.size, row.comparison.row.unit,
            row.comparison.row.value, row.simulated, _percent(row.error_pct),
            f"{row.multiple:.2f}", f"{row.residual_share_pct:.1f} %", row.trust, row.standing,
            _machine(row, sketches), row.source,
        ]
        for row in rows
    ]  # fmt: skip
    low, high = SLOPE_SIZES[0], SLOPE_SIZES[-1]
    parts = ", ".join(f"{trust} {part:.0%}" for trust, part in published.UNCERTAINTY.items())
    return table(header, lines, "  ") + (
        f"\n\n  of its: the error as a multiple of the published value's uncertainty: {parts},"
        f"\n  {published.LOW} a factor of {published.LOW_FACTOR:.0f};"
        f" over sockets VERIFIED {published.KERNEL_UNCERTAINTY['VERIFIED']:.0%}."
        "\n  residual: how far the value moves when the profile's residuals are set to zero."
        f"\n  per_byte_cost: slope of a straight line through the round trips of {low} to {high} B."
    )


def _machine(row: Row, sketches: set[str]) -> str:
    """Return the host's name, with its kernel if messages pass through it."""
    kernel = row.comparison.kernel
    if kernel is None:
        return row.host
    return f"{row.host}, {kernel}{' (sketch)' if kernel in sketches else ''}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{round(value, 1) + 0.0:+.1f} %"  # + 0.0: no "-0.0"


def verdict(used: Sequence[Row], wrong: Sequence[str] = ()) -> str:
    """Say which rows validate the profiles: read ones from which nothing was taken.

    Args:
        wrong: what is known to be wrong beside the rows outside.
    """
    told = [
        f"{len(used)} published values are compared, "
        f"{sum(row.multiple > 1 for row in used)} are outside.",
        *_validation(used),
        *(_standing(used, standing, meaning) for standing, (_, meaning) in STANDINGS.items()),
        "Known to be wrong:",
        *(f"  {line}" for line in _known(used, wrong)),
    ]
    return "\n".join(f"  {line}" for line in told if line)


def validating(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that can validate: compared, read in their text, and predicted."""
    return [
        row for row in rows if row.used and is_verified(row.trust) and row.standing == PREDICTED
    ]


def _validation(used: Sequence[Row]) -> list[str]:
    rows = validating(used)
    if not rows:
        return ["No row that was read is predicted, so nothing is validated here."]
    met = [row for row in rows if row.multiple <= 1]
    errors = [abs(row.error_pct or 0.0) for row in rows]
    ninth = sorted(errors)[math.ceil(0.9 * len(errors)) - 1]
    told = [
        f"Read and predicted: {len(rows)} rows, median error {median(errors):.1f} %, nine of ten"
        f" within {ninth:.1f} %, {len(met)} within their uncertainty."
    ]
    told += [f"  {line}" for line in by_mechanism(rows)]
    told.append(f"Validated against: {_names(met) if met else 'none of them'}.")
    return told


def by_mechanism(rows: Sequence[Row]) -> list[str]:
    """Say for each mechanism how well its rows are predicted: median of the errors, and range."""
    told = []
    for mechanism in sorted({row.mechanism for row in rows}):
        errors = sorted(row.error_pct or 0.0 for row in rows if row.mechanism == mechanism)
        size = median(abs(error) for error in errors)
        told.append(
            f"{mechanism}: {len(errors)} {'row' if len(errors) == 1 else 'rows'}, median error"
            f" {size:.1f} %, from {_percent(errors[0])} to {_percent(errors[-1])}"
        )
    return told


def sketchy_kernels(rows: Sequence[Row]) -> set[str]:
    """Return the kernels of which a rate or latency is for more than a quarter unexplained."""
    return {
        row.comparison.kernel
        for row in rows
        if row.comparison.kernel and (row.residual_share_pct or 0.0) > MOST_RESIDUAL_PCT
    }


def _known(used: Sequence[Row], wrong: Sequence[str]) -> list[str]:
    """Return what is known to be wrong: rows outside, kernels that are sketches, and the rest."""
    told = [
        f"{_name(row)}, {_percent(row.error_pct)}, {row.standing}: "
        f"{row.comparison.outside or 'no reason is known'}."
        for row in used
        if row.multiple > 1
    ]
    told += [
        f"kernel {name} is a sketch: more than {MOST_RESIDUAL_PCT} % of what it takes is residual."
        for name in sorted(sketchy_kernels(used))
    ]
    return told + list(wrong)


def _standing(used: Sequence[Row], standing: str, meaning: str) -> str:
    some = [row for row in used if row.standing == standing]
    if not some:
        return ""
    worst = max(some, key=lambda row: row.multiple)
    return f"{len(some)} {meaning}; largest error {_percent(worst.error_pct)} ({_name(worst)})."


def _name(row: Row) -> str:
    size = "" if row.comparison.size is None else f" {row.comparison.size} B"
    return f"{row.label} {row.comparison.row.metric}{size} ({row.source})"


def _names(rows: Sequence[Row]) -> str:
    return ", ".join(sorted({_name(row) for row in rows}))


def _left_out(shown: Sequence[Row], left: Sequence[Left]) -> str:
    lines: list[list[object]] = [
        [row.comparison.row.provider, row.comparison.row.metric, row.comparison.row.value,
         row.comparison.row.unit, row.trust, f"{row.reason}: {row.simulated:.3f} here"]
        for row in shown
    ]  # fmt: skip
    lines += [
        [each.row.provider, each.row.metric, each.row.value, each.row.unit, each.row.trust,
         f"{published.short_source(each.row.source)}: {each.reason}"]
        for each in left
    ]  # fmt: skip
    header = ["provider", "metric", "value", "unit", "trust", "source and reason"]
    return table(header, lines, "  ")


# ---- The page of the documentation ----


def markdown(rows: Sequence[Row], wrong: Sequence[str] = ()) -> str:
    """Return the tables for the documentation: compared values, errors, what is wrong."""
    sketches = sketchy_kernels([row for row in rows if row.used])
    header = ["product", "host", "metric", "bytes", "published", "simulated", "error", "of its",
              "residual", "trust", "standing"]  # fmt: skip
    lines = [
        [
            row.label, _machine(row, sketches), row.comparison.row.metric, row.comparison.size,
            f"{row.comparison.row.value} {row.comparison.row.unit}", f"{row.simulated:.4g}",
            _percent(row.error_pct), f"{row.multiple:.2f}", f"{row.residual_share_pct:.1f} %",
            row.trust, row.standing,
        ]
        for row in rows
        if row.used
    ]  # fmt: skip
    told = "".join(f"- {line}\n" for line in _known([row for row in rows if row.used], wrong))
    predicted = "".join(f"- {line}\n" for line in _validation([row for row in rows if row.used]))
    return f"{pipes(header, lines)}\nWhat validates:\n\n{predicted}\nKnown to be wrong:\n\n{told}"


# ---- The figure ----


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw the error of every compared row in units of the published uncertainty."""
    order = list(STANDINGS)
    used = sorted(
        (row for row in rows if row.used),
        key=lambda row: (row.label, order.index(row.standing), row.comparison.row.metric),
    )
    plots.save(path, lambda axes: _panel(axes, used), (10.5, 2.2 + 0.21 * len(used)))


def draw_predicted(path: Path, rows: Sequence[Row]) -> None:
    """Draw every predicted row over its measurement, both in the unit of the measurement.

    A thin bar is the measurement's own uncertainty, a wide one the band of the prediction, if it is
    known; the line is where both are equal.
    """
    some = [row for row in rows if row.used and row.standing == PREDICTED and row.multiple < 1e3]
    plots.save(path, lambda axes: _against(axes, some), (7.5, 6.5))


def _against(axes: Any, rows: Sequence[Row]) -> None:
    axes.axhline(0, color=plots.BLACK, linewidth=1)
    colours = (plots.BLUE, plots.ORANGE, plots.VERMILION, plots.BLACK, plots.GREY)
    mechanisms = sorted({row.mechanism for row in rows})
    for place, mechanism in enumerate(mechanisms):
        for row in rows:
            if row.mechanism != mechanism:
                continue
            if row.low and row.high:
                ends = [100 * (end / row.target - 1) for end in (row.low, row.high)]
                axes.vlines(row.target, *ends, color=colours[place % len(colours)], alpha=0.3,
                            linewidth=5)  # fmt: skip
            low, high = published.limits(row.target, row.trust, kernel=row.over_sockets)
            axes.errorbar(
                row.target, row.error_pct,
                yerr=[[100 * (1 - low / row.target)], [min(100 * (high / row.target - 1), 100)]],
                fmt="D" if is_verified(row.trust) else "o", capsize=2, linewidth=0.8, markersize=5,
                color=colours[place % len(colours)], label=mechanism,
                markerfacecolor=colours[place % len(colours)] if place < len(colours) else "white",
            )  # fmt: skip
    axes.set_xscale("log")
    axes.set(title="Predicted against measured", xlabel="measured, in its unit (us, MB/s, bytes)")
    wide = "; wide: 90 % of the prediction" if any(row.low for row in rows) else ""
    axes.set_ylabel(f"error of the prediction in %; bars: the measurement's own uncertainty{wide}")
    handles, labels = axes.get_legend_handles_labels()
    kinds = dict(zip(labels, handles, strict=True))
    axes.legend(kinds.values(), kinds.keys(), fontsize=8)


def _signed(row: Row) -> float:
    sign = math.copysign(1.0, row.error_pct or 0.0)
    return sign * min(row.multiple, _WIDEST)


def _panel(axes: Any, rows: Sequence[Row]) -> None:
    axes.axvspan(-1, 1, color="#eeeeee", zorder=0)
    axes.axvline(0, color=plots.BLACK, linewidth=1)
    for place, row in enumerate(rows):
        colour, meaning = STANDINGS[row.standing]
        if row.multiple > _WIDEST:
            axes.annotate(
                f"{row.multiple:.1f}", (_signed(row), place), ha="center", va="center",
                xytext=(-14 if _signed(row) > 0 else 14, 0), textcoords="offset points",
                fontsize=7.5, color=colour,
            )  # fmt: skip
        axes.plot(
            _signed(row), place, _MARKS[row.trust], color=colour, zorder=3, markersize=6.5,
            markerfacecolor=colour if is_verified(row.trust) else "white",
            markeredgewidth=1.6, label=meaning,
        )  # fmt: skip
        axes.annotate(
            f"{row.comparison.row.value} \u2192 {row.simulated:.4g} {_unit(row)}",
            (1.01, place), xycoords=("axes fraction", "data"), va="center", fontsize=7.5,
        )  # fmt: skip
        if place and rows[place - 1].profile != row.profile:
            axes.axhline(place - 0.5, color=plots.GREY, linewidth=0.8)
    axes.set_xlim(-_WIDEST - 0.2, _WIDEST + 0.2)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=7.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set(title="Simulated against published")
    axes.set_xlabel(
        "error in uncertainties of the published value; grey: within; at the edge: more, with its"
        " number\n(right: published \u2192 simulated)"
    )
    _legend(axes, rows)


def _unit(row: Row) -> str:
    unit = str(row.comparison.row.unit)
    return plots.US + unit[2:] if unit.startswith("us") else unit


def _label(row: Row) -> str:
    size = row.comparison.size
    text = "" if size is None else f" {plots.in_bytes(size)}"
    return f"{row.label}: {row.comparison.row.metric}{text}, {row.source}"


def _legend(axes: Any, rows: Sequence[Row]) -> None:
    marks = [mark for mark in _TRUSTS if any(_MARKS[row.trust] == mark for row in rows)]
    for mark in marks:
        axes.plot(
            [], [], mark, color=plots.BLACK, linestyle="none", label=_TRUSTS[mark],
            markerfacecolor=plots.BLACK if mark == "D" else "white",
        )  # fmt: skip
    handles, labels = axes.get_legend_handles_labels()
    kinds = dict(zip(labels, handles, strict=True))
    below = -0.6 / max(1.0, 0.21 * len(rows))
    axes.legend(
        kinds.values(), kinds.keys(), loc="upper center", bbox_to_anchor=(0.3, below), ncols=2
    )
