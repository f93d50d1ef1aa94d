# SPDX-License-Identifier: GPL-2.0-only
"""The results of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from via import tables
from via.errors import Deadlock, ProcessFailed, refuse
from via.units import MAX_PS, PS_PER_US, format_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from via._core import Column, ProcessReport, RunReport

EXIT_SUCCESS = 0
EXIT_PROCESS_FAILED = 1
EXIT_DEADLOCK = 3


@dataclass(frozen=True)
class Latency:
    """A distribution of times, in microseconds. Every quantile is one of the times."""

    count: int
    min_us: float
    median_us: float
    p99_us: float
    max_us: float

    @classmethod
    def of(cls, times_ps: NDArray[np.int64]) -> Latency:
        """Summarize times in picoseconds; there must be at least one."""
        low, median, p99, high = (quantile_us(times_ps, q) for q in (0.0, 0.5, 0.99, 1.0))
        return cls(len(times_ps), low, median, p99, high)

    def __str__(self) -> str:
        return (
            f"median {self.median_us:.3f} us, 99 % within {self.p99_us:.3f} us, "
            f"{self.min_us:.3f} to {self.max_us:.3f} us ({self.count} samples)"
        )


def quantile_us(times_ps: NDArray[np.int64], quantile: float) -> float:
    """Return the smallest of the times that a share of them does not exceed."""
    return float(np.quantile(times_ps, quantile, method="inverted_cdf")) / PS_PER_US


@dataclass(frozen=True)
class Recording:
    """The columns a run left behind, and what its processes printed."""

    messages: Mapping[str, Column] | None = None
    breakdown: Mapping[str, Column] | None = None
    spans: Mapping[str, Column] | None = None
    samples: NDArray[np.int64] | None = None
    stdout: str | None = None
    stderr: str | None = None
    decisions: Mapping[str, Column] | None = None
    returned: Mapping[int, Any] = field(default_factory=dict)
    errors: Mapping[int, BaseException] = field(default_factory=dict)


def _ending(process: ProcessReport) -> str:
    if process.signal:
        return f"killed by signal {process.signal}"
    return f"exited with code {process.exit}"


def _when(process: ProcessReport) -> str:
    """Return when a process ended; nothing if it has not."""
    return "" if process.exit < 0 else f", at {format_time(process.end_ps)}"


class Run:
    """One finished simulation.

    Attributes:
        provenance: all that is needed to repeat it: versions, profile fingerprint, seed, command.
        stdout, stderr: what its processes printed, if it was captured; else None.
        returned: what processes written in Python have returned, by rank.
        errors: the exceptions that have ended such processes, by rank.
    """

    def __init__(self, report: RunReport, recording: Recording, provenance: dict[str, Any]) -> None:
        self._report = report
        self._recording = recording
        self.provenance = provenance
        self.stdout = recording.stdout
        self.stderr = recording.stderr
        self.returned = dict(recording.returned)
        self.errors = dict(recording.errors)

    def __repr__(self) -> str:
        return (
            f"<via.Run of {self._report.nodes} nodes: {self._report.messages} messages in "
            f"{format_time(self.end_ps)}, exit {self.exit}, digest {self.digest}>"
        )

    @property
    def digest(self) -> str:
        """32 hexadecimal digits: equal for the same program, profile and seed."""
        return self._report.digest

    @property
    def exit(self) -> int:
        """0: every process exited with 0; 1: some did not; 3: deadlock."""
        return self._report.exit

    @property
    def end_ps(self) -> int:
        """When the simulation ended, in picoseconds."""
        return self._report.end_ps

    @property
    def sketch(self) -> str:
        """Why the profile is but a sketch; empty: it is none."""
        return self._report.sketch

    @property
    def translation_hits(self) -> int:
        """Pages that the cards found in their translation caches, all cards together."""
        return self._report.translation_hits

    @property
    def translation_misses(self) -> int:
        """Pages that they had to fetch; 0, as the hits, where cards have no such cache."""
        return self._report.translation_misses

    @property
    def troubles(self) -> list[str]:
        """One line per process that did not end well: why, or what it waits for.

        Before them stand broken rules of a protocol, and, if cells wait for each other in a circle,
        which links they are on.
        """
        first = [*self._report.violations, self._report.deadlock]
        return [line for line in first if line] + [
            f"rank {process.rank} on n{process.node}{_when(process)}: "
            f"{process.report or _ending(process)}"
            for process in self._report.processes
            if process.report or process.exit or process.signal
        ]

    @property
    def notes(self) -> list[str]:
        """One line per process that ended with connected VIs, which its peers felt."""
        return [
            f"rank {process.rank} on n{process.node}{_when(process)}: ended with "
            f"{process.left_connected} connected VI{'' if process.left_connected == 1 else 's'}; "
            "the other side has lost the connection"
            for process in self._report.processes
            if process.left_connected
        ]

    @cached_property
    def report(self) -> dict[str, Any]:
        """The run as a dictionary of plain values: what `via run --json` writes."""
        report = self._report
        return {
            "schema": "via-run/1",
            "digest": report.digest,
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
            "processes": [
                {
                    "rank": process.rank,
                    "node": process.node,
                    "exit": process.exit,
                    "signal": process.signal,
                    "end_ps": process.end_ps,
                    "cpu_ps": process.cpu_ps,
                    "left_connected": process.left_connected,
                    "report": process.report,
                }
                for process in report.processes
            ],
            "cpu": dict(report.cpu),
            "node_cpu": [dict(node) for node in report.node_cpu],
            "translations": {
                "hits": report.translation_hits,
                "misses": report.translation_misses,
            },
            "cells": {"corrupt": report.cells_corrupt, "lost": report.cells_lost},
            "faults": [
                {
                    "kind": row.kind,
                    "where": row.where,
                    "at_ps": row.at_ps,
                    "until_ps": None if row.until_ps == MAX_PS else row.until_ps,
                    "corrupt": row.corrupt,
                    "lost": row.lost,
                    "killed": row.killed,
                }
                for row in report.faults
            ],
        }

    @cached_property
    def faults(self) -> pd.DataFrame:
        """One row per fault that began: what, where, from when to when, and what it took.

        `until_ps` is <NA> where it lasted to the end.
        """
        rows = [
            (row.kind, row.where, row.at_ps, pd.NA if row.until_ps == MAX_PS else row.until_ps,
             row.corrupt, row.lost, row.killed)
            for row in self._report.faults
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=list(tables.FAULT_COLUMNS)).astype(
            {"at_ps": "int64", "until_ps": "Int64", "corrupt": "int64", "lost": "int64",
             "killed": "int64"}
        )  # fmt: skip

    @cached_property
    def messages(self) -> pd.DataFrame:
        """One row per message, times in picoseconds."""
        return self._table("messages", tables.MESSAGE_COLUMNS)

    @cached_property
    def breakdown(self) -> pd.DataFrame:
        """One row per stage of a message's critical path; the rows of a message tile its life."""
        return self._table("breakdown", tables.BREAKDOWN_COLUMNS)

    @cached_property
    def spans(self) -> pd.DataFrame:
        """One row per stretch of time that a part spent or waited, overlapped work included."""
        return self._table("spans", tables.SPAN_COLUMNS)

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """What the processes of a protocol reported: who proposed, decided, delivered what, when.

        Raises:
            ConfigError: the run was of a program.
        """
        if self._recording.decisions is None:
            raise refuse("decisions", "none", "only protocols have them; see run.messages")
        return tables.frame(self._recording.decisions, tables.DECISION_COLUMNS)

    @property
    def violations(self) -> list[str]:
        """The rules of a protocol that did not hold in this run, a sentence each."""
        return list(self._report.violations)

    @property
    def samples(self) -> NDArray[np.int64]:
        """What a built-in workload measured: picoseconds, one per round.

        Raises:
            ConfigError: the run was of a program, which prints what it measures.
        """
        if self._recording.samples is None:
            raise refuse("samples", "none", "only built-in workloads have them; see run.messages")
        return self._recording.samples

    def latency(self) -> Latency:
        """Summarize the samples of a workload, or the lives of a program's messages."""
        return Latency.of(self._times_ps())

    def latency_us(self, quantile: float = 0.5) -> float:
        """Return a quantile of the samples of a workload, or of the lives of the messages."""
        if not 0 <= quantile <= 1:
            raise refuse("quantile", quantile, "0 to 1; 0.5 is the median")
        return quantile_us(self._times_ps(), quantile)

    def expect_clean(self) -> Run:
        """Return this run if all its processes exited with 0.

        Raises:
            ProcessFailed: some process exited with another code or was killed.
            Deadlock: nothing was left to happen, and processes waited.
        """
        if self.exit == EXIT_SUCCESS:
            return self
        kind = Deadlock if self.exit == EXIT_DEADLOCK else ProcessFailed
        what = "deadlock" if self.exit == EXIT_DEADLOCK else "a process failed"
        text = "\n  ".join([f"{what} at {format_time(self.end_ps)}", *self.troubles])
        raise kind(text, self) from next(iter(self.errors.values()), None)

    def _times_ps(self) -> NDArray[np.int64]:
        times: NDArray[np.int64]
        if self._recording.samples is not None:
            times = self._recording.samples
        else:
            kept = self.messages[~self.messages["dropped"]]
            times = (kept["end_ps"] - kept["posted_ps"]).to_numpy()
        if len(times) == 0:
            raise refuse("latency", "none", "the run has no samples and no messages")
        return times

    def _table(self, name: str, columns: tuple[str, ...]) -> pd.DataFrame:
        recorded = getattr(self._recording, name)
        if recorded is None:
            raise refuse("record", False, f"via.Cluster(..., record=True) is needed for {name}")
        return tables.frame(recorded, columns)
