# SPDX-License-Identifier: GPL-2.0-only
"""What of a run fits into a page: all messages or some, the stages of some, columns as JSON."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from via._base.doing import WAITS, doings
from via._runs.tables import counted

MOST_MESSAGES = 150_000  # in the table
MOST_STAGES = 40_000  # rows of critical paths
MOST_LEVELS = 1_000  # steps of a curve over time
MOST_COUNTERS = 20_000
SLOWEST = 64  # kept in every sample

Packed = dict[str, Any]


def packed(columns: Mapping[str, Any]) -> Packed:
    """Return columns for JSON, in a form that page.js unpacks.

    Numbers become {"f64": ...} or {"i32": ...}, little-endian bytes in base64; a categorical
    column {"names": [...], "codes": {"i32": ...}}; other columns a list of texts.
    """
    return {name: _column(values) for name, values in columns.items()}


def _column(values: Any) -> Any:
    if isinstance(getattr(values, "dtype", None), pd.CategoricalDtype):
        used, codes = np.unique(values.cat.codes, return_inverse=True)
        names = [str(values.cat.categories[code]) for code in used]
        return {"names": names, "codes": _column(codes.astype(np.int32))}
    array = np.asarray(values)
    if array.dtype.kind not in "iufb":
        return [str(value) for value in array]
    small = array.dtype.kind in "iub" and (
        len(array) == 0 or (int(array.min()) >= -(2**31) and int(array.max()) < 2**31)
    )
    kind, name = ("<i4", "i32") if small else ("<f8", "f64")
    return {name: base64.b64encode(array.astype(kind).tobytes()).decode("ascii")}


def kept(lives_ps: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the indices, in order, of at most this many messages: the slowest, others evenly."""
    count = len(lives_ps)
    if count <= most:
        return np.arange(count)
    slow = np.argsort(-lives_ps, kind="stable")[: min(SLOWEST, most // 2)]
    rest = np.setdiff1d(np.arange(count), slow)
    even = rest[np.linspace(0, len(rest) - 1, most - len(slow)).astype(np.int64)]
    return np.union1d(slow, even)


def stage_rows(breakdown: pd.DataFrame, messages: pd.DataFrame) -> pd.DataFrame:
    """Return rows of the critical paths of some messages, with the message's row as `row`.

    Args:
        breakdown: the run's; rows of programs are left out.
        messages: those of the page.
    """
    rows = breakdown[breakdown["op"] != "program"]
    each = rows.groupby("message", observed=True, sort=False).size()
    most = max(1, int(MOST_STAGES / max(1.0, float(each.mean()))) if len(each) else 1)
    lives = (messages["end_ps"] - messages["posted_ps"]).to_numpy()
    chosen = kept(lives, most)
    row_of = pd.Series(chosen, index=messages["message"].astype(str).to_numpy()[chosen])
    row_of = row_of[~row_of.index.duplicated()]
    found = rows[rows["message"].isin(row_of.index)]
    return found.assign(row=row_of.loc[found["message"].astype(str)].to_numpy())


def in_flight(messages: pd.DataFrame, end_ps: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return times in picoseconds and the most messages in flight from each to the next."""
    times = np.concatenate([messages["posted_ps"].to_numpy(), messages["end_ps"].to_numpy()])
    steps = np.repeat([1, -1], len(messages))
    order = np.argsort(times, kind="stable")
    times, level = times[order], np.cumsum(steps[order])
    last = np.append(times[1:] != times[:-1], True)[: len(times)]  # of each instant
    times, level = times[last], level[last]
    width = max(1, -(-max(1, end_ps) // MOST_LEVELS))
    starts = np.arange(0, max(1, end_ps) + width, width)
    at = np.clip(times // width, 0, len(starts) - 1)
    most = np.zeros(len(starts), dtype=np.int64)
    np.maximum.at(most, at, level)
    before = np.searchsorted(at, np.arange(len(starts)), side="left")  # changes before each step
    return starts, np.maximum(most, np.append(0, level)[before])


def means(breakdown: pd.DataFrame) -> pd.DataFrame:
    """Return stage, part, is_wait and mean picoseconds per message, longest first."""
    rows = counted(breakdown)
    count = max(1, rows["message"].nunique())
    part = rows["owner"].astype("category")
    names = [str(name).rpartition(".")[2] for name in part.cat.categories]
    table = pd.DataFrame({
        "stage": rows["stage"].astype(str).to_numpy(),
        "part": np.asarray(names, dtype=object)[part.cat.codes.to_numpy()],
        "ps": (rows["end_ps"] - rows["start_ps"]).to_numpy() / count,
        "is_wait": doings(rows) == WAITS,
    })  # fmt: skip
    keys = ["stage", "part", "is_wait"]
    sums = table.groupby(keys, sort=False, observed=True)["ps"].sum().reset_index()
    return sums.sort_values("ps", ascending=False, kind="stable", ignore_index=True)
