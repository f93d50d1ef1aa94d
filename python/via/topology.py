# SPDX-License-Identifier: GPL-2.0-only
"""Topologies as objects: made by family, from a file or from networkx; described and exported.

import via

torus = via.topology.torus(8, 8)
run = via.Cluster(torus).run("all-to-all", rounds=1)
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via import _core, profiles
from via._base import kinds, notebook
from via._base.files import written
from via._base.units import whole
from via._core import Topology
from via._drawing.topology_graph import attributes_of, graph_of, split
from via.errors import ConfigError, refuse, refuse_name

if TYPE_CHECKING:
    import networkx as nx

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
    "with_wires",
    "write_graphml",
    "write_netanim",
]

MAX_NODES = _core.MOST_HOSTS
MAX_RAILS = 8
MAX_PORT = 65535
MAX_SIZE = 65536  # switches
MAX_HOSTS = 1024  # on a switch
MAX_DIMENSIONS = 16  # of a hypercube
NODE_ATTRIBUTES = ("kind", "place")  # to_networkx() adds the place of each switch
WIRE_ATTRIBUTES = tuple(_core.MOST_OF_WIRES)
EDGE_ATTRIBUTES = (*WIRE_ATTRIBUTES, "ports")

GRAPHML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="kind" for="node" attr.name="kind" attr.type="string"/>
{keys}
 <graph id="topology" edgedefault="undirected">
"""


def parse(text: str, nodes: int | None = None, profile: str = "giganet-clan1000") -> Topology:
    """Return the topology with this name; names are those of the command line.

    Args:
        text: such as "torus:8x8,hosts=2,routing=up-down".
        nodes: number of hosts; None: as many as the topology has room for.
        profile: the product whose switches make up a "star".

    Raises:
        ConfigError: the text names what is wrong and what is allowed.
    """
    count = 0 if nodes is None else whole("nodes", nodes, 1, MAX_NODES)
    return _core.parse_topology(
        kinds.text("text", text), count, profiles.load(kinds.text("profile", profile))
    )


def _named(
    family: str,
    shape: str,
    room: int,
    nodes: int | None,
    routing: str | None,
    axis: str = "sizes",
    **options: int | None,
) -> Topology:
    """Return a topology by the text that names it; errors name the argument of the function."""
    if nodes is not None and whole("nodes", nodes, 1, MAX_NODES) > room:
        named = {**({axis: shape} if shape else {}), **options}
        told = ", ".join(f"{name}={value}" for name, value in named.items() if value is not None)
        raise refuse("nodes", nodes, f"a {family} with {told} has room for {room}")
    given = [f"{name}={int(value)}" for name, value in options.items() if value is not None]
    if routing is not None:
        given.append(f"routing={kinds.text('routing', routing)}")
    first = f"{family}:" if shape or (given and family in ("fat-tree", "clos", "dragonfly")) else ""
    text = (first or family) + (shape or "")
    if given:
        text += ("" if text.endswith(":") else ",") + ",".join(given)
    try:
        return parse(text, nodes)
    except ConfigError as error:
        limit = str(error).partition(f"{text}: ")[2] or str(error)
        if "routing is " in limit:
            raise refuse("routing", routing, limit.partition("routing is ")[2]) from None
        raise refuse(family, text.partition(":")[2], limit) from None


def _grid(
    family: str,
    sizes: Sequence[int],
    hosts: int,
    nodes: int | None,
    routing: str | None,
    axis: str = "sizes",
) -> Topology:
    """Return switches with this many hosts each, in one or more dimensions."""
    if not sizes:
        raise refuse("sizes", "none", f"a {family} has at least one: {family}(8, 8)")
    if axis == "sizes" and isinstance(sizes[0], str):  # the text of a name
        raise refuse(axis, repr(sizes[0]), f"whole numbers are needed: {family}(8, 8)")
    checked = [whole(axis, size, 1, MAX_SIZE) for size in sizes]
    room = prod(checked) * whole("hosts", hosts, 1, MAX_HOSTS)
    shape = "x".join(map(str, checked))
    return _named(family, shape, room, nodes, routing, axis, hosts=hosts)


def back_to_back() -> Topology:
    """Return two nodes on one cable."""
    return parse("back-to-back")


def star(nodes: int, *, profile: str = "giganet-clan1000") -> Topology:
    """Return nodes around a switch of the product; a tree of switches if its ports are too few."""
    return parse("star", nodes, profile)


def crossbar(nodes: int) -> Topology:
    """Return one ideal switch with a port per node."""
    return parse("crossbar", nodes)


def chain(
    switches: int, *, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Return switches in a row, each with this many hosts.

    Here and below, nodes limits the number of hosts (None: all that fit), and routing is "up-down",
    "shortest-path", "ecmp" or "adaptive" (None: the family's own).
    """
    return _grid("chain", [switches], hosts, nodes, routing, "switches")


def ring(
    switches: int, *, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Return switches in a circle, each with this many hosts."""
    return _grid("ring", [switches], hosts, nodes, routing, "switches")


def mesh(
    *sizes: int, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Return an n-dimensional mesh: mesh(8, 8) has 64 switches, each with this many hosts."""
    return _grid("mesh", sizes, hosts, nodes, routing)


def torus(
    *sizes: int, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Return an n-dimensional torus: torus(8, 8, 4) has 256 switches, each with this many hosts."""
    return _grid("torus", sizes, hosts, nodes, routing)


def hypercube(
    dimensions: int, *, hosts: int = 1, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Return a hypercube of 2^dimensions switches, each with this many hosts."""
    dimensions = whole("dimensions", dimensions, 1, MAX_DIMENSIONS)
    room = 2**dimensions * whole("hosts", hosts, 1, MAX_HOSTS)
    return _named("hypercube", str(dimensions), room, nodes, routing, "dimensions", hosts=hosts)


def fat_tree(k: int, n: int, *, nodes: int | None = None, routing: str | None = None) -> Topology:
    """Return a k-ary n-tree: k^n nodes, n levels of switches with 2k ports."""
    room = whole("k", k, 2, 64) ** whole("n", n, 1, 12)
    return _named("fat-tree", "", room, nodes, routing, k=k, n=n)


def clos(
    m: int, n: int, r: int, *, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Return a folded Clos network: m spines, r leaves with n nodes each."""
    whole("m", m, 1, MAX_SIZE)
    room = whole("n", n, 1, MAX_SIZE) * whole("r", r, 1, MAX_SIZE)
    return _named("clos", "", room, nodes, routing, m=m, n=n, r=r)


def dragonfly(
    a: int,
    p: int,
    h: int,
    g: int | None = None,
    *,
    nodes: int | None = None,
    routing: str | None = None,
) -> Topology:
    """Return a dragonfly of g groups (None: a h + 1) of a routers.

    Each router has p nodes and h cables to other groups.
    """
    for name, value in (("a", a), ("p", p), ("h", h)):
        whole(name, value, 1, MAX_HOSTS)
    groups = a * h + 1 if g is None else whole("g", g, 1, a * h + 1)
    return _named("dragonfly", "", groups * a * p, nodes, routing, a=a, p=p, h=h, g=g)


def from_file(
    path: str | os.PathLike[str], *, nodes: int | None = None, routing: str | None = None
) -> Topology:
    """Read a GraphML file, or a CSV file with a list of edges."""
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
    """Make a topology from a networkx graph.

    Args:
        graph: undirected; its nodes have an attribute kind, "host" or "switch"; if no node has one,
            all are switches with `hosts` hosts each. An edge may have ports: {node: port}, and
            attributes of wires, see with_wires(). Others are refused.
        hosts: hosts per switch, for a graph whose nodes have no kind.
        routing: "up-down", "shortest-path", "ecmp" or "adaptive".
        name: the name in reports; None: "graph-" and a hash of the cables.
        may_deadlock: accept routes on which packets can wait for each other in a cycle.

    Raises:
        ConfigError: a directed graph, one without hosts, a node of another kind, an unknown
            attribute, a host without a cable, or routes that can deadlock.
    """
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise refuse("graph", repr(graph), "a graph of networkx is needed")
    if graph.is_directed():
        raise refuse("graph", graph, "a cable goes both ways; to_undirected() makes such a graph")
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
        if hosts == 0:
            raise refuse("hosts", hosts, "switches without hosts connect nothing")
        found["switch"] = list(roles)
        for switch in roles:
            for number in range(hosts):
                found["host"].append(f"{switch}.host{number}")
                edges.append((found["host"][-1], switch, -1, -1, {}))
    else:
        for node, kind in roles.items():
            if kind not in found:
                raise refuse("graph", node, f'its kind is {kind!r}, "host" or "switch" is needed')
            found[kind].append(node)
    if not found["host"]:
        raise refuse("graph", graph, "there is no host")
    if name is None:
        name = f"graph-{_hash(found, edges)}"
    return _core.topology_from_graph(
        found["host"], found["switch"], edges, kinds.text("name", name),
        kinds.text("routing", routing), kinds.flag("may_deadlock", may_deadlock),
    )  # fmt: skip


def with_rails(topology: Topology, rails: int) -> Topology:
    """Return a topology of `rails` planes, copies of this one; each host has a card on each.

    Raises:
        ConfigError: rails is not 1 to 8, or the topology has several planes already.
    """
    if not isinstance(topology, Topology):
        raise refuse("topology", repr(topology), "a value of via.topology is needed")
    return _core.with_rails(topology, whole("rails", rails, 1, MAX_RAILS))


def with_wires(
    topology: Topology,
    cables: Mapping[tuple[str, str], Mapping[str, int]] | None = None,
    *,
    trunks: Mapping[str, int] | None = None,
    hosts: Mapping[str, int] | None = None,
    name: str | None = None,
) -> Topology:
    """Return a topology in which cables have other wires than the product's.

    What a cable has in the topology already stays, unless it is given another value. Attributes of
    a cable, whole numbers, 0: the product's:

    - length_mm: length, to 999,999,999; or latency_ns: time of flight, to 999,999,999.
    - rate_mbit_s: data rate of a wire after the line code in 10^6 bit/s, to 1,000,000. A switch
      passes a cell from a slow wire to a faster one so that it ends no earlier than it has come.
    - wires: parallel wires, to 4, where the product's cards have several (nic.ports).
    - cells: room for cells at the receiver, to 65,535, where wires have credits.

    Args:
        topology: the topology, which stays as it is.
        cables: attributes by the two nodes of a cable: ("s0", "s1") or ("n3", "s0"), in any order;
            of all cables between them. They count before trunks and hosts.
        trunks: attributes of all cables between switches.
        hosts: attributes of all cables of hosts.
        name: the name in reports; None: that of the topology and a hash of the wires.

    Raises:
        ConfigError: there is no such cable or attribute, or a value is beyond its limit.
    """
    if not isinstance(topology, Topology):
        raise refuse("topology", repr(topology), "a value of via.topology is needed")
    given = dict(kinds.mapping("cables", cables or {}))
    by_ends = {frozenset(map(str, ends)): _wire(f"cables[{ends!r}]", attributes)
               for ends, attributes in given.items()}  # fmt: skip
    usual = {"s": _wire("trunks", trunks or {}), "n": _wire("hosts", hosts or {})}
    wires = {}
    found = set()
    for number, ends in enumerate(topology.cables):
        nodes = frozenset(split(end)[0] for end in ends)
        own = by_ends.get(nodes)
        found.add(nodes)
        kind = "n" if any(node[0] == "n" for node in nodes) else "s"
        if own is not None or usual[kind]:
            wires[number] = _over(attributes_of(topology, number), usual[kind], own or {})
    for ends in given:
        if frozenset(map(str, ends)) not in found:
            raise refuse("cables", ends, f"there is no such cable in {topology.name}")
    if name is None:
        name = f"{topology.name},wires-{_hash(wires)}"
    return _core.with_wires(topology, wires, kinds.text("name", name))


def _over(*layers: Mapping[str, int]) -> dict[str, int]:
    """Return attributes of a wire, the last ones given; of length and latency, one."""
    made: dict[str, int] = {}
    for layer in layers:
        for one, other in (("length_mm", "latency_ns"), ("latency_ns", "length_mm")):
            if layer.get(one) and not layer.get(other):
                made.pop(other, None)
        made |= layer
    return made


def _wire(option: str, attributes: Mapping[str, Any]) -> dict[str, int]:
    """Return attributes of a wire, checked."""
    _check_attributes(option, kinds.mapping(option, attributes), WIRE_ATTRIBUTES)
    return {name: whole(f"{name} of {option}", value, 0, _core.MOST_OF_WIRES[name])
            for name, value in attributes.items()}  # fmt: skip


_Edge = tuple[str, str, int, int, dict[str, int]]


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
    wire = {name: value for name, value in data.items() if name != "ports"}
    return names[a], names[b], port_a, port_b, _wire(f"edge {edge}", wire)


def _check_attributes(option: str, data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse attributes that would be silently ignored."""
    for name in data:
        if name not in known:
            raise refuse_name(option, name, known)


def _hash(*parts: object) -> str:
    import hashlib

    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def to_networkx(topology: Topology) -> nx.MultiGraph:
    """Return a networkx graph: nodes "n0" and "s0" with kinds, edges with attributes.

    from_networkx() makes a topology with the same cables from it; give it routing=. Several planes
    cannot be read back: a host has one cable there.

    Raises:
        ConfigError: networkx is not installed.
    """
    return graph_of(topology)


def write_graphml(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Write a GraphML file with ports and attributes of wires, which from_file() reads."""
    with written(Path(path)) as file:
        keys = (f' <key id="{name}" for="edge" attr.name="{name}" attr.type="int"/>'
                for name in WIRE_ATTRIBUTES)  # fmt: skip
        file.write(GRAPHML_HEAD.format(keys="\n".join(keys)))
        for host in range(topology.hosts):
            file.write(f'  <node id="n{host}"><data key="kind">host</data></node>\n')
        for switch in range(len(topology.switch_ports)):
            file.write(f'  <node id="s{switch}"><data key="kind">switch</data></node>\n')
        for number, (one, other) in enumerate(topology.cables):
            (a, port_a), (b, port_b) = split(one), split(other)
            told = attributes_of(topology, number).items()
            data = "".join(f'<data key="{name}">{value}</data>' for name, value in told)
            file.write(
                f'  <edge source="{a}" target="{b}" sourceport="{port_a}" targetport="{port_b}">'
                f"{data}</edge>\n"
            )
        file.write(" </graph>\n</graphml>\n")


def write_netanim(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Write a NetAnim 3.108 animation file that shows the graph; hosts blue, switches red."""
    from via._drawing.topology_layout import layout

    places = layout(topology)
    numbers = {name: number for number, name in enumerate(places)}
    with written(Path(path)) as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<anim ver="netanim-3.108">\n')
        for name, (x, y) in places.items():
            red, blue = (0, 255) if name[0] == "n" else (255, 0)
            file.write(
                f'<node id="{numbers[name]}" sysId="0" locX="{10 * x:.3f}" locY="{10 * y:.3f}" '
                f'descr="{name}"/>\n'
                f'<nu p="c" t="0" id="{numbers[name]}" r="{red}" g="0" b="{blue}"/>\n'
            )
        for one, other in topology.cables:
            a, b = numbers[split(one)[0]], numbers[split(other)[0]]
            file.write(f'<link fromId="{a}" toId="{b}" fd="" td="" ld=""/>\n')
        file.write("</anim>\n")


def plot_topology(topology: Topology, path: str | os.PathLike[str]) -> None:
    """Draw a topology into a .png, .svg or .pdf file; each family has its own layout.

    Raises:
        ConfigError: topology is a name, which parse() makes one of, or the file cannot be written.
    """
    from via._drawing.topology_plot import plot_topology as plot  # matplotlib takes a while to load

    if not isinstance(topology, Topology):
        limit = 'a via.Topology is needed, such as via.topology.parse("star", nodes=8)'
        raise refuse("topology", repr(topology), limit)
    plot(topology, kinds.path("path", path))


LARGEST_INLINE = 2000  # switches and hosts; a larger drawing takes a notebook too long


def svg_of(topology: Topology) -> str | None:
    """Return a drawing of a topology as SVG; None: it has more than 2000 switches and hosts."""
    if topology.hosts + len(topology.switch_ports) > LARGEST_INLINE:
        return None
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "topology.svg"
        plot_topology(topology, place)
        return place.read_text(encoding="utf-8")


def _html(topology: Topology) -> str:
    shown = {name: value for name, value in describe(topology).items() if name != "cycle"}
    drawing = svg_of(topology) or ""  # a notebook shows the richest form alone
    return notebook.table("via.Topology", shown) + drawing[drawing.find("<svg") :]


def _repr(topology: Topology) -> str:
    return (
        f"<via.Topology {topology.name}: hosts {topology.hosts},"
        f" switches {len(topology.switch_ports)}, cables {len(topology.cables)}>"
    )


class _Checked:
    """Compiled methods of Topology whose arguments are checked here, to name limits."""

    hops_of, hops_from_of, routes_of = Topology.hops, Topology.hops_from, Topology.routes

    def hops(self: Topology, source: int, destination: int) -> int:  # type: ignore[misc]
        last = self.hosts - 1
        ends = (whole("source", source, 0, last), whole("destination", destination, 0, last))
        return _Checked.hops_of(self, *ends)

    def hops_from(self: Topology, source: int) -> list[int]:  # type: ignore[misc]
        return _Checked.hops_from_of(self, whole("source", source, 0, self.hosts - 1))

    def routes(self: Topology, switch: int) -> list[tuple[int, int, list[int]]]:  # type: ignore[misc]
        last = len(self.switch_ports) - 1
        if last < 0:
            raise refuse("switch", repr(switch), f"{self.name} has none")
        return _Checked.routes_of(self, whole("switch", switch, 0, last))


for _checked in (_Checked.hops, _Checked.hops_from, _Checked.routes):
    _compiled = getattr(Topology, _checked.__name__)
    _checked.__qualname__, _checked.__doc__ = f"Topology.{_checked.__name__}", _compiled.__doc__
    setattr(Topology, _checked.__name__, _checked)
# The class is compiled; what a prompt and notebooks show of it is Python.
Topology.__repr__ = _repr  # type: ignore[assignment, method-assign]
Topology._repr_html_ = _html  # type: ignore[attr-defined]
Topology._repr_svg_ = svg_of  # type: ignore[attr-defined]


def describe(topology: Topology) -> dict[str, object]:
    """Return counts, diameter, bisection and the verdict on deadlock.

    diameter: cables between the two switches farthest apart. hops: switches on the route between
    two hosts, the maximum and the mean over all pairs with host 0. cycle: channels that wait for
    each other in a cycle; empty: there is none, so a lossless fabric cannot deadlock.
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
