# SPDX-License-Identifier: GPL-2.0-only
"""Cases and results of the study of a service over sockets and over VIPL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# The program's words for its transports, and what figures and tables call them.
TRANSPORTS = {"tcp": "TCP sockets", "via": "VIPL"}


@dataclass(frozen=True)
class Task:
    """One cluster. requests: those of its short and of its long run."""

    program: Path
    profile: str
    transport: str
    nodes: int
    rounds: int
    requests: tuple[int, int]

    def __str__(self) -> str:
        return f"request-reply on {self.nodes} nodes, {self.transport}, {self.profile}"


@dataclass(frozen=True)
class Served:
    """The result of a task, for one request with all its rounds.

    Attributes:
        name, host: name and host of the profile.
        latency_us: from the first request of the first round to the last reply of the last.
        coordinator_cpu_us, member_cpu_us: CPU time of rank 0's node, and the mean of the others.
    """

    task: Task
    name: str
    host: str
    latency_us: float
    coordinator_cpu_us: float
    member_cpu_us: float
    digest: str


def line_of(found: Sequence[Served], name: str, transport: str) -> list[Served]:
    """Return the results of one product and transport, by nodes."""
    mine = [each for each in found if (each.name, each.task.transport) == (name, transport)]
    return sorted(mine, key=lambda each: each.task.nodes)
