# SPDX-License-Identifier: GPL-2.0-only
"""The results of a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from via import kinds, reports, store, tables
from via.errors import Deadlock, ProcessFailed, refuse, refuse_name
from via.recording import Recording
from via.units import PS_PER_US, between, format_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from via._core import RunReport

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


# Workloads whose samples are no latencies, but the times there and back, or when something came.
_ROUND_TRIPS = frozenset({"ping-pong", "socket-ping-pong"})
_ARRIVALS = frozenset({"stream", "socket-stream"})

# Why a table is not there.
_NEEDS_RECORD = "via.Cluster(..., record=True) is needed for {}"
_ABSENT = {
    "decisions": "only protocols have them; see run.messages",
    "samples": "only built-in workloads have them; see run.messages",
}


class Run:
    """One finished simulation.

    Attributes:
        report: the run as a dictionary of plain values: what `via run --json` writes.
        provenance: all that is needed to repeat it: versions, profile fingerprint, seed, command.
        stdout, stderr: what its processes printed, if it was captured; else None.
        returned: what processes written in Python have returned, by rank.
        errors: the exceptions that have ended such processes, by rank.
    """

    def __init__(
        self,
        report: RunReport | reports.Report,
        recording: Recording,
        provenance: dict[str, Any],
        saved: store.Sources | None = None,
    ) -> None:
        """Take what a simulation left; saved: tables that were written to files instead."""
        self.report = report if isinstance(report, dict) else reports.plain(report)
        self.provenance = provenance
        self.stdout = recording.stdout
        self.stderr = recording.stderr
        self._sources = recording.sources(self.end_ps) if saved is None else saved
        self._tables: dict[str, pd.DataFrame] = {}
        self.returned = dict(recording.returned)
        self.errors = dict(recording.errors)

    def __repr__(self) -> str:
        return (
            f"<via.Run of {self.report['nodes']} nodes: {self.report['messages']} messages in "
            f"{format_time(self.end_ps)}, exit {self.exit}, digest {self.digest}>"
        )

    @property
    def digest(self) -> str:
        """32 hexadecimal digits: equal for the same program, profile and seed."""
        return str(self.report["digest"])

    @property
    def payload_digest(self) -> str | None:
        """32 hexadecimal digits over the bytes of delivered messages; None: switched off.

        The bytes are hashed where they were written, node by node in the order of completion:
        a wrong byte changes it.
        """
        return self.report.get("payload_digest")

    @property
    def exit(self) -> int:
        """0: every process exited with 0; 1: some did not; 3: deadlock."""
        return int(self.report["exit"])

    @property
    def end_ps(self) -> int:
        """When the simulation ended, in picoseconds."""
        return int(self.report["end_ps"])

    @property
    def ranks(self) -> pd.DataFrame:
        """One row per MPI rank: what it simulated, and what it took; none without mpi_ranks.

        `hosts`, `switches`, `events`, `records_sent` to other ranks, `windows` of time that all
        ranks agreed on, memory and CPU time of its OS process when time started and at the end.
        """
        return tables.ranks(self.report.get("ranks", []))

    @property
    def sketch(self) -> str:
        """Why the profile is but a sketch; empty: it is none."""
        return self.report["profile"]["sketch"] or ""

    @property
    def translation_hits(self) -> int:
        """Pages that the cards found in their translation caches, all cards together."""
        return int(self.report["translations"]["hits"])

    @property
    def translation_misses(self) -> int:
        """Pages that they had to fetch; 0, as the hits, where cards have no such cache."""
        return int(self.report["translations"]["misses"])

    @property
    def troubles(self) -> list[str]:
        """One line per process that did not end well: why, or what it waits for.

        Before them stand broken rules of a protocol, and, if cells wait for each other in a circle,
        which links they are on.
        """
        return reports.troubles(self.report)

    @property
    def notes(self) -> list[str]:
        """One line per process that ended with connected VIs, which its peers felt."""
        return reports.notes(self.report)

    @property
    def violations(self) -> list[str]:
        """The rules of a protocol that did not hold in this run, a sentence each."""
        return list(self.report["violations"])

    @cached_property
    def faults(self) -> pd.DataFrame:
        """One row per fault that began: what, where, from when to when, and what it took.

        `until_ps` is <NA> where it lasted to the end.
        """
        return tables.faults(self.report["faults"])

    @cached_property
    def processes(self) -> pd.DataFrame:
        """One row per process: where it ran, how and when it ended, its CPU time."""
        return tables.processes(self.report["processes"])

    @cached_property
    def cpu(self) -> pd.DataFrame:
        """What the CPUs of each node spent, in picoseconds by stage, kernels included."""
        return tables.cpu(self.report["node_cpu"])

    @property
    def messages(self) -> pd.DataFrame:
        """One row per message, times in picoseconds."""
        return self._table("messages")

    @cached_property
    def breakdown(self) -> tables.Breakdown:
        """One row per stage of a message's critical path; the rows of a message tile its life.

        Called, it is a part or a summary of them: `run.breakdown(message="1.0.3")`,
        `run.breakdown(by="stage")`, see via.tables.Breakdown.
        """
        return tables.Breakdown(self._table("breakdown"))

    @property
    def spans(self) -> pd.DataFrame:
        """One row per stretch of time that a part spent or waited, overlapped work included."""
        return self._table("spans")

    @property
    def links(self) -> pd.DataFrame:
        """Two rows per cable: what each end sent, and how long the wire was busy with it.

        `source` and `destination` are hosts or ports of switches, "n0" or "s0.3"; `busy_pct` is of
        the time until the end of the run.
        """
        return self._table("links")

    @property
    def counters(self) -> pd.DataFrame:
        """What cards ("n0") and ports of switches ("s0.3") counted: owner, counter, value."""
        return self._table("counters")

    @property
    def decisions(self) -> pd.DataFrame:
        """What the processes of a protocol reported: who proposed, decided, delivered what, when.

        Raises:
            ConfigError: the run was of a program.
        """
        return self._table("decisions")

    @property
    def samples(self) -> NDArray[np.int64]:
        """What a built-in workload measured: picoseconds, one per round.

        Of "ping-pong" and "socket-ping-pong" the time there and back; of "stream" and
        "socket-stream" when each message had come.

        Raises:
            ConfigError: the run was of a program, which prints what it measures.
        """
        samples: NDArray[np.int64] = self._table("samples")["ps"].to_numpy()
        return samples

    def table(self, name: str) -> pd.DataFrame | None:
        """Return the table of this name, one of via.store.TABLES; None: the run has none."""
        if name not in store.TABLES:
            raise refuse_name("name", name, store.TABLES)
        return self._table(name) if name in self._sources else None

    def latency(self) -> Latency:
        """Summarize times_ps(): one way, of each message or round."""
        return Latency.of(self.times_ps())

    def latency_us(self, quantile: float = 0.5) -> float:
        """Return a quantile of times_ps(), one way, in microseconds."""
        return quantile_us(self.times_ps(), between("quantile", quantile, 0, 1))

    def round_trip(self) -> Latency:
        """Summarize the times there and back of a ping-pong.

        Raises:
            ConfigError: the run was of something else.
        """
        return Latency.of(self._round_trips())

    def round_trip_us(self, quantile: float = 0.5) -> float:
        """Return a quantile of the times there and back of a ping-pong, in microseconds.

        Raises:
            ConfigError: the run was of something else.
        """
        return quantile_us(self._round_trips(), between("quantile", quantile, 0, 1))

    @property
    def has_round_trips(self) -> bool:
        """Tell whether round_trip_us() has something to say: the workload was a ping-pong."""
        return self._workload in _ROUND_TRIPS

    def percentiles(self, percents: Sequence[float] = (50, 90, 99, 99.9, 100)) -> pd.Series[float]:
        """Return percentiles, in microseconds, of what latency() summarizes.

        Raises:
            ConfigError: a percent that is not 0 to 100.
        """
        percents = kinds.listed("percents", percents)
        for percent in percents:
            between("percents", percent, 0, 100)
        values = [self.latency_us(percent / 100) for percent in percents]
        return pd.Series(values, index=pd.Index(percents, name="percent"), name="us")

    def times_ps(self) -> NDArray[np.int64]:
        """Return what latency() summarizes, in picoseconds.

        Of a ping-pong half of each time there and back; of the other workloads their samples, a
        round each; of programs and streams the lives of their messages.
        """
        times: NDArray[np.int64]
        if self.has_round_trips:
            times = self._round_trips() // 2
        elif "samples" in self._sources and self._workload not in _ARRIVALS:
            times = self.samples
        else:
            kept = self.messages[~self.messages["dropped"]]
            times = (kept["end_ps"] - kept["posted_ps"]).to_numpy()
        if len(times) == 0:
            raise refuse("latency", "none", "the run has no samples and no messages")
        return times

    @property
    def _workload(self) -> object:
        return self.provenance.get("workload")

    def _round_trips(self) -> NDArray[np.int64]:
        if not self.has_round_trips or len(self.samples) == 0:
            what = self._workload or "a program"
            raise refuse("round_trip", what, f"only {' and '.join(sorted(_ROUND_TRIPS))} have some")
        return self.samples

    def timeline(self, path: str | os.PathLike[str]) -> None:
        """Write a Chrome trace, for Perfetto or chrome://tracing: see via.trace.

        Raises:
            ConfigError: the run recorded nothing, or the file cannot be written.
        """
        from via import trace
        from via.files import check_outputs

        place = kinds.path("path", path)
        check_outputs({"path": place})
        trace.write(self, place)

    def save(self, folder: str | os.PathLike[str], format: str = "csv") -> None:
        """Write all of the run into a folder, whole or not at all; see via.store.

        Args:
            folder: a new one, an empty one, or one that holds a run, which is replaced.
            format: of the tables: "csv", or "parquet", which needs pyarrow.

        Raises:
            ConfigError: something else is there, or it cannot be written.
        """
        store.save(self, kinds.path("folder", folder), format)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Run:
        """Return a run that was saved; its tables are read when they are asked for.

        Raises:
            ConfigError: there is no run, or it is not complete.
        """
        report, provenance, saved, texts = store.load(kinds.path("folder", folder))
        printed = Recording(stdout=texts.get("stdout"), stderr=texts.get("stderr"))
        return cls(report, printed, provenance, saved)

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

    def _table(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            if name not in self._sources:
                raise refuse(*_absence(name, "ranks" in self.report))
            self._tables[name] = self._sources[name]()
        return self._tables[name]


def _absence(name: str, on_ranks: bool) -> tuple[str, object, str]:
    if name in _ABSENT:
        return name, "none", _ABSENT[name]
    if on_ranks:
        return name, "none", "not kept on several ranks yet"
    return "record", False, _NEEDS_RECORD.format(name)
