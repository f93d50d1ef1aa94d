# SPDX-License-Identifier: GPL-2.0-only
"""What a run recorded, as pandas tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from via._core import Column

MESSAGE_COLUMNS = (
    "message", "src_rank", "dst_rank", "vi", "seq", "op", "bytes", "dropped", "posted_ps", "end_ps",
)  # fmt: skip
BREAKDOWN_COLUMNS = (
    "message", "src_rank", "dst_rank", "vi", "seq", "op", "bytes", "stage", "owner", "clock_hz",
    "cycles", "start_ps", "end_ps",
)  # fmt: skip
DECISION_COLUMNS = ("at_ps", "rank", "event", "key", "value")
FAULT_COLUMNS = ("kind", "where", "at_ps", "until_ps", "corrupt", "lost", "killed")
SPAN_COLUMNS = ("owner", "stage", "clock_hz", "cycles", "start_ps", "end_ps")


def frame(columns: Mapping[str, Column], order: Sequence[str]) -> pd.DataFrame:
    """Make a table of columns; a pair of codes and texts becomes a categorical column."""
    table = {}
    for name in order:
        column = columns[name]
        if isinstance(column, tuple):
            codes, texts = column
            table[name] = pd.Categorical.from_codes(codes, categories=texts)
        else:
            table[name] = column
    return pd.DataFrame(table, columns=list(order))
