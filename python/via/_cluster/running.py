# SPDX-License-Identifier: GPL-2.0-only
"""A simulation while it runs: in this process, one after the other; or on several MPI ranks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any

from via import _core
from via._base.files import place_for
from via._base.units import MAX_PS, whole, whole_time
from via._programs import partitions
from via._programs.capture import captured
from via._programs.foreign import advance
from via._programs.task import Task, code_of
from via._runs.recording import Recording
from via.errors import ConfigError, refuse
from via.ns3 import Simulation

# ns-3 has one simulator per OS process, so only one C++ cluster can exist at a time.
_one_at_a_time = threading.Lock()
_runner: int | None = None  # the thread that holds it


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other thread simulates.

    Raises:
        ConfigError: this thread simulates already and would wait for itself.
    """
    global _runner
    if _runner == threading.get_ident():
        where = "inside a simulated process, or a run that was started"
        raise refuse("run", where, "one simulation ends before the next")
    with _one_at_a_time:
        _runner = threading.get_ident()
        try:
            yield
        finally:
            _runner = None


class Running:
    """A simulation that has begun in this process. Leaving it as a context gives it up.

    Args:
        config: the cluster.
        what: what it does.
        stop: simulated time at which it ends; None: when nothing is left.
        watchdog_s: as for Cluster.run().
        watchers: called with the simulation before anything runs.
        capture: keep the output of its processes.
        has_samples: what it does takes samples.
    """

    def __init__(
        self,
        config: _core.ClusterConfig,
        what: Task,
        stop: str | int | None,
        watchdog_s: int,
        watchers: Sequence[Callable[[Simulation], object]],
        *,
        capture: bool = False,
        has_samples: bool = False,
    ) -> None:
        self.command = what.command
        self.stop = stop
        self._what = what
        self._watchdog_s = watchdog_s
        self._keeps_log = config.record
        self._has_samples = has_samples
        with ExitStack() as stack:
            stack.enter_context(alone())
            config.stop_ps = stop_of(stop)
            self._output = stack.enter_context(captured(capture))
            self._cluster = stack.enter_context(_built(config, bool(watchers)))
            for watcher in watchers:
                watcher(Simulation(self._cluster))
            what.add(self._cluster)
            self._open = stack.pop_all()

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return self._open.__exit__(kind, error, trace)

    def give_up(self) -> None:
        """End it without results."""
        self._open.close()

    def advance(self, until_ps: int, tell: Callable[[int], object] | None = None) -> bool:
        """Simulate up to a time; return whether nothing is left to simulate."""
        codes = map(code_of, self._what.codes)
        return advance(self._cluster, codes, until_ps, self._watchdog_s, tell)

    def end(self, topology: _core.Topology) -> tuple[_core.RunReport, Recording]:
        """End it where it is; return the report and what was recorded."""
        with self:
            cluster = self._cluster
            report = cluster.finish()
            returned, errors = cluster.returned(), cluster.errors()
            log = cluster.take_log() if self._keeps_log else None
            samples = cluster.samples() if self._has_samples else None
            decisions = cluster.decisions() if self._has_samples else None
            counters = cluster.last_counters()
        output = self._output  # complete now
        return report, Recording(
            log, samples, output.stdout, output.stderr, decisions,
            counters, topology, returned, errors,
        )  # fmt: skip


def stop_of(stop: str | int | None) -> int:
    """Return the simulated time at which a run ends, in picoseconds."""
    return MAX_PS if stop is None else whole_time("stop", stop, 1)


@contextmanager
def _built(config: _core.ClusterConfig, is_watched: bool) -> Iterator[_core.Cluster]:
    wanted = config.pcap
    with ExitStack() as stack:
        if wanted:
            config.pcap = stack.enter_context(_captured_to(wanted))
            stack.callback(setattr, config, "pcap", wanted)
        cluster = _core.Cluster(config, is_watched)
        stack.callback(cluster.close)
        yield cluster


@contextmanager
def _captured_to(path: str) -> Iterator[str]:
    """Yield the temporary path of a capture that becomes `path`; errors name `path`."""
    with place_for(Path(path)) as place:
        try:
            yield str(place)
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(place), path)) from error


def run_on_ranks(
    config: _core.ClusterConfig,
    mpi_ranks: int,
    what: Mapping[str, Any],
    stop: str | int | None,
    watchers: Sequence[Callable[[Simulation], object]],
    topology: _core.Topology,
    *,
    python: bytes = b"",
    capture: bool = False,
    has_samples: bool = False,
) -> tuple[dict[str, Any], Recording]:
    """Run a task on several MPI ranks; return the report and what was recorded.

    Raises:
        ConfigError: the cluster cannot be simulated by several MPI ranks.
        ViaError: an MPI rank died.
    """
    mpi_ranks = whole("mpi_ranks", mpi_ranks, 1, partitions.MOST_RANKS)
    if watchers:
        raise partitions.refusal("ns3", watchers)
    for option in ("control_network", "low_memory"):
        if getattr(config, option):
            raise partitions.refusal(option, True)
    config.stop_ps = stop_of(stop)
    task = {**partitions.cluster_of(config), **what}
    with _captured_to(config.pcap) if config.pcap else nullcontext("") as pcap:
        done = partitions.run(
            task, mpi_ranks,
            capture=capture, record=config.record, pcap=pcap, snaplen=config.snaplen,
            python=python,
        )  # fmt: skip
    return done.report, Recording(
        log=done.log,
        samples=done.samples if has_samples else None,
        decisions=done.decisions if has_samples else None,
        stdout=done.stdout,
        stderr=done.stderr,
        counters=done.counters,
        topology=topology,
        returned=done.returned,
        errors=done.errors,
    )
