# SPDX-License-Identifier: GPL-2.0-only
"""Time without progress of a protocol after a crash or a network partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from via._base.text import table
from via._base.units import PS_PER_US
from via.results import Run
from via.studies import faults_figure
from via.studies.faults_cases import (
    CRASH,
    FITTED,
    LEAST_TIME_OUT_US,
    LONGEST_USUAL_US,
    PARTITION,
    PROTOCOLS,
    ROUNDS_PER_TIME_OUT,
    TIME_OUTS_APART,
    USUAL,
    Outage,
    Task,
)
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import Case, Values, cluster_of, labels

PROFILES = ("giganet-clan1000", "gm-lanai9-200", "mvia-gnic2")
TRANSPORTS = ("via-send", "kernel-udp")
NODES = (3, 5, 9, 17)
QUICK_NODES = (3, 5)

COLUMNS = (
    "profile", "host", "protocol", "fault", "transport", "nodes", "time_outs", "time_out_us",
    "round_us", "outage_us", "digest",
)  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Run every protocol with every fault that it tolerates, on every product."""
    found = run_all(meet, tasks(plan), jobs=plan.jobs, what="faults")
    csv = write_csv(plan.out / "faults.csv", map(_row, found), COLUMNS)
    figure = plan.figure("faults")
    called = labels(list(plan.profiles))
    faults_figure.draw(figure, found, called)
    return Outcome(_text(found, called), [csv, figure], [each.digest for each in found])


def tasks(plan: Plan) -> list[Task]:
    """Return all tasks; with the usual time-outs, products hardly differ: only the first is run."""
    nodes = QUICK_NODES if plan.quick else NODES
    return [
        Task(protocol, fault, transport, profile, size, time_outs)
        for protocol, about in PROTOCOLS.items()
        for fault in about.faults
        for time_outs in (USUAL, FITTED)
        for profile in (plan.profiles if time_outs == FITTED else plan.profiles[:1])
        for transport in (TRANSPORTS if time_outs == FITTED else TRANSPORTS[:1])
        for size in reversed(nodes)
    ]


def meet(task: Task) -> Outage:
    """Run a protocol without a fault, fit its time-outs, then run it with the fault."""
    about = PROTOCOLS[task.protocol]
    round_us = _run(task, ()).latency_us()
    time_out = 0
    given: Values = ()
    if task.time_outs == FITTED:
        time_out = max(LEAST_TIME_OUT_US, round(ROUNDS_PER_TIME_OUT * round_us))
        given = ((about.time_out, -(-time_out // about.parts)),)
    seed, quiet = next(
        (seed, quiet)
        for seed in count(1)
        if _can_be_cut_off(task, quiet := _run(task, given, seed))
    )
    fault = _crash(task, quiet) if task.fault == CRASH else _partition(task, quiet, time_out)
    done = _run(task, (*given, ("process_faults", fault)), seed)
    if done.violations:
        done.expect_clean()
    profile = cluster_of(_case(task)).profile
    return Outage(
        task, profile.name, profile.host, time_out, round_us, _longest_us(done, task),
        f"{quiet.digest}+{done.digest}",
    )  # fmt: skip


def _case(task: Task, seed: int = 1) -> Case:
    return Case(task.protocol, task.transport, task.profile, task.nodes, 0, seed=seed)


def _run(task: Task, parameters: Values, seed: int = 1) -> Run:
    """Run the protocol; processes that are cut off may wait forever."""
    return cluster_of(_case(task, seed)).run(
        task.protocol, transport=task.transport, rounds=PROTOCOLS[task.protocol].rounds,
        check=False, **dict(parameters),
    )  # fmt: skip


def _leader(task: Task, quiet: Run) -> int:
    """Return the leader of a run without faults; for a regroup, the youngest node."""
    leads = quiet.decisions[quiet.decisions["event"] == "lead"]
    return int(leads["rank"].iloc[-1]) if len(leads) else task.nodes - 1


def _can_be_cut_off(task: Task, quiet: Run) -> bool:
    """Return whether a split into lower and higher ranks can leave the leader in the minority."""
    return task.fault != PARTITION or _leader(task, quiet) != task.nodes // 2


def _crash(task: Task, quiet: Run) -> str:
    about = PROTOCOLS[task.protocol]
    middle = about.messages * (task.nodes - 1) * about.rounds // 2 + about.messages
    return f"crash:{_leader(task, quiet)}:{middle}"


def _partition(task: Task, quiet: Run, time_out: int) -> str:
    """Cut off the leader, with as few others as its rank allows, in the middle of the run."""
    leader = _leader(task, quiet)
    border = leader + 1 if leader < task.nodes // 2 else leader
    times = _progress_ps(quiet, task)
    begin = int(times[len(times) // 2]) // PS_PER_US
    end = begin + TIME_OUTS_APART * (time_out or LONGEST_USUAL_US)
    return f"partition:{border}:{begin}:{end}"


def _progress_ps(done: Run, task: Task) -> NDArray[np.int64]:
    """Return when each decision, or view, of the run's rounds was first reported.

    After a partition heals, processes that were cut off may cause additional decisions.
    """
    about = PROTOCOLS[task.protocol]
    rows = done.decisions[done.decisions["event"] == about.progress]
    times = rows.groupby(about.by, observed=True)["at_ps"].min().to_numpy()
    return np.sort(times)[: about.asked_for(task.nodes)]


def _longest_us(done: Run, task: Task) -> float:
    return int(np.diff(_progress_ps(done, task)).max()) / PS_PER_US


def _row(each: Outage) -> list[object]:
    task = each.task
    return [
        each.name, each.host, task.protocol, task.fault, task.transport, task.nodes,
        task.time_outs, each.time_out_us or None, each.round_us, each.outage_us, each.digest,
    ]  # fmt: skip


def _text(found: Sequence[Outage], called: Mapping[str, str]) -> str:
    blocks = []
    for protocol, about in PROTOCOLS.items():
        rows = [
            [each.task.fault, called[each.name], each.task.transport, each.task.nodes,
             each.task.time_outs, each.round_us, each.outage_us]
            for each in found if each.task.protocol == protocol
        ]  # fmt: skip
        header = ["fault", "product", "transport", "nodes", "time-outs", "round us", "outage us"]
        blocks.append(f"{about.title} after a fault\n\n{table(header, rows, '  ')}")
    return "\n\n".join(blocks)
