# SPDX-License-Identifier: GPL-2.0-only
"""Tasks and results of the study of faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ROUNDS = 40

# A time-out in fault-free rounds of the product, at this size and transport.
ROUNDS_PER_TIME_OUT = 20
LEAST_TIME_OUT_US = 40
TIME_OUTS_APART = 12  # duration of a partition in time-outs
LONGEST_USUAL_US = 30_000
USUAL, FITTED = "usual", "fitted"

CRASH, PARTITION = "crash", "partition"


@dataclass(frozen=True)
class Protocol:
    """A protocol of the study.

    Attributes:
        progress: the event that shows progress.
        by: what distinguishes its events: their key, or their value.
        time_out: the parameter for how long a process waits for another, in microseconds.
        parts: the time-out in multiples of that parameter.
        rounds: rounds of a run.
        messages: messages per round and other node that the process to crash receives.
        faults: the faults that the protocol tolerates.
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
        """Return the number of progress events of a run without a fault."""
        return self.rounds * (nodes if self.by == "value" else 1)  # each node has its own


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


@dataclass(frozen=True)
class Task:
    """A protocol on a product with a fault."""

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
    """The result of a task.

    Attributes:
        time_out_us: how long a process waits for another; 0: the protocol's default.
        round_us: median of the rounds without a fault.
        outage_us: the longest time without progress.
    """

    task: Task
    name: str
    host: str
    time_out_us: int
    round_us: float
    outage_us: float
    digest: str
