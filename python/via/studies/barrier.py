# SPDX-License-Identifier: GPL-2.0-only
"""Latency of a dissemination barrier against the number of nodes."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from via import profiles
from via._base.text import table
from via._drawing import multiples, plots
from via.cluster import Cluster
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv

NODES = (2, 4, 8, 16, 32, 64)
QUICK_NODES = (2, 4, 8)
ROUNDS = 100
QUICK_ROUNDS = 20

COLUMNS = (
    "profile",
    "host",
    "nodes",
    "rounds",
    "latency_us",
    "latency_p99_us",
    "messages",
    "digest",
)


@dataclass(frozen=True)
class Task:
    """One cluster to measure."""

    profile: str
    nodes: int
    rounds: int


def run(plan: Plan) -> Outcome:
    """Measure every product on clusters of increasing size."""
    nodes, rounds = (QUICK_NODES, QUICK_ROUNDS) if plan.quick else (NODES, ROUNDS)
    tasks = [Task(name, count, rounds) for name in plan.profiles for count in nodes]
    rows = run_all(measure, tasks, jobs=plan.jobs, what="barrier")
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    csv = write_csv(plan.out / "barrier.csv", rows, COLUMNS)
    figure = plan.figure("barrier")
    labels = {card.name: profiles.label(card) for card in map(profiles.load, plan.profiles)}
    multiples.save(figure, [_block(found)], labels)
    labelled = found.assign(profile=found["profile"].map(labels))
    return Outcome(_text(labelled), [csv, figure], list(found["digest"]))


def measure(task: Task) -> list[object]:
    """Run the built-in barrier; a sample is the time from the last entry to the last exit."""
    cluster = Cluster(nodes=task.nodes, profile=task.profile, record=False)
    done = cluster.run("barrier", rounds=task.rounds)
    spread = done.latency()
    return [
        cluster.profile.name, cluster.profile.host, task.nodes, task.rounds, spread.median_us,
        spread.p99_us, done.report["messages"], done.digest,
    ]  # fmt: skip


def _block(found: pd.DataFrame) -> multiples.Block:
    lines = [
        multiples.Line(str(name), label, rows["nodes"].tolist(), rows[column].tolist())
        for name, rows in found.groupby("profile", sort=False)
        for label, column in (("median", "latency_us"), ("99 %", "latency_p99_us"))
    ]
    return multiples.Block(
        "Dissemination barrier", "nodes", f"time of a barrier ({plots.US})", log=True,
        doubling=True, in_bytes=False, lines=lines,
    )  # fmt: skip


def _text(found: pd.DataFrame) -> str:
    columns = ["profile", "host", "nodes", "latency_us", "latency_p99_us"]
    header = ["product", "host", "nodes", "median us", "99 % us"]
    title = (
        "Dissemination barrier: from the last process' entry to the last process' exit, messages"
        " of 8 bytes, all processes polling"
    )
    return f"{title}\n\n{table(header, found[columns].to_numpy().tolist(), '  ')}"
