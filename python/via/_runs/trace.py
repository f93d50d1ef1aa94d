# SPDX-License-Identifier: GPL-2.0-only
"""Chrome trace of a run, for Perfetto or chrome://tracing.

Each host and switch is a process of the trace, and each of its engines a thread. Overlapping work
of one engine, as in a pipeline, gets several threads; waits, and fixed delays of cables and
switches, have threads of their own. Each VI is also a thread of its host: the lives of the messages
that it sent are asynchronous events there. An arrow (a flow) leads from the first work on a message
to the last, from sender to receiver. Counters of hosts and switches: messages in flight, wires that
send, and users that wait, by what they wait for: credits, engines, buses, links.
`ts` and `dur` are microseconds with six decimals; `args` has the same times as integer picoseconds.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from via._base.doing import WAITS, WORKS, doings
from via._base.files import written
from via._base.units import PS_PER_US
from via._runs.stages import node_of

if TYPE_CHECKING:
    import pandas as pd


class Traced(Protocol):
    """The part of a via.Run that a trace needs."""

    @property
    def digest(self) -> str:
        """Equal for the same program, profile and seed."""

    @property
    def report(self) -> dict[str, Any]:
        """The run as a dictionary of plain values."""

    @property
    def messages(self) -> pd.DataFrame:
        """One row per message."""

    @property
    def breakdown(self) -> pd.DataFrame:
        """One row per stage of a message's critical path."""

    @property
    def spans(self) -> pd.DataFrame:
        """One row per period of work or waiting of a component."""


def write(run: Traced, path: Path) -> None:
    """Write the trace of a run that recorded its spans."""
    with written(path) as file:
        file.write('{"displayTimeUnit":"ns",\n')
        file.write(f'"otherData":{json.dumps({"digest": run.digest})},\n"traceEvents":[\n')
        separator = ""
        for event in _events(run):
            file.write(separator + event)
            separator = ",\n"
        file.write("\n]}\n")


def _events(run: Traced) -> Iterator[str]:
    threads = _Threads()
    nodes = node_of(run.report)
    yield from _message_events(run.messages, threads, nodes)
    spans = run.spans
    yield from _span_events(spans, threads, _flow_ends(run.breakdown))
    yield from _in_flight(run.messages, threads, nodes)
    yield from _busy_and_waiting(spans, threads)


def _name(what: str, pid: int, tid: int, text: str) -> str:
    record = {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": text}}
    return json.dumps(record, separators=(",", ":"))


def _us(ps: int) -> str:
    """Return microseconds as an exact decimal number for JSON."""
    return f"{ps // PS_PER_US}.{ps % PS_PER_US:06d}"


def _quoted(column: pd.Series) -> dict[str, str]:
    """Return each text of a column as JSON: a saved run may have any."""
    return {text: json.dumps(str(text)) for text in column.unique()}


def _message_events(
    messages: pd.DataFrame, threads: _Threads, nodes: Mapping[int, int]
) -> Iterator[str]:
    ops, names_of = _quoted(messages["op"]), _quoted(messages["message"])
    for row in messages.itertuples():
        owner = f"n{nodes.get(row.src_rank, row.src_rank)}"
        pid, tid, names = threads.named(owner, f"rank {row.src_rank} VI {row.vi}")
        yield from names
        args = (
            f'{{"op":{ops[row.op]},"bytes":{row.bytes},"src_rank":{row.src_rank},'
            f'"dst_rank":{row.dst_rank},"start_ps":{row.posted_ps},"end_ps":{row.end_ps}}}'
        )
        name = names_of[row.message]
        common = f'"cat":"message","name":{name},"id":{name},"pid":{pid},"tid":{tid}'
        yield f'{{"ph":"b",{common},"ts":{_us(row.posted_ps)},"args":{args}}}'
        yield f'{{"ph":"e",{common},"ts":{_us(row.end_ps)}}}'


class _Threads:
    """Numbers the processes and threads of a trace, and names new ones.

    Each span of an engine gets a thread that is free for its duration.
    """

    def __init__(self) -> None:
        self._pids: dict[str, int] = {}
        self._count: dict[int, int] = {}
        self._named: dict[tuple[str, str], int] = {}
        self._free: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._lanes: dict[tuple[str, str], int] = {}

    def process(self, component: str) -> tuple[int, list[str]]:
        """Return the process with this name, and the event that names a new one."""
        if component in self._pids:
            return self._pids[component], []
        pid = self._pids[component] = len(self._pids) + 1
        return pid, [_name("process_name", pid, 0, component)]

    def named(self, component: str, text: str) -> tuple[int, int, list[str]]:
        """Return process and thread with this name, and the events that name new ones."""
        pid, names = self.process(component)
        tid = self._named.get((component, text))
        if tid is None:
            tid = self._count[pid] = self._count.get(pid, 0) + 1
            self._named[component, text] = tid
            names.append(_name("thread_name", pid, tid, text))
        return pid, tid, names

    def place(self, owner: str, what: str, start: int, end: int) -> tuple[int, int, list[str]]:
        """Return process and thread of a span, and the events that name new ones."""
        component, _, engine = owner.partition(".")
        group = (component, engine if what == WORKS else f"{engine} {what}")
        lanes = self._free.setdefault(group, [])
        if lanes and lanes[0][0] <= start:
            tid = lanes[0][1]
            heapq.heapreplace(lanes, (end, tid))
            return self._pids[component], tid, []
        lane = self._lanes[group] = self._lanes.get(group, 0) + 1
        text = group[1] if lane == 1 else f"{group[1]} {lane}"
        pid, tid, names = self.named(component, text)
        heapq.heappush(lanes, (end, tid))
        return pid, tid, names


_CATEGORIES = {WORKS: "work", WAITS: "wait"}  # all others are delays
_Span = tuple[str, str, int, int]  # owner, stage, begin and end
_Ends = dict[_Span, list[tuple[str, str]]]  # by span: phase of a flow, and its message


def _flow_ends(breakdown: pd.DataFrame) -> _Ends:
    """Return the spans at which the arrows of messages begin ("s") and end ("f")."""
    work = breakdown[(breakdown["op"] != "program") & (breakdown["clock_hz"] > 0)]
    groups = work.groupby("message", observed=True, sort=False)
    found: _Ends = {}
    for phase, rows in (("s", groups.head(1)), ("f", groups.tail(1))):
        for row in rows.itertuples():
            span = (row.owner, row.stage, row.start_ps, row.end_ps)
            found.setdefault(span, []).append((phase, str(row.message)))
    return found


def _span_events(spans: pd.DataFrame, threads: _Threads, ends: _Ends) -> Iterator[str]:
    ordered = spans.sort_values(["start_ps", "end_ps"], kind="stable")
    stages = _quoted(spans["stage"])
    for row, what in zip(ordered.itertuples(), doings(ordered), strict=True):
        pid, tid, names = threads.place(row.owner, what, row.start_ps, row.end_ps)
        yield from names
        yield (
            f'{{"ph":"X","cat":"{_CATEGORIES.get(what, "delay")}","name":{stages[row.stage]},'
            f'"pid":{pid},"tid":{tid},"ts":{_us(row.start_ps)},'
            f'"dur":{_us(row.end_ps - row.start_ps)},"args":{{"start_ps":{row.start_ps},'
            f'"end_ps":{row.end_ps},"cycles":{row.cycles},"clock_hz":{row.clock_hz}}}}}'
        )
        middle = (row.start_ps + row.end_ps) // 2  # inside, so that no neighbour is taken for it
        span = (row.owner, row.stage, row.start_ps, row.end_ps)
        for phase, message in ends.pop(span, ()):
            bound = ',"bp":"e"' if phase == "f" else ""  # the arrow ends at the span around it
            yield (
                f'{{"ph":"{phase}"{bound},"cat":"flow","name":"message","id":{json.dumps(message)},'
                f'"pid":{pid},"tid":{tid},"ts":{_us(middle)}}}'
            )


def _in_flight(
    messages: pd.DataFrame, threads: _Threads, nodes: Mapping[int, int]
) -> Iterator[str]:
    senders = messages["src_rank"].map(lambda rank: nodes.get(rank, rank))
    for node, rows in messages.groupby(senders, sort=True):
        pid, names = threads.process(f"n{node}")
        yield from names
        yield from _counter(pid, "messages in flight", rows["posted_ps"], rows["end_ps"])


def _busy_and_waiting(spans: pd.DataFrame, threads: _Threads) -> Iterator[str]:
    stages = spans["stage"].astype(str)
    chosen = spans[(stages == "serialize") | stages.str.endswith("-wait")]
    if len(chosen) == 0:
        return
    components = chosen["owner"].astype(str).str.partition(".")[0]
    for (component, stage), rows in chosen.groupby(
        [components, chosen["stage"].astype(str)], sort=False
    ):
        pid, names = threads.process(component)
        yield from names
        name = "wires that send" if stage == "serialize" else f"waiting: {stage}"
        yield from _counter(pid, name, rows["start_ps"], rows["end_ps"])


def _counter(pid: int, name: str, begins: pd.Series, ends: pd.Series) -> Iterator[str]:
    """Yield how many intervals are open, at each instant at which this changes."""
    times = np.concatenate([begins.to_numpy(), ends.to_numpy()])
    steps = np.repeat([1, -1], len(begins))
    order = np.argsort(times, kind="stable")
    times, levels = times[order], np.cumsum(steps[order])
    last = np.append(times[1:] != times[:-1], True)
    for at, level in zip(times[last].tolist(), levels[last].tolist(), strict=True):
        yield (
            f'{{"ph":"C","name":{json.dumps(name)},"pid":{pid},"ts":{_us(at)},'
            f'"args":{{"count":{level}}}}}'
        )
