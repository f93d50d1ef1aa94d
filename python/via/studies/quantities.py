# SPDX-License-Identifier: GPL-2.0-only
"""What an uncertainty is asked of: a number that a simulation gives, as a function of a profile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from via import profiles, workloads
from via._base.kernel_keys import any_of_kernels
from via._base.units import PS_PER_US
from via.cluster import Cluster
from via.errors import refuse
from via.studies import costs
from via.studies.costs import DMA, LATENCY, MEASURES, Task
from via.workloads import Timed

Changes: TypeAlias = tuple[tuple[str, str], ...]  # keys and their other values

BARE = "ideal"  # the product with whose file a host by itself is read
_HOST = ("bus.", "cpu.", "os.")


@dataclass(frozen=True)
class Measured:
    """The simulation of a published row.

    Attributes:
        factor: from the unit of the measure to that of the row.
        is_judged: a measurement is held against it: its machine is that of the measurement.
        unnamed: the published work, if it does not name that machine; else empty. Each number of
            such a machine is a guess, and rows of one work share it.
    """

    task: Task
    measure: str
    factor: float = 1.0
    is_judged: bool = False
    unnamed: str = ""

    def value(self, changes: Changes, *, brief: bool = False) -> float:
        """Return the value with other numbers; brief: of one set of phases."""
        task = replace(self.task, overrides=changes)
        if brief and self.has_phases:
            task = replace(task, seeds=1)
        return self.factor * MEASURES[self.measure].of(costs.simulate(task).values)

    def card(self) -> profiles.Profile:
        """Return the numbers that it uses, and perhaps others."""
        card = profiles.load(self.task.profile or BARE, self.task.host)
        return card.with_kernel(self.task.kernel) if self.task.kernel else card

    def uses(self, key: str) -> bool:
        """Return whether the simulation may use a number."""
        return self.task.kind != DMA or key.startswith(_HOST)

    def guessed(self, key: str) -> str:
        """Return the work of whose machine a number is a guess; empty: it is as its file says."""
        return self.unnamed if key.startswith(_HOST) else ""

    @property
    def has_phases(self) -> bool:
        """Whether the value is a mean over clusters with other phases of their clocks."""
        return self.task.kind == LATENCY

    @property
    def fixed(self) -> frozenset[str]:
        """The keys whose values the user set."""
        return frozenset()


@dataclass(frozen=True)
class Experiment:
    """A built-in workload on a cluster, averaged over clusters with other phases of their clocks.

    Attributes:
        parameters: of the workload.
        overrides: values that the user set.
        phases: number of clusters; their seeds are `seed` and those after it.
    """

    workload: str
    parameters: tuple[tuple[str, object], ...] = ()
    topology: str = "star"
    nodes: int = 2
    profile: str = "giganet-clan1000"
    host: str | None = None
    kernel: str | None = None
    overrides: Changes = ()
    phases: int = 8
    seed: int = 1

    def value(self, changes: Changes, *, brief: bool = False) -> float:
        """Return the value with other numbers; brief: of one cluster."""
        phases = 1 if brief else self.phases
        return sum(self._of(self.seed + phase, changes) for phase in range(phases)) / phases

    def _of(self, seed: int, changes: Changes) -> float:
        cluster = Cluster(
            self.topology, nodes=self.nodes, profile=self.profile, host=self.host,
            kernel=self.kernel, seed=seed, record=False,
            overrides={**dict(self.overrides), **dict(changes)},
        )  # fmt: skip
        parameters: dict[str, Any] = dict(self.parameters)
        samples = cluster.run(self.workload, **parameters).samples
        if len(samples) == 0:
            raise refuse("workload", self.workload, "it times nothing")
        if self._timed is Timed.ARRIVALS:
            return self._arrived_bytes(len(samples)) / (int(samples[-1]) / PS_PER_US)
        mean_us = int(samples.sum()) / len(samples) / PS_PER_US
        return mean_us / 2 if self._timed is Timed.ROUND_TRIPS else mean_us

    @property
    def _timed(self) -> Timed:
        return workloads.kind_of(self.workload).timed

    def _arrived_bytes(self, samples: int) -> int:
        """Return the bytes of the messages that arrived in a stream."""
        size = self._option("size")
        if size == 0:
            raise refuse(f"{self.workload} size", size, "its bandwidth is 0 whatever the numbers"
                         " are: at least 1 is needed")  # fmt: skip
        has_one_sample = workloads.kind_of(self.workload) is workloads.Stream
        return size * (self._option("messages") if has_one_sample else samples)

    def _option(self, name: str) -> int:
        given: dict[str, Any] = dict(self.parameters)
        options = workloads.options(self.workload, self.nodes, self.profile)
        return int(given.get(name, options.set_index("option")["default"][name]))

    @property
    def has_phases(self) -> bool:
        """Whether the value is a mean over clusters with other phases of their clocks."""
        return self.phases > 1

    @property
    def unit(self) -> str:
        """The unit of the value."""
        return "MB/s" if self._timed is Timed.ARRIVALS else "us"

    def card(self) -> profiles.Profile:
        """Return the numbers that it uses, and perhaps others."""
        overrides = dict(self.overrides)
        card = profiles.load(self.profile, self.host)
        if self.uses_kernel or any_of_kernels(overrides):
            card = card.with_kernel(self.kernel or "")
        return card.with_values(overrides)

    @property
    def uses_kernel(self) -> bool:
        """Whether messages go through a kernel's network stack."""
        transport = str(dict(self.parameters).get("transport", ""))
        is_socket = self.workload.startswith("socket-") or transport.startswith("kernel")
        return self.kernel is not None or is_socket

    def uses(self, key: str) -> bool:
        """Return whether the simulation may use a number."""
        return bool(key)

    def guessed(self, key: str) -> str:
        """Return nothing: the user says which machine it is."""
        assert key
        return ""

    @property
    def is_judged(self) -> bool:
        """Whether a measurement is held against it."""
        return False

    @property
    def fixed(self) -> frozenset[str]:
        """The keys whose values the user set."""
        return frozenset(key for key, _ in self.overrides)


Quantity: TypeAlias = Measured | Experiment
