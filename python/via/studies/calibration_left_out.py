# SPDX-License-Identifier: GPL-2.0-only
"""Leaves out one row at a time: fits its key to the other rows of the kind, and predicts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from via import profiles
from via._base.text import pipes, table
from via.studies import costs
from via.studies.calibration_refit import Fit, Fitted, fit_of, refit
from via.studies.calibration_rows import FITTED, Row
from via.studies.costs import MEASURES
from via.studies.parallel import run_all
from via.studies.plan import Plan

COLUMNS = (
    "profile", "host", "key", "unit", "value", "others", "fitted", "metric", "size_bytes", "target",
    "simulated", "error_pct",
)  # fmt: skip
_HEADER = ["product", "host", "key", "value", "others", "fitted to them", "metric", "published",
           "simulated", "error"]  # fmt: skip
TITLE = "Each row left out in turn: its key fitted to the other rows of its kind, or 0 if none is"


@dataclass(frozen=True)
class Case:
    """A row that is left out, and the fits to the rows that are not, nor of its measurement."""

    row: Fit
    others: tuple[Fit, ...]


@dataclass(frozen=True)
class Prediction:
    """The value of the key without the row, from so many others, and what it gives for the row."""

    case: Case
    others: int
    value: int
    simulated: float
    digests: tuple[str, ...]

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        row = self.case.row
        return [
            row.profile, row.host, row.key, row.unit, row.value, self.others, self.value,
            row.metric, row.size, row.target, round(self.simulated, 6),
            round(100 * (self.simulated / row.target - 1), 3),
        ]  # fmt: skip


def cases(fits: Sequence[Fit], rows: Sequence[Row], plan: Plan, program: Path) -> list[Case]:
    """Return a case for every row of a fit's kind, on a product that has its key from there.

    A row to which another key was fitted is left out with that key.
    """
    found = []
    for fit in fits:
        kind = MEASURES[fit.measure].kind
        held = [
            (row, fit_of(row, fit.key, fit.unit, fit.value, replace(plan, quick=True), program))
            for row in rows
            if row.used
            and MEASURES[row.comparison.measure].kind == kind
            and row.comparison.kernel is None
            and not (row.standing == FITTED and fit.key not in row.keys)
            and _file_of(row.asked, fit.key) == _file_of(fit.task.profile, fit.key)
        ]
        for row, one in held:
            others = (other for at, other in held if not _same(at, row))
            found.append(Case(one, tuple(others)))
    return found


def _same(one: Row, other: Row) -> bool:
    """Return whether two rows are one, or of one measurement."""
    names = [f"{row.comparison.row.provider}/{row.comparison.row.metric}" for row in (one, other)]
    return (
        one is other or one.comparison.same_as == names[1] or other.comparison.same_as == names[0]
    )


def _file_of(profile: str, key: str) -> str:
    if not profile:
        return ""
    return next((each.file for each in profiles.load(profile).entries if each.key == key), "")


def predictions(found: Sequence[Case], jobs: int) -> list[Prediction]:
    """Predict every row from the others; each fit is made once, whoever needs it."""
    fits = list(dict.fromkeys(other for case in found for other in case.others))
    fitted = dict(
        zip(fits, run_all(refit, fits, jobs=jobs, what="fits without a row"), strict=True)
    )
    work = [(case, tuple(fitted[other] for other in case.others)) for case in found]
    return run_all(_predict, work, jobs=jobs, what="left out")


def _predict(given: tuple[Case, tuple[Fitted, ...]]) -> Prediction:
    """Simulate the row that is left out with the mean of the values that fit the others."""
    case, fitted = given
    telling = [each.refitted for each in fitted if each.matters]
    value = round(sum(telling) / len(telling)) if telling else 0
    row = case.row
    overrides = (*row.overrides(value), *((key, "0") for key in row.without))
    found = costs.simulate(replace(row.task, overrides=tuple(sorted(overrides))))
    digests = [digest for each in fitted for digest in each.digests]
    simulated = row.factor * MEASURES[row.measure].of(found.values)
    return Prediction(case, len(telling), value, simulated, (*digests, *found.digests))


def text(rows: Sequence[Sequence[object]]) -> str:
    """Return the table for the terminal."""
    return f"{TITLE}\n\n{table(_HEADER, _lines(rows), '  ')}"


def markdown(rows: Sequence[Sequence[object]]) -> str:
    """Return the table for the documentation."""
    return f"{TITLE}:\n\n{pipes(_HEADER, _lines(rows))}"


def _lines(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    return [
        [*row[:3], *row[4:8], row[9], f"{float(str(row[10])):.4g}", f"{float(str(row[11])):+.1f} %"]
        for row in rows
    ]
