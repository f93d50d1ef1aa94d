# SPDX-License-Identifier: GPL-2.0-only
"""Runs of the built-in protocols, shared by several studies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from via import profiles
from via.cluster import Cluster
from via.results import EXIT_DEADLOCK, Run

# The first rounds open TCP connections and fill caches; they are not counted.
WARM_UP = 2

TRANSPORTS = {
    "via-send": "VIA, send and receive",
    "via-rdma-write": "VIA, RDMA write",
    "kernel-udp": "UDP through the kernel",
    "kernel-tcp": "TCP through the kernel",
}

Values = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Case:
    """One run of a protocol.

    Attributes:
        host: the host computer; None: the product's own.
        rounds: counted rounds; WARM_UP more are run before them.
        parameters: parameters of the protocol.
        overrides: other values for profile keys.
    """

    protocol: str
    transport: str
    profile: str
    nodes: int
    rounds: int
    host: str | None = None
    seed: int = 1
    parameters: Values = ()
    overrides: Values = ()

    def __str__(self) -> str:
        return f"{self.protocol} on {self.nodes} nodes, {self.transport}, {self.profile}"


@dataclass(frozen=True)
class Timed:
    """The result of a case: times of its rounds and number of messages.

    Attributes:
        name, host: name and host of the profile.
        times_ps: times of the counted rounds; none if the protocol lost datagrams and got stuck.
        messages: messages of all rounds, including the warm-up, and credits of windows.
    """

    case: Case
    name: str
    host: str
    times_ps: NDArray[np.int64] = field(repr=False)
    messages: int
    end_ps: int
    digest: str

    @property
    def ended(self) -> bool:
        """Return whether all rounds were completed."""
        return len(self.times_ps) > 0

    @property
    def median_ps(self) -> int:
        """The time that half of the rounds do not exceed."""
        return self._quantile(0.5)

    @property
    def p99_ps(self) -> int:
        """The time that 99 % of the rounds do not exceed."""
        return self._quantile(0.99)

    def _quantile(self, quantile: float) -> int:
        return int(np.quantile(self.times_ps, quantile, method="inverted_cdf"))


def cluster_of(case: Case, *, record: bool = False) -> Cluster:
    """Return the cluster of a case."""
    return Cluster(
        nodes=case.nodes, profile=case.profile, host=case.host, seed=case.seed, record=record,
        overrides=dict(case.overrides),
    )  # fmt: skip


def run_of(case: Case, cluster: Cluster) -> Run:
    """Run a case; it must end well unless it waits forever for lost datagrams."""
    done = cluster.run(
        case.protocol, transport=case.transport, rounds=WARM_UP + case.rounds, check=False,
        **dict(case.parameters),
    )  # fmt: skip
    starved = done.exit == EXIT_DEADLOCK and case.transport == "kernel-udp"
    return done if starved else done.expect_clean()


def timed(case: Case) -> Timed:
    """Run a case and time its rounds."""
    cluster = cluster_of(case)
    done = run_of(case, cluster)
    profile = cluster.profile
    times = done.samples[WARM_UP:] if done.exit == 0 else done.samples[:0]
    return Timed(
        case, profile.name, profile.host, times, done.report["messages"],
        done.end_ps, done.digest,
    )  # fmt: skip


def labels(names: list[str] | tuple[str, ...]) -> dict[str, str]:
    """Return the labels of products in tables and figures, by name."""
    cards = [profiles.load(name) for name in names]
    return {card.name: profiles.label(card) for card in cards}


def carried(points: Iterable[tuple[int, float]], deadline_us: float) -> int:
    """Return the largest cluster up to which all clusters meet a deadline; 0: none does.

    Args:
        points: nodes and the time that they need, in microseconds.
        deadline_us: the deadline.
    """
    most = 0
    for nodes, needed_us in sorted(points):
        if needed_us > deadline_us:
            break
        most = nodes
    return most
