# SPDX-License-Identifier: GPL-2.0-only
"""Simulated time as text and as integer picoseconds; range checks of numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from operator import index

import numpy as np

from via.errors import refuse

PS_PER_US = 1_000_000
PS_PER_MS = 1_000_000_000
WATCHDOG_S = 60  # seconds of this machine's CPU time in which simulated time may stand still
PATIENCE = "30s"  # simulated time in which processes may poll or compute while all others wait
MAX_PS = 2**63 - 1  # 106 days

SYMBOLS = {"ps": "ps", "ns": "ns", "us": "\u00b5s", "ms": "ms", "s": "s"}  # in figures

_PS_PER = {"ps": 1, "ns": 1_000, "us": PS_PER_US, "ms": PS_PER_MS, "s": 1_000_000_000_000}


def parse_time(text: str, option: str = "time") -> int:
    """Convert "10us", "1.5 ms" or "200 ns" to picoseconds exactly.

    Args:
        text: a decimal number and one of the units ps, ns, us, ms, s.
        option: the name of the option, for the error text.

    Returns:
        Picoseconds.

    Raises:
        ConfigError: wrong syntax, a fraction of a picosecond, zero or less, or more than
            2^63 - 1 ps.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ps|ns|us|ms|s)", text.strip())
    if not match:
        raise refuse(option, text, "a number and a unit are needed: ps, ns, us, ms or s, like 10us")
    ps = Decimal(match[1]) * _PS_PER[match[2]]
    if ps != int(ps):
        raise refuse(option, text, "whole picoseconds are needed")
    if not 0 < ps <= MAX_PS:
        raise refuse(option, text, "more than 0 and at most 2^63 - 1 ps (106 days) are needed")
    return int(ps)


def format_time(ps: int) -> str:
    """Return picoseconds in the largest unit that keeps the number above 1, like "8.046 us"."""
    for unit in ("s", "ms", "us", "ns"):
        if ps >= _PS_PER[unit]:
            return f"{ps / _PS_PER[unit]:.3f} {unit}"
    return f"{ps} ps"


def whole(option: str, value: object, least: int, most: int) -> int:
    """Return value as an int, if it is an integer in this range; True and False are none.

    Raises:
        ConfigError: it is not.
    """
    try:
        if isinstance(value, bool | np.bool_):  # Python counts with them
            raise TypeError
        number = int(index(value))  # type: ignore[arg-type]
    except TypeError:
        raise refuse(option, repr(value), "a whole number is needed") from None
    if not least <= number <= most:
        raise refuse(option, number, f"{least} to {most} are possible")
    return number


def between(option: str, value: object, least: float, most: float) -> float:
    """Return value, if it is a number in this range.

    Raises:
        ConfigError: it is not.
    """
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise refuse(option, repr(value), "a number is needed") from None
    if isinstance(value, str | bool | np.bool_) or not least <= number <= most:
        raise refuse(option, repr(value), f"{least:g} to {most:g} are possible")
    return number


def whole_time(option: str, value: str | int, least: int) -> int:
    """Return a time, such as "10us" or a number of picoseconds, in picoseconds.

    Raises:
        ConfigError: it is no time, or less than `least`.
    """
    if not isinstance(value, str):
        return whole(option, value, least, MAX_PS)
    given = parse_time(value, option)
    if given < least:
        raise refuse(option, value, f"at least {format_time(least)}")
    return given
