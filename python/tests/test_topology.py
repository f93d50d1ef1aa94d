# SPDX-License-Identifier: GPL-2.0-only
"""Topologies as values: the same graph by name, from networkx and from files; pictures, facts."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import networkx as nx
import pytest
import via
from via._cli import main
from via._drawing.topology_layout import layout

FAMILIES = {
    "back-to-back": via.topology.back_to_back(),
    "star": via.topology.star(40),
    "crossbar": via.topology.crossbar(5),
    "chain": via.topology.chain(5),
    "ring": via.topology.ring(6, hosts=2),
    "mesh": via.topology.mesh(3, 4),
    "torus": via.topology.torus(4, 4),
    "cube": via.topology.torus(3, 3, 3),
    "hypercube": via.topology.hypercube(4),
    "fat-tree": via.topology.fat_tree(2, 3),
    "clos": via.topology.clos(2, 3, 4),
    "dragonfly": via.topology.dragonfly(4, 2, 2),
}
every_family = pytest.mark.parametrize("name", FAMILIES)


def trunks(graph):
    """The switches and the cables between them."""
    return graph.subgraph(node for node, kind in graph.nodes(data="kind") if kind == "switch")


@every_family
def test_a_value_and_its_name_are_the_same_graph(name):
    value = FAMILIES[name]
    parsed = via.topology.parse(value.name, value.hosts)
    assert parsed.cables == value.cables
    assert parsed.routing == value.routing


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (via.topology.ring(7), nx.cycle_graph(7)),
        (via.topology.chain(5), nx.path_graph(5)),
        (via.topology.mesh(3, 5), nx.grid_graph((3, 5))),
        (via.topology.torus(4, 5), nx.grid_graph((4, 5), periodic=True)),
        (via.topology.torus(3, 3, 4), nx.grid_graph((3, 3, 4), periodic=True)),
        (via.topology.hypercube(4), nx.hypercube_graph(4)),
        (via.topology.clos(3, 2, 4), nx.complete_bipartite_graph(3, 4)),
    ],
)
def test_families_are_those_of_networkx(ours, theirs):
    switches = nx.Graph(trunks(via.topology.to_networkx(ours)))
    assert switches.number_of_edges() == theirs.number_of_edges()
    assert nx.diameter(switches) == ours.diameter() == nx.diameter(theirs)
    assert nx.could_be_isomorphic(switches, theirs)


@every_family
def test_hops_are_switches_on_the_way(name):
    value = FAMILIES[name]
    graph = via.topology.to_networkx(value)
    last = value.hosts - 1
    shortest = nx.shortest_path_length(graph, "n0", f"n{last}") - 1
    assert value.hops(0, last) >= shortest
    if name != "dragonfly":
        assert value.hops(0, last) == shortest


@every_family
def test_a_graph_goes_to_networkx_and_back(name):
    value = FAMILIES[name]
    if not value.switch_ports:
        return
    back = via.topology.from_networkx(via.topology.to_networkx(value))
    ends = [sorted(cable) for cable in value.cables]
    assert sorted(sorted(cable) for cable in back.cables) == sorted(ends)
    assert back.cycle() == []


@every_family
def test_a_graphml_file_is_read_again(name, tmp_path):
    value = FAMILIES[name]
    file = tmp_path / "graph.graphml"
    via.topology.write_graphml(value, file)
    assert via.topology.from_file(file).cables == value.cables
    assert nx.read_graphml(file).number_of_edges() == len(value.cables)


def test_lengths_of_cables_are_kept(tmp_path):
    graph = nx.Graph()
    graph.add_nodes_from(["a", "b"], kind="host")
    graph.add_node("hub", kind="switch")
    graph.add_edge("a", "hub", length_mm=12_000, ports={"hub": 3})
    graph.add_edge("hub", "b")
    topology = via.topology.from_networkx(graph)
    assert topology.cables == [("n0", "s0.3"), ("n1", "s0.0")]
    assert topology.lengths_mm == [12_000, 0]
    file = tmp_path / "two.graphml"
    via.topology.write_graphml(topology, file)
    assert via.topology.from_file(file).lengths_mm == [12_000, 0]


def test_a_plain_graph_has_hosts_on_every_node():
    topology = via.topology.from_networkx(nx.petersen_graph(), hosts=2)
    assert topology.hosts == 20
    assert len(topology.switch_ports) == 10
    assert topology.diameter() == 2
    assert topology.name.startswith("graph-")
    assert topology.name == via.topology.from_networkx(nx.petersen_graph(), hosts=2).name


def test_routes_that_can_deadlock_are_refused_unless_allowed():
    ring = nx.cycle_graph(6)
    with pytest.raises(via.ConfigError, match="can deadlock on a lossless fabric"):
        via.topology.from_networkx(ring, routing="shortest-path")
    bad = via.topology.from_networkx(ring, routing="shortest-path", may_deadlock=True)
    assert len(bad.cycle()) == 6


@pytest.mark.parametrize(
    "graph",
    [
        nx.Graph([("a", "b"), ("b", "b")]),
        nx.disjoint_union(nx.path_graph(2), nx.path_graph(2)),
        nx.Graph([(1, "1")]),
    ],
)
def test_what_is_no_network_is_refused(graph):
    with pytest.raises(via.ConfigError):
        via.topology.from_networkx(graph)


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"rate": "1 Gb/s"}, "attribute of edge a-b = rate: one of length_mm, ports"),
        ({"bandwidth": 1}, "attribute of edge a-b = bandwidth: one of length_mm, ports"),
        ({"latency": 1}, "attribute of edge a-b = latency: one of length_mm, ports"),
        ({"length": 1}, "did you mean length_mm?"),
        ({"length_mm": 1.5}, "length_mm of edge a-b = 1.5: a whole number is needed"),
        ({"length_mm": -1}, "length_mm of edge a-b = -1"),
        ({"ports": 3}, "ports of edge a-b = 3: a mapping"),
        ({"ports": {"c": 1}}, "ports of edge a-b = c: one of a, b"),
        ({"ports": {"a": "1"}}, "port of a = '1': a whole number is needed"),
    ],
)
def test_what_an_edge_says_is_taken_or_refused(attributes, said):
    graph = nx.Graph()
    graph.add_edge("a", "b", **attributes)
    with pytest.raises(via.ConfigError) as refused:
        via.topology.from_networkx(graph)
    assert said in str(refused.value)


def test_what_a_node_says_is_taken_or_refused():
    graph = nx.path_graph(3)
    graph.nodes[1]["knd"] = "switch"
    with pytest.raises(via.ConfigError, match=r"attribute of node 1 = knd: .*did you mean kind\?"):
        via.topology.from_networkx(graph)


def test_attributes_in_files_are_taken_or_refused(tmp_path):
    graph = nx.Graph()
    graph.add_nodes_from(["n0", "n1"], kind="host")
    graph.add_node("s0", kind="switch")
    graph.add_edges_from([("n0", "s0"), ("n1", "s0")], rate=2)
    file = tmp_path / "rates.graphml"
    nx.write_graphml(graph, file)
    with pytest.raises(via.ConfigError, match="edge n0-s0 has the attribute rate.*length_mm is"):
        via.topology.from_file(file)
    file = tmp_path / "rates.csv"
    file.write_text("a,b,rate\nn0,s0,2\nn1,s0,2\n")
    with pytest.raises(via.ConfigError, match='the first line is "a,b,rate"'):
        via.topology.from_file(file)


def test_a_node_of_an_unknown_kind_is_refused():
    graph = nx.Graph()
    graph.add_node("a", kind="router")
    with pytest.raises(via.ConfigError, match='"host" or "switch"'):
        via.topology.from_networkx(graph)


def test_a_cluster_takes_a_topology_as_a_value():
    torus = via.topology.torus(3, 3)
    cluster = via.Cluster(torus)
    assert cluster.nodes == 9
    by_value = cluster.run("barrier", rounds=2)
    by_name = via.Cluster("torus:3x3,hosts=1", nodes=9).run("barrier", rounds=2)
    assert by_value.digest == by_name.digest
    assert by_value.report["topology"] == by_name.report["topology"] == "torus:3x3,hosts=1"
    with pytest.raises(via.ConfigError, match="connects 9"):
        via.Cluster(torus, nodes=4)


def test_a_cluster_of_a_networkx_graph_runs():
    topology = via.topology.from_networkx(nx.petersen_graph(), name="petersen")
    run = via.Cluster(topology).run("all-to-all", rounds=1)
    assert run.report["messages"] == 90
    assert run.report["topology"] == "petersen"


@every_family
def test_nodes_of_a_drawing_do_not_lie_on_each_other(name):
    places = layout(FAMILIES[name])
    assert len(places) == FAMILIES[name].hosts + len(FAMILIES[name].switch_ports)
    rounded = {(round(x, 2), round(y, 2)) for x, y in places.values()}
    assert len(rounded) == len(places)


@every_family
def test_every_family_can_be_drawn(name, tmp_path):
    file = tmp_path / "picture.png"
    via.plot_topology(FAMILIES[name], file)
    assert file.read_bytes().startswith(b"\x89PNG")


def test_netanim_gets_nodes_and_links(tmp_path):
    file = tmp_path / "anim.xml"
    via.topology.write_netanim(FAMILIES["ring"], file)
    root = ET.parse(file).getroot()
    assert root.get("ver") == "netanim-3.108"
    assert len(root.findall("node")) == 12 + 6
    assert len(root.findall("link")) == 12 + 6


def test_the_command_describes_a_topology(capsys):
    assert main(["topology", "torus:8x8"]) == 0
    facts = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    assert facts["nodes"] == facts["switches"] == "64"
    assert facts["cables between switches"] == "128"
    assert facts["diameter"] == "8"
    assert facts["bisection"] == "16"
    assert facts["lanes"] == "2"
    assert facts["deadlock"] == "impossible"


def test_the_command_names_a_cycle(capsys):
    assert main(["topology", "ring:5,routing=shortest-path,deadlock=allow"]) == 0
    out = capsys.readouterr().out
    assert "possible" in out
    assert "s4.1 -> s0 lane 0" in out


def test_the_command_writes_files_and_routes(tmp_path, capsys):
    files = [tmp_path / name for name in ("a.png", "a.graphml", "a.xml")]
    options = ["--plot", files[0], "--graphml", files[1], "--netanim", files[2]]
    assert main(["topology", "ring", "--nodes", "3", "--routes", *map(str, options)]) == 0
    assert all(file.stat().st_size > 0 for file in files)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "switch,host,port,lane,choices"
    assert len(lines) == 1 + 9


@pytest.mark.parametrize(
    "words",
    [["ring"], ["moebius"], ["torus:4x4", "--nodes", "x"], ["ring:3", "--plot", "/no/a.png"]],
)
def test_the_command_refuses_what_it_cannot_do(words, capsys):
    assert main(["topology", *words]) == 2
    assert "via: " in capsys.readouterr().err


def test_a_cluster_with_rails_has_a_plane_for_each():
    tree = via.topology.fat_tree(2, 2)
    named = via.Cluster("fat-tree:k=2,n=2", nodes=4, rails=2)
    valued = via.Cluster(tree, rails=2)
    assert named.topology.cables == valued.topology.cables
    assert named.topology.name == valued.topology.name == "fat-tree:k=2,n=2,rails=2"
    assert len(valued.topology.switch_ports) == 2 * len(tree.switch_ports)
    assert via.topology.describe(valued.topology)["rails"] == 2
    assert valued.run("barrier", rounds=2).exit == 0


@pytest.mark.parametrize("rails", [0, 9, "two"])
def test_a_wrong_number_of_rails_is_refused(rails):
    with pytest.raises(via.ConfigError, match="rails"):
        via.Cluster(nodes=2, rails=rails)


@pytest.mark.parametrize("name", ["star", "fat-tree:k=2,n=3", "torus:3x3"])
def test_planes_are_drawn_beside_each_other(name, tmp_path):
    planes = via.topology.with_rails(via.topology.parse(name, 8), 3)
    places = layout(planes)
    assert len(set(places.values())) == 8 + len(planes.switch_ports)
    via.plot_topology(planes, tmp_path / "planes.png")
    via.topology.write_netanim(planes, tmp_path / "planes.xml")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda t: t.torus(), "sizes = none: a torus has at least one"),
        (lambda t: t.torus(4, 0), "sizes = 0: 1 to"),
        (lambda t: t.mesh(4, 4, nodes=17), "nodes = 17: a mesh with sizes=4x4, hosts=1 has room"),
        (lambda t: t.chain(3, hosts=1025), "hosts = 1025: 1 to 1024"),
        (lambda t: t.chain(3, nodes=4), "nodes = 4: a chain with switches=3, hosts=1 has room"),
        (lambda t: t.hypercube(17), "dimensions = 17: 1 to 16"),
        (lambda t: t.fat_tree(65, 1), "k = 65: 2 to 64"),
        (lambda t: t.fat_tree(2, 13), "n = 13: 1 to 12"),
        (lambda t: t.clos(2, 3, 4, nodes=13), "nodes = 13: a clos with m=2, n=3, r=4 has room"),
        (lambda t: t.dragonfly(4, 2, 2, 10), "g = 10: 1 to 9"),
        (lambda t: t.dragonfly(4, 0, 2), "p = 0: 1 to 1024"),
        (lambda t: t.torus(4, 4, routing="xy"), "routing = xy: one of dimension-order"),
        (lambda t: t.torus(60000, 60000), "torus = 60000x60000,hosts=1: at most"),
    ],
)
def test_arguments_of_a_family_are_refused_by_name(make, says):
    with pytest.raises(via.ConfigError, match=says):
        make(via.topology)
