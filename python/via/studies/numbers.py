# SPDX-License-Identifier: GPL-2.0-only
"""The numbers of a simulation that are uncertain, and which of them move together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

from via import profiles
from via._base import published, ranges
from via.errors import ConfigError, refuse
from via.studies import calibration_table
from via.studies.calibration_rows import FITTED, Row, rows_of, task_of
from via.studies.costs import DMA, MEASURES
from via.studies.plan import Plan
from via.studies.quantities import Changes, Measured, Quantity

Place: TypeAlias = tuple[str, str]  # the file of a number, and its key
Given: TypeAlias = tuple[tuple[str, float, float], ...]  # keys, lower and upper factor

_TRIES = 6  # of halving a change that a profile refuses
_GUESS = "assumed"  # the trust of a guess


@dataclass(frozen=True)
class Number:
    """A number of a profile, host or kernel; its truth is within value * low to value * high.

    Attributes:
        guessed: the work that did not name its machine, if the number is a guess about that one.
    """

    file: str
    key: str
    value: str
    unit: str
    trust: str
    source: str
    low: float
    high: float
    guessed: str = ""

    @property
    def place(self) -> Place:
        """What is the same number for all products that have it from one file."""
        return self.file + (f" of {self.guessed}" if self.guessed else ""), self.key

    def at(self, z: float) -> str:
        """Return the value that is z standard deviations away."""
        factor = self.high if z > 0 else 1 / self.low
        return ranges.scaled(self.value, factor ** (z / ranges.HALF_WIDTH))


@dataclass(frozen=True)
class Held:
    """A fitted number, and the published row that holds it: if others change, it makes good."""

    number: Number
    row: Row
    quantity: Measured

    @property
    def spread(self) -> float:
        """How far the row may be from the truth with nine chances of ten, as a logarithm."""
        if self.row.trust == published.LOW:
            return math.log(ranges.of("", "host cycles", published.LOW).factor)
        return math.log(1 + published.UNCERTAINTY[self.row.trust])

    @property
    def name(self) -> str:
        """The row, as sources name it."""
        row = self.row.comparison.row
        return f"{row.provider}/{row.metric}"


class Machine:
    """The numbers of a quantity: groups that move together, and fitted ones that rows hold.

    Attributes:
        groups: by the place of the number that leads it.
        held: by the place of the fitted number.
    """

    def __init__(self, quantity: Quantity, given: Given = ()) -> None:
        """Find them; given: ranges that the user set."""
        self.quantity = quantity
        own = {key: (low, high) for key, low, high in given}
        self._numbers = _numbers(quantity, own)
        judged = quantity.is_judged
        fitted = {key: _held(each, judged=judged) for key, each in self._numbers.items()
                  if each.trust == FITTED and key not in own}  # fmt: skip
        self.held = {each.number.place: each for each in fitted.values() if each}
        self._with: dict[Place, list[Number]] = {}
        for number in self._numbers.values():
            self._with.setdefault(self._leader(number).place, []).append(number)
        self.groups = {
            place: numbers for place, numbers in self._with.items() if place not in self.held
        }

    def _leader(self, number: Number) -> Number:
        seen = {number.key}
        while (key := ranges.follows(number.source)) in self._numbers and key not in seen:
            number = self._numbers[str(key)]
            seen.add(number.key)
        return number

    def changes(self, z: Mapping[Place, float], added: Mapping[Place, int]) -> Changes:
        """Return the values for standard deviations of groups, and for what fitted ones gain."""
        found = {n.key: n.at(z[p]) for p, some in self.groups.items() if p in z for n in some}
        for place in self.held:
            for number in self._with[place] if place in added else ():
                found[number.key] = str(max(int(number.value) + added[place], 0))
        return tuple(sorted(
            (key, value) for key, value in found.items() if value != self._numbers[key].value
        ))  # fmt: skip

    @cached_property
    def _card(self) -> profiles.Profile:
        return self.quantity.card()

    def allows(self, changes: Changes) -> bool:
        """Return whether the profile allows these values."""
        try:
            self._card.with_values(dict(changes))
        except ConfigError:
            return False
        return True

    def one(self, place: Place, z: float) -> tuple[Changes, float]:
        """Return the values of a group z standard deviations away, or as far as is allowed."""
        for _ in range(_TRIES):
            changes = self.changes({place: z}, {})
            if self.allows(changes):
                return changes, z
            z /= 2
        return (), z


def _numbers(quantity: Quantity, own: Mapping[str, tuple[float, float]]) -> dict[str, Number]:
    found = {}
    for entry in quantity.card().entries:
        if entry.key in quantity.fixed or not quantity.uses(entry.key):
            continue
        guessed = quantity.guessed(entry.key)
        trust = _GUESS if guessed else entry.trust
        factor = ranges.of(entry.key, entry.unit, trust).factor
        low, high = own.get(entry.key, (1 / factor, factor))
        is_held = trust == FITTED and entry.value.isdigit()  # even if it is 0
        if is_held or (low < high and ranges.amount(entry.value)):
            found[entry.key] = Number(entry.file, entry.key, entry.value, entry.unit, trust,
                                      entry.source, low, high, guessed)  # fmt: skip
    return found


@cache
def _rows(product: str) -> list[Row]:
    return rows_of(product, calibration_table.load())


def _held(number: Number, *, judged: bool) -> Held | None:
    """Return a fitted number with the row that it was fitted to; None: no such row is known.

    Args:
        judged: whether a measurement is held against what the number is used for: then each
            row has the machine of its work, else the one that the profiles say.
    """
    product = Path(number.file).stem
    if product not in profiles.names():  # of a host or kernel: fitted to several rows together
        return None
    if not any(each.file == number.file for each in profiles.load(product).entries):
        return None
    plan = Plan(Path(), [product], quick=True)
    for row in _rows(product):
        if row.standing == FITTED and number.key in row.keys and row.comparison.kernel is None:
            return Held(number, row, measured(row, plan, judged=judged))
    return None


@cache
def _naming() -> frozenset[str]:
    """Return the works of which at least one row names the machine."""
    rows = published.load().dropna(subset="conditions")
    return frozenset(
        published.work(each.source)
        for each in rows.itertuples()
        if published.names_machine(each.conditions, of_bus=False)
    )


def names_machine(row: Row) -> bool:
    """Return whether what was read of a row names its machine: beside it, or in the same work.

    A page on many machines names each of them beside its rows.
    """
    told = row.comparison.row
    of_bus = MEASURES[row.comparison.measure].kind == DMA
    if published.names_machine(told.conditions, of_bus=of_bus):
        return True
    return not of_bus and published.work(told.source) in _naming()


def measured(row: Row, plan: Plan, program: Path = Path(), *, judged: bool = True) -> Measured:
    """Return the simulation of a row, in its unit.

    Args:
        judged: whether its machine is that of the measurement.
    """
    in_bits = 8.0 if row.comparison.row.unit == "Mb/s" else 1.0
    return Measured(
        task_of(row, plan, program), row.comparison.measure, in_bits, judged,
        "" if not judged or names_machine(row) else published.work(row.comparison.row.source),
    )  # fmt: skip


def given_ranges(quantity: Quantity, wanted: Mapping[str, tuple[str, str]]) -> Given:
    """Return the ranges that a user sets, as factors of the values.

    Raises:
        ConfigError: there is no such key, or its value is no number between both ends.
    """
    card = quantity.card()
    found = []
    for key, ends in sorted(wanted.items()):
        profiles.key(key)
        values = [_amount(card.with_values({key: end}), key) for end in ends]
        value = _amount(card, key)
        if value is None or None in values or not 0 < values[0] <= value <= values[1]:  # type: ignore[operator]
            raise refuse(
                "range", f"{key}={ends[0]}:{ends[1]}",
                f"LOW:HIGH is needed, above 0 and with its value between: {value}",
            )  # fmt: skip
        low, high = (float(each) / float(value) for each in values)  # type: ignore[arg-type]
        found.append((key, low, high))
    return tuple(found)


def _amount(card: profiles.Profile, key: str) -> float | None:
    value = next((each.value for each in card.entries if each.key == key), None)
    number = None if value is None else ranges.amount(value)
    return None if number is None else float(number)
