# SPDX-License-Identifier: GPL-2.0-only
"""A cluster: a topology of nodes with one product's NICs. It runs workloads and programs."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from via import _core
from via._base import kinds
from via._base.progress import Progress, bar, told
from via._base.units import MAX_PS, PATIENCE, WATCHDOG_S, format_time, whole_time
from via._cluster.configured import MAX_NODES, MAX_SNAPLEN, Configured
from via._cluster.running import Running, alone, run_on_ranks
from via._programs import partitions
from via._programs.process import PythonSpec
from via._programs.program_call import ProgramCall
from via._programs.task import Command, Task, named, task_of, texts
from via.errors import refuse
from via.measured import Runs, seeds_of
from via.protocol import Protocol
from via.results import Run
from via.workloads import Workload

__all__ = ["MAX_NODES", "Cluster", "alone"]


class Cluster(Configured):
    """A cluster of nodes with one product's NICs. It can run any number of simulations.

    Args:
        topology: a name such as "star" (cascaded if the switch has too few ports) or
            "torus:8x8,hosts=2", see the page "Topologies"; or a via.Topology.
        rails: NICs per node, each on its own plane, a copy of the topology. Programs open them as
            "VINIC0", "VINIC1" and so on; workloads use the first. None: the topology's number of
            planes, or 1.
        nodes: 1 to 262144; None: 2, or all hosts of a file or a via.Topology.
        profile: a product: one of profiles.names(), or the path of a TOML file.
        host: the host computer: one of profiles.hosts(), or a path; None: the test bed on which
            the product was measured.
        kernel: the network stack for transports over kernel sockets: one of profiles.kernels(), or
            a path; None: the host's own, if a workload needs one.
        node_profiles: nodes that differ: {3: "a product"} or {3: ("a product", "a host")}; "" is
            the cluster's own product. All nodes must use the same wire format.
        seed: the seed of all randomness, such as the phases of the clocks.
        allow_plug_in: run the shared object that a profile names, see the page "Mechanisms";
            without it such a profile is refused.
        reference: simulate every bus transaction and every cell as an event, which is slow.
        payload_digest: also hash the bytes of delivered messages: Run.payload_digest.
        record: keep messages, breakdown and spans of a run. A small message takes some 400 bytes
            more and half as much time again; a table takes time and memory when it is read. Turn
            it off for runs of millions of messages.
        faults: a fault plan, see the page "Faults": a via.Faults, its dictionary, or a TOML or
            JSON file; None: no faults.
        control_network: hosted programs have a second network, at no cost: host "c<i>" is node i
            there, see the page "Sockets".
        low_memory: globals, heaps and stacks of hosted programs are below 2 GiB, for code that
            keeps pointers in 32 bits, see the page "Processes".
        overrides: other values for profile keys: {"nic.clock": "125 MHz"}. A different mechanism
            also needs the keys that belong to it.

    Raises:
        ConfigError: the text names the option, its value and what is allowed.
    """

    _started: Running | None = None
    _now_ps = 0  # of what was started

    def run(
        self,
        workload: str | Workload | type[Workload] | Callable[..., Protocol] | None = None,
        *,
        patience: str | int = PATIENCE,
        watchdog: int = WATCHDOG_S,
        stop: str | int | None = None,
        pcap: str | os.PathLike[str] | None = None,
        snaplen: int = 65536,
        mpi_ranks: int | None = None,
        mpi_engine: str = partitions.USUAL_ENGINE,
        partition_of_switch: Sequence[int] | str = (),
        progress: Progress = False,
        check: bool = True,
        **parameters: object,
    ) -> Run:
        """Run a built-in workload or protocol, such as workloads.PingPong(size=4), or your own.

        Args:
            workload: one of via.workloads, or its name, such as "ping-pong"; a subclass of
                via.Protocol, or another callable that returns an instance of one; None: the
                processes that process() and spawn() added.
            patience, watchdog: as for run_program(); they apply to processes.
            stop: simulated time at which the run ends, such as "10us" or picoseconds.
            pcap: write the packets at all NIC ports to this pcapng file, see the page "Capture".
            snaplen: bytes of payload to keep of each packet: 0 to 261976.
            mpi_ranks: number of OS processes that simulate on this machine, 1 to 64 and no more
                than nodes, see the page "Several processors"; None: this process alone. Functions
                of processes are sent there with cloudpickle.
            mpi_engine: how MPI ranks synchronize: "granted-window", or "null-message", which needs
                stop.
            partition_of_switch: for each switch, the MPI rank that simulates it and its hosts;
                empty: the switches with hosts are divided evenly, in order; "graph-cut": evenly,
                with few cables between partitions.
            progress: True: a progress bar of simulated time, in a terminal or a notebook; or a
                function that gets the simulated time in picoseconds, several times per second. It
                has no effect on results; an exception in it ends the run. Not with mpi_ranks.
            check: raise a RunError unless all processes succeed.
            parameters: parameters of a workload that is given by its name or class, such as size=4
                or rounds=100; of a protocol of your own also those of its constructor.

        Raises:
            ConfigError: an unknown workload or parameter, or a value out of range.
            RunError: see Run.expect_clean().
            NoProgress: the watchdog ended the run.
            ViaError: an MPI rank died.
        """
        if "seeds" in parameters:
            raise refuse("seeds", parameters["seeds"], "measure() runs several seeds, run() one")
        kinds.flag("check", check)
        kind, parameters = named(workload, parameters)
        own = self._for_one_run()
        own._limit(patience, watchdog)
        own._capture(pcap, snaplen)
        asked = partitions.asked_for(mpi_ranks, mpi_engine, partition_of_switch)
        if mpi_ranks is not None:
            if progress:
                raise partitions.refusal("progress", progress)
            if isinstance(kind, str):
                sent = {"workload": kind, "parameters": texts(parameters)}
                run = own._on_ranks(mpi_ranks, {**sent, **asked}, stop, sent, has_samples=True)
            else:
                run = own._python_on_ranks(mpi_ranks, asked, stop, kind, parameters)
            return run.expect_clean() if check else run
        what = own._task(kind, parameters)
        run = own._simulate(what, stop, progress=progress, has_samples=kind is not None)
        return run.expect_clean() if check else run

    def measure(
        self,
        workload: str | Workload | type[Workload] | Callable[..., Protocol] | None = None,
        *,
        seeds: int | Sequence[int] = 10,
        progress: bool = False,
        **given: Any,
    ) -> Runs:
        """Run the same once per seed, for means with confidence intervals.

        Args:
            workload: as for run().
            seeds: how many: the cluster's seed and those after it; or the seeds themselves.
            progress: show a progress bar of the runs.
            given: further arguments of run(), such as stop="10us" or rounds=100; but no pcap.

        Returns:
            The runs, with `.latency(ci=95)`, `.table`, and each one by its place.

        Raises:
            ConfigError: wrong seeds; or as run().
            RunError: as run(), of the first run that failed.
        """
        listed = seeds_of(seeds, self._config.seed)
        kinds.flag("progress", progress)
        if given.get("pcap") is not None:
            raise refuse("pcap", given["pcap"], "one file cannot take several runs; see run()")
        own = self._for_one_run()
        runs = []
        for seed in bar(listed, desc="seeds", disable=not progress, leave=False):
            own._config.seed = seed
            runs.append(own.run(workload, **given))
        return Runs(runs)

    def start(
        self,
        workload: str | Workload | type[Workload] | Callable[..., Protocol] | None = None,
        *,
        patience: str | int = PATIENCE,
        watchdog: int = WATCHDOG_S,
        stop: str | int | None = None,
        **parameters: object,
    ) -> None:
        """Begin a run that step() continues and finish() ends.

        Args:
            workload, patience, watchdog, stop, parameters: as for run().

        Raises:
            ConfigError: as run(), or another run has been started and not finished.
        """
        own = self._for_one_run()
        own._limit(patience, watchdog)
        own._capture(None, MAX_SNAPLEN)
        kind, parameters = named(workload, parameters)
        what = own._task(kind, parameters)
        self._started = own._begin(what, stop, has_samples=kind is not None)
        self._now_ps = 0

    def step(self, until: str | int) -> bool:
        """Continue a run of start() up to a simulated time.

        Between steps nothing is lost: the run that finish() returns is the one of run(), to the
        last digit of its digest. A process may be a little ahead of the simulated time.

        Args:
            until: simulated time, such as "10us" or picoseconds; not before that of the last step.

        Returns:
            Whether anything is left to simulate.

        Raises:
            ConfigError: no run was started, or the time is before that of the last step.
            NoProgress: the watchdog ended the run.
        """
        running = self._begun("step")
        until_ps = whole_time("until", until, 0)
        if until_ps < self._now_ps:
            raise refuse("until", until, f"the run is at {format_time(self._now_ps)} already")
        try:
            is_over = running.advance(until_ps)
        except BaseException:
            self._started = None
            running.give_up()
            raise
        self._now_ps = until_ps
        return not is_over

    def finish(self, check: bool = True) -> Run:
        """End a run of start() where it is, and return it.

        After the last step() has returned False, the run is complete. Else a RunError lists the
        processes that have not ended; check=False returns the run all the same. Its digest, spans
        and counters then include what was planned ahead, some microseconds; for those of the very
        instant, which are equal in each mode, give run() or start() a stop.

        Args:
            check: raise a RunError unless all processes succeed.

        Raises:
            ConfigError: no run was started.
            RunError: see Run.expect_clean().
        """
        kinds.flag("check", check)
        running = self._begun("finish")
        self._started = None
        run = self._end(running)
        return run.expect_clean() if check else run

    def _begun(self, call: str) -> Running:
        if self._started is None:
            raise refuse(call, "no run", "start() begins one")
        return self._started

    def _on_ranks(
        self,
        mpi_ranks: int,
        what: dict[str, Any],
        stop: str | int | None,
        command: Command,
        *,
        python: bytes = b"",
        capture: bool = False,
        has_samples: bool = False,
    ) -> Run:
        graph = partitions.graph_of(self.topology) if self._is_graph else {}
        task = {**graph, **self._fault_task, "watchdog": self._watchdog_s, **what}
        done = run_on_ranks(
            self._config, mpi_ranks, task, stop, self._watchers, self.topology,
            python=python, capture=capture, has_samples=has_samples,
        )  # fmt: skip
        dealt = what.get("partition_of_switch", [])
        placing = {"mpi_ranks": mpi_ranks, "partition_of_switch": dealt}
        told = {**command, "patience": self._patience, **placing}
        return Run(*done, self._provenance(told, stop))

    def _python_on_ranks(
        self,
        mpi_ranks: int,
        asked: dict[str, Any],
        stop: str | int | None,
        kind: Any,
        parameters: dict[str, object],
    ) -> Run:
        what = self._task(kind, parameters)
        python = partitions.packed(what, self._watchdog_s, mpi_ranks)
        return self._on_ranks(
            mpi_ranks, {"python": True, **asked}, stop, what.command,
            python=python, has_samples=kind is not None,
        )  # fmt: skip

    def _task(self, kind: Any, parameters: dict[str, object]) -> Task:
        if kind is None:
            return self._added(parameters)
        return task_of(kind, parameters, inspect.signature(Cluster.run).parameters)

    def _added(self, given: Mapping[str, object]) -> Task:
        """Return the requested processes."""
        specs = tuple(self._specs)
        if not specs:
            raise refuse("workload", None, "no process was added: @cluster.process(node), spawn()")
        if given:
            raise refuse("parameters", sorted(given), "processes have none: arguments are theirs")

        def add(cluster: _core.Cluster) -> None:
            for spec in specs:
                spec.add(cluster, len(specs))

        codes = [spec.function for spec in specs if isinstance(spec, PythonSpec)]
        return Task(add, {"processes": [spec.provenance() for spec in specs]}, codes)

    def run_program(
        self,
        program: str | os.PathLike[str],
        args: Sequence[object] = (),
        *,
        procs_per_node: int = 1,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] = "",
        stdin: str | os.PathLike[str] = "",
        prefix: bool = False,
        stop: str | int | None = None,
        patience: str | int = PATIENCE,
        watchdog: int = WATCHDOG_S,
        capture: bool = False,
        pcap: str | os.PathLike[str] | None = None,
        snaplen: int = 65536,
        mpi_ranks: int | None = None,
        mpi_engine: str = partitions.USUAL_ENGINE,
        partition_of_switch: Sequence[int] | str = (),
        check: bool = True,
    ) -> Run:
        """Run a VIPL program made by `via cc` on every node.

        Process i runs on node i / procs_per_node. In args, env values and cwd, {rank}, {size}
        and {host} are replaced; VIA_RANK, VIA_SIZE and VIA_PROCS_PER_NODE are set.

        Args:
            program: the shared object.
            args: its arguments, without the program name.
            procs_per_node: 1 to 1024.
            env: environment variables; none are inherited from this process. "1-:NAME", "0:NAME"
                or "2-5:NAME" is a variable of these processes only.
            cwd: working directory; default: this process's.
            stdin: a file to read; default: empty input.
            prefix: write "[n3.0] " before each output line.
            stop: simulated time at which the run ends, such as "10us" or picoseconds.
            patience: simulated time after which programs that only poll or compute, while all
                others wait forever, count as deadlocked; at least "1ms".
            watchdog: seconds of this machine's CPU time in which simulated time may stand still.
                After that a process that stays in a loop counts as deadlocked, and other work that
                repeats at one instant ends the run; 0: no limit.
            capture: keep the output in Run.stdout and Run.stderr.
            pcap: write the packets at all NIC ports to this pcapng file, see the page "Capture".
            snaplen: bytes of payload to keep of each packet: 0 to 261976.
            mpi_ranks, mpi_engine, partition_of_switch: as for run(). Output appears when the run
                is over, and patience is unlimited: programs that poll forever need stop.
            check: raise a RunError unless all processes succeed.

        Raises:
            ConfigError: an argument is wrong, or the program cannot be loaded.
            RunError: see Run.expect_clean().
            NoProgress: the watchdog ended the run.
            ViaError: an MPI rank died.
        """
        kinds.flag("check", check)
        kinds.flag("capture", capture)
        call = ProgramCall.of(
            program, self.nodes, args=args, procs_per_node=procs_per_node, env=env, cwd=cwd,
            stdin=stdin, prefix=prefix,
        )  # fmt: skip
        own = self._for_one_run()
        own._limit(patience, watchdog)
        own._capture(pcap, snaplen, [("program", call.path), ("stdin", stdin)])
        asked = partitions.asked_for(mpi_ranks, mpi_engine, partition_of_switch)
        if mpi_ranks is not None:
            what = {**asked, "program": call.sent()}
            run = own._on_ranks(mpi_ranks, what, stop, call.command(), capture=capture)
        else:
            run = own._simulate(call.task(), stop, capture=capture)
        return run.expect_clean() if check else run

    def _simulate(
        self,
        what: Task,
        stop: str | int | None,
        *,
        progress: Progress = False,
        capture: bool = False,
        has_samples: bool = False,
    ) -> Run:
        with self._begin(what, stop, capture=capture, has_samples=has_samples) as running:
            with told(progress, None if stop is None else self._config.stop_ps) as tell:
                running.advance(MAX_PS, tell)
            return self._end(running)

    def _begin(
        self,
        what: Task,
        stop: str | int | None,
        *,
        capture: bool = False,
        has_samples: bool = False,
    ) -> Running:
        what = replace(what, command={**what.command, "patience": self._patience})
        return Running(
            self._config, what, stop, self._watchdog_s, self._watchers,
            capture=capture, has_samples=has_samples,
        )  # fmt: skip

    def _end(self, running: Running) -> Run:
        report, recording = running.end(self.topology)
        return Run(report, recording, self._provenance(running.command, running.stop))
