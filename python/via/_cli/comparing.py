# SPDX-License-Identifier: GPL-2.0-only
"""Two runs, benchmarks or studies side by side: what differs, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from via.errors import refuse
from via.results import quantile_us
from via.units import PS_PER_US

if TYPE_CHECKING:
    from numpy.typing import NDArray

# By what the objects of a list are told apart, the first that all have.
_NAMES = ("name", "study", "rank", "profile")
_ABSENT = object()
_RESAMPLES = 1000
QUANTILES = (0.0, 0.5, 0.9, 0.99, 1.0)


@dataclass(frozen=True)
class Difference:
    """One value that differs; None stands for a value that is not there, or null."""

    where: str
    a: Any
    b: Any

    @property
    def change_pct(self) -> float | None:
        """By how many percent of a b is more; None: they are no numbers, or a is 0."""
        if not (_is_number(self.a) and _is_number(self.b)) or self.a == 0:
            return None
        return float(100.0 * (self.b - self.a) / abs(self.a))


def differences(a: Any, b: Any, tolerance_pct: float = 0.0) -> list[Difference]:
    """Return where two values of JSON differ, in their order.

    Args:
        a: of objects, lists, texts, numbers.
        b: the same.
        tolerance_pct: numbers that differ by no more than so many percent of the larger are alike.
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


def flat(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each leaf of a value of JSON with its place, such as processes[0].cpu_ps."""
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from flat(each, f"{where}.{key}" if where else str(key))
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for label, each in zip(_labels(value), value, strict=True):
            yield from flat(each, f"{where}[{label}]")
    else:
        yield where, value


def _labels(values: Sequence[Any]) -> list[Any]:
    """Return by what the items of a list are told apart: a name of its own, or a number."""
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
    """Two distributions of times.

    Attributes:
        quantiles: rows of quantile, microseconds of a, microseconds of b.
        distance: the largest difference of their shares at or below a time (Kolmogorov, Smirnov).
        median_us: b's median less a's.
        low_us, high_us: between which that is in 95 % of resampled cases; the same every time.
    """

    quantiles: list[tuple[float, float, float]]
    distance: float
    median_us: float
    low_us: float
    high_us: float


def spread(a: NDArray[np.int64], b: NDArray[np.int64]) -> Spread:
    """Compare two distributions of picoseconds; each has at least one."""
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
    """Return the medians of samples drawn with repetition."""
    ordered = np.sort(times)
    middle = (len(times) - 1) // 2
    picks = (random.integers(0, len(times), len(times)) for _ in range(_RESAMPLES))
    return np.array([ordered[np.partition(pick, middle)[middle]] for pick in picks])
