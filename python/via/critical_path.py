# SPDX-License-Identifier: GPL-2.0-only
"""The critical path of a whole run: the messages, and the work between them, up to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from via._runs.stages import node_of, parts, stage_names
from via.errors import ViaError, refuse
from via.results import Run

PROGRAM = "program"

Stretch = tuple[str, str, int]


@dataclass(frozen=True)
class _Tables:
    """A run's recorded tables, indexed for the walk."""

    nodes: Mapping[int, int]  # by rank
    messages: pd.DataFrame
    arrivals: dict[int, pd.DataFrame]  # by receiver, in the order in which they were reaped
    rows: dict[str, pd.DataFrame]  # of the breakdown, by message
    cpus: dict[str, pd.DataFrame]  # spans, by owner


def stages(run: Run) -> pd.DataFrame:
    """Return where the time of a protocol run goes: stage, owner and ps.

    The walk starts at the message that was reaped last. Before its sender posted a message, it
    had reaped another one, the cause; the sender's CPU spans fill the time between the two. So the
    rows tile the time from 0 to the last reap, which is checked. Owners are parts of a side, such
    as "sender bus". One process per node is assumed.

    Raises:
        ConfigError: no message was reaped, or none was recorded.
        ViaError: the rows do not tile the run.
    """
    tables = _tables(run)
    if tables.messages.empty:
        raise refuse("run", "no messages", "a critical path ends at a message")
    last = tables.messages.loc[tables.messages["end_ps"].idxmax()]
    stretches = list(_walk(tables, last))
    found = pd.DataFrame(stretches, columns=["stage", "owner", "ps"])
    if int(found["ps"].sum()) != int(last["end_ps"]):
        raise ViaError("the critical path does not tile the run")
    return found.groupby(["stage", "owner"], sort=False)["ps"].sum().reset_index()


def _tables(run: Run) -> _Tables:
    kept = run.messages[~run.messages["dropped"]]
    rows = run.breakdown
    nodes = node_of(run.report)
    rows = rows.assign(name=stage_names(rows), part=parts(rows, nodes))
    spans = run.spans[run.spans["owner"].astype(str).str.endswith(".cpu")]
    return _Tables(
        nodes,
        kept,
        {int(to): group.sort_values("end_ps") for to, group in kept.groupby("dst_rank")},
        {str(name): group for name, group in rows.groupby("message", observed=True)},
        {
            str(owner): group.sort_values("start_ps")
            for owner, group in spans.groupby("owner", observed=True)
        },
    )


def _walk(tables: _Tables, message: pd.Series) -> Iterator[Stretch]:
    """Yield the stretches of the path, those of the last message first."""
    while True:
        rows = tables.rows[str(message["message"])]
        for name, part, start, end in zip(
            rows["name"], rows["part"], rows["start_ps"], rows["end_ps"], strict=True
        ):
            yield name, part, int(end - start)
        sender, posted = int(message["src_rank"]), int(message["posted_ps"])
        cause = _cause(tables, sender, posted)
        since = 0 if cause is None else int(cause["end_ps"])
        yield from _between(tables, sender, since, posted)
        if cause is None:
            return
        message = cause


def _cause(tables: _Tables, rank: int, before: int) -> pd.Series | None:
    """Return the last message that a process reaped before an instant."""
    arrived = tables.arrivals.get(rank)
    if arrived is None:
        return None
    place = int(np.searchsorted(arrived["end_ps"].to_numpy(), before, side="right")) - 1
    return arrived.iloc[place] if place >= 0 else None


def _between(tables: _Tables, rank: int, since: int, until: int) -> Iterator[Stretch]:
    """Yield the CPU work of a process; time without a span belongs to the program."""
    at = since
    spans = tables.cpus.get(f"n{tables.nodes.get(rank, rank)}.cpu")
    if spans is not None:
        inside = spans[(spans["end_ps"] > since) & (spans["start_ps"] < until)]
        for stage, start, end in zip(
            inside["stage"], inside["start_ps"], inside["end_ps"], strict=True
        ):
            begin, finish = max(int(start), at), min(int(end), until)
            if finish > begin:
                if begin > at:
                    yield PROGRAM, "sender cpu", begin - at
                yield f"other messages: {stage}", "sender cpu", finish - begin
                at = finish
    if until > at:
        yield PROGRAM, "sender cpu", until - at
