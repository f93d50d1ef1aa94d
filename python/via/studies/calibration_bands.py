# SPDX-License-Identifier: GPL-2.0-only
"""Bands of predicted rows, and how many measurements are in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from via._base import published
from via._base.published import is_verified
from via._base.ranges import CONFIDENCE_PCT
from via._base.text import pipes, table
from via.studies.calibration_rows import PREDICTED, Row
from via.studies.costs import PEAK_SIZES, TWO_WAY
from via.studies.numbers import measured, names_machine
from via.studies.parallel import run_all
from via.studies.plan import Plan
from via.studies.quantities import Measured
from via.studies.spread import Spread

HONEST = (80, 98)  # percent of the measurements: fewer is too sure, more says nothing


@dataclass(frozen=True)
class _Task:
    name: str
    quantity: Measured

    def __str__(self) -> str:
        return self.name


def _band(task: _Task) -> tuple[float, float]:
    """Return lower and upper end as factors of the value."""
    spread = Spread(task.quantity)
    low, high = spread.linear()
    return low / spread.value, high / spread.value


def _quantity(row: Row, plan: Plan, program: Path) -> Measured:
    """Return what is simulated for a band: two streams, whose programs are slow, of one size."""
    found = measured(row, replace(plan, quick=True), program)
    if found.task.kind == TWO_WAY and found.task.size is None:
        return replace(found, task=replace(found.task, size=PEAK_SIZES[2]))
    return found


def filled(rows: Sequence[Row], plan: Plan, program: Path) -> list[Row]:
    """Return the rows; those that are predicted and compared get a linear band."""
    some = [row for row in rows if row.used and row.standing == PREDICTED and row.simulated]
    tasks = [_Task(str(row.comparison.row.metric), _quantity(row, plan, program)) for row in some]
    found = dict(
        zip(map(id, some), run_all(_band, tasks, jobs=plan.jobs, what="bands"), strict=True)
    )
    return [_with(row, *found[id(row)]) if id(row) in found else row for row in rows]


def _with(row: Row, low: float, high: float) -> Row:
    value = row.simulated or 0.0
    return replace(row, low=round(low * value, 6), high=round(high * value, 6))


def is_inside(row: Row, *, alone: bool = False) -> bool:
    """Return whether a measurement is in the band of its prediction.

    Its own uncertainty and that of the prediction are independent: their squares are summed.

    Args:
        alone: take the measurement as exact.
    """
    away, band, own = _distances(row)
    return away <= math.hypot(band, 0.0 if alone else own)


def _distances(row: Row) -> tuple[float, float, float]:
    """Return error, band and the measurement's own uncertainty on that side, as logarithms."""
    assert row.low and row.high and row.simulated
    away = math.log(row.target / row.simulated)
    band = math.log((row.high if away > 0 else row.low) / row.simulated)
    below, above = published.limits(row.target, row.trust, kernel=row.over_sockets)
    own = math.log((below if away > 0 else above) / row.target)
    return abs(away), abs(band), abs(own)


def missing(row: Row) -> float:
    """Return what the model itself must be off for a measurement to be at the edge of its band.

    A logarithm, independent of the numbers; 0 for a row that is inside.
    """
    away, band, own = _distances(row)
    return math.sqrt(max(0.0, away**2 - band**2 - own**2))


def model_error(rows: Sequence[Row]) -> float:
    """Return how far the model is off beside its numbers in nine of ten rows, as a logarithm."""
    return sorted(map(missing, rows))[math.ceil(len(rows) * CONFIDENCE_PCT / 100) - 1]


def left_out(rows: Sequence[Row]) -> int:
    """Return how many rows are inside with the model's error as other products' rows show it."""
    found = 0
    for product in {row.label for row in rows}:
        others = [row for row in rows if row.label != product]
        error = model_error(others) if others else 0.0
        found += sum(missing(row) <= error for row in rows if row.label == product)
    return found


def text(rows: Sequence[Row]) -> str:
    """Return a table of the bands, and the coverage in words."""
    some = [row for row in rows if row.low]
    title = f"Bands of the predicted rows: {CONFIDENCE_PCT:g} % by the trust of their numbers"
    if not some:
        return f"{title}\n\n  No row is predicted."
    lines = [
        [row.label, row.comparison.row.metric, row.comparison.size, row.comparison.row.unit,
         row.comparison.row.value, row.simulated, row.low, row.high,
         "yes" if is_inside(row) else "no", _machine(row), row.trust]
        for row in some
    ]  # fmt: skip
    header = ["product", "metric", "bytes", "unit", "measured", "simulated", "low", "high",
              "inside", "machine", "trust"]  # fmt: skip
    told = "\n".join(f"  {line}" for line in _coverages(some))
    return f"{title}\n\n{table(header, lines, '  ')}\n\n{told}"


def markdown(rows: Sequence[Row]) -> str:
    """Return the bands of the predicted rows for the documentation, and the coverage."""
    some = [row for row in rows if row.low]
    lines = [
        [
            row.label, row.source, row.comparison.row.metric, row.comparison.size,
            f"{row.comparison.row.value} {row.comparison.row.unit}", f"{row.simulated:.4g}",
            f"{row.low:.4g} to {row.high:.4g}", "yes" if is_inside(row) else "**no**",
            _machine(row), row.trust,
        ]
        for row in some
    ]  # fmt: skip
    header = ["product", "source", "metric", "bytes", "measured", "simulated", "band", "inside",
              "machine", "trust"]  # fmt: skip
    told = "".join(f"- {line}\n" for line in [*_coverages(some), *_outside(some)])
    return f"{pipes(header, lines)}\n{told}"


def _machine(row: Row) -> str:
    return "named" if names_machine(row) else "a guess"


def _coverages(rows: Sequence[Row]) -> list[str]:
    told = [coverage(rows, "predicted")]
    if read := [row for row in rows if is_verified(row.trust)]:
        told.append(coverage(read, "read and predicted"))
    return [*told, _model(rows)]


def _model(rows: Sequence[Row]) -> str:
    """Say what the model adds to the bands that its numbers leave."""
    percent = 100 * math.expm1(model_error(rows))
    return (
        f"The model itself: a further {percent:.1f} % beside the numbers would hold nine of ten"
        f" measurements. Each product left out in turn, with the error that the others show:"
        f" {left_out(rows)} of {len(rows)} inside."
    )


def _outside(rows: Sequence[Row]) -> list[str]:
    """Say of each row outside its band what is known to be missing."""
    return [
        f"Outside: {row.label} {row.comparison.row.metric} ({row.source}), measured"
        f" {row.comparison.row.value} {row.comparison.row.unit}, simulated {row.simulated:.4g}:"
        f" {row.comparison.outside or 'no reason is known'}."
        for row in rows
        if not is_inside(row)
    ]


def coverage(rows: Sequence[Row], what: str) -> str:
    """Say how many measurements are in their bands, and whether that is what 90 % should give."""
    inside = sum(map(is_inside, rows))
    strict = sum(is_inside(row, alone=True) for row in rows)
    share = 100 * inside / len(rows)
    least, most = HONEST
    verdict = "as it should be" if least <= share <= most else (
        "the bands are too narrow: mechanisms are missing" if share < least
        else "the bands are too wide to say much"
    )  # fmt: skip
    return (
        f"Coverage: {inside} of {len(rows)} rows {what} ({share:.0f} %; {least} to {most} % is"
        f" wanted): {verdict}. {strict} without the measurement's own uncertainty."
    )
