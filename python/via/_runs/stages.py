# SPDX-License-Identifier: GPL-2.0-only
"""Names of breakdown rows from a message's view: stages and their owners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd  # which is slow to load


def stage_names(rows: pd.DataFrame) -> list[str]:
    """Return the stages; the program's work outside messages gets its own names."""
    pairs = zip(rows["op"], rows["stage"], strict=True)
    return [f"program: {stage}" if op == "program" else str(stage) for op, stage in pairs]


def node_of(report: Mapping[str, Any]) -> dict[int, int]:
    """Return the node of each rank."""
    return {process["rank"]: process["node"] for process in report["processes"]}


def parts(rows: pd.DataFrame, nodes: Mapping[int, int]) -> list[str]:
    """Return side and part of each owner: "sender bus" for "n0.bus" of a message from node 0.

    One process per node is assumed.

    Args:
        rows: of a breakdown.
        nodes: the node of each rank.
    """
    return [
        f"{_side(owner, nodes.get(source, source))} {owner.partition('.')[2]}"
        for owner, source in zip(rows["owner"], rows["src_rank"], strict=True)
    ]


def _side(owner: str, sender: int) -> str:
    if owner.startswith("s"):
        return "switch"
    return "sender" if owner.startswith(f"n{sender}.") else "receiver"
