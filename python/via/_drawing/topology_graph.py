# SPDX-License-Identifier: GPL-2.0-only
"""A topology as a graph of hosts, switches and cables, also as a networkx graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from via.errors import refuse

if TYPE_CHECKING:
    import networkx as nx


class Graph(Protocol):
    """The graph of a topology, or of one of its planes: hosts, switches, cables."""

    @property
    def name(self) -> str:
        """The topology's name."""

    @property
    def hosts(self) -> int:
        """The number of hosts."""

    @property
    def places(self) -> Sequence[Sequence[int]]:
        """Coordinates of each switch in the order of its family."""

    @property
    def cables(self) -> Sequence[tuple[str, str]]:
        """Both ends of each cable, such as "n0" and "s0.3"."""

    @property
    def wires(self) -> Mapping[str, Sequence[int]]:
        """Attributes of each cable by name; 0: the product's."""


def split(end: str) -> tuple[str, int]:
    """Return the node and port of a cable's end: "s0.5" is ("s0", 5), "n3" is ("n3", 0)."""
    node, _, port = end.partition(".")
    return node, int(port or 0)


def attributes_of(topology: Graph, number: int) -> dict[str, int]:
    """Return what this cable has in place of the product's wires."""
    return {name: values[number] for name, values in topology.wires.items() if values[number]}


def graph_of(topology: Graph) -> nx.MultiGraph:
    """Return a networkx graph, see via.topology.to_networkx().

    Raises:
        ConfigError: networkx is not installed.
    """
    try:
        import networkx as nx
    except ImportError:
        raise refuse("networkx", "not installed", "on Debian: python3-networkx") from None

    graph = nx.MultiGraph(name=topology.name)
    for host in range(topology.hosts):
        graph.add_node(f"n{host}", kind="host")
    for switch, place in enumerate(topology.places):
        graph.add_node(f"s{switch}", kind="switch", place=tuple(place))
    for number, (one, other) in enumerate(topology.cables):
        (a, port_a), (b, port_b) = split(one), split(other)
        graph.add_edge(a, b, ports={a: port_a, b: port_b}, **attributes_of(topology, number))
    return graph
