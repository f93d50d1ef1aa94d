# SPDX-License-Identifier: GPL-2.0-only
"""Results of a run: report, tables, folders, time lines, provenance of files."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from via._runs import tables as tables


def __getattr__(name: str) -> object:
    """Import _runs.tables on first use: pandas takes a while to load."""
    if name == "tables":
        return importlib.import_module("via._runs.tables")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
