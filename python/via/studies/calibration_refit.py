# SPDX-License-Identifier: GPL-2.0-only
"""Refits the fitted keys of a profile, and computes how each of its numbers affects latency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from via import profiles
from via._base import ranges
from via._base.text import pipes, table
from via._core import ProfileEntry
from via.errors import ConfigError
from via.studies import costs
from via.studies.calibration_rows import FITTED, Row, task_of
from via.studies.costs import LATENCY, MEASURES, Task
from via.studies.parallel import run_all
from via.studies.plan import Plan, write_csv

FIT_COLUMNS = (
    "profile", "host", "key", "unit", "value", "refitted", "equal", "metric", "size_bytes",
    "target", "simulated", "reason",
)  # fmt: skip
SENSITIVITY_COLUMNS = (
    "profile", "host", "key", "unit", "value", "changed", "size_bytes", "latency_us",
    "d_latency_ns", "d_latency_pct", "reason",
)  # fmt: skip

SIZES = (4, 4096)
LEAST_PCT = 0.1  # of a latency: smaller changes are not printed
PAGE_PCT = 1.0  # the same limit for the documentation
_MOST = 1 << 24  # cycles, more than any residual
_LOOK = "vipl.done_miss"
_CLOCK = re.compile(r"(\d+(?:/\d+)?) Hz")


@dataclass(frozen=True)
class Extra:
    """Additional results of a calibration."""

    text: str
    markdown: str
    files: list[Path]
    digests: list[str]


def study(plan: Plan, rows: Sequence[Row], program: Path) -> Extra:
    """Refit, and change each parameter separately."""
    tasks, lost = fits(plan, rows, program)
    fitted = run_all(refit, tasks, jobs=plan.jobs, what="refit")
    fit_rows = [*(each.cells() for each in fitted), *lost]
    fit_csv = write_csv(plan.out / "refit.csv", fit_rows, FIT_COLUMNS)

    changes = [each for name in plan.profiles for each in changes_of(name)]
    moved = run_all(move, changes, jobs=plan.jobs, what="sensitivity")
    moves = [line for each in moved for line in each.lines]
    csv = write_csv(plan.out / "sensitivity.csv", moves, SENSITIVITY_COLUMNS)
    digests = [digest for each in fitted for digest in each.digests]
    digests += [digest for each in moved for digest in each.digests]
    text = f"{_fit_text(fit_rows)}\n\n{_sensitivity_text(moves)}"
    return Extra(text, _markdown(fit_rows, moves), [fit_csv, csv], digests)


# ---- Refit ----


@dataclass(frozen=True)
class Fit:
    """A fitted key, and the row to which it is fitted.

    Attributes:
        along: the keys that have their value from this one, and how many times its value.
        without: the other keys that have their value from the row, as a number or fitted.
    """

    profile: str
    host: str
    key: str
    unit: str
    value: int
    metric: str
    size: int | None
    target: float
    measure: str
    factor: float
    task: Task
    along: tuple[tuple[str, Fraction], ...] = ()
    without: tuple[str, ...] = ()

    def overrides(self, value: int) -> tuple[tuple[str, str], ...]:
        """Return the key and those that follow it, for a value of the key."""
        moved = [(key, str(round(value * times))) for key, times in self.along]
        return tuple(sorted([(self.key, str(value)), *moved]))


@dataclass(frozen=True)
class Fitted:
    """The value that fits the row best.

    Attributes:
        matters: whether the key moves the row at all; if not, the value says nothing.
    """

    fit: Fit
    refitted: int
    simulated: float
    digests: tuple[str, ...]
    matters: bool = True

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        fit = self.fit
        return [
            fit.profile, fit.host, fit.key, fit.unit, fit.value, self.refitted,
            "yes" if fit.value == self.refitted else "no", fit.metric, fit.size, fit.target,
            round(self.simulated, 6), "",
        ]  # fmt: skip


def fits(plan: Plan, rows: Sequence[Row], program: Path) -> tuple[list[Fit], list[list[object]]]:
    """Return the fits to repeat, and as rows of the CSV file those that cannot be repeated."""
    exact = replace(plan, quick=False)  # the original fits used long runs, too
    found: list[Fit] = []
    lost: list[list[object]] = []
    for name in plan.profiles:
        card = profiles.load(name)
        for entry in card.entries:
            if entry.trust != "fitted" or Path(entry.file).stem != card.name:
                continue  # what another product has from here is fitted here
            row = _row_of(entry, [row for row in rows if row.asked == name])
            if row is None:
                lost.append([card.name, card.host, entry.key, entry.unit, entry.value, None, "no",
                             entry.source.partition(":")[0], None, None, None,
                             "no such row is compared"])  # fmt: skip
                continue
            found.append(fit_of(row, entry.key, entry.unit, int(entry.value), exact, program))
    return found, lost


def fit_of(row: Row, key: str, unit: str, value: int, plan: Plan, program: Path) -> Fit:
    """Return the fit of a key, which has this value now, to a row."""
    scale = 8.0 if row.comparison.row.unit == "Mb/s" else 1.0
    entries = profiles.load(row.asked, row.host).entries
    along = [
        (each.key, Fraction(int(each.value), value) if value else Fraction(1))
        for moved in ranges.followers(entries, [key])
        for each in entries
        if each.key == moved
    ]
    of_row = [each for each in row.keys if row.standing == FITTED and each != key]
    without = sorted({*of_row, *ranges.followers(entries, of_row)} - {each for each, _ in along})
    return Fit(row.profile, row.host, key, unit, value, row.comparison.row.metric,
               row.comparison.size, row.target, row.comparison.measure, scale,
               task_of(row, plan, program), tuple(along), tuple(without))  # fmt: skip


def _row_of(entry: ProfileEntry, rows: Sequence[Row]) -> Row | None:
    return next((row for row in rows if row.standing == "fitted" and entry.key in row.keys), None)


def refit(fit: Fit) -> Fitted:
    """Bisect for the integer whose simulation is closest to the published value."""
    digests: list[str] = []
    known: dict[int, float] = {}

    def at(value: int) -> float:
        if value not in known:
            task = replace(fit.task, overrides=fit.overrides(value))
            found = costs.simulate(task)
            digests.extend(found.digests)
            known[value] = fit.factor * MEASURES[fit.measure].of(found.values)
        return known[value]

    high = max(2 * fit.value, 16)
    rising = at(high) >= at(0)

    def beyond(value: int) -> bool:
        return at(value) >= fit.target if rising else at(value) <= fit.target

    while not beyond(high) and high < _MOST:
        high *= 2
    low = 0
    while low < high:  # the least value that exceeds the published one
        middle = (low + high) // 2
        low, high = (low, middle) if beyond(middle) else (middle + 1, high)
    best = min({max(low - 1, 0), low}, key=lambda value: (abs(at(value) - fit.target), value))
    matters = len(set(known.values())) > 1
    return Fitted(fit, best, at(best), tuple(digests), matters)


def _fit_text(rows: Sequence[Sequence[object]]) -> str:
    title = "Fitted keys, fitted again"
    if not rows:
        return f"{title}\n\n  There are none."
    header = ["product", "host", "key", "value", "again", "equal", "metric", "target", "simulated",
              ""]  # fmt: skip
    lines = [[row[i] for i in (0, 1, 2, 4, 5, 6, 7, 9, 10, 11)] for row in rows]
    return f"{title}\n\n{table(header, lines, '  ')}"


# ---- Sensitivity ----


@dataclass(frozen=True)
class Change:
    """A key with another value."""

    asked: str
    profile: str
    host: str
    key: str
    unit: str
    value: str
    changed: str


@dataclass(frozen=True)
class Moved:
    """Its effect on the latencies."""

    lines: list[list[object]]
    digests: tuple[str, ...]


def changes_of(profile: str) -> Iterator[Change]:
    """Yield a change of each number of a profile by 10 %, or by one if that is more."""
    card = profiles.load(profile)
    for entry in card.entries:
        changed = changed_value(entry.value)
        if changed is not None:
            yield Change(profile, card.name, card.host, entry.key, entry.unit, entry.value, changed)


def changed_value(value: str) -> str | None:
    """Return a number or clock increased by a tenth; None: the value is neither."""
    if clock := _CLOCK.fullmatch(value):
        return f"{Fraction(clock[1]) * 11 / 10} Hz"
    if value.isdigit():
        return str(int(value) + max(1, int(value) // 10))
    return None


@cache
def _latency_of(task: Task) -> costs.Found:
    return costs.simulate(task)


def move(change: Change) -> Moved:
    """Simulate the latencies with and without a change.

    A poll that finds nothing takes one cycle in both, so that the change is not hidden between two
    polls. Most numbers of a profile do not affect a message: a change without effect in one cluster
    is not simulated in further ones, whose clocks have other phases.
    """
    fine = () if change.key == _LOOK else ((_LOOK, "1"),)
    lines: list[list[object]] = []
    digests: list[str] = []
    for size in SIZES:
        task = Task(change.asked, None, LATENCY, size, quick=True, overrides=fine)
        before = after = _latency_of(task)
        head: list[object] = [change.profile, change.host, change.key, change.unit, change.value,
                              change.changed, size]  # fmt: skip
        us = before.values[LATENCY]
        other = replace(task, overrides=(*fine, (change.key, change.changed)))
        try:
            one = costs.simulate(replace(other, seeds=1))
        except ConfigError as error:  # out of range, or other keys depend on it
            lines.append([*head, us, None, None, f"not by itself: {error}"])
            digests.extend(before.digests)
            continue
        if one.values != _latency_of(replace(task, seeds=1)).values:
            after = costs.simulate(other)
        moved = after.values[LATENCY] - us
        lines.append([*head, us, round(moved * 1e3, 3), round(100 * moved / us, 3), ""])
        digests.extend((*before.digests, *one.digests, *after.digests))
    return Moved(lines, tuple(digests))


def _sensitivity_text(lines: Sequence[Sequence[object]]) -> str:
    title = (
        f"Sensitivity: what 10 % more of a number (or one more) does to the latency of {SIZES[0]}"
        " bytes"
    )
    header = ["product", "key", "unit", "value", "changed", "ns", "%"]
    cells = [[line[i] for i in (0, 2, 3, 4, 5, 8, 9)] for line in _felt(lines, LEAST_PCT)]
    rest = f"\n\n  All others move it by less than {LEAST_PCT} %."
    return f"{title}\n\n{table(header, cells, '  ')}{rest}"


def _felt(lines: Sequence[Sequence[object]], least_pct: float) -> list[Sequence[object]]:
    """Return the changes that affect the shortest message, largest effect first."""
    felt = [line for line in lines if line[6] == SIZES[0] and abs(_percent(line)) >= least_pct]
    return sorted(felt, key=lambda line: (str(line[0]), -abs(_percent(line)), str(line[2])))


def _percent(line: Sequence[object]) -> float:
    return float(str(line[9])) if line[9] is not None else 0.0


# ---- The page of the documentation ----


def _markdown(fits: Sequence[Sequence[object]], lines: Sequence[Sequence[object]]) -> str:
    header = ["product", "key", "value", "fitted again", "metric", "published", "simulated"]
    rows = [[row[i] for i in (0, 2, 4, 5, 7, 9)] + [_short(row[10])] for row in fits]
    text = f"Fitted keys, fitted again:\n\n{pipes(header, rows)}"
    header = ["product", "key", "value", "changed", "ns", "%"]
    rows = [
        [line[0], line[2], line[4], line[5], f"{float(str(line[8])):.0f}", f"{_percent(line):.1f}"]
        for line in _felt(lines, PAGE_PCT)
    ]
    told = f"What moves the latency of {SIZES[0]} bytes by {PAGE_PCT:g} % or more:"
    return f"{text}\n{told}\n\n{pipes(header, rows)}"


def _short(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value
