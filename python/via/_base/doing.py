# SPDX-License-Identifier: GPL-2.0-only
"""What a span is: work, a wait for something, or a fixed delay that is nobody's work and no wait.

Work has a clock. Cells fly over a cable, and those after the head of a packet take as long through
a switch as the head did: these spans have no clock, but nothing contends for anything in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

WORKS, WAITS = "works", "waits"
DELAYS = {"propagate": "in flight", "switch": "passes"}  # by stage


def doing(stage: str, clock_hz: int) -> str:
    """Return WORKS, WAITS or one of DELAYS."""
    return WORKS if clock_hz else DELAYS.get(stage, WAITS)


def doings(rows: pd.DataFrame) -> NDArray[Any]:
    """Return the same for each row of a table with the columns stage and clock_hz."""
    import numpy as np

    stages = rows["stage"].astype("category").cat
    unclocked = np.array([doing(str(stage), 0) for stage in stages.categories], dtype=object)
    return np.where(rows["clock_hz"] > 0, WORKS, unclocked[stages.codes])
