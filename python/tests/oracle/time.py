# SPDX-License-Identifier: GPL-2.0-only
"""Time of the oracle: clocks whose edges are integers, and work in the order of time."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

PS_PER_SECOND = 10**12
PS_PER_US = 10**6
WORD = 2**64
LATEST_PS = 2 * PS_PER_SECOND  # no run of ours takes longer
Task = Iterator[int | None]  # yields the instant at which it goes on; None: until it is woken


class Turn(IntEnum):
    """Who goes first at one instant."""

    DEPARTURE = 0  # makes room for what arrives
    ARRIVAL = 1
    DECISION = 2  # of a switch or a wire, which knows then what has arrived
    COMPLETION = 3
    RECEIVE = 4
    SEND = 5
    PROCESS = 6


class Span(NamedTuple):
    """Work of one part between two edges of its clock."""

    owner: str
    stage: str
    cycles: int
    start_ps: int
    end_ps: int


def scramble(number: int) -> int:
    """Return splitmix64's hash of a number."""
    number = (number + 0x9E3779B97F4A7C15) % WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB % WORD
    return number ^ number >> 31


@dataclass(frozen=True)
class Clock:
    """A clock; edge n is at phase + floor(n * period)."""

    period: Fraction
    phase: int

    @classmethod
    def seeded(cls, hertz: Fraction, seed: int, component: int, number: int) -> Clock:
        """Return the clock with this number of a component, whose phase is a hash."""
        period = PS_PER_SECOND / hertz
        whole = -(-period.numerator // period.denominator)
        return cls(period, scramble(scramble(seed) ^ (component << 32 | number)) % whole)

    def edge(self, number: int) -> int:
        """Return the instant of an edge."""
        return self.phase + number * self.period.numerator // self.period.denominator

    def first(self, instant: int) -> int:
        """Return the number of the first edge that is not before an instant."""
        number = max((instant - self.phase) * self.period.denominator // self.period.numerator, 0)
        while self.edge(number) < instant:
            number += 1
        return number

    def run(self, instant: int, cycles: int) -> tuple[int, int]:
        """Return the start and the end of cycles that begin at the first edge from an instant."""
        number = self.first(instant)
        return self.edge(number), self.edge(number + cycles)


@dataclass
class Simulation:
    """All future work, in the order of (time, turn, component, port, order of planning)."""

    now: int = 0
    spans: list[Span] = field(default_factory=list)
    _work: list[tuple[int, Turn, int, int, int, Callable[[], None]]] = field(default_factory=list)
    _planned: int = 0

    def at(
        self, instant: int, turn: Turn, component: int, work: Callable[[], None], port: int = 0
    ) -> None:
        """Plan work."""
        assert instant >= self.now
        self._planned += 1
        heapq.heappush(self._work, (instant, turn, component, port, self._planned, work))

    def run(self) -> None:
        """Do all work."""
        while self._work:
            assert self.now < LATEST_PS, "it never ends"
            self.now, *_, work = heapq.heappop(self._work)
            work()


class Worker:
    """A part that does one thing after another: a processor, an engine of a card.

    Args:
        simulation: what it is in.
        turn: its place among others at one instant.
        component: the number of its host.
        name: the owner of its spans.
        clock: of its cycles.
    """

    def __init__(
        self, simulation: Simulation, turn: Turn, component: int, name: str, clock: Clock
    ) -> None:
        self.simulation = simulation
        self.turn = turn
        self.component = component
        self.name = name
        self.clock = clock
        self._task: Task = iter(())
        self._is_idle = False

    def begin(self, task: Task, instant: int = 0) -> None:
        """Begin with a task at an instant."""
        self._task = task
        self._plan(instant)

    def wake(self) -> None:
        """Let the task go on if it waits to be woken."""
        if self._is_idle:
            self._is_idle = False
            self._plan(self.simulation.now)

    def spend(self, stage: str, cycles: int) -> Iterator[int]:
        """Let cycles pass, from an edge to an edge; none take no time."""
        if cycles:
            start, end = self.clock.run(self.simulation.now, cycles)
            self.simulation.spans.append(Span(self.name, stage, cycles, start, end))
            yield end

    def _plan(self, instant: int) -> None:
        self.simulation.at(instant, self.turn, self.component, self._step)

    def _step(self) -> None:
        for instant in self._task:
            if instant is None:
                self._is_idle = True
            else:
                self._plan(instant)
            return
