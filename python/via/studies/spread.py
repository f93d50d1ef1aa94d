# SPDX-License-Identifier: GPL-2.0-only
"""How the uncertain numbers of profiles move a simulated value: one at a time, and all together.

Every number is moved to both ends of its range, by itself. A fitted number is not free: the row
that it was fitted to holds it, so whatever another number adds to that row, the fitted one takes
away again. What is left of a change then moves the value.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist

import numpy as np

from via._base.ranges import HALF_WIDTH, LIMIT
from via.errors import ViaError
from via.studies.numbers import Given, Held, Machine, Number, Place
from via.studies.parallel import run_all
from via.studies.quantities import Changes, Quantity

_LEAST_EFFECT = 0.02  # of a fitted number on its row, so that polls do not hide it
_MOST = 1 << 16  # cycles; a poll for longer would take long to simulate
_DRAWS = 200  # of one sample, until the profile allows it


@dataclass(frozen=True)
class Contribution:
    """What one number, or one measured row, adds to the spread of a value.

    Attributes:
        name: the key, or the row.
        others: how many numbers move with it.
        low, high: ends of its range.
        down, up: what its ends do to the value, as logarithms; either may be above 0.
    """

    name: str
    others: int
    value: str
    unit: str
    low: str
    high: str
    trust: str
    source: str
    down: float
    up: float

    @property
    def square(self) -> float:
        """Its part of the variance, in no unit."""
        return (self.down**2 + self.up**2) / 2


@dataclass(frozen=True)
class Probe:
    """A quantity with other numbers, up and down; what changes no cluster is skipped."""

    quantity: Quantity
    down: Changes
    up: Changes

    def __str__(self) -> str:
        keys = [key for key, _ in (*self.down, *self.up)]
        return f"{keys[0] if keys else 'nothing'} of {self.quantity}"


@cache
def _known(quantity: Quantity, changes: Changes, brief: bool) -> float:
    return quantity.value(changes, brief=brief)


def _value(quantity: Quantity, changes: Changes = (), *, brief: bool = False) -> float:
    return _known(quantity, changes, brief and quantity.has_phases)


def probe(task: Probe) -> tuple[float, float]:
    """Return what both changes do to the value, as logarithms of its ratios."""
    before = _value(task.quantity, brief=True)
    both = (task.down, task.up)
    if all(_value(task.quantity, each, brief=True) == before for each in both if each):
        return 0.0, 0.0
    nominal = _value(task.quantity)
    down, up = (math.log(_value(task.quantity, each) / nominal) if each else 0.0 for each in both)
    return down, up


@dataclass(frozen=True)
class _Lift:
    held: Held
    machine: Machine


def _lift(task: _Lift) -> tuple[int, float]:
    """Return how much more of a fitted number its row feels, and what it does to the row."""
    more = max(1, int(task.held.number.value) // 4)
    nominal = _value(task.held.quantity)
    while True:
        changes = task.machine.changes({}, {task.held.number.place: more})
        effect = math.log(_value(task.held.quantity, changes) / nominal)
        if abs(effect) >= _LEAST_EFFECT or more >= _MOST:
            return more, effect
        more *= 2


class Spread:
    """The effects of all uncertain numbers on one quantity.

    Attributes:
        value: as the profile is.
        held: the rows that hold fitted numbers.
        contributions: of every number and row that moves the value, the largest first.
    """

    def __init__(self, quantity: Quantity, given: Given = (), *, jobs: int = 1) -> None:
        """Move every number by itself: jobs: number of OS processes."""
        self.quantity = quantity
        self.machine = Machine(quantity, given)
        self.held = _closure(self.machine, given)
        self._rows = [Machine(each.quantity, given) for each in self.held]
        self.value = _value(quantity)
        self._groups = self._members()
        effects = self._effects(jobs)
        count = len(self.held)
        self._own = {place: effects[place][0] for place in self._groups}
        self._felt = {place: effects[place][1:] for place in self._groups}
        self._solve(jobs, count)
        self.contributions = sorted(
            (each for each in self._parts() if each.square > 0),
            key=lambda each: (-each.square, each.name),
        )

    def _members(self) -> dict[Place, list[Number]]:
        found: dict[Place, dict[Place, Number]] = {}
        for machine in [self.machine, *self._rows]:
            for place, numbers in machine.groups.items():
                found.setdefault(place, {}).update({each.place: each for each in numbers})
        return {place: list(found[place].values()) for place in sorted(found)}

    def _effects(self, jobs: int) -> dict[Place, list[tuple[float, float]]]:
        """Return by group: its effects on the value, and on each row."""
        machines = [self.machine, *self._rows]
        tasks, scales = [], []
        for place in self._groups:
            for machine in machines:
                (down, z_down), (up, z_up) = (
                    machine.one(place, z) for z in (-HALF_WIDTH, HALF_WIDTH)
                )
                tasks.append(Probe(machine.quantity, down, up))
                scales.append((-HALF_WIDTH / z_down, HALF_WIDTH / z_up))
        needed = list(dict.fromkeys(each for each in tasks if each.down or each.up))
        found = dict(zip(needed, run_all(probe, needed, jobs=jobs, what="numbers"), strict=True))
        moved = []
        for task, scale in zip(tasks, scales, strict=True):
            effects = found.get(task, (0.0, 0.0))
            moved.append((effects[0] * scale[0], effects[1] * scale[1]))
        width = len(machines)
        return {
            place: moved[start : start + width]
            for place, start in zip(self._groups, range(0, len(moved), width), strict=True)
        }

    def _solve(self, jobs: int, count: int) -> None:
        """Find what each fitted number does to its row, to other rows and to the value."""
        tasks = [_Lift(*each) for each in zip(self.held, self._rows, strict=True)]
        lifts = run_all(_lift, tasks, jobs=jobs, what="fitted") if tasks else []
        self._steps = {
            held.number.place: more for held, (more, _) in zip(self.held, lifts, strict=True)
        }
        quantities = [self.machine, *self._rows]
        self._lifted = np.zeros((len(quantities), count))
        for column, (place, more) in enumerate(self._steps.items()):
            for line, machine in enumerate(quantities):
                changes = machine.changes({}, {place: more})
                if changes:
                    ratio = _value(machine.quantity, changes) / _value(machine.quantity)
                    self._lifted[line, column] = math.log(ratio)
        self._inverse = np.linalg.pinv(self._lifted[1:]) if count else np.zeros((0, 0))
        self._passed = self._lifted[0] @ self._inverse if count else np.zeros(0)

    def _parts(self) -> Iterable[Contribution]:
        for place, numbers in self._groups.items():
            down, up = (
                self._own[place][side]
                - float(self._passed @ np.array([felt[side] for felt in self._felt[place]]))
                for side in (0, 1)
            )
            lead = next((each for each in numbers if each.place == place), numbers[0])
            foreign = place not in self.machine.groups  # of the host on which a row was measured
            name = f"{lead.key} of {Path(lead.file).stem}" if foreign else lead.key
            yield Contribution(
                name, len(numbers) - 1, lead.value, lead.unit, lead.at(-HALF_WIDTH),
                lead.at(HALF_WIDTH), lead.trust, lead.source, down, up,
            )  # fmt: skip
        for held, part in zip(self.held, self._passed, strict=True):
            row, wide = held.row.comparison.row, held.spread
            ends = [f"{held.row.target * math.exp(side * wide):.4g}" for side in (-1, 1)]
            yield Contribution(
                held.name, 0, row.value, row.unit, ends[0], ends[1], row.trust,
                f"{held.row.source}; it holds {held.number.key}", -float(part) * wide,
                float(part) * wide,
            )  # fmt: skip

    def linear(self) -> tuple[float, float]:
        """Return the band from one-at-a-time effects: squares of each side are summed."""
        ends = [(each.down, each.up) for each in self.contributions]
        high = math.sqrt(sum(max(0.0, *both) ** 2 for both in ends))
        low = math.sqrt(sum(min(0.0, *both) ** 2 for both in ends))
        return self.value * math.exp(-low), self.value * math.exp(high)

    def draw(self, seed: int, number: int) -> Changes:
        """Return the values of one sample; it depends on seed and number alone.

        A draw is made again if a fitted number would have to be negative to meet its row, or if
        the profile refuses the values.
        """
        moving = [place for place in self._groups if any(map(any, self._all(place)))]
        for attempt in range(_DRAWS):
            z = {place: _normal(seed, number, attempt, place) for place in moving}
            wanted = [
                held.spread / HALF_WIDTH * _normal(seed, number, attempt, ("row", held.name))
                - sum(_along(self._felt[place][line], z[place]) for place in moving)
                for line, held in enumerate(self.held)
            ]
            steps = self._inverse @ np.array(wanted) if self.held else np.zeros(0)
            added = {
                place: round(float(step) * more)
                for step, (place, more) in zip(steps, self._steps.items(), strict=True)
            }
            if any(int(h.number.value) + added[h.number.place] < 0 for h in self.held):
                continue
            changes = self.machine.changes(z, added)
            if self.machine.allows(changes):
                return changes
        raise ViaError(
            f"none of {_DRAWS} draws of the numbers meets the rows that hold"
            f" {', '.join(held.number.key for held in self.held) or 'them'}: use the linear band"
        )

    def _all(self, place: Place) -> list[tuple[float, float]]:
        return [self._own[place], *self._felt[place]]

    def moving_keys(self) -> list[str]:
        """Return the keys that samples change, sorted."""
        held = {key for each in self.held for key, _ in self.machine.changes(
            {}, {each.number.place: 1})}  # fmt: skip
        moved = {n.key for place, some in self.machine.groups.items() for n in some
                 if any(map(any, self._all(place)))}  # fmt: skip
        return sorted(held | moved)


def _closure(machine: Machine, given: Given) -> list[Held]:
    """Return all rows that hold a number of a quantity, or of such a row."""
    found: dict[Place, Held] = {}
    waiting = list(machine.held.values())
    while waiting:
        held = waiting.pop(0)
        if held.number.place not in found:
            found[held.number.place] = held
            waiting += Machine(held.quantity, given).held.values()
    return [found[place] for place in sorted(found)]


def _along(ends: tuple[float, float], z: float) -> float:
    """Return an effect between its two ends."""
    return (ends[1] if z > 0 else -ends[0]) * z / HALF_WIDTH


def _normal(seed: int, number: int, attempt: int, what: Sequence[object]) -> float:
    """Return a standard normal draw of one number, which no other number has a part in."""
    told = "/".join(map(str, (seed, number, attempt, *_short(what))))
    drawn = NormalDist().inv_cdf(random.Random(told).random() or 0.5)
    return max(-LIMIT, min(LIMIT, drawn))


def _short(what: Sequence[object]) -> list[str]:
    """Return a place without the folder, which differs between machines."""
    return [str(each).rpartition("/")[2] for each in what]
