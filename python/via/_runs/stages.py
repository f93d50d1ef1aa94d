# SPDX-License-Identifier: GPL-2.0-only
"""Names of breakdown rows from a message's view: stages and their owners."""

from __future__ import annotations

import pandas as pd


def stage_names(rows: pd.DataFrame) -> list[str]:
    """Return the stages; the program's work outside messages gets its own names."""
    pairs = zip(rows["op"], rows["stage"], strict=True)
    return [f"program: {stage}" if op == "program" else str(stage) for op, stage in pairs]


def parts(rows: pd.DataFrame) -> list[str]:
    """Return side and part of each owner: "sender bus" for "n0.bus" of a message from 0 to 1.

    One process per node is assumed: rank i runs on node i.
    """
    return [
        f"{_side(owner, source)} {owner.partition('.')[2]}"
        for owner, source in zip(rows["owner"], rows["src_rank"], strict=True)
    ]


def _side(owner: str, source: int) -> str:
    if owner.startswith("s"):
        return "switch"
    return "sender" if owner.startswith(f"n{source}.") else "receiver"
