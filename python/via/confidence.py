# SPDX-License-Identifier: GPL-2.0-only
"""Confidence intervals over seeds: how far a mean over runs can be trusted.

The runs of different seeds are independent draws, so the interval is Student's. It says nothing
about how well a profile describes a product: see the page "Calibration" for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, lgamma, log, pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from via._base import kinds
from via._base.units import between
from via.errors import refuse, refuse_name

if TYPE_CHECKING:
    import pandas as pd

_STEPS = 2000  # of the integral; its error is below 10^-9
_LARGEST_T = 1e9
_NO_NUMBERS = (str, bytes, bool, np.bool_, complex)  # numpy makes numbers of them
USUAL_CI = 95.0


@dataclass(frozen=True)
class Interval:
    """A mean with its confidence interval.

    Attributes:
        mean: the mean of the values.
        low, high: the ends of the interval; both are the mean if there is one value.
        count: number of values.
        ci: percent of such intervals that hold the true mean.
    """

    mean: float
    low: float
    high: float
    count: int
    ci: float

    def __str__(self) -> str:
        if self.count == 1:
            return f"{self.mean:.3f} (1 run, which has no interval)"
        return (
            f"{self.mean:.3f}, {self.ci:g} % within {self.low:.3f} to {self.high:.3f} "
            f"({self.count} runs)"
        )


def interval(values: ArrayLike, ci: float = USUAL_CI) -> Interval:
    """Return the mean of values and its confidence interval.

    Args:
        values: one number per run.
        ci: percent, more than 0 and at most 99.99.

    Raises:
        ConfigError: there is no value, a value is no number, or ci is out of range.
    """
    ci = _checked(ci)
    try:
        if any(isinstance(each, _NO_NUMBERS) for each in np.asarray(values, dtype=object).flat):
            raise TypeError
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise refuse("values", repr(values), "numbers are needed") from None
    if numbers.ndim != 1 or len(numbers) == 0 or not np.isfinite(numbers).all():
        raise refuse("values", repr(values), "at least one number is needed, in one dimension")
    mean, count = float(numbers.mean()), len(numbers)
    if count == 1:
        return Interval(mean, mean, mean, 1, ci)
    half = _student(count - 1, ci) * float(numbers.std(ddof=1)) / sqrt(count)
    return Interval(mean, mean - half, mean + half, count, ci)


def intervals(
    table: pd.DataFrame,
    value: str = "latency_us",
    by: str | Sequence[str] | None = None,
    ci: float = USUAL_CI,
) -> pd.DataFrame:
    """Return means and confidence intervals of a table with a row per run, as of via.sweep.

    Args:
        table: its rows differ in their seed within each group.
        value: the column to average; rows without a value are left out.
        by: the columns that make a group; None: all rows are one group.
        ci: percent, more than 0 and at most 99.99.

    Returns:
        A row per group, with the columns of `by`, `runs`, `value`, `value_low` and `value_high`,
        named after the value, as latency_us, latency_us_low, latency_us_high. Its `attrs` are the
        table's.

    Raises:
        ConfigError: there is no such column, or ci is out of range.
    """
    import pandas as pd  # takes a while to load

    if not isinstance(table, pd.DataFrame):
        raise refuse("table", repr(table), "a DataFrame is needed")
    keys = [by] if isinstance(by, str) else kinds.listed("by", by or [])
    for option, names in (("value", [value]), ("by", keys)):
        for name in names:
            if name not in table.columns:
                raise refuse_name(option, name, table.columns)
    rows = table[table[value].notna()]
    wanted: Any = keys[0] if len(keys) == 1 else keys  # pandas warns of a list of one
    groups = rows.groupby(wanted, sort=False, observed=True, dropna=False) if keys else [((), rows)]
    found = []
    for group, members in groups:
        at = interval(members[value], ci)
        named = group if isinstance(group, tuple) else (group,)
        found.append([*named, at.count, at.mean, at.low, at.high])
    made = pd.DataFrame(found, columns=[*keys, "runs", value, f"{value}_low", f"{value}_high"])
    made.attrs = dict(table.attrs)
    return made


def _checked(ci: object) -> float:
    percent = between("ci", ci, 0, 99.99)
    if percent == 0:
        raise refuse("ci", ci, "more than 0 is needed")
    return percent


@cache
def _student(freedom: int, ci: float) -> float:
    """Return t such that a variable of Student's distribution is within -t and t in ci percent."""
    low, high = 0.0, 1.0
    while _within(high, freedom) < ci / 100 and high < _LARGEST_T:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < ci / 100 else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """Return the probability of -t to t: Simpson's rule over the angle whose tangent is t/sqrt(n).

    With that angle a, the density is a constant times cos(a) to the power n - 1.
    """
    angle = np.linspace(0, np.arctan(t / sqrt(freedom)), 2 * _STEPS + 1)
    density = np.cos(angle) ** (freedom - 1)
    weights = np.ones(2 * _STEPS + 1)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - 0.5 * log(pi))
    step = float(angle[1] - angle[0])
    return 2 * scale * step / 3 * float((weights * density).sum())
