# SPDX-License-Identifier: GPL-2.0-only
"""Quantiles that are values of the sample."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from via._base.units import PS_PER_US

if TYPE_CHECKING:
    from numpy.typing import NDArray


def quantile_us(times_ps: NDArray[np.int64], quantile: float) -> float:
    """Return, in microseconds, the smallest time that this share of the times does not exceed."""
    return _smallest_us(times_ps, Fraction(str(quantile)))


def percentile_us(times_ps: NDArray[np.int64], percent: float) -> float:
    """Return, in microseconds, the smallest time that this percentage does not exceed."""
    return _smallest_us(times_ps, Fraction(str(percent)) / 100)


def _smallest_us(times_ps: NDArray[np.int64], share: Fraction) -> float:
    # in decimal: 99.9 % of 1000 times are 999, though the float 99.9 / 100 is a bit more
    place = max(math.ceil(share * len(times_ps)), 1) - 1
    return float(np.partition(times_ps, place)[place]) / PS_PER_US
