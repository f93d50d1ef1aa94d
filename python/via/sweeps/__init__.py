# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: run one function or workload at many points; the result is a reproducible table."""

from via.sweeps.driver import SweepWarning, sweep

__all__ = ["SweepWarning", "sweep"]
