# SPDX-License-Identifier: GPL-2.0-only
"""The recording of a run as pandas tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from via._base import kinds
from via.errors import refuse, refuse_name

if TYPE_CHECKING:
    from via._core import Column, Topology

MESSAGE_COLUMNS = (
    "message", "src_rank", "dst_rank", "vi", "seq", "op", "bytes", "dropped", "posted_ps", "end_ps",
)  # fmt: skip
BREAKDOWN_COLUMNS = (
    "message", "src_rank", "dst_rank", "vi", "seq", "op", "bytes", "stage", "owner", "clock_hz",
    "cycles", "start_ps", "end_ps",
)  # fmt: skip
FAULT_COLUMNS = ("kind", "where", "at_ps", "until_ps", "corrupt", "lost", "killed")
DECISION_COLUMNS = ("at_ps", "rank", "event", "key", "value")
SPAN_COLUMNS = ("owner", "stage", "clock_hz", "cycles", "start_ps", "end_ps")
LINK_COLUMNS = (
    "source", "destination", "cells", "bytes", "corrupt", "lost", "busy_ps", "busy_pct",
)  # fmt: skip
COUNTER_COLUMNS = ("owner", "counter", "value")
CPU_COLUMNS = ("node", "stage", "ps")
RANK_COLUMNS = (
    "hosts", "switches", "events", "records_sent", "windows", "built_bytes", "peak_bytes",
    "built_cpu_us", "cpu_us",
)  # fmt: skip
PROCESS_COLUMNS = (
    "rank", "node", "exit", "signal", "end_ps", "cpu_ps", "system_ps", "left_connected", "report",
)  # fmt: skip

RECORDED = {
    "messages": MESSAGE_COLUMNS, "breakdown": BREAKDOWN_COLUMNS, "spans": SPAN_COLUMNS,
    "decisions": DECISION_COLUMNS, "samples": ("ps",),
}  # fmt: skip

# Keys by which a breakdown can be summed; "part" is the owner without its node: "bus" of "n0.bus".
SUMMARY_KEYS = ("message", "op", "bytes", "stage", "owner", "part", "src_rank", "dst_rank", "vi")


def frame(name: str, columns: Mapping[str, Column]) -> pd.DataFrame:
    """Make one of RECORDED of its columns; a pair of codes and names becomes a categorical one."""
    order = RECORDED[name]
    table = {}
    for each in order:
        column = columns[each]
        if isinstance(column, tuple):
            codes, texts = column
            table[each] = pd.Categorical.from_codes(codes, categories=texts)
        else:
            table[each] = column
    return pd.DataFrame(table, columns=list(order), copy=False)


class Breakdown(pd.DataFrame):
    """The rows of all critical paths. Call it to select or sum rows.

    Attributes:
        left_out: messages that means are not of, by what they are: "dropped", "credits".
    """

    _metadata: ClassVar[list[str]] = ["left_out"]
    left_out: Mapping[str, Collection[str]] = MappingProxyType({})

    @property
    def _constructor(self) -> Any:
        return pd.DataFrame  # a table derived from it is a plain DataFrame

    def __call__(
        self, message: str | None = None, by: str | Sequence[str] | None = None
    ) -> pd.DataFrame:
        """Return the rows of one message, or sums by column.

        Args:
            message: its name, such as "1.0.3"; None: all messages.
            by: column or columns to sum by, such as "stage" or ["stage", "owner"]; "part" is the
                owner without its node. None: return the rows themselves.

        Returns:
            With `by`, those columns, `ps` (mean per message in picoseconds) and `share_pct`, in the
            order of their first appearance in a message. The mean is of messages that arrived, in a
            stream of those of process 0; by "message", there is a row for every one.

        Raises:
            ConfigError: there is no such message or column.
        """
        rows = pd.DataFrame(self)
        rows.attrs = dict(self.attrs)
        if message is not None:
            rows = rows[rows["message"] == kinds.text("message", message)]
            if len(rows) == 0:
                raise refuse("message", message, "there is none of this name; " + _named(self))
        if by is None:
            return rows
        keys = [by] if isinstance(by, str) else kinds.listed("by", by)
        sums = summary(self if message is None else rows, keys)
        sums.attrs = dict(self.attrs)
        return sums


def _named(rows: pd.DataFrame) -> str:
    names = rows["message"].unique()
    if len(names) == 0:
        return "the run has no messages"
    return f"they are called like {names[0]}: source rank, VI, sequence"


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the messages that means are of, as far as the table knows: see Breakdown.

    A table that was selected from a Breakdown, or read from a file, leaves out programs alone.
    """
    found = rows[rows["op"] != "program"]
    if isinstance(rows, Breakdown):
        for names in rows.left_out.values():
            found = found[~found["message"].isin(names)]
    return found


def without(rows: pd.DataFrame) -> str:
    """Return what counted() leaves out, as ", without 2 dropped"; empty: nothing."""
    kinds_of = rows.left_out.items() if isinstance(rows, Breakdown) else ()
    told = " and ".join(f"{len(names):,} {kind}" for kind, names in kinds_of if names)
    return f", without {told}" if told else ""


def summary(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the mean picoseconds per message by these columns, see Breakdown."""
    for key in by:
        if key not in SUMMARY_KEYS:
            raise refuse_name("by", key, SUMMARY_KEYS)
    if not by:
        raise refuse("by", "nothing", f"one or more of {', '.join(SUMMARY_KEYS)}")
    rows = counted(pd.DataFrame(rows) if "message" in by else rows)
    rows = rows.sort_values(["start_ps", "end_ps"], kind="stable")
    owners = rows["owner"].astype(str)
    rows = rows.assign(part=owners.str.partition(".")[2] if len(rows) else owners)
    rows = rows.assign(ps=rows["end_ps"] - rows["start_ps"])
    for key in by:  # drop categories that do not occur
        if isinstance(rows[key].dtype, pd.CategoricalDtype):
            rows[key] = rows[key].astype(str)
    count = max(1, rows["message"].astype(str).nunique())
    sums = rows.groupby(list(by), sort=False)["ps"].sum().reset_index()
    sums["ps"] = sums["ps"] / (1 if "message" in by else count)
    sums["share_pct"] = 100 * sums["ps"] / max(1.0, float(sums["ps"].sum()))
    return sums


def links(columns: Mapping[str, Column], topology: Topology, end_ps: int) -> pd.DataFrame:
    """Return the load of each wire; the two wires of a cable are adjacent rows.

    Cards may work on when the last process has ended: the time of which a wire was busy ends with
    the run or, if that is later, when the last wire is silent.
    """
    ends = [pair for one, other in topology.cables for pair in ((one, other), (other, one))]
    sources, destinations = zip(*ends, strict=True) if ends else ((), ())
    busy = np.asarray(columns["busy_ps"], dtype=np.int64)
    silent = np.asarray(columns["silent_ps"], dtype=np.int64)
    whole_ps = max(1, end_ps, int(silent.max(initial=0)))
    table = {"source": sources, "destination": destinations, **columns}
    table["busy_pct"] = 100.0 * busy / whole_ps
    return pd.DataFrame(table, columns=list(LINK_COLUMNS))


def counters(ports: Mapping[str, Column], cards: Mapping[str, Column]) -> pd.DataFrame:
    """Return the counters of cards and switch ports: owner, counter, value.

    A node's first card is "n3", further ones are "n3.1" and so on.
    """
    cards_of = pd.DataFrame(dict(cards))
    nodes = cards_of.pop("node")
    which = zip(nodes, nodes.groupby(nodes).cumcount(), strict=True)
    cards_of.insert(0, "owner", [f"n{node}.{card}" if card else f"n{node}" for node, card in which])
    ports_of = pd.DataFrame(dict(ports))
    names = zip(ports_of.pop("switch"), ports_of.pop("port"), strict=True)
    ports_of.insert(0, "owner", [f"s{switch}.{port}" for switch, port in names])
    long = [
        table.melt("owner", var_name="counter", value_name="value", ignore_index=False)
        .sort_index(kind="stable")
        for table in (cards_of, ports_of)
    ]  # fmt: skip
    found = pd.concat(long, ignore_index=True)
    for name in ("owner", "counter"):
        found[name] = pd.Categorical(found[name], categories=found[name].unique())
    return found.astype({"value": "int64"})


def cpu(node_cpu: Sequence[Mapping[str, int]]) -> pd.DataFrame:
    """Return the CPU time of each node, by stage, in picoseconds."""
    rows = [(node, stage, ps) for node, spent in enumerate(node_cpu) for stage, ps in spent.items()]
    table = pd.DataFrame(rows, columns=list(CPU_COLUMNS))
    return table.astype({"node": "int64", "ps": "int64"})


def processes(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the processes of a report."""
    return pd.DataFrame([[row[name] for name in PROCESS_COLUMNS] for row in rows],
                        columns=list(PROCESS_COLUMNS))  # fmt: skip


def partitions(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the MPI ranks of a report."""
    return pd.DataFrame([[row[name] for name in RANK_COLUMNS] for row in rows],
                        columns=list(RANK_COLUMNS))  # fmt: skip


def faults(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the faults of a report; `until_ps` is <NA> for a fault that lasted to the end."""
    table = pd.DataFrame(
        [[pd.NA if row[name] is None else row[name] for name in FAULT_COLUMNS] for row in rows],
        columns=list(FAULT_COLUMNS),
    )
    whole = dict.fromkeys(("at_ps", "corrupt", "lost", "killed"), "int64")
    return table.astype({**whole, "until_ps": "Int64"})
