# SPDX-License-Identifier: GPL-2.0-only
"""The results of a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from via import _runs, workloads
from via._base import kinds, notebook
from via._base.files import check_outputs
from via._base.quantiles import percentile_us, quantile_us
from via._base.units import between, format_time
from via._runs import reports, returned, store, trace
from via._runs.recording import Recording
from via.errors import ConfigError, Deadlock, NotReturned, ProcessFailed, refuse, refuse_name
from via.workloads import Timed

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from via._core import RunReport

EXIT_SUCCESS = reports.EXIT_SUCCESS
EXIT_PROCESS_FAILED = 1
EXIT_DEADLOCK = reports.EXIT_DEADLOCK


@dataclass(frozen=True)
class Latency:
    """A summary of times, in microseconds. Every quantile is one of the times.

    Attributes:
        count: number of times.
        min_us, median_us, p99_us, max_us: quantiles 0, 0.5, 0.99 and 1.
    """

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

    def _repr_html_(self) -> str:
        """Return the summary for a notebook."""
        shown = notebook.table("via.Latency", {
            "median": f"{self.median_us:.3f} \u00b5s", "99 % within": f"{self.p99_us:.3f} \u00b5s",
            "range": f"{self.min_us:.3f} to {self.max_us:.3f} \u00b5s", "samples": self.count,
        })  # fmt: skip
        return shown + self._repr_svg_()

    def _repr_svg_(self) -> str:
        """Return a drawing of the quantiles for a notebook."""
        from via._drawing import inline  # matplotlib takes a while to load

        return inline.quantiles(self.min_us, self.median_us, self.p99_us, self.max_us)

    def __str__(self) -> str:
        return (
            f"median {self.median_us:.3f} us, 99 % within {self.p99_us:.3f} us, "
            f"{self.min_us:.3f} to {self.max_us:.3f} us ({self.count} samples)"
        )


# Why a table is missing.
_NEEDS_RECORD = "via.Cluster(..., record=True) is needed for {}"
_ABSENT = {
    "decisions": "only protocols have them; see run.messages",
    "samples": "only built-in workloads have them; see run.messages",
}


class Run:
    """One finished simulation.

    Attributes:
        report: the run as a dictionary of plain values, as `via run --json` writes it.
        provenance: what is needed to repeat the run: versions, profile fingerprint, seed, command.
        stdout, stderr: output of the processes; None: not captured.
        returned: return values of processes written in Python, by rank.
        errors: exceptions that ended such processes, by rank; a NotReturned for a process whose
            return value could not leave its MPI rank.
    """

    def __init__(
        self,
        report: RunReport | reports.Report,
        recording: Recording,
        provenance: dict[str, Any],
        saved: store.Sources | None = None,
    ) -> None:
        """Make a run of a simulation's results; saved: tables in files, used if given."""
        self.report = report if isinstance(report, dict) else reports.plain(report)
        self.provenance = provenance
        self.stdout = recording.stdout
        self.stderr = recording.stderr
        self._sources = recording.sources(self.end_ps) if saved is None else saved
        self._tables: dict[str, pd.DataFrame] = {}
        self._samples = recording.samples
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

        The bytes are hashed where they are written, node by node in the order of completion; a
        wrong byte changes the digest.
        """
        return self.report.get("payload_digest")

    @property
    def exit(self) -> int:
        """0: every process exited with 0; 1: one failed or was killed; 3: deadlock.

        Of a protocol, processes that planned faults ended do not count, and 1 is also the exit of a
        run that violated a rule.
        """
        return int(self.report["exit"])

    @property
    def end_ps(self) -> int:
        """Simulated time of the end, in picoseconds."""
        return int(self.report["end_ps"])

    @property
    def partitions(self) -> pd.DataFrame:
        """One row per MPI rank: what it simulated and what that cost; none without mpi_ranks.

        `hosts`, `switches`, `events`, `records_sent` to other MPI ranks, `windows` of time that all
        MPI ranks agreed on, memory and CPU time of its OS process at the start of simulated time
        and at the end.
        """
        return _runs.tables.partitions(self.report.get("partitions", []))

    @property
    def sketch(self) -> str:
        """Why the profile is only a sketch; empty: it is a full profile."""
        return self.report["profile"]["sketch"] or ""

    @property
    def translation_hits(self) -> int:
        """Pages found in translation caches, all cards together."""
        return int(self.report["translations"]["hits"])

    @property
    def translation_misses(self) -> int:
        """Pages missing in translation caches, all cards together; 0 without such caches."""
        return int(self.report["translations"]["misses"])

    @property
    def ending(self) -> str:
        """How it ended: "ended well", "a process failed", "unfinished processes" or "deadlock"."""
        return reports.ending(self.report)

    @property
    def troubles(self) -> list[str]:
        """One line per process that did not end well: why, or what it waits for.

        Violated rules of a protocol come first, then the links of a cycle of waiting cells.
        """
        return reports.troubles(self.report)

    @property
    def notes(self) -> list[str]:
        """One line per process that ended with connected VIs; its peers lost their connections."""
        return reports.notes(self.report)

    @property
    def violations(self) -> list[str]:
        """The rules of a protocol that this run violated, a sentence each."""
        return list(self.report["violations"])

    @cached_property
    def faults(self) -> pd.DataFrame:
        """One row per fault that began: kind, place, times in picoseconds, and damage.

        `until_ps` is <NA> if the fault lasted to the end.
        """
        return self._told(_runs.tables.faults(self.report["faults"]))

    @cached_property
    def processes(self) -> pd.DataFrame:
        """One row per process: its node, how and when it ended, its CPU time; picoseconds."""
        return self._told(_runs.tables.processes(self.report["processes"]))

    @cached_property
    def cpu(self) -> pd.DataFrame:
        """CPU time of each node by stage, in picoseconds, kernels included."""
        return self._told(_runs.tables.cpu(self.report["node_cpu"]))

    @property
    def messages(self) -> pd.DataFrame:
        """One row per message, times in picoseconds."""
        return self._table("messages")

    @cached_property
    def breakdown(self) -> _runs.tables.Breakdown:
        """One row per stage of a message's critical path; the rows of a message tile its life.

        Call it to select or sum rows: `run.breakdown(message="1.0.3")`,
        `run.breakdown(by="stage")`.
        """
        rows = _runs.tables.Breakdown(self._table("breakdown"))
        if "messages" in self._sources:
            rows.left_out = self._left_out()
        self._told(rows)
        return rows

    @property
    def spans(self) -> pd.DataFrame:
        """One row per period of work or waiting of a component, including overlapped work."""
        return self._table("spans")

    @property
    def links(self) -> pd.DataFrame:
        """Two rows per cable: what each end sent, and how long its wire was busy.

        `source` and `destination` are hosts "n0" or switch ports "s0.3"; `busy_pct` is a percentage
        of the time from 0 to the end of the run or, if wires were busy for longer, of the last one.
        """
        return self._table("links")

    @property
    def counters(self) -> pd.DataFrame:
        """Counters of cards ("n0") and switch ports ("s0.3"): owner, counter, value."""
        return self._table("counters")

    @property
    def decisions(self) -> pd.DataFrame:
        """Events that protocol processes reported, with time: proposals, decisions, deliveries.

        Raises:
            ConfigError: the run was of a program.
        """
        return self._table("decisions")

    @property
    def samples(self) -> NDArray[np.int64]:
        """Measurements of a built-in workload: picoseconds, one per round.

        For "ping-pong" and "socket-ping-pong" these are round trips; for "socket-stream" and
        "message-stream" the time from the start to the arrival of each message, for "stream" of the
        last one.

        Raises:
            ConfigError: the run was of a program, which prints its measurements itself.
        """
        if self._samples is None:
            self._samples = self._table("samples")["ps"].to_numpy()
        return self._samples

    def table(self, name: str) -> pd.DataFrame | None:
        """Return the table with this name, such as "messages"; None: the run has no such table."""
        if name not in store.TABLES:
            raise refuse_name("name", name, store.TABLES)
        return self._table(name) if name in self._sources else None

    def latency(self) -> Latency:
        """Summarize times_ps(): one-way times of messages or rounds."""
        return Latency.of(self.times_ps())

    def latency_us(self, quantile: float = 0.5) -> float:
        """Return a quantile of times_ps(), one way, in microseconds.

        Raises:
            ConfigError: the quantile is not 0 to 1.
        """
        return quantile_us(self.times_ps(), between("quantile", quantile, 0, 1))

    def round_trip(self) -> Latency:
        """Summarize the round trips of a ping-pong.

        Raises:
            ConfigError: the workload was not a ping-pong.
        """
        return Latency.of(self._round_trips())

    def round_trip_us(self, quantile: float = 0.5) -> float:
        """Return a quantile of the round trips of a ping-pong, in microseconds.

        Raises:
            ConfigError: the workload was not a ping-pong, or the quantile is not 0 to 1.
        """
        return quantile_us(self._round_trips(), between("quantile", quantile, 0, 1))

    @property
    def has_round_trips(self) -> bool:
        """Return whether the workload was a ping-pong, so that round_trip_us() has a result."""
        return self._timed is Timed.ROUND_TRIPS

    def percentiles(self, percents: Sequence[float] = (50, 90, 99, 99.9, 100)) -> pd.Series[float]:
        """Return percentiles of times_ps(), in microseconds.

        Raises:
            ConfigError: a percentage is not 0 to 100.
        """
        import pandas as pd  # takes a while to load

        percents = kinds.listed("percents", percents)
        for percent in percents:
            between("percents", percent, 0, 100)
        times = self.times_ps()
        values = [percentile_us(times, percent) for percent in percents]
        return pd.Series(values, index=pd.Index(percents, name="percent"), name="us")

    def times_ps(self) -> NDArray[np.int64]:
        """Return the times that latency() summarizes, in picoseconds.

        For a ping-pong these are half of each round trip; for other workloads their samples, one
        per round; for programs the lives of their messages that arrived, for streams of those that
        process 0 sent: the others are credits.
        """
        times: NDArray[np.int64]
        if self.has_round_trips:
            times = self._taken("latency") // 2
        elif "samples" in self._sources and self._timed is Timed.ROUNDS:
            times = self._taken("latency")
        else:
            kept = self.messages[~(self._is_credit() | self.messages["dropped"])]
            times = (kept["end_ps"] - kept["posted_ps"]).to_numpy()
            if len(times) == 0:
                raise refuse("latency", "none", "no message arrived")
        return times

    @property
    def _workload(self) -> object:
        return self.provenance.get("workload")

    @property
    def _timed(self) -> Timed:
        return workloads.kind_of(self._workload).timed

    def _is_credit(self) -> pd.Series[bool]:
        """Whether each message is a credit: in a stream, all but process 0 send nothing else."""
        return (self.messages["src_rank"] != 0) & (self._timed is Timed.ARRIVALS)

    def _left_out(self) -> dict[str, frozenset[str]]:
        """Return the messages that latency() leaves out, by what they are."""
        names, is_dropped = self.messages["message"], self.messages["dropped"]
        kinds_of = {"dropped": is_dropped, "credits": self._is_credit() & ~is_dropped}
        return {kind: frozenset(names[chosen]) for kind, chosen in kinds_of.items()}

    def _round_trips(self) -> NDArray[np.int64]:
        if not self.has_round_trips:
            what = self._workload or "a program"
            names = (each.name for each in workloads.CLASSES if each.timed is Timed.ROUND_TRIPS)
            raise refuse("round_trip", what, f"only {' and '.join(sorted(names))} have some")
        return self._taken("round_trip")

    def _taken(self, what: str) -> NDArray[np.int64]:
        if len(self.samples) == 0:
            limit = f"{self._workload or 'the protocol'} measured no round; see run.messages"
            raise refuse(what, "none", limit)
        return self.samples

    def timeline(self, path: str | os.PathLike[str]) -> None:
        """Write a Chrome trace file, for Perfetto or chrome://tracing.

        Raises:
            ConfigError: the run has no recording, or the file cannot be written.
        """
        place = kinds.path("path", path)
        check_outputs({"path": place})
        trace.write(self, place)

    def report_page(self, path: str | os.PathLike[str]) -> None:
        """Write an HTML page on the run, in one file that needs no network.

        It has a time line, the messages with a search, percentiles, a breakdown by stage, the
        load of links on the topology, faults, counters, and how to make the run again. What does
        not fit is sampled, and the page says so.

        Raises:
            ConfigError: Bokeh is not installed, or the file cannot be written.
        """
        from via._page import page  # matplotlib takes a while to load

        place = kinds.path("path", path)
        check_outputs({"path": place})
        page.write(self, place)

    def save(self, folder: str | os.PathLike[str], format: str = "csv") -> None:
        """Write the run into a folder, completely or not at all.

        Of `returned` it keeps what JSON holds exactly: None, bool, int, finite float, str, and
        lists and dicts (by str) of these. It does not keep `errors`; `troubles` has their texts.

        Args:
            folder: a new or empty folder, or one that holds a run, which is replaced.
            format: file format of the tables: "csv", or "parquet", which needs pyarrow.

        Raises:
            ConfigError: the folder holds something else, or cannot be written.
        """
        store.save(self, kinds.path("folder", folder), format)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Run:
        """Return a saved run; its tables are read on first use.

        By then the folder must not hold another run: such tables are refused with a ConfigError.

        Raises:
            ConfigError: the folder holds no run, or an incomplete one.
        """
        place = kinds.path("folder", folder)
        report, provenance, saved, texts = store.load(place)
        values = returned.read(place, (each["rank"] for each in report["processes"]))
        printed = Recording(stdout=texts.get("stdout"), stderr=texts.get("stderr"), returned=values)
        return cls(report, printed, provenance, saved)

    def expect_clean(self) -> Run:
        """Return this run if its exit is 0: all its processes, or those that count, exited with 0.

        Raises:
            NotReturned: the exit is 0, but a return value could not leave its MPI rank.
            ProcessFailed: a process exited with a nonzero code, was killed, or had not ended when
                the run was stopped; or a rule of a protocol was violated.
            Deadlock: no event was left, and processes waited.
        """
        if self.exit == EXIT_SUCCESS:
            for error in self.errors.values():
                if isinstance(error, NotReturned):
                    raise error
            return self
        kind = Deadlock if self.exit == EXIT_DEADLOCK else ProcessFailed
        what = f"{self.ending} at {format_time(self.end_ps)}"
        text = "\n  ".join([what, *reports.reduced(self.report)])
        raise kind(text, self) from next(iter(self.errors.values()), None)

    def __getstate__(self) -> dict[str, Any]:
        """Return the run as pickle keeps it: with its tables, which are made now."""
        tables = {}
        for name in self._sources:
            with suppress(ConfigError):  # it stayed in another OS process already
                tables[name] = self._table(name)
        stayed = {name: partial(_stayed, name) for name in self._sources}
        kept = {name: value for name, value in self.__dict__.items() if name != "breakdown"}
        return {**kept, "_tables": tables, "_sources": stayed}

    def _without_tables(self) -> Run:
        """Return this run as it can be sent to another OS process: its report and output."""
        printed = Recording(stdout=self.stdout, stderr=self.stderr)
        stayed: store.Sources = {name: partial(_stayed, name) for name in self._sources}
        return Run(self.report, printed, self.provenance, stayed)

    def _table(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            if name not in self._sources:
                raise refuse(*_absence(name))
            self._tables[name] = self._told(self._sources[name]())
        return self._tables[name]

    def _told(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a table that says of which run it is."""
        table.attrs["via"] = {"digest": self.digest, **self.provenance}
        return table

    def _repr_html_(self) -> str:
        """Return the run for a notebook: what ran, how it ended, its latency."""
        shown = {
            "what": self._workload or self.provenance.get("protocol") or "processes",
            "nodes": f"{self.report['nodes']}, {self.report['topology']}",
            "product": f"{self.report['profile']['name']} on {self.report['profile']['host']}",
            "messages": self.report["messages"],
            "end": format_time(self.end_ps),
            "exit": self.exit,
            "digest": self.digest,
        }
        with suppress(ConfigError):  # it may not be recorded
            shown["latency"] = str(self.latency())
        lines = [*self.violations, *reports.reduced(self.report)][: reports.MOST_LINES]
        drawing = self._repr_svg_() or ""  # a notebook shows the richest form alone
        return notebook.table("via.Run", shown) + drawing + notebook.lines(lines)

    def _repr_svg_(self) -> str | None:
        """Return the distribution of its times for a notebook; None: it has none."""
        from via._drawing import inline  # matplotlib takes a while to load

        with suppress(ConfigError):  # it may not be recorded
            return inline.distribution(self.times_ps())
        return None


def _stayed(name: str) -> pd.DataFrame:
    raise refuse(name, "none", "tables stay in the OS process that ran the simulation")


def _absence(name: str) -> tuple[str, object, str]:
    if name in _ABSENT:
        return name, "none", _ABSENT[name]
    return "record", False, _NEEDS_RECORD.format(name)
