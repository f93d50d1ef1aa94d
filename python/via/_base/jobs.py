# SPDX-License-Identifier: GPL-2.0-only
"""How many OS processes simulate at a time, if the user does not say."""

from __future__ import annotations

import os

MOST_JOBS = 1024


def usual_jobs() -> int:
    """Return the number of processors that this process may use, at most MOST_JOBS."""
    return min(len(os.sched_getaffinity(0)), MOST_JOBS)
