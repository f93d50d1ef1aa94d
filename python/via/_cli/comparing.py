# SPDX-License-Identifier: GPL-2.0-only
"""Differences between two runs, benchmarks or studies."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from via._base.units import PS_PER_US
from via.errors import refuse
from via.results import quantile_us

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Fields that identify the objects of a list; the first that all of them have is used.
_NAMES = ("name", "study", "rank", "profile")
# What an MPI rank took of the machine, which is no result and differs from run to run.
_OF_MACHINE = re.compile(r"partitions\[\d+\]\.(built_bytes|peak_bytes|built_cpu_us|cpu_us)")
_ABSENT = object()
_RESAMPLES = 1000
QUANTILES = (0.0, 0.5, 0.9, 0.99, 1.0)


@dataclass(frozen=True)
class Difference:
    """One value that differs; None: the value is missing, or null."""

    where: str
    a: Any
    b: Any

    @property
    def change_pct(self) -> float | None:
        """(b - a) / a in percent; None: they are not numbers, or a is 0."""
        if not (_is_number(self.a) and _is_number(self.b)) or self.a == 0:
            return None
        return float(100.0 * (self.b - self.a) / abs(self.a))


def differences(a: Any, b: Any, tolerance_pct: float = 0.0) -> list[Difference]:
    """Return the differences between two JSON values, in order.

    Args:
        a: objects, lists, strings, numbers.
        b: the same.
        tolerance_pct: numbers that differ by no more than this percentage of the larger are equal.
    """
    if not (math.isfinite(tolerance_pct) and tolerance_pct >= 0):
        raise refuse("tolerance", tolerance_pct, "0 or more percent")
    one, other = dict(flat(a)), dict(flat(b))
    found = []
    for where in dict.fromkeys([*one, *other]):
        left, right = one.get(where, _ABSENT), other.get(where, _ABSENT)
        if left is not _ABSENT and right is not _ABSENT and _alike(left, right, tolerance_pct):
            continue
        found.append(Difference(where, _shown(left), _shown(right)))
    return found


def is_of_machine(found: Difference) -> bool:
    """Return whether a difference is of the machine that simulated a run, not of the run."""
    return _OF_MACHINE.fullmatch(found.where) is not None


def flat(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each leaf of a JSON value with its place, such as processes[0].cpu_ps."""
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from flat(each, f"{where}.{key}" if where else str(key))
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for label, each in zip(_labels(value), value, strict=True):
            yield from flat(each, f"{where}[{label}]")
    else:
        yield where, value


def _labels(values: Sequence[Any]) -> list[Any]:
    """Return a label for each item of a list: its unique name, or its index."""
    for name in _NAMES:
        labels = [each.get(name) if isinstance(each, Mapping) else None for each in values]
        named = all(isinstance(label, str | int) for label in labels)
        if named and len(set(labels)) == len(labels):
            return labels
    return list(range(len(values)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _alike(a: Any, b: Any, tolerance_pct: float) -> bool:
    if _is_number(a) and _is_number(b):
        return bool(a == b or abs(a - b) <= tolerance_pct / 100 * max(abs(a), abs(b)))
    return type(a) is type(b) and bool(a == b)


def _shown(value: Any) -> Any:
    return None if value is _ABSENT else value


@dataclass(frozen=True)
class Spread:
    """The comparison of two distributions of times.

    Attributes:
        quantiles: rows of quantile, microseconds of a, microseconds of b.
        distance: the Kolmogorov-Smirnov distance, 0 to 1.
        median_us: median of b minus median of a.
        low_us, high_us: bootstrap interval of 95 % for median_us; the random seed is fixed.
    """

    quantiles: list[tuple[float, float, float]]
    distance: float
    median_us: float
    low_us: float
    high_us: float


def spread(a: NDArray[np.int64], b: NDArray[np.int64]) -> Spread:
    """Compare two distributions of picoseconds; neither is empty."""
    quantiles = [(q, quantile_us(a, q), quantile_us(b, q)) for q in QUANTILES]
    both = np.union1d(a, b)
    shares = [np.searchsorted(np.sort(times), both, side="right") / len(times) for times in (a, b)]
    random = np.random.Generator(np.random.PCG64(1))
    resampled = _medians(b, random) - _medians(a, random)
    low, high = np.quantile(resampled, [0.025, 0.975]) / PS_PER_US
    return Spread(
        quantiles,
        float(np.abs(shares[0] - shares[1]).max()),
        quantiles[1][2] - quantiles[1][1],
        float(low),
        float(high),
    )


def _medians(times: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """Return the medians of samples drawn with replacement."""
    ordered = np.sort(times)
    middle = (len(times) - 1) // 2
    picks = (random.integers(0, len(times), len(times)) for _ in range(_RESAMPLES))
    return np.array([ordered[np.partition(pick, middle)[middle]] for pick in picks])
