# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: one function or workload at many points, as a table that is the same every time."""

from via.sweeps.driver import SweepWarning, sweep

__all__ = ["SweepWarning", "sweep"]
