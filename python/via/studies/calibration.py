# SPDX-License-Identifier: GPL-2.0-only
"""The profiles held against the published measurements, and how much each agreement is worth."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from via import profiles, programs, published
from via._core import ProfileEntry
from via.errors import refuse
from via.files import written
from via.studies import calibration_refit, calibration_report, calibration_table, costs
from via.studies.calibration_table import Comparison, Left, Table
from via.studies.costs import CALLS, MEASURES, PAGES, Found, Task
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv

COLUMNS = (
    "profile", "host", "metric", "size_bytes", "target", "unit", "simulated", "error_pct", "trust",
    "used", "residual_share_pct", "reason",
)  # fmt: skip

# How a row stands to the profile, the weakest claim first.
FITTED, INPUT, PREDICTED = "fitted", "input", "predicted"

_BITS = {"Mb/s": 8.0}  # a bandwidth is simulated in bytes


@dataclass(frozen=True)
class Row:
    """A published measurement beside ours.

    Attributes:
        asked: the profile as it was asked for: a name or a path.
        label: its name for text and figure.
        host: that it is simulated on.
        standing: FITTED: a number was chosen to meet it; INPUT: a number follows from it, so that
            they agree by construction; PREDICTED: neither.
        keys: of the profile that cite it.
    """

    asked: str
    profile: str
    label: str
    host: str
    comparison: Comparison
    standing: str
    keys: Sequence[str]
    simulated: float | None = None
    residual_share_pct: float | None = None

    @property
    def target(self) -> float:
        """The published value."""
        return float(self.comparison.row.value)

    @property
    def trust(self) -> str:
        """How far to believe the published value."""
        return self.comparison.row.trust

    @property
    def used(self) -> bool:
        """Whether it is compared, or only shown."""
        return self.comparison.use != "context"

    @property
    def error_pct(self) -> float | None:
        """How far ours is from the published value, in percent of that."""
        if self.simulated is None:
            return None
        return round(100 * (self.simulated / self.target - 1), 3)

    @property
    def multiple(self) -> float:
        """The error as a multiple of the uncertainty of the published value."""
        return published.multiple(
            self.simulated or 0.0,
            self.target,
            self.trust,
            kernel=self.comparison.kernel is not None,
        )

    @property
    def source(self) -> str:
        """First author and year."""
        return published.short_source(self.comparison.row.source)

    @property
    def explained(self) -> str:
        """What the comparison is worth."""
        if self.standing == FITTED:
            return f"fitted: {', '.join(self.keys)} was chosen to meet it"
        if self.standing == INPUT:
            return f"input: {', '.join(self.keys)} taken from it"
        return "predicted: no number of the profile was taken from it"

    @property
    def reason(self) -> str:
        """Source, what the comparison is worth, what one has to know."""
        outside = f"outside: {self.comparison.outside}" if self.comparison.outside else ""
        kernel = f"TCP of {self.comparison.kernel}" if self.comparison.kernel else ""
        parts = [self.explained if self.used else "", kernel, self.comparison.reason, outside]
        return f"{self.source}: {'; '.join(part for part in parts if part)}"

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        row = self.comparison.row
        return [
            self.profile, self.host, row.metric, self.comparison.size, row.value, row.unit,
            self.simulated, self.error_pct, self.trust, "yes" if self.used else "no",
            self.residual_share_pct, self.reason,
        ]  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Simulate what was published, on the host it was measured on."""
    table = calibration_table.load()
    rows = [row for name in plan.profiles for row in rows_of(name, table)]
    if not rows:
        names = ", ".join(plan.profiles)
        raise refuse("profile", names, "it cites no published measurement to compare with")
    left = left_of(rows, table, everything=set(plan.profiles) >= set(profiles.names()))
    with tempfile.TemporaryDirectory(prefix="via-study-") as folder:
        program = programs.build("costs", Path(folder))
        rows, digests = simulated(rows, plan, program)
        extra = calibration_refit.study(plan, rows, program) if plan.refit else None
    cells = [*(row.cells() for row in rows), *(_left_cells(each) for each in left)]
    csv = write_csv(plan.out / "calibration.csv", cells, COLUMNS)
    png = plan.out / "calibration.png"
    calibration_report.draw(png, rows)
    text = calibration_report.text(rows, left)
    files = [csv, png]
    if extra is not None:
        text = f"{text}\n\n{extra.text}"
        page = plan.out / "calibration.md"
        with written(page) as file:
            file.write(f"{calibration_report.markdown(rows)}\n{extra.markdown}")
        files += [*extra.files, page]
        digests += extra.digests
    return Outcome(text, files, digests)


# ---- What was published ----


def rows_of(profile: str, table: Table) -> list[Row]:
    """Return every published row that a profile is held against, not yet simulated."""
    card = profiles.load(profile)
    comparisons = table.of(card)
    named = Counter((each.row.provider, each.row.metric) for each in comparisons)
    return [
        _row(profile, card, each, alone=named[each.row.provider, each.row.metric] == 1)
        for each in comparisons
    ]


def _row(asked: str, card: profiles.Profile, comparison: Comparison, *, alone: bool) -> Row:
    citing = _citing(card, comparison)
    fitted = [entry for entry in citing if entry.trust == FITTED]
    # Of several rows of one name, the fit is to the one that the table says.
    is_fit = bool(fitted) and (alone or comparison.use == "fit")
    standing = FITTED if is_fit else INPUT if citing and not fitted else PREDICTED
    keys = [entry.key for entry in (fitted if is_fit else citing)]
    label, host = profiles.label(card), comparison.host or card.host
    return Row(asked, card.name, label, host, comparison, standing, keys)


def _citing(card: profiles.Profile, comparison: Comparison) -> list[ProfileEntry]:
    """Return the entries that a row went into: of the product, or of the kernel."""
    row = comparison.row
    if comparison.kernel is None:
        wanted = published.Citation(row.provider, row.metric)
        return [
            entry
            for entry in card.entries
            if not calibration_table.is_of_host(entry) and published.cited(entry.source) == wanted
        ]
    # One number may be fitted to several rows together.
    name = re.compile(rf"{re.escape(row.provider)}/{re.escape(row.metric)}(?![\w.-])")
    entries = card.with_kernel(comparison.kernel).entries
    return [
        each for each in entries if profiles.key(each.key).is_kernels and name.search(each.source)
    ]


def left_of(rows: Sequence[Row], table: Table, *, everything: bool) -> list[Left]:
    """Return what is not compared, of the providers that rows are of or of all."""
    providers = {row.comparison.row.provider for row in rows}
    return [each for each in table.left if everything or each.row.provider in providers]


def _left_cells(left: Left) -> list[object]:
    row = left.row
    source = published.short_source(row.source)
    return [
        "", "", row.metric, row.size, row.value, row.unit, None, None, row.trust, "no", None,
        f"{row.provider}, {source}: {left.reason}",
    ]  # fmt: skip


# ---- What is simulated for it ----


def task_of(row: Row, plan: Plan, program: Path) -> Task:
    """Return what to simulate for a row."""
    kind = MEASURES[row.comparison.measure].kind
    return Task(
        row.asked, row.host, kind, row.comparison.size, plan.quick, row.comparison.topology,
        program=program if kind in (CALLS, PAGES) else None, kernel=row.comparison.kernel,
    )  # fmt: skip


def value_of(row: Row, found: Found) -> float:
    """Return what was simulated for a row, in its unit."""
    value = MEASURES[row.comparison.measure].of(found.values)
    return value * _BITS.get(row.comparison.row.unit, 1.0)


def _without_residual(task: Task) -> Task:
    keys = costs.residual_keys(task.profile, task.host, task.kernel)
    return replace(task, overrides=tuple((key, "0") for key in keys))


def _tasks(rows: Sequence[Row], plan: Plan, program: Path) -> Iterator[Task]:
    for row in rows:
        task = task_of(row, plan, program)
        yield task
        yield _without_residual(task)


def simulated(rows: Sequence[Row], plan: Plan, program: Path) -> tuple[list[Row], list[str]]:
    """Return the rows with what was simulated for them, and the digests of the runs."""
    tasks = list(dict.fromkeys(_tasks(rows, plan, program)))
    found = run_all(costs.simulate, tasks, jobs=plan.jobs, what="calibration")
    by_task = dict(zip(tasks, found, strict=True))
    digests = [digest for each in found for digest in each.digests]
    return [_filled(row, task_of(row, plan, program), by_task) for row in rows], digests


def _filled(row: Row, task: Task, found: Mapping[Task, Found]) -> Row:
    value = value_of(row, found[task])
    without = value_of(row, found[_without_residual(task)])
    share = 100 * abs(value - without) / value
    return replace(row, simulated=round(value, 6), residual_share_pct=round(share, 3))
