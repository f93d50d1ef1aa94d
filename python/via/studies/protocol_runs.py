# SPDX-License-Identifier: GPL-2.0-only
"""Runs of the library's protocols, as several studies need them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from via import profiles
from via.cluster import Cluster
from via.results import EXIT_DEADLOCK, Run

# The first rounds open TCP's connections and fill caches; they are not counted.
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
        host: the machine the cards are in; None: the product's own.
        rounds: that are counted; WARM_UP more are run before.
        parameters: of the protocol.
        overrides: keys of the profile with other values.
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
    """What came of a case: the times of its rounds, and how many messages they took.

    Attributes:
        name, host: of the profile.
        times_ps: of each round that is counted; none if datagrams were lost that nobody repeats.
        messages: of all rounds, those before the first that is counted included.
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
        """Whether all rounds were done."""
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
    """Return the cluster that a case is run on."""
    return Cluster(
        nodes=case.nodes, profile=case.profile, host=case.host, seed=case.seed, record=record,
        overrides=dict(case.overrides),
    )  # fmt: skip


def run_of(case: Case, cluster: Cluster) -> Run:
    """Run a case; it may wait for ever for datagrams that were lost, else it must end well."""
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
    """Return what products are called in tables and figures, by their names."""
    cards = [profiles.load(name) for name in names]
    return {card.name: profiles.label(card) for card in cards}
