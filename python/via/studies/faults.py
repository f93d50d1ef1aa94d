# SPDX-License-Identifier: GPL-2.0-only
"""How long a protocol stands still after a crash or a partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from via.results import Run
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import Case, Values, cluster_of, labels
from via.text import table
from via.units import PS_PER_US

PROFILES = ("giganet-clan1000", "gm-lanai9-200", "mvia-gnic2")
TRANSPORTS = ("via-send", "kernel-udp")
NODES = (3, 5, 9, 17)
QUICK_NODES = (3, 5)
ROUNDS = 40

# A time-out is so many of the product's own fault-free rounds, at this size and transport.
ROUNDS_PER_TIME_OUT = 20
LEAST_TIME_OUT_US = 40
TIME_OUTS_APART = 12  # that a partition lasts
LONGEST_USUAL_US = 30_000
USUAL, FITTED = "usual", "fitted"

CRASH, PARTITION = "crash", "partition"


@dataclass(frozen=True)
class Protocol:
    """A protocol of the study.

    Attributes:
        progress: the event that goes on while it works.
        by: what tells its events apart: their key, or their value.
        time_out: the parameter that says for how long silence is waited for, in microseconds.
        parts: the time-out is so many of that parameter.
        rounds: of a run.
        messages: that the process to crash receives in a round, for each other node.
        faults: what the protocol stands.
    """

    title: str
    progress: str
    time_out: str
    parts: int
    rounds: int
    messages: int
    faults: tuple[str, ...]
    by: str = "key"

    def asked_for(self, nodes: int) -> int:
        """Return how many events of progress a run has without a fault."""
        return self.rounds * (nodes if self.by == "value" else 1)  # else each has its own rounds


PROTOCOLS: Mapping[str, Protocol] = {
    "raft": Protocol(
        "Raft: new leader", "decide", "election_us", 1, ROUNDS, 1, (CRASH, PARTITION)
    ),
    "multi-paxos": Protocol(
        "Multi-Paxos: new leader", "decide", "timeout_us", 1, ROUNDS, 1, (CRASH, PARTITION)
    ),
    "mscs-regroup": Protocol("MSCS regroup: new view", "view", "tick_us", 4, 6, 5, (CRASH,)),
    "view-synchrony": Protocol(
        "View synchrony: new view", "deliver", "timeout_us", 1, ROUNDS, 2, (CRASH, PARTITION),
        by="value",
    ),
}  # fmt: skip

COLUMNS = (
    "profile", "host", "protocol", "fault", "transport", "nodes", "time_outs", "time_out_us",
    "round_us", "outage_us", "digest",
)  # fmt: skip


@dataclass(frozen=True)
class Task:
    """A protocol on a product that meets a fault."""

    protocol: str
    fault: str
    transport: str
    profile: str
    nodes: int
    time_outs: str

    def __str__(self) -> str:
        return (
            f"{self.protocol} after a {self.fault}, {self.nodes} nodes, {self.transport},"
            f" {self.profile}"
        )


@dataclass(frozen=True)
class Outage:
    """What came of a task.

    Attributes:
        time_out_us: for how long a process waits for another; 0: the protocol's usual one.
        round_us: the median of the rounds when nothing goes wrong.
        outage_us: the longest time without progress.
    """

    task: Task
    name: str
    host: str
    time_out_us: int
    round_us: float
    outage_us: float
    digest: str


def run(plan: Plan) -> Outcome:
    """Let every protocol meet every fault that it stands, on every product."""
    from via.studies import faults_figure  # it knows this module

    found = run_all(meet, tasks(plan), jobs=plan.jobs, what="faults")
    csv = write_csv(plan.out / "faults.csv", map(_row, found), COLUMNS)
    png = plan.out / "faults.png"
    called = labels(list(plan.profiles))
    faults_figure.draw(png, found, called)
    return Outcome(_text(found, called), [csv, png], [each.digest for each in found])


def tasks(plan: Plan) -> list[Task]:
    """Return all of them; with the usual time-outs products hardly differ: the first one alone."""
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
    """Run a protocol without a fault, fit its time-outs, and run it with the fault."""
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
    """Run it; who is cut off may wait for ever, which is no trouble of the others."""
    return cluster_of(_case(task, seed)).run(
        task.protocol, transport=task.transport, rounds=PROTOCOLS[task.protocol].rounds,
        check=False, **dict(parameters),
    )  # fmt: skip


def _leader(task: Task, quiet: Run) -> int:
    """Return who leads when nothing goes wrong; a regroup has no leader: the youngest."""
    leads = quiet.decisions[quiet.decisions["event"] == "lead"]
    return int(leads["rank"].iloc[-1]) if len(leads) else task.nodes - 1


def _can_be_cut_off(task: Task, quiet: Run) -> bool:
    """Whether a partition into lower and higher numbers can leave the leader in the minority."""
    return task.fault != PARTITION or _leader(task, quiet) != task.nodes // 2


def _crash(task: Task, quiet: Run) -> str:
    about = PROTOCOLS[task.protocol]
    middle = about.messages * (task.nodes - 1) * about.rounds // 2 + about.messages
    return f"crash:{_leader(task, quiet)}:{middle}"


def _partition(task: Task, quiet: Run, time_out: int) -> str:
    """Cut the leader off with as few others as its number allows, in the middle of the run."""
    leader = _leader(task, quiet)
    border = leader + 1 if leader < task.nodes // 2 else leader
    times = _progress_ps(quiet, task)
    begin = int(times[len(times) // 2]) // PS_PER_US
    end = begin + TIME_OUTS_APART * (time_out or LONGEST_USUAL_US)
    return f"partition:{border}:{begin}:{end}"


def _progress_ps(done: Run, task: Task) -> NDArray[np.int64]:
    """Return when each decision, or view, of the run's rounds was first reported.

    When a partition heals, who was cut off may have more decided than was asked for.
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
