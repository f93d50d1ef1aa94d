# SPDX-License-Identifier: GPL-2.0-only
"""A cluster: a topology of nodes with one product's NICs. It runs workloads and programs."""

from __future__ import annotations

import inspect
import os
import platform
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from via import _core, profiles
from via import faults as fault_plans
from via._base import kinds, notebook
from via._base.files import check_outputs, place_for
from via._base.progress import Progress, bar, told
from via._base.units import MAX_PS, PS_PER_MS, WATCHDOG_S, format_time, whole, whole_time
from via._programs import partitions, plug_ins
from via._programs.capture import Captured, captured
from via._programs.foreign import advance
from via._programs.process import Processes, PythonSpec, name_of
from via._programs.program_call import ProgramCall
from via._programs.task import Command, Task, code_of, named, task_of, texts
from via._runs.recording import Recording
from via.errors import ConfigError, refuse
from via.measured import Runs, seeds_of
from via.ns3 import Simulation
from via.protocol import Protocol
from via.results import Run
from via.topology import svg_of
from via.versions import VERSION
from via.workloads import Workload

MAX_NODES = _core.MOST_HOSTS
MAX_SNAPLEN = 261976  # with its header a packet reaches Wireshark's limit of 256 KiB
MAX_RAILS = 8
MAX_WATCHDOG_S = 1_000_000
LEAST_PATIENCE_PS = PS_PER_MS  # one call may occupy the CPU for nearly as long

# ns-3 has one simulator per OS process, so only one C++ cluster can exist at a time.
_one_at_a_time = threading.Lock()
_runner: int | None = None  # the thread that holds it


@dataclass(frozen=True)
class _Begun:
    """A run that has begun: the simulator, what it does, when it stops, its output."""

    cluster: _core.Cluster
    what: Task
    stop: str | int | None
    output: Captured
    has_samples: bool


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


class Cluster(Processes):
    """A cluster of nodes with one product's NICs. It can run any number of simulations.

    Args:
        topology: a name such as "star" (cascaded if the switch has too few ports) or
            "torus:8x8,hosts=2", see the page "Topologies"; or a via.Topology.
        rails: NICs per node, each on its own plane, a copy of the topology. Programs open them as
            "VINIC0", "VINIC1" and so on; workloads use the first. None: the topology's number of
            planes, or 1.
        nodes: 1 to 262144; None: 2, or all hosts of a via.Topology.
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

    def __init__(
        self,
        topology: str | _core.Topology = "star",
        *,
        nodes: int | None = None,
        rails: int | None = None,
        profile: str = "giganet-clan1000",
        host: str | None = None,
        kernel: str | None = None,
        node_profiles: Mapping[int, str | tuple[str, str]] | None = None,
        seed: int = 1,
        allow_plug_in: bool = False,
        reference: bool = False,
        payload_digest: bool = True,
        record: bool = True,
        faults: fault_plans.Given = None,
        control_network: bool = False,
        low_memory: bool = False,
        overrides: Mapping[str, object] | None = None,
    ) -> None:
        config = _core.ClusterConfig()
        graph = topology if isinstance(topology, _core.Topology) else None
        if rails is not None:
            whole("rails", rails, 1, MAX_RAILS)
            if graph is not None:
                graph = _core.with_rails(graph, rails)
            elif rails > 1:
                topology = f"{topology},rails={rails}"
        if nodes is None:
            nodes = graph.hosts if graph is not None else 2
        config.nodes = whole("nodes", nodes, 1, MAX_NODES)
        config.seed = whole("seed", seed, 0, 2**64 - 1)
        config.profile = kinds.text("profile", profile)
        config.host = "" if host is None else kinds.text("host", host)
        config.kernel = "" if kernel is None else kinds.text("kernel", kernel)
        config.others = _others(kinds.mapping("node_profiles", node_profiles), config.nodes)
        config.reference = bool(reference)
        config.payload_digest = bool(payload_digest)
        config.allow_plug_in = bool(allow_plug_in) or plug_ins.allowed
        config.record = bool(record)
        config.control_network = bool(control_network)
        config.low_memory = bool(low_memory)
        config.topology = graph.name if graph is not None else kinds.text("topology", topology)
        config.graph = graph
        config.overrides = {
            kinds.text("overrides", key): str(value)
            for key, value in kinds.mapping("overrides", overrides).items()
        }
        self._config = config
        self._watchdog_s = WATCHDOG_S
        self._started: tuple[_Begun, ExitStack] | None = None
        self._now_ps = 0

        self.profile = _profile(config, host)
        self.topology = graph or _core.parse_topology(config.topology, config.nodes, self.profile)
        if self.topology.hosts != config.nodes:
            raise refuse("nodes", nodes, f"{config.topology} connects {self.topology.hosts}")
        config.plan, self._faults = fault_plans.load(faults)
        self._fault_task = fault_plans.task(faults)
        config.plan.check(self.topology)
        super().__init__(config.nodes)

    def __repr__(self) -> str:
        return (
            f"<via.Cluster of {self._config.nodes} nodes: {self.topology.name} of "
            f"{self.profile.title} on {self.profile.host}, seed {self._config.seed}>"
        )

    def _repr_html_(self) -> str:
        """Return the cluster for a notebook."""
        config = self._config
        shown: dict[str, object] = {
            "nodes": config.nodes,
            "topology": self.topology.name,
            "product": self.profile.title,
            "host": self.profile.host,
            "seed": config.seed,
        }
        if config.overrides:
            shown["overrides"] = ", ".join(f"{k} = {v}" for k, v in config.overrides.items())
        if self.profile.sketch:
            shown["sketch"] = self.profile.sketch
        return notebook.table("via.Cluster", shown)

    def _repr_svg_(self) -> str | None:
        """Return a drawing of the cluster's topology for a notebook; None: it is too large."""
        return svg_of(self.topology)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self._config.nodes

    def profile_of(self, node: int) -> profiles.Profile:
        """Return the profile of a node: the cluster's, or its entry in node_profiles.

        Raises:
            ConfigError: there is no such node.
        """
        other = self._config.others.get(whole("node", node, 0, self.nodes - 1))
        if other is None:
            return self.profile
        profile = profiles.load(other.profile or self._config.profile, other.host or None)
        return profile.with_values(self._config.overrides)

    def run(
        self,
        workload: str | Workload | type[Workload] | Callable[..., Protocol] | None = None,
        *,
        patience: str | int = "30s",
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
                than nodes, see the page "Several processors"; None: this process alone.
            mpi_engine: how MPI ranks synchronize: "granted-window", or "null-message", which needs
                stop.
            partition_of_switch: for each switch, the MPI rank that simulates it and its hosts;
                empty: the switches with hosts are divided evenly, in order; "graph-cut": evenly,
                with few cables between partitions.
            progress: True: a progress bar of simulated time, in a terminal or a notebook; or a
                function that gets the simulated time in picoseconds, several times per second. It
                has no effect on results; an exception in it ends the run.
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
        kind, parameters = named(workload, parameters)
        self._config.patience_ps = whole_time("patience", patience, LEAST_PATIENCE_PS)
        self._watchdog_s = whole("watchdog", watchdog, 0, MAX_WATCHDOG_S)
        self._capture(pcap, snaplen)
        asked = partitions.asked_for(mpi_ranks, mpi_engine, partition_of_switch)
        if mpi_ranks is not None:
            if not isinstance(kind, str):
                raise refuse("workload", kind, "not on several MPI ranks yet: what Python does")
            sent = {"workload": kind, "parameters": texts(parameters)}
            run = self._on_ranks(mpi_ranks, {**sent, **asked}, stop, sent, has_samples=True)
            return run.expect_clean() if check else run
        what = self._task(kind, parameters)
        run = self._simulate(what, stop, progress=progress, has_samples=kind is not None)
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
            given: further arguments of run(), such as stop="10us" or rounds=100.

        Returns:
            The runs: `.latency(ci=95)`, `.table`, and each one by its place.

        Raises:
            ConfigError: wrong seeds; or as run().
            RunError: as run(), of the first run that failed.
        """
        own = self._config.seed
        listed = seeds_of(seeds, own)
        if not isinstance(progress, bool):
            raise refuse("progress", repr(progress), "True or False is needed")
        try:
            runs = []
            for seed in bar(listed, desc="seeds", disable=not progress, leave=False):
                self._config.seed = seed
                runs.append(self.run(workload, **given))
        finally:
            self._config.seed = own
        return Runs(runs)

    def start(
        self,
        workload: str | Workload | type[Workload] | Callable[..., Protocol] | None = None,
        *,
        patience: str | int = "30s",
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
        self._config.patience_ps = whole_time("patience", patience, LEAST_PATIENCE_PS)
        self._watchdog_s = whole("watchdog", watchdog, 0, MAX_WATCHDOG_S)
        self._capture(None, MAX_SNAPLEN)
        kind, parameters = named(workload, parameters)
        what = self._task(kind, parameters)
        with ExitStack() as stack:
            begun = self._begin(stack, what, stop, has_samples=kind is not None)
            self._started = (begun, stack.pop_all())
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
        begun, stack = self._begun()
        until_ps = whole_time("until", until, 0)
        if until_ps < self._now_ps:
            raise refuse("until", until, f"the run is at {format_time(self._now_ps)} already")
        try:
            is_over = self._advance(begun, until_ps)
        except BaseException:
            self._started = None
            stack.close()
            raise
        self._now_ps = until_ps
        return not is_over

    def finish(self, check: bool = True) -> Run:
        """End a run of start() where it is, and return it.

        After the last step() has returned False, the run is complete. Else processes that have not
        ended are reported as still running.

        Args:
            check: raise a RunError unless all processes succeed.

        Raises:
            ConfigError: no run was started.
            RunError: see Run.expect_clean().
        """
        begun, stack = self._begun()
        self._started = None
        run = self._finish(begun, stack)
        return run.expect_clean() if check else run

    def _begun(self) -> tuple[_Begun, ExitStack]:
        if self._started is None:
            raise refuse("step", "no run", "start() begins one")
        return self._started

    def _on_ranks(
        self,
        mpi_ranks: int,
        what: dict[str, Any],
        stop: str | int | None,
        command: Command,
        *,
        capture: bool = False,
        has_samples: bool = False,
    ) -> Run:
        mpi_ranks = whole("mpi_ranks", mpi_ranks, 1, partitions.MOST_RANKS)
        config = self._config
        refusals: tuple[tuple[str, object, str], ...] = (
            ("topology", config.graph, "a topology that is a value: its name is needed"),
            ("pcap", config.pcap, "captures"),
            ("control_network", config.control_network, "sockets of programs"),
            ("low_memory", config.low_memory, "programs below 2 GiB"),
            ("ns3", self._watchers, "what looks at ns-3's objects"),
        )
        for option, value, what_else in refusals:
            if value:
                raise refuse(option, value, f"not on several MPI ranks yet: {what_else}")
        config.stop_ps = MAX_PS if stop is None else whole_time("stop", stop, 1)
        task = {**partitions.cluster_of(config), **self._fault_task, **what}
        done = partitions.run(task, mpi_ranks, capture=capture)
        recording = Recording(
            samples=done.samples if has_samples else None,
            decisions=done.decisions if has_samples else None,
            stdout=done.stdout,
            stderr=done.stderr,
        )
        dealt = what.get("partition_of_switch", [])
        placing = {"mpi_ranks": mpi_ranks, "partition_of_switch": dealt}
        return Run(done.report, recording, self._provenance({**command, **placing}, stop))

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
        patience: str | int = "30s",
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
        call = ProgramCall.of(
            program, self.nodes, args=args, procs_per_node=procs_per_node, env=env, cwd=cwd,
            stdin=stdin, prefix=prefix,
        )  # fmt: skip
        self._config.patience_ps = whole_time("patience", patience, LEAST_PATIENCE_PS)
        self._watchdog_s = whole("watchdog", watchdog, 0, MAX_WATCHDOG_S)
        self._capture(pcap, snaplen, [("program", call.path), ("stdin", stdin)])
        asked = partitions.asked_for(mpi_ranks, mpi_engine, partition_of_switch)
        if mpi_ranks is not None:
            what = {**asked, "program": call.sent()}
            run = self._on_ranks(mpi_ranks, what, stop, call.command(patience), capture=capture)
        else:
            run = self._simulate(call.task(patience), stop, capture=capture)
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
        with ExitStack() as stack:
            begun = self._begin(stack, what, stop, capture=capture, has_samples=has_samples)
            with told(progress, None if stop is None else self._config.stop_ps) as tell:
                self._advance(begun, MAX_PS, tell)
            return self._finish(begun, stack.pop_all())

    def _begin(
        self,
        stack: ExitStack,
        what: Task,
        stop: str | int | None,
        *,
        capture: bool = False,
        has_samples: bool = False,
    ) -> _Begun:
        stack.enter_context(alone())
        output = stack.enter_context(captured(capture))
        cluster = stack.enter_context(self._built(stop))
        for watcher in self._watchers:
            watcher(Simulation(cluster))
        what.add(cluster)
        return _Begun(cluster, what, stop, output, has_samples)

    def _advance(
        self, begun: _Begun, until_ps: int, tell: Callable[[int], object] | None = None
    ) -> bool:
        codes = map(code_of, begun.what.codes)
        return advance(begun.cluster, codes, until_ps, self._watchdog_s, tell)

    def _finish(self, begun: _Begun, stack: ExitStack) -> Run:
        """Return the run, after its output has been closed by the stack."""
        with stack:
            cluster = begun.cluster
            report = cluster.finish()
            returned, errors = cluster.returned(), cluster.errors()
            log = cluster.take_log() if self._config.record else None
            samples = cluster.samples() if begun.has_samples else None
            decisions = cluster.decisions() if begun.has_samples else None
            links, ports, cards = cluster.links(), cluster.ports(), cluster.cards()
        recording = Recording(
            log, samples, begun.output.stdout, begun.output.stderr, decisions,
            links, ports, cards, self.topology, returned, errors,
        )  # fmt: skip
        return Run(report, recording, self._provenance(begun.what.command, begun.stop))

    def _capture(
        self,
        pcap: str | os.PathLike[str] | None,
        snaplen: int,
        read: Sequence[tuple[str, str | os.PathLike[str]]] = (),
    ) -> None:
        self._config.snaplen = whole("snaplen", snaplen, 0, MAX_SNAPLEN)
        self._config.pcap = "" if pcap is None else str(kinds.path("pcap", pcap))
        files = {entry.file for entry in self.profile.entries}
        check_outputs({"pcap": pcap}, [*read, *(("profile", file) for file in sorted(files))])

    @contextmanager
    def _built(self, stop: str | int | None) -> Iterator[_core.Cluster]:
        self._config.stop_ps = MAX_PS if stop is None else whole_time("stop", stop, 1)
        wanted = self._config.pcap
        with ExitStack() as stack:
            if wanted:
                self._config.pcap = stack.enter_context(_captured_to(wanted))
                stack.callback(setattr, self._config, "pcap", wanted)
            cluster = _core.Cluster(self._config, bool(self._watchers))
            stack.callback(cluster.close)
            yield cluster

    def _provenance(self, command: dict[str, Any], stop: str | int | None) -> dict[str, Any]:
        config = self._config
        watchers = {"ns3": [name_of(each) for each in self._watchers]} if self._watchers else {}
        return {
            "via": VERSION,
            "profile": config.profile,
            "sketch": self.profile.sketch,
            "host": self.profile.host,
            "fingerprint": self.profile.fingerprint,
            "overrides": dict(config.overrides),
            "node_profiles": {
                node: [other.profile, other.host] for node, other in config.others.items()
            },
            "faults": self._faults,
            "topology": config.topology,
            "nodes": config.nodes,
            "seed": config.seed,
            "reference": config.reference,
            **({"control_network": True} if config.control_network else {}),
            **({"low_memory": True} if config.low_memory else {}),
            "stop_ps": None if stop is None else config.stop_ps,
            **command,
            **watchers,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "pandas": pd.__version__,
        }


@contextmanager
def _captured_to(path: str) -> Iterator[str]:
    """Yield the temporary path of a capture that becomes `path`; errors name `path`."""
    with place_for(Path(path)) as place:
        try:
            yield str(place)
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(place), path)) from error


def _others(given: Mapping[int, str | tuple[str, str]], nodes: int) -> dict[int, _core.NodeProfile]:
    """Return the nodes that differ from the cluster's profile."""
    others: dict[int, _core.NodeProfile] = {}
    for node, what in given.items():
        pair = [what, ""] if isinstance(what, str) else kinds.listed("node_profiles", what)
        if len(pair) != 2:
            raise refuse("node_profiles", repr(what), "a product, or a product and a host")
        product, host = pair
        number = whole("node_profiles", node, 0, nodes - 1)
        others[number] = _core.NodeProfile(str(product), str(host))
    return others


def _profile(config: _core.ClusterConfig, host: str | None) -> profiles.Profile:
    """Return the profile as simulated; with a kernel if one is chosen or overridden."""
    profile = profiles.load(config.profile, host)
    known = set(_core.profile_keys())
    kernels = any(key in known and profiles.key(key).is_kernels for key in config.overrides)
    if config.kernel or kernels:
        profile = profile.with_kernel(config.kernel)
    return profile.with_values(config.overrides)
