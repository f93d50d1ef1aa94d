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
from via._base.text import table
from via.studies.calibration_rows import PREDICTED, Row
from via.studies.costs import PEAK_SIZES, TWO_WAY
from via.studies.numbers import measured
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
    assert row.low and row.high and row.simulated
    away = math.log(row.target / row.simulated)
    band = math.log((row.high if away > 0 else row.low) / row.simulated)
    below, above = published.limits(row.target, row.trust)
    own = 0.0 if alone else math.log((below if away > 0 else above) / row.target)
    return abs(away) <= math.hypot(band, own)


def text(rows: Sequence[Row]) -> str:
    """Return a table of the bands, and the coverage in words."""
    some = [row for row in rows if row.low]
    title = f"Bands of the predicted rows: {CONFIDENCE_PCT:g} % by the trust of their numbers"
    if not some:
        return f"{title}\n\n  No row is predicted."
    lines = [
        [row.label, row.comparison.row.metric, row.comparison.size, row.comparison.row.unit,
         row.comparison.row.value, row.simulated, row.low, row.high,
         "yes" if is_inside(row) else "no", row.trust]
        for row in some
    ]  # fmt: skip
    header = ["product", "metric", "bytes", "unit", "measured", "simulated", "low", "high",
              "inside", "trust"]  # fmt: skip
    told = [coverage(some, "predicted")]
    if read := [row for row in some if is_verified(row.trust)]:
        told.append(coverage(read, "read and predicted"))
    return f"{title}\n\n{table(header, lines, '  ')}\n\n" + "\n".join(f"  {line}" for line in told)


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
