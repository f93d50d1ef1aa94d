# SPDX-License-Identifier: GPL-2.0-only
"""How far numbers of profiles may be from the truth, by their trust: calibration/ranges.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from via import _core
from via._base.files import read_toml
from via.errors import refuse

SCHEMA = "via-ranges/1"
RANGES = "calibration/ranges.toml"
CONFIDENCE_PCT = 90.0  # chance that a range holds the number
HALF_WIDTH = 1.6448536269514722  # of that range, in standard deviations
LIMIT = 3.0  # standard deviations: no number is drawn farther away
STRUCTURE = "structure"
FIXED = "it is of the structure"

_AMOUNT = re.compile(r"(\d+)(?:/(\d+))?( Hz)?")
_AS = re.compile(r"(?:^|: )as ([a-z]+\.[a-z_0-9]+)\b")


@dataclass(frozen=True)
class Range:
    """The factor that a number may be above or below its value, and why; 1: it has no range."""

    factor: float
    reason: str


@cache
def _table(path: Path) -> Mapping[str, Any]:
    found = read_toml(path, "ranges")
    if found.get("schema") != SCHEMA:
        raise refuse("ranges", path, f"schema = {SCHEMA!r} is needed")
    kinds = {*found["keys"].values(), *found["units"].values()} - {STRUCTURE}
    for kind in sorted(kinds):
        for trust, given in found[kind].items():
            if not 1 <= given["factor"] <= 100:
                raise refuse("ranges", path, f"factor of {kind}.{trust} must be 1 to 100")
    return found


def of(key: str, unit: str, trust: str) -> Range:
    """Return the range of a number by its key, unit and trust: one of profiles.TRUSTS."""
    table = _table(Path(_core.profile_folder()) / RANGES)
    kind = table["keys"].get(key) or table["units"].get(unit)
    if kind is None:
        raise refuse("unit", unit, f"no range follows from it in {RANGES}")
    if kind == STRUCTURE:
        return Range(1.0, FIXED)
    given = table[kind][trust]
    return Range(float(given["factor"]), str(given["reason"]))


def amount(value: str) -> Fraction | None:
    """Return a number or a clock in Hz; None: it is neither, such as a list or a word."""
    match = _AMOUNT.fullmatch(value)
    return Fraction(int(match[1]), int(match[2] or 1)) if match else None


def scaled(value: str, factor: float) -> str:
    """Return a number times a factor: a clock to 1 Hz, everything else as a whole number."""
    number = amount(value)
    if number is None:
        return value
    changed = round(float(number) * factor)
    if changed == number or factor == 1.0:
        return value
    return f"{changed} Hz" if value.endswith(" Hz") else str(changed)


def followers(entries: Sequence[_core.ProfileEntry], keys: Iterable[str]) -> list[str]:
    """Return the keys that move with one of these, at once or through another."""
    found = list(keys)
    first = len(found)
    for key in found:  # which grows
        found += [e.key for e in entries if follows(e.source) == key and e.key not in found]
    return found[first:]


def follows(source: str) -> str | None:
    """Return the key that a number moves with, for its source says "as KEY"; None: with none."""
    match = _AS.search(source)
    return match[1] if match else None
