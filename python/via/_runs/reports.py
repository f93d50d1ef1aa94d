# SPDX-License-Identifier: GPL-2.0-only
"""The report of a run as plain values, as `via run --json` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from via._base.units import MAX_PS, format_time

if TYPE_CHECKING:
    from via._core import FaultRow, ProcessReport, RunReport

SCHEMA = "via-run/1"
EXIT_SUCCESS = 0
EXIT_DEADLOCK = 3

Report = dict[str, Any]


def plain(report: RunReport) -> Report:
    """Return a C++ report as a dictionary of plain values."""
    return {
        "schema": SCHEMA,
        "digest": report.digest,
        "payload_digest": report.payload_digest or None,
        "profile": {
            "name": report.profile,
            "fingerprint": report.fingerprint,
            "host": report.host,
            "sketch": report.sketch or None,
            "plug_in": report.plug_in or None,
        },
        "seed": report.seed,
        "nodes": report.nodes,
        "topology": report.topology,
        "mpi_ranks": report.mpi_ranks,
        "end_ps": report.end_ps,
        "events": report.events,
        "messages": report.messages,
        "exit": report.exit,
        "processes": [_process(process) for process in report.processes],
        "cpu": dict(report.cpu),
        "node_cpu": report.node_cpu,
        "translations": {"hits": report.translation_hits, "misses": report.translation_misses},
        "cells": {"corrupt": report.cells_corrupt, "lost": report.cells_lost},
        "faults": [_fault(row) for row in report.faults],
        "deadlock": report.deadlock or None,
        "violations": list(report.violations),
    }


def _process(process: ProcessReport) -> Report:
    return {
        "rank": process.rank,
        "node": process.node,
        "exit": process.exit,
        "signal": process.signal,
        "end_ps": process.end_ps,
        "cpu_ps": process.cpu_ps,
        "system_ps": process.system_ps,
        "left_connected": process.left_connected,
        "report": process.report,
    }


def _fault(row: FaultRow) -> Report:
    return {
        "kind": row.kind,
        "where": row.where,
        "at_ps": row.at_ps,
        "until_ps": None if row.until_ps == MAX_PS else row.until_ps,
        "corrupt": row.corrupt,
        "lost": row.lost,
        "killed": row.killed,
    }


def troubles(report: Mapping[str, Any]) -> list[str]:
    """Return a line per process that did not end well: why, or what it waits for.

    Violated rules of a protocol come first, then the links of a cycle of waiting cells.
    """
    first = [*report["violations"], report["deadlock"]]
    return [line for line in first if line] + [
        f"rank {process['rank']} on n{process['node']}{_when(process)}: "
        f"{process['report'] or _ending(process)}"
        for process in report["processes"]
        if process["report"] or process["exit"] or process["signal"]
    ]


def ending(report: Mapping[str, Any]) -> str:
    """Return how a run has ended, in a few words."""
    if report["exit"] in (EXIT_SUCCESS, EXIT_DEADLOCK):
        return "deadlock" if report["exit"] else "ended well"
    processes = report["processes"]
    has_failed = any(each["signal"] or each["exit"] > 0 for each in processes)
    is_cut = any(each["exit"] < 0 for each in processes)
    return "unfinished processes" if is_cut and not has_failed else "a process failed"


MOST_LINES = 8  # of an error text; Run.troubles has all


def reduced(report: Mapping[str, Any]) -> list[str]:
    """Return troubles() for an error text: if they are many, a line for each kind of them."""
    lines = troubles(report)
    if len(lines) <= MOST_LINES:
        return lines
    kinds: dict[str, list[int]] = {}
    for process in report["processes"]:
        if process["report"] or process["exit"] or process["signal"]:
            kinds.setdefault(process["report"] or _ending(process), []).append(process["rank"])
    first = lines[: len(lines) - sum(map(len, kinds.values()))]
    texts = [*first, *(f"{_ranks(ranks)}: {text}" for text, ranks in kinds.items())]
    left = len(texts) - MOST_LINES
    more = [f"and {left} other kinds; run.troubles has all"] if left > 0 else []
    return [*texts[:MOST_LINES], *more]


def _ranks(ranks: list[int]) -> str:
    """Return "rank 3", or "1000 processes, ranks 0 to 997, 999 and others"."""
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    spans: list[list[int]] = []
    for rank in ranks:
        if spans and spans[-1][1] == rank - 1:
            spans[-1][1] = rank
        else:
            spans.append([rank, rank])
    named = [str(low) if low == high else f"{low} to {high}" for low, high in spans[:4]]
    others = " and others" if len(spans) > len(named) else ""
    return f"{len(ranks)} processes, ranks {', '.join(named)}{others}"


def notes(report: Mapping[str, Any]) -> list[str]:
    """Return a line per process that ended with connected VIs; its peers lost connections."""
    return [
        f"rank {process['rank']} on n{process['node']}{_when(process)}: ended with "
        f"{process['left_connected']} connected VI{'' if process['left_connected'] == 1 else 's'}; "
        "the other side has lost the connection"
        for process in report["processes"]
        if process["left_connected"]
    ]


def _ending(process: Mapping[str, Any]) -> str:
    if process["signal"]:
        return f"killed by signal {process['signal']}"
    return f"exited with code {process['exit']}"


def _when(process: Mapping[str, Any]) -> str:
    """Return when a process ended; "" if it has not."""
    return "" if process["exit"] < 0 else f", at {format_time(process['end_ps'])}"
