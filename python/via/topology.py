# SPDX-License-Identifier: GPL-2.0-only
"""Topologies as values: made by family, from a file or from networkx; described and exported.

import via

torus = via.topology.torus(8, 8)
run = via.Cluster(torus).run("all-to-all", rounds=1)
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from via import _core, kinds, profiles
from via._core import Topology
from via.errors import refuse, refuse_name
from via.files import written
from via.units import whole

if TYPE_CHECKING:
    import networkx as nx

    from via.topology_layout import Plane

__all__ = [
    "Topology",
    "back_to_back",
    "chain",
    "clos",
    "crossbar",
    "describe",
    "dragonfly",
    "fat_tree",
    "from_file",
    "from_networkx",
    "hypercube",
    "mesh",
    "parse",
    "plot_topology",
    "ring",
    "star",
    "to_networkx",
    "torus",
    "with_rails",
    "write_graphml",
    "write_netanim",
]

MAX_NODES = 65535
MAX_RAILS = 8
MAX_PORT = 65535
MAX_SIZE = 65536  # switches
MAX_LENGTH_MM = 999_999_999  # as in files
NODE_ATTRIBUTES = ("kind", "place")  # to_networkx() says where a switch stands, too
EDGE_ATTRIBUTES = ("length_mm", "ports")

GRAPHML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="kind" for="node" attr.name="kind" attr.type="string"/>
 <key id="length_mm" for="edge" attr.name="length_mm" attr.type="int"/>
 <graph id="topology" edgedefault="undirected">
"""


def parse(text: str, nodes: int | None = None, profile: str = "giganet-clan1000") -> Topology:
    """Return the topology with this name, as on the command line.

    Args:
        text: such as "torus:8x8,hosts=2,routing=up-down".
        nodes: how many there are; None: as many as there is room for.
        profile: the product, whose switches a "star" is made of.

    Raises:
        ConfigError: naming the text and what is allowed.
    """
    count = 0 if nodes is None else whole("nodes", nodes, 1, MAX_NODES)
    return _core.parse_topology(
        kinds.text("text", text), count, profiles.load(kinds.text("profile", profile))
    )


def _named(
    family: str, shape: str, nodes: int | None, routing: str | None, **options: int | None
) -> Topology:
    given = [f"{name}={_size(name, value)}" for name, value in options.items() if value is not None]
    if routing is not None:
        given.append(f"routing={kinds.text('routing', routing)}")
    first = f"{family}:" if shape or (given and family in ("fat-tree", "clos", "dragonfly")) else ""
    text = (first or family) + (shape or "")
    if given:
        text += ("" if text.endswith(":") else ",") + ",".join(given)
    return parse(text, nodes)


def _sizes(sizes: Iterable[int]) -> str:
    return "x".join(str(_size("sizes", size)) for size in sizes)


def _size(name: str, value: object) -> int:
    return whole(name, value, 1, MAX_SIZE)


def back_to_back() -> Topology:
    """Two nodes on one cable."""
    return parse("back-to-back")


def star(nodes: int, *, profile: str = "giganet-clan1000") -> Topology:
    """Nodes around a switch of the product, cascaded beyond its ports."""
    return parse("star", nodes, profile)


def crossbar(nodes: int) -> Topology:
    """One ideal switch with a port per node."""
    return parse("crossbar", nodes)


def chain(
    switches: int, *, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Switches in a row, with so many hosts on each."""
    return _named("chain", str(_size("switches", switches)), nodes, routing, hosts=hosts)


def ring(
    switches: int, *, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Switches in a circle, with so many hosts on each."""
    return _named("ring", str(_size("switches", switches)), nodes, routing, hosts=hosts)


def mesh(
    *sizes: int, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """An n-dimensional mesh: mesh(8, 8) has 64 switches."""
    return _named("mesh", _sizes(sizes), nodes, routing, hosts=hosts)


def torus(
    *sizes: int, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """An n-dimensional torus: torus(8, 8, 4) has 256 switches."""
    return _named("torus", _sizes(sizes), nodes, routing, hosts=hosts)


def hypercube(
    dimensions: int, *, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """A hypercube of 2^dimensions switches."""
    return _named("hypercube", str(_size("dimensions", dimensions)), nodes, routing, hosts=hosts)


def fat_tree(k: int, n: int, *, nodes: int | None = None, routing: str | None = None) -> Topology:
    """A k-ary n-tree: k^n nodes, n levels of switches with 2k ports."""
    return _named("fat-tree", "", nodes, routing, k=k, n=n)


def clos(
    m: int, n: int, r: int, *, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """A folded Clos network: m spines, r leaves with n nodes each."""
    return _named("clos", "", nodes, routing, m=m, n=n, r=r)


def dragonfly(
    a: int,
    p: int,
    h: int,
    g: int | None = None,
    *,
    nodes: int | None = None,
    routing: str | None = None,
) -> Topology:
    """A dragonfly: g groups (None: a h + 1) of a routers with p nodes and h cables outside."""
    return _named("dragonfly", "", nodes, routing, a=a, p=p, h=h, g=g)


def from_file(
    path: str | os.PathLike[str], *, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Read a GraphML file, or a list of edges as CSV."""
    text = f"file:{kinds.path('path', path)}"
    if routing is not None:
        text += f",routing={kinds.text('routing', routing)}"
    return parse(text, nodes)


def from_networkx(
    graph: nx.Graph,
    *,
    hosts: int = 1,
    routing: str = "up-down",
    name: str | None = None,
    may_deadlock: bool = False,
) -> Topology:
    """Make a topology of a networkx graph.

    Args:
        graph: its nodes have an attribute kind, "host" or "switch"; if none has, all are switches
            with so many hosts each. An edge may have length_mm, and ports: {node: port}. There are
            no other attributes: all wires are the product's.
        hosts: per switch, of a graph whose nodes have no kind.
        routing: "up-down", "shortest-path", "ecmp" or "adaptive".
        name: in reports; None: "graph-" and a hash of the cables.
        may_deadlock: take routes on which packets can wait for each other in a circle.

    Raises:
        ConfigError: a node of another kind, an attribute that means nothing here, a host without
            a cable, routes that can deadlock.
    """
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise refuse("graph", repr(graph), "a graph of networkx is needed")
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) != len(names):
        raise refuse("graph", graph, "two nodes have the same text")
    hosts = whole("hosts", hosts, 0, MAX_NODES)
    for node, data in graph.nodes(data=True):
        _check_attributes(f"attribute of node {node}", data, NODE_ATTRIBUTES)
    roles = {names[node]: data.get("kind") for node, data in graph.nodes(data=True)}
    edges = [_edge(a, b, data, names) for a, b, data in graph.edges(data=True)]
    found: dict[str, list[str]] = {"host": [], "switch": []}
    if not any(roles.values()):
        found["switch"] = list(roles)
        for switch in roles:
            for number in range(hosts):
                found["host"].append(f"{switch}.host{number}")
                edges.append((found["host"][-1], switch, -1, -1, 0))
    else:
        for node, kind in roles.items():
            if kind not in found:
                raise refuse("graph", node, f'its kind is {kind!r}, "host" or "switch" is needed')
            found[kind].append(node)
    if name is None:
        name = f"graph-{_hash(found, edges)}"
    return _core.topology_from_graph(
        found["host"], found["switch"], edges, kinds.text("name", name),
        kinds.text("routing", routing), bool(may_deadlock),
    )  # fmt: skip


def with_rails(topology: Topology, rails: int) -> Topology:
    """Return the topology with so many planes: copies of it, and a card on each for every host.

    Raises:
        ConfigError: not 1 to 8, or the topology has several planes already.
    """
    if not isinstance(topology, Topology):
        raise refuse("topology", repr(topology), "a value of via.topology is needed")
    return _core.with_rails(topology, whole("rails", rails, 1, MAX_RAILS))


_Edge = tuple[str, str, int, int, int]


def _edge(a: Hashable, b: Hashable, data: dict[str, Any], names: dict[Hashable, str]) -> _Edge:
    edge = f"{a}-{b}"
    _check_attributes(f"attribute of edge {edge}", data, EDGE_ATTRIBUTES)
    ports = data.get("ports", {})
    if not isinstance(ports, Mapping):
        raise refuse(f"ports of edge {edge}", repr(ports), "a mapping {node: port} is needed")
    for node in ports:
        if node not in (a, b):
            raise refuse_name(f"ports of edge {edge}", node, (a, b))
    port_a, port_b = (whole(f"port of {end}", ports.get(end, -1), -1, MAX_PORT) for end in (a, b))
    length = whole(f"length_mm of edge {edge}", data.get("length_mm", 0), 0, MAX_LENGTH_MM)
    return names[a], names[b], port_a, port_b, length


def _check_attributes(option: str, data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse what would be dropped without a word."""
    for name in data:
        if name not in known:
            raise refuse_name(option, name, known)


def _hash(nodes: dict[str, list[str]], edges: list[_Edge]) -> str:
    import hashlib

    return hashlib.sha256(repr((nodes, edges)).encode()).hexdigest()[:12]


def _split(end: str) -> tuple[str, int]:
    """Return the node and port of a cable's end: "s0.5" is ("s0", 5), "n3" is ("n3", 0)."""
    node, _, port = end.partition(".")
    return node, int(port or 0)


def to_networkx(topology: Topology | Plane) -> nx.MultiGraph:
    """Return a networkx graph: nodes "n0" and "s0" with their kind, edges with ports and lengths.

    from_networkx() makes the same graph of it again.

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
    for (one, other), length in zip(topology.cables, topology.lengths_mm, strict=True):
        (a, port_a), (b, port_b) = _split(one), _split(other)
        graph.add_edge(a, b, ports={a: port_a, b: port_b}, length_mm=length)
    return graph


def write_graphml(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Write a GraphML file with ports and lengths, which from_file() reads."""
    with written(Path(path)) as file:
        file.write(GRAPHML_HEAD)
        for host in range(topology.hosts):
            file.write(f'  <node id="n{host}"><data key="kind">host</data></node>\n')
        for switch in range(len(topology.switch_ports)):
            file.write(f'  <node id="s{switch}"><data key="kind">switch</data></node>\n')
        for (one, other), length in zip(topology.cables, topology.lengths_mm, strict=True):
            (a, port_a), (b, port_b) = _split(one), _split(other)
            data = f'<data key="length_mm">{length}</data>' if length else ""
            file.write(
                f'  <edge source="{a}" target="{b}" sourceport="{port_a}" targetport="{port_b}">'
                f"{data}</edge>\n"
            )
        file.write(" </graph>\n</graphml>\n")


def write_netanim(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Write an animation file of NetAnim 3.108 that shows the graph; hosts blue, switches red."""
    from via.topology_layout import layout

    places = layout(topology)
    numbers = {name: number for number, name in enumerate(places)}
    with written(Path(path)) as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<anim ver="netanim-3.108">\n')
        for name, (x, y) in places.items():
            red, blue = (0, 255) if name[0] == "n" else (255, 0)
            file.write(
                f'<node id="{numbers[name]}" sysId="0" locX="{10 * x:.3f}" locY="{10 * y:.3f}" '
                f"descr={quoteattr(name)}/>\n"
                f'<nu p="c" t="0" id="{numbers[name]}" r="{red}" g="0" b="{blue}"/>\n'
            )
        for one, other in topology.cables:
            a, b = numbers[_split(one)[0]], numbers[_split(other)[0]]
            file.write(f'<link fromId="{a}" toId="{b}" fd="" td="" ld=""/>\n')
        file.write("</anim>\n")


def plot_topology(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Draw a topology into a .png, .svg or .pdf file, each family in its own order."""
    from via.topology_plot import plot_topology as plot  # matplotlib takes a while to load

    plot(topology, path)


def describe(topology: Topology) -> dict[str, object]:
    """Return counts, diameter, bisection and the verdict on deadlock.

    diameter: cables between the two switches farthest apart. hops: switches on the way between two
    hosts, at the most and on average over all pairs with host 0. cycle: the channels of a cycle of
    waiting; empty: there is none, so no deadlock can arise on a lossless fabric.
    """
    hops = topology.hops_from(0)[1:] or [0]
    trunks = sum(one[0] == other[0] == "s" for one, other in topology.cables)
    return {
        "name": topology.name,
        "nodes": topology.hosts,
        "rails": topology.rails,
        "switches": len(topology.switch_ports),
        "ports": max(topology.switch_ports, default=0),
        "cables": len(topology.cables),
        "cables_between_switches": trunks,
        "diameter": topology.diameter(),
        "hops_max": max(hops),
        "hops_mean": sum(hops) / len(hops),
        "bisection": topology.bisection or None,
        "routing": topology.routing,
        "lanes": topology.lanes,
        "cycle": topology.cycle(),
    }
