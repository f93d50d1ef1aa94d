# SPDX-License-Identifier: GPL-2.0-only
"""VIBe, the Virtual Interface Benchmark (Banikazemi et al., IPDPS 2001), on every product."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from via import profiles, programs
from via.cluster import Cluster
from via.errors import ViaError
from via.studies import vibe_figures, vibe_report
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.vibe_experiments import EXPERIMENTS, Missing, Result, by_series, runs

COLUMNS = ("profile", "host", "experiment", "x", "x_unit", "size_bytes", "value", "unit")
MISSING_COLUMNS = ("profile", "host", "experiment", "x", "x_unit", "reason")

_ROUNDS, _QUICK_ROUNDS = 40, 8


@dataclass(frozen=True)
class Task:
    """One run of vibe.so: an experiment on a product."""

    profile: str
    experiment: str
    xs: Sequence[int]
    rounds: int
    program: Path

    def __str__(self) -> str:
        return f"vibe -e {self.experiment}, {self.profile}"


@dataclass(frozen=True)
class LoadTask:
    """Two runs of vibe.so, one with twice the rounds; their difference gives the load of a node.

    Attributes:
        series: the resulting series.
        experiment: the experiment of vibe.so.
    """

    profile: str
    series: str
    experiment: str
    size: int
    rounds: int
    program: Path

    def __str__(self) -> str:
        return f"vibe -e {self.experiment}, {self.profile}"


@dataclass(frozen=True)
class Found:
    """The results of one run."""

    results: Sequence[Result]
    missing: Sequence[Missing]
    digests: tuple[str, ...]


def run(plan: Plan) -> Outcome:
    """Compile vibe.c once and run the same shared object on every product."""
    with tempfile.TemporaryDirectory(prefix="via-study-") as folder:
        program = programs.build("vibe", Path(folder))
        found = run_all(measure, tasks(plan, program), jobs=plan.jobs, what="vibe")
        found += run_all(load, load_tasks(plan, program), jobs=plan.jobs, what="vibe, CPUs")
    results = [row for each in found for row in each.results]
    missing = [row for each in found for row in each.missing]
    labels = {card.name: profiles.label(card) for card in map(profiles.load, plan.profiles)}
    files = [*_tables(plan, results, missing), *vibe_figures.draw(plan, results, labels)]
    text = vibe_report.text(results, missing, labels)
    return Outcome(text, files, [digest for each in found for digest in each.digests])


def tasks(plan: Plan, program: Path) -> list[Task]:
    """Return all runs, grouped by product."""
    rounds = _QUICK_ROUNDS if plan.quick else _ROUNDS
    return [
        Task(name, experiment, tuple(xs), rounds, program)
        for name in plan.profiles
        for experiment, xs in runs(plan.quick)
    ]


def load_tasks(plan: Plan, program: Path) -> list[LoadTask]:
    """Return the tasks for the loads of nodes, with rounds enough for several stream windows."""
    return [
        LoadTask(name, series, experiment, size, _ROUNDS, program)
        for name in plan.profiles
        for each in EXPERIMENTS
        for series, experiment in each.loads.items()
        for size in (each.quick_xs if plan.quick else each.xs)
    ]


def load(task: LoadTask) -> Found:
    """Return the share of time in which a CPU of the receiver's node works.

    It includes kernel work, which a process cannot see. The difference between the two runs does
    not contain setup and teardown.
    """
    cluster = Cluster(nodes=2, profile=task.profile, record=False)
    spent, passed, digests = [], [], []
    for rounds in (task.rounds, 2 * task.rounds):
        arguments = ["-e", task.experiment, "-x", task.size, "-n", rounds]
        done = cluster.run_program(task.program, arguments, capture=True)
        digests.append(done.digest)
        if not read(done.stdout or "", cluster.profile, done.digest).results:
            return Found([], [], tuple(digests))  # the run of latencies reports it as missing
        spent.append(sum(done.report["node_cpu"][1].values()))
        passed.append(done.report["end_ps"])
    percent = round(100 * (spent[1] - spent[0]) / (passed[1] - passed[0]), 4)
    card = cluster.profile
    result = Result(card.name, card.host, task.series, task.size, "bytes", task.size, percent, "%")
    return Found([result], [], tuple(digests))


def measure(task: Task) -> Found:
    """Run one experiment and read its output."""
    cluster = Cluster(nodes=2, profile=task.profile, record=False)
    places = ",".join(map(str, task.xs))
    arguments = ["-e", task.experiment, "-x", places, "-n", task.rounds]
    done = cluster.run_program(task.program, arguments, capture=True)
    return read(done.stdout or "", cluster.profile, done.digest)


def read(text: str, card: profiles.Profile, digest: str) -> Found:
    """Read the lines that vibe.c prints.

    Raises:
        ViaError: a line has another form, or there are no lines.
    """
    results, missing = [], []
    for line in text.splitlines():
        kind, series, x, x_unit, *rest = line.split(" ", 4) if line.count(" ") >= 4 else [line] * 5
        if kind == "missing":
            missing.append(Missing(card.name, card.host, series, int(x), x_unit, rest[0]))
        elif kind == "result" and rest[0].count(" ") == 2:
            size, value, unit = rest[0].split()
            results.append(
                Result(card.name, card.host, series, int(x), x_unit, int(size), float(value), unit)
            )
        else:
            raise ViaError(f"vibe.c printed {line!r}")
    if not results and not missing:
        raise ViaError("vibe.c printed nothing")
    return Found(results, missing, (digest,))


def _tables(plan: Plan, results: Sequence[Result], missing: Sequence[Missing]) -> list[Path]:
    home = by_series()
    files = []
    for each in EXPERIMENTS:
        rows = [row.cells() for row in results if home[row.series] is each]
        files.append(write_csv(plan.out / f"vibe-{each.name}.csv", rows, COLUMNS))
    lacking = [row.cells() for row in missing]
    return [*files, write_csv(plan.out / "vibe-not-offered.csv", lacking, MISSING_COLUMNS)]
