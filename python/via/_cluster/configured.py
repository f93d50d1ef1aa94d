# SPDX-License-Identifier: GPL-2.0-only
"""What a cluster is: the arguments of via.Cluster, checked, and what is told of them."""

from __future__ import annotations

import copy
import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from via import _core, profiles
from via import faults as fault_plans
from via._base import kinds, notebook
from via._base.files import check_outputs
from via._base.kernel_keys import any_of_kernels
from via._base.units import PATIENCE, PS_PER_MS, WATCHDOG_S, whole, whole_time
from via._cluster.files import card_files, faults_file, topology_file
from via._programs import plug_ins
from via._programs.process import Processes, ProgramSpec, name_of
from via.errors import refuse
from via.faults import Faults
from via.topology import MAX_RAILS, parse, svg_of
from via.versions import VERSION, version_of

MAX_NODES = _core.MOST_HOSTS
MAX_SNAPLEN = 261976  # with its header a packet reaches Wireshark's limit of 256 KiB
MAX_WATCHDOG_S = 1_000_000
LEAST_PATIENCE_PS = PS_PER_MS  # one call may occupy the CPU for nearly as long


class Configured(Processes):
    """A cluster and the processes that it will run; base class of via.Cluster."""

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
        faults: Faults | Mapping[str, Any] | str | os.PathLike[str] | None = None,
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
            nodes = _usual_nodes(graph, topology)
        config.nodes = whole("nodes", nodes, 1, MAX_NODES)
        config.seed = whole("seed", seed, 0, 2**64 - 1)
        config.profile = kinds.text("profile", profile)
        config.host = "" if host is None else kinds.text("host", host)
        config.kernel = "" if kernel is None else kinds.text("kernel", kernel)
        config.others = others_of(node_profiles, config.nodes)
        config.reference = kinds.flag("reference", reference)
        config.payload_digest = kinds.flag("payload_digest", payload_digest)
        config.allow_plug_in = kinds.flag("allow_plug_in", allow_plug_in) or plug_ins.allowed
        config.record = kinds.flag("record", record)
        config.control_network = kinds.flag("control_network", control_network)
        config.low_memory = kinds.flag("low_memory", low_memory)
        config.topology = graph.name if graph is not None else kinds.text("topology", topology)
        config.overrides = {
            kinds.text("overrides", key): kinds.written("overrides", value)
            for key, value in kinds.mapping("overrides", overrides).items()
        }
        self._config = config
        # if not, the name says it all; a file's name does not, once the file is another
        self._is_graph = graph is not None or config.topology.startswith("file:")
        self._patience = PATIENCE
        self._watchdog_s = WATCHDOG_S

        self.profile = _profile(config, host)
        self.topology = graph or _core.parse_topology(config.topology, config.nodes, self.profile)
        if self.topology.hosts != config.nodes:
            raise refuse("nodes", nodes, f"{config.topology} connects {self.topology.hosts}")
        if rails is not None and self.topology.rails != rails:
            raise refuse("rails", rails, f"{config.topology} has {self.topology.rails}")
        config.graph = self.topology  # so that the simulator need not read the name again
        config.plan, self._faults = fault_plans.load(faults)
        self._fault_task = fault_plans.task(faults, self._faults)
        self._read = [
            ("topology", topology_file({"topology": topology})),
            ("faults", faults_file({"faults": faults})),
        ]
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
        if self.profile.kernel:  # all nodes have that of the cluster
            profile = profile.with_kernel(self._config.kernel or self.profile.kernel)
        return profile.with_values(self._config.overrides)

    def _for_one_run(self) -> Self:
        """Return this cluster with a configuration of its own, which takes the options of a run.

        So runs of one cluster in several threads do not get the options of each other.
        """
        own = copy.copy(self)
        own._config = _core.ClusterConfig()
        for name, each in vars(_core.ClusterConfig).items():
            if isinstance(each, property):
                setattr(own._config, name, getattr(self._config, name))
        return own

    def _limit(self, patience: str | int, watchdog: int) -> None:
        self._config.patience_ps = whole_time("patience", patience, LEAST_PATIENCE_PS)
        self._patience = patience if isinstance(patience, str) else f"{self._config.patience_ps}ps"
        self._watchdog_s = whole("watchdog", watchdog, 0, MAX_WATCHDOG_S)

    def _capture(
        self,
        pcap: str | os.PathLike[str] | None,
        snaplen: int,
        read: Sequence[tuple[str, str | os.PathLike[str]]] = (),
    ) -> None:
        self._config.snaplen = whole("snaplen", snaplen, 0, MAX_SNAPLEN)
        self._config.pcap = "" if pcap is None else kinds.written("pcap", kinds.path("pcap", pcap))
        cards = (self.profile, *map(self.profile_of, self._config.others))
        files = sorted({file for card in cards for file in card_files(card)})
        spawned = [
            (option, place)
            for spec in self._specs
            if isinstance(spec, ProgramSpec)
            for option, place in (("program", spec.path), ("stdin", spec.stdin))
        ]
        profile = [("profile", file) for file in files]
        check_outputs({"pcap": pcap}, [*read, *self._read, *spawned, *profile])

    def _provenance(self, command: dict[str, Any], stop: str | int | None) -> dict[str, Any]:
        config = self._config
        watchers = {"ns3": [name_of(each) for each in self._watchers]} if self._watchers else {}
        return {
            "via": VERSION,
            "profile": config.profile,
            "sketch": self.profile.sketch,
            "host": config.host or self.profile.host,  # as given: it may be a path
            **({"kernel": config.kernel} if config.kernel else {}),
            "fingerprint": self.profile.fingerprint,
            "overrides": dict(config.overrides),
            "node_profiles": {  # with keys as JSON has them
                str(node): [other.profile, other.host] for node, other in config.others.items()
            },
            "faults": self._faults,
            "topology": config.topology,
            "nodes": config.nodes,
            "seed": config.seed,
            "reference": config.reference,
            **({"control_network": True} if config.control_network else {}),
            **({"low_memory": True} if config.low_memory else {}),
            "stop_ps": None if stop is None else whole_time("stop", stop, 1),
            **command,
            **watchers,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "pandas": version_of("pandas"),
        }


def _usual_nodes(graph: _core.Topology | None, name: object) -> int:
    """Return how many nodes a cluster has that does not say it."""
    if graph is None and isinstance(name, str) and name.startswith("file:"):
        graph = parse(name)
    return 2 if graph is None else graph.hosts


def others_of(node_profiles: object, nodes: int) -> dict[int, _core.NodeProfile]:
    """Return the nodes that differ from the cluster's profile.

    Raises:
        ConfigError: there is no such node, or its value is neither a product nor a pair.
    """
    others: dict[int, _core.NodeProfile] = {}
    for node, what in kinds.mapping("node_profiles", node_profiles).items():
        pair = [what, ""] if isinstance(what, str) else kinds.listed("node_profiles", what)
        if len(pair) != 2:
            raise refuse("node_profiles", repr(what), "a product, or a product and a host")
        product, host = pair
        is_text = isinstance(node, str) and node.isascii() and node.isdigit()  # a key of JSON
        number = whole("node_profiles", int(node) if is_text else node, 0, nodes - 1)
        others[number] = _core.NodeProfile(
            kinds.written("node_profiles", product), kinds.written("node_profiles", host)
        )
    return others


def _profile(config: _core.ClusterConfig, host: str | None) -> profiles.Profile:
    """Return the profile as simulated; with a kernel if one is chosen or overridden."""
    profile = profiles.load(config.profile, host)
    if config.kernel or any_of_kernels(config.overrides):
        profile = profile.with_kernel(config.kernel)
    return profile.with_values(config.overrides)
