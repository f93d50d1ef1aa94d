# SPDX-License-Identifier: GPL-2.0-only
"""Chrome trace of a run, for Perfetto or chrome://tracing.

Each host and switch is a process of the trace, and each of its engines a thread. Overlapping work
of one engine, as in a pipeline, gets several threads; waits have threads of their own. Each VI is
also a thread of its host: the lives of the messages that it sent are asynchronous events there.
`ts` and `dur` are microseconds with six decimals; `args` has the same times as integer picoseconds.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from via._base.files import written
from via._base.units import PS_PER_US


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
    node_of = {process["rank"]: process["node"] for process in run.report["processes"]}
    yield from _message_events(run.messages, threads, node_of)
    yield from _span_events(run.spans, threads)


def _name(what: str, pid: int, tid: int, text: str) -> str:
    record = {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": text}}
    return json.dumps(record, separators=(",", ":"))


def _us(ps: int) -> str:
    """Return microseconds as an exact decimal number for JSON."""
    return f"{ps // PS_PER_US}.{ps % PS_PER_US:06d}"


def _message_events(
    messages: pd.DataFrame, threads: _Threads, node_of: Mapping[int, int]
) -> Iterator[str]:
    for row in messages.itertuples():
        owner = f"n{node_of.get(row.src_rank, row.src_rank)}"
        pid, tid, names = threads.named(owner, f"rank {row.src_rank} VI {row.vi}")
        yield from names
        args = (
            f'{{"op":"{row.op}","bytes":{row.bytes},"src_rank":{row.src_rank},'
            f'"dst_rank":{row.dst_rank},"start_ps":{row.posted_ps},"end_ps":{row.end_ps}}}'
        )
        common = (
            f'"cat":"message","name":"{row.message}","id":"{row.message}","pid":{pid},"tid":{tid}'
        )
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

    def named(self, component: str, text: str) -> tuple[int, int, list[str]]:
        """Return process and thread with this name, and the events that name new ones."""
        names: list[str] = []
        if component not in self._pids:
            self._pids[component] = len(self._pids) + 1
            names.append(_name("process_name", self._pids[component], 0, component))
        pid = self._pids[component]
        tid = self._named.get((component, text))
        if tid is None:
            tid = self._count[pid] = self._count.get(pid, 0) + 1
            self._named[component, text] = tid
            names.append(_name("thread_name", pid, tid, text))
        return pid, tid, names

    def place(self, owner: str, is_wait: bool, start: int, end: int) -> tuple[int, int, list[str]]:
        """Return process and thread of a span, and the events that name new ones."""
        component, _, engine = owner.partition(".")
        group = (component, f"{engine} waits" if is_wait else engine)
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


def _span_events(spans: pd.DataFrame, threads: _Threads) -> Iterator[str]:
    ordered = spans.sort_values(["start_ps", "end_ps"], kind="stable")
    for row in ordered.itertuples():
        is_wait = row.clock_hz == 0
        pid, tid, names = threads.place(row.owner, is_wait, row.start_ps, row.end_ps)
        yield from names
        yield (
            f'{{"ph":"X","cat":"{"wait" if is_wait else "work"}","name":"{row.stage}",'
            f'"pid":{pid},"tid":{tid},"ts":{_us(row.start_ps)},'
            f'"dur":{_us(row.end_ps - row.start_ps)},"args":{{"start_ps":{row.start_ps},'
            f'"end_ps":{row.end_ps},"cycles":{row.cycles},"clock_hz":{row.clock_hz}}}}}'
        )
