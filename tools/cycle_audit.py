#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the cycles in a breakdown against the profile's tables.

cycle_audit.py --profile P [--host H] --breakdown FILE [--size N ...]

`via run --breakdown FILE` writes FILE. For each message: its rows tile its life, each row's cycles
are those of the tables for that stage, between two edges of one clock, and each stage follows one
on which it depends. Prints each error in a line, and the cycles of each clock.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby, pairwise
from math import floor
from pathlib import Path
from typing import Any, NamedTuple

from cycle_rules import END, START, Net, State
from cycle_tables import Step, Tables

PS_PER_SECOND = 10**12
WAITS = {
    "align", "cpu-wait", "bus-wait", "engine-wait", "link-wait", "credit-wait", "doorbell-wait",
    "descriptor-wait", "coalesce", "receiver-late", "blocked", "congestion-wait",
}  # fmt: skip
TOLERATED = 4  # lines printed about one message


class Row(NamedTuple):
    """A line of a breakdown."""

    message: str
    src_rank: int
    dst_rank: int
    op: str
    bytes: int
    stage: str
    owner: str
    clock_hz: int
    cycles: int
    start_ps: int
    end_ps: int

    def engine(self) -> str:
        return self.owner.split(".", 1)[1]

    def __str__(self) -> str:
        return f"{self.stage} of {self.owner} at {self.start_ps} ps"


def rows_of(lines: Iterable[dict[str, str]]) -> Iterator[Row]:
    """Yield the lines of a CSV file as rows."""
    text = {"message", "op", "stage", "owner"}
    for line in lines:
        fields: list[Any] = [line[f] if f in text else int(line[f]) for f in Row._fields]
        yield Row(*fields)


class Phase:
    """The phases of a clock that all its rows allow; edge n is at phase + floor(n * period)."""

    def __init__(self, hertz: Fraction) -> None:
        self.period = PS_PER_SECOND / hertz
        self._phases: list[int] | None = None

    def _fits(self, phase: int, start: int, cycles: int, end: int) -> bool:
        if start < phase:
            return False
        period = self.period
        first = -((phase - start) * period.denominator // period.numerator)
        if first * period.numerator // period.denominator != start - phase:
            return False
        last = (first + cycles) * period.numerator // period.denominator
        return last == end - phase

    def allows(self, start: int, cycles: int, end: int) -> bool:
        """Return whether a phase exists that fits this row and all rows before."""
        candidates = self._phases
        if candidates is None:
            near = start // self.period
            edges = (floor(n * self.period) for n in (near - 1, near, near + 1))
            candidates = [start - edge for edge in edges if 0 <= start - edge < self.period]
        left = [phase for phase in candidates if self._fits(phase, start, cycles, end)]
        self._phases = left or self._phases
        return bool(left)


class Audit:
    """The check of a run's breakdown.

    Args:
        tables: the tables of product and host.
        procs_per_node: processes per node of the run.
        vis: the largest number of open VIs on a card.
    """

    def __init__(self, tables: Tables, *, procs_per_node: int = 1, vis: int = 1) -> None:
        self.tables = tables
        self.messages = 0
        self.cycles: dict[tuple[str, int], Counter[str]] = {}  # per clock, by op and size
        self._procs = procs_per_node
        self._vis = vis
        self._nets: dict[tuple[str, int], Net] = {}
        self._phases: dict[tuple[str, int], Phase] = {}
        self._clocks: dict[str, Fraction] = {}

    def check(self, rows: Iterable[Row]) -> list[str]:
        """Return a line for each error."""
        faults: list[str] = []
        for message, lines in groupby(rows, key=lambda row: row.message):
            path = list(lines)
            found = [*self._times(path)]
            if path[0].op != "program":
                self.messages += 1
                found += self._path(path)
                self._add_up(path)
            faults += [f"{message}, {path[0].bytes} bytes: {fault}" for fault in found[:TOLERATED]]
        return faults

    # ---- instants and clocks

    def _times(self, path: list[Row]) -> Iterator[str]:
        for before, row in pairwise(path):
            if before.end_ps != row.start_ps:
                yield f"{row}: the row before ends at {before.end_ps}"
        for row in path:
            yield from self._row_times(row)

    def _row_times(self, row: Row) -> Iterator[str]:
        span = row.end_ps - row.start_ps
        is_bare = row.stage in WAITS or row.cycles == 0
        if is_bare and (row.cycles, row.clock_hz) != (0, 0):
            yield f"{row}: a wait has {row.cycles} cycles at {row.clock_hz} Hz"
        if span <= 0:
            yield f"{row}: lasts {span} ps"
        if row.engine() == "program" or (is_bare and row.stage != "align"):
            if row.stage == "propagate" and span != self.tables.flight_ps():
                yield f"{row}: lasts {span} ps, the cable {self.tables.flight_ps()}"
            return
        hertz = self._clock(row.engine())
        if row.stage == "align":
            if span >= PS_PER_SECOND / hertz:
                yield f"{row}: lasts {span} ps, longer than a period"
            if not self._phase(row).allows(row.end_ps, 0, row.end_ps):
                yield f"{row}: does not end at an edge"
            return
        if row.clock_hz != floor(hertz):
            yield f"{row}: at {row.clock_hz} Hz, the tables say {floor(hertz)}"
        if not self._phase(row).allows(row.start_ps, row.cycles, row.end_ps):
            yield f"{row}: {row.cycles} cycles do not take {span} ps between two edges"

    def _clock(self, engine: str) -> Fraction:
        if engine not in self._clocks:
            self._clocks[engine] = self.tables.clock(engine)
        return self._clocks[engine]

    def _phase(self, row: Row) -> Phase:
        engine = row.engine()
        owner = row.owner.replace("-send", "").replace("-receive", "")  # one clock for both
        # each port of a switch has its own clock; a node has one port
        port = row.dst_rank // self._procs if owner.startswith("s") and engine == "link" else 0
        if (owner, port) not in self._phases:
            self._phases[owner, port] = Phase(self._clock(engine))
        return self._phases[owner, port]

    # ---- stages

    def _net(self, op: str, size: int) -> Net:
        if (op, size) not in self._nets:
            self._nets[op, size] = Net(self.tables, op, size, self._vis)
        return self._nets[op, size]

    def _is_owner(self, row: Row, owner: str) -> bool:
        nodes = {"src": row.src_rank // self._procs, "dst": row.dst_rank // self._procs}
        side, _, engine = owner.rpartition(".")
        component, _, part = row.owner.partition(".")
        return part == engine and (component == f"n{nodes[side]}" if side else component[0] == "s")

    def _path(self, path: list[Row]) -> Iterator[str]:
        net = self._net(path[0].op, path[0].bytes)
        here = reached(net, [START])
        for row in path:
            if row.stage in WAITS or self._is_interlude(row):
                continue
            steps = [(step, then) for state in here for step, then in net.moves(state) if step]
            fits = [then for step, then in steps if self._is_step(row, step)]
            if not fits:
                yield f"{row}: {row.cycles} cycles; the tables say {listed(s for s, _ in steps)}"
                return
            here = reached(net, fits)
        if END not in here:
            yield f"ends with {path[-1]}; the tables go on"

    def _is_interlude(self, row: Row) -> bool:
        """Return whether the card acknowledges here, or the CPU switches back to its process."""
        keys = {
            ("transport", "nic-send"): "nic.acknowledge",
            ("context-switch", "cpu"): "os.context_switch",
        }
        key = keys.get((row.stage, row.engine()))
        return key is not None and row.cycles == self.tables.number(key)

    def _is_step(self, row: Row, step: Step) -> bool:
        is_right = step.stage == row.stage and step.least <= row.cycles <= step.most
        return is_right and self._is_owner(row, step.owner)

    def _add_up(self, path: list[Row]) -> None:
        sums = self.cycles.setdefault((path[0].op, path[0].bytes), Counter())
        for row in path:
            if row.cycles:
                sums[row.engine()] += row.cycles


def reached(net: Net, states: Iterable[State]) -> list[State]:
    """Return the states and all states that can be reached from them at no cost."""
    seen = dict.fromkeys(states)
    left = list(seen)
    while left:
        for step, then in net.moves(left.pop()):
            if step is None and then not in seen:
                seen[then] = None
                left.append(then)
    return list(seen)


def listed(steps: Iterable[Step]) -> str:
    """Return the possible steps, for an error text."""
    texts = {f"{s.stage} {s.least}" + (f"-{s.most}" if s.most > s.least else "") for s in steps}
    return " or ".join(sorted(texts)) or "that nothing follows"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--profile", required=True, help="product: a name or a TOML file")
    parser.add_argument("--host", default="", help="default: the product's own")
    parser.add_argument("--breakdown", required=True, type=Path, help="CSV file of via run")
    parser.add_argument("--size", type=int, nargs="+", default=[], help="only these message sizes")
    parser.add_argument("--procs-per-node", type=int, default=1, help="as in the run")
    parser.add_argument("--vis", type=int, default=1, help="largest number of open VIs on a card")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    audit = Audit(
        Tables(options.profile, options.host),
        procs_per_node=options.procs_per_node,
        vis=options.vis,
    )
    with options.breakdown.open(encoding="utf-8", newline="") as file:
        rows = [r for r in rows_of(csv.DictReader(file)) if r.bytes in (options.size or [r.bytes])]
    faults = audit.check(rows)
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    for (op, size), sums in sorted(audit.cycles.items()):
        text = ", ".join(f"{engine} {cycles}" for engine, cycles in sorted(sums.items()))
        print(f"{op} of {size} bytes: {text}")
    print(f"{audit.messages} messages, {len(faults)} faults")
    return 1 if faults or audit.messages == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
