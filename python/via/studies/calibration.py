# SPDX-License-Identifier: GPL-2.0-only
"""Compares the profiles with published measurements, and says what each agreement is worth."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from via import profiles, programs
from via._base import published
from via._base.files import written
from via.errors import refuse
from via.studies import (
    calibration_bands,
    calibration_left_out,
    calibration_refit,
    calibration_report,
    calibration_table,
    costs,
)
from via.studies.calibration_rows import (
    Row,
    host_rows,
    left_of,
    rows_of,
    task_of,
    unexplained_keys,
    value_of,
)
from via.studies.calibration_table import Left
from via.studies.costs import Found, Task
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv

COLUMNS = (
    "profile", "host", "metric", "size_bytes", "target", "unit", "simulated", "error_pct", "trust",
    "used", "residual_share_pct", "reason", "low", "high", "standing",
)  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Simulate the published measurements, each on the host of the measurement."""
    table = calibration_table.load()
    everything = set(plan.profiles) >= set(profiles.names())
    rows = [row for name in plan.profiles for row in rows_of(name, table)]
    rows += host_rows(table) if everything else []
    if not rows:
        names = ", ".join(plan.profiles)
        raise refuse("profile", names, "it cites no published measurement to compare with")
    left = left_of(rows, table, everything=everything)
    with tempfile.TemporaryDirectory(prefix="via-study-") as folder:
        program = programs.build("costs", Path(folder))
        rows, digests = simulated(rows, plan, program)
        rows = calibration_bands.filled(rows, plan, program) if plan.bands else rows
        extra = calibration_refit.study(plan, rows, program) if plan.refit else None
        left_out = _left_out(plan, rows, program) if plan.refit else []
    cells = [*(row.cells() for row in rows), *(_left_cells(each) for each in left)]
    csv = write_csv(plan.out / "calibration.csv", cells, COLUMNS)
    figure = plan.figure("calibration")
    calibration_report.draw(figure, rows)
    against = plan.figure("calibration-predicted")
    calibration_report.draw_predicted(against, rows)
    text = calibration_report.text(rows, left, table.wrong)
    text += f"\n\n{calibration_bands.text(rows)}" if plan.bands else ""
    files = [csv, figure, against]
    if plan.bands:
        files.append(plan.out / "calibration-bands.md")
        with written(files[-1]) as file:
            file.write(calibration_bands.markdown(rows))
    if extra is not None:
        alone = [each.cells() for each in left_out]
        csv = write_csv(plan.out / "calibration-left-out.csv", alone, calibration_left_out.COLUMNS)
        text = f"{text}\n\n{extra.text}\n\n{calibration_left_out.text(alone)}"
        page = plan.out / "calibration.md"
        with written(page) as file:
            told = calibration_report.markdown(rows, table.wrong)
            file.write(f"{told}\n{calibration_left_out.markdown(alone)}\n{extra.markdown}")
        files += [*extra.files, csv, page]
        digests += extra.digests
        digests += [digest for each in left_out for digest in each.digests]
    return Outcome(text, files, digests)


def _left_out(
    plan: Plan, rows: Sequence[Row], program: Path
) -> list[calibration_left_out.Prediction]:
    fits, _ = calibration_refit.fits(plan, rows, program)
    cases = calibration_left_out.cases(fits, rows, plan, program)
    return calibration_left_out.predictions(cases, plan.jobs)


def _left_cells(left: Left) -> list[object]:
    row = left.row
    source = published.short_source(row.source)
    return [
        "", "", row.metric, row.size, row.value, row.unit, None, None, row.trust, "no", None,
        f"{row.provider}, {source}: {left.reason}", None, None, "",
    ]  # fmt: skip


# ---- Simulations ----


def _without_residual(task: Task) -> Task:
    keys = unexplained_keys(task.profile, calibration_table.load(), task.host, task.kernel)
    return replace(task, overrides=tuple((key, "0") for key in keys))


def _tasks(rows: Sequence[Row], plan: Plan, program: Path) -> Iterator[Task]:
    for row in rows:
        task = task_of(row, plan, program)
        yield task
        yield _without_residual(task)


def simulated(rows: Sequence[Row], plan: Plan, program: Path) -> tuple[list[Row], list[str]]:
    """Return the rows with their simulated values, and the digests of the runs."""
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
