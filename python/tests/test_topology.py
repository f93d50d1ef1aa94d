# SPDX-License-Identifier: GPL-2.0-only
"""Topologies as values: the same graph by name, from networkx and from files; pictures, facts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import networkx as nx
import pytest
import via
from matplotlib.figure import Figure
from via._cli import main
from via._drawing import topology_plot
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


def test_a_cluster_has_all_hosts_of_a_file(tmp_path):
    file = tmp_path / "torus.graphml"
    via.topology.write_graphml(via.topology.torus(2, 3), file)
    assert via.Cluster(f"file:{file}").nodes == 6
    assert via.Cluster(f"file:{file},routing=up-down", rails=2).nodes == 6
    assert via.Cluster(f"file:{file}", nodes=4).nodes == 4


def test_lengths_of_cables_are_kept(tmp_path):
    graph = nx.Graph()
    graph.add_nodes_from(["a", "b"], kind="host")
    graph.add_node("hub", kind="switch")
    graph.add_edge("a", "hub", length_mm=12_000, ports={"hub": 3})
    graph.add_edge("hub", "b")
    topology = via.topology.from_networkx(graph)
    assert topology.cables == [("n0", "s0.3"), ("n1", "s0.0")]
    assert topology.wires["length_mm"] == [12_000, 0]
    file = tmp_path / "two.graphml"
    via.topology.write_graphml(topology, file)
    assert via.topology.from_file(file).wires == topology.wires


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
    ("graph", "said"),
    [
        (nx.DiGraph([("a", "b"), ("b", "a")]), "DiGraph .*: a cable goes both ways; to_undirected"),
        (nx.MultiDiGraph([("a", "b")]), "MultiDiGraph .*: a cable goes both ways"),
        (nx.Graph(), "Graph with 0 nodes and 0 edges: there is no host"),
    ],
    ids=["directed", "directed with several edges", "empty"],
)
def test_a_directed_or_an_empty_graph_is_no_network(graph, said):
    with pytest.raises(via.ConfigError, match=f"^graph = {said}"):
        via.topology.from_networkx(graph)


def test_switches_have_hosts():
    with pytest.raises(via.ConfigError, match="^hosts = 0: switches without hosts"):
        via.topology.from_networkx(nx.path_graph(2), hosts=0)


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"rate": "1 Gb/s"}, "did you mean rate_mbit_s?"),
        (
            {"bandwidth": 1},
            "attribute of edge a-b = bandwidth: one of cells, latency_ns, length_mm, rate",
        ),
        ({"latency": 1}, "did you mean latency_ns?"),
        ({"rate_mbit_s": "1 Gb/s"}, "rate_mbit_s of edge a-b = '1 Gb/s': a whole number is needed"),
        ({"rate_mbit_s": 1_000_001}, "rate_mbit_s of edge a-b = 1000001: 0 to 1000000 are"),
        ({"wires": 5}, "wires of edge a-b = 5: 0 to 4 are possible"),
        ({"length_mm": 1, "latency_ns": 1}, "has length_mm and latency_ns: one of them"),
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
    with pytest.raises(
        via.ConfigError,
        match="edge n0-s0 has the attribute rate, .*rate_mbit_s, wires, cells are known",
    ):
        via.topology.from_file(file)
    file = tmp_path / "rates.csv"
    file.write_text("a,b,rate\nn0,s0,2\nn1,s0,2\n")
    with pytest.raises(
        via.ConfigError, match="the first line has the column rate: one of length_mm"
    ):
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


@pytest.mark.parametrize("topology", ["star,rails=2", via.topology.parse("star,rails=2", 2)])
@pytest.mark.parametrize("rails", [1, 3])
def test_rails_that_differ_from_those_of_the_topology_are_refused(topology, rails):
    with pytest.raises(via.ConfigError, match="rails"):
        via.Cluster(topology, rails=rails)
    assert via.Cluster("star,rails=1", rails=1).topology.rails == 1


@pytest.mark.parametrize("rails", [0, 9, "two"])
def test_a_wrong_number_of_rails_is_refused(rails):
    with pytest.raises(via.ConfigError, match="rails"):
        via.Cluster(nodes=2, rails=rails)


def test_a_name_is_not_drawn_but_what_it_is_parsed_to(tmp_path):
    with pytest.raises(via.ConfigError, match="^topology = 'star': a via.Topology is needed"):
        via.plot_topology("star", tmp_path / "star.png")
    via.plot_topology(via.topology.parse("star", 8), tmp_path / "star.png")
    assert (tmp_path / "star.png").is_file()


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
        (lambda t: t.mesh("4x4"), r"sizes = '4x4': whole numbers are needed: mesh\(8, 8\)"),
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


# ---- wires that differ ----

WIRES = {"rate_mbit_s": 4000, "latency_ns": 250, "cells": 64}


def us(topology, size=1000, **options):
    run = via.Cluster(topology, record=False, **options).run("ping-pong", size=size, rounds=20)
    assert run.violations == []
    return run.latency_us()


def test_wires_of_single_cables_are_kept_in_every_form(tmp_path):
    made = via.topology.with_wires(via.topology.chain(2), {("s1", "s0"): WIRES})
    number = next(i for i, cable in enumerate(made.cables) if cable[0][0] == cable[1][0] == "s")
    assert {name: values[number] for name, values in made.wires.items() if values[number]} == WIRES
    via.topology.write_graphml(made, tmp_path / "wires.graphml")
    lines = [f"{a},{b}," + ",".join(str(made.wires[name][i]) for name in made.wires)
             for i, (a, b) in enumerate(made.cables)]  # fmt: skip
    (tmp_path / "wires.csv").write_text("\n".join([f"a,b,{','.join(made.wires)}", *lines]))
    for again in (
        via.topology.from_networkx(via.topology.to_networkx(made)),
        via.topology.from_file(tmp_path / "wires.graphml"),
        via.topology.from_file(tmp_path / "wires.csv"),
        via.topology.with_rails(made, 1),
    ):
        assert (again.cables, again.wires) == (made.cables, made.wires)


def test_wires_as_the_product_has_them_change_nothing():
    star = via.topology.star(2)
    same = via.topology.with_wires(star, hosts={"rate_mbit_s": 1000}, name="star")
    digests = {via.Cluster(each).run("ping-pong", rounds=9).digest for each in (star, same)}
    assert len(digests) == 1


def test_a_slow_cable_limits_bandwidth_and_latency_at_either_end():
    star = via.topology.star(2)
    slow = [via.topology.with_wires(star, {(host, "s0"): {"rate_mbit_s": 100}})
            for host in ("n0", "n1")]  # fmt: skip
    run = via.Cluster(slow[0], record=False).run("stream", size=16384, messages=40)
    assert 0.9 < 40 * 16384 * 8 / (run.samples[0] / 1e6) / (100 * 48 / 53) <= 1
    assert us(slow[0]) == pytest.approx(us(slow[1]), rel=1e-3)
    assert us(slow[0], size=4) - us(star, size=4) == pytest.approx(53 * 0.08 - 53 * 0.008, abs=0.05)


def test_a_flight_time_adds_to_each_way():
    far = via.topology.with_wires(via.topology.star(2), {("n0", "s0"): {"latency_ns": 5025}})
    near = via.topology.with_wires(via.topology.star(2), {("n0", "s0"): {"latency_ns": 25}})
    assert us(far) - us(near) == pytest.approx(5, abs=0.02)


@pytest.mark.parametrize("product", ["giganet-clan1000", "firmvia-sp", "mvia-gnic2", "mx-e"])
@pytest.mark.parametrize("size", [4, 3000])
def test_cells_leave_slow_and_fast_wires_as_in_the_reference_mode(product, size):
    given = {("n0", "s0"): {"rate_mbit_s": 50}, ("n1", "s0"): {"rate_mbit_s": 700}}
    mixed = via.topology.with_wires(via.topology.star(2, profile=product), given)
    fast, slow = (us(mixed, size, profile=product, reference=mode) for mode in (False, True))
    assert fast == slow


def test_a_fabric_with_slow_trunks_is_left_clean_and_slower():
    tree = via.topology.fat_tree(2, 3)
    slow = via.topology.with_wires(tree, trunks={"rate_mbit_s": 300, "cells": 256})
    ends = []
    for each in (slow, tree):
        run = via.Cluster(each, record=False).run("all-to-all", size=4000, rounds=2)
        assert run.violations == []
        ends.append(run.end_ps)
    assert ends[1] < ends[0]


def test_kinds_of_wires_are_told_apart_in_a_drawing(tmp_path):
    fast = via.topology.with_wires(via.topology.ring(4), trunks={"rate_mbit_s": 4000})
    via.plot_topology(fast, tmp_path / "ring.svg")
    axes = Figure().subplots()
    topology_plot.draw(axes, fast, layout(fast))
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert texts[:2] == ["4 cables", "4 cables, 4,000 Mbit/s"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cables": {("s0", "s9"): {}}}, "cables = ('s0', 's9'): there is no such cable"),
        ({"cables": 3}, "cables = 3: a mapping"),
        ({"trunks": {"rate": 1}}, "trunks = rate: one of cells.*did you mean rate_mbit_s"),
        ({"hosts": {"cells": -1}}, "cells of hosts = -1"),
        ({"hosts": {"length_mm": 1, "latency_ns": 2}}, "one of them is the flight time"),
    ],
)
def test_wires_that_cannot_be_are_refused(given, said):
    with pytest.raises(via.ConfigError) as refused:
        via.topology.with_wires(via.topology.ring(4), **given)
    assert re.search(said.replace("(", r"\(").replace(")", r"\)"), str(refused.value))


@pytest.mark.parametrize(
    ("product", "wire", "said"),
    [
        ("giganet-clan1000", {"wires": 2}, "wires = 2 needs a product whose cards have several"),
        ("gm-lanai9-200", {"cells": 64}, "cells = 64 needs a product with link.flow_control"),
        ("giganet-clan1000", {"cells": 1}, "cells = 1 is less than the"),
    ],
)
def test_wires_that_a_product_cannot_have_are_refused(product, wire, said):
    star = via.topology.with_wires(via.topology.star(2, profile=product), hosts=wire)
    with pytest.raises(via.ConfigError, match=said):
        via.Cluster(star, profile=product).run("ping-pong")


def test_raw_traffic_refuses_wires_of_several_kinds(tmp_path):
    (tmp_path / "a.csv").write_text("a,b,rate_mbit_s\nn0,s0,100\nn1,s0,\n")
    with pytest.raises(via.ConfigError, match="raw traffic has wires of one kind"):
        via.traffic(f"file:{tmp_path}/a.csv", 2)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("fat-tree:kk=4", "k"),
        ("fat-tree:k=4,n=2,rial=2", "rails"),
        ("torus:4x4,routng=ecmp", "routing"),
        ("torus:4x4,hosts=2,deadlok=allow", "deadlock"),
        ("clos:m=2,n=2,r=2,rail=2", "rails"),
        ("file:no-such-file.csv,routng=ecmp", "routing"),
    ],
)
def test_a_misspelled_option_in_the_text_of_a_topology_names_the_nearest(text, meant):
    with pytest.raises(via.ConfigError) as refused:
        via.topology.parse(text)
    assert str(refused.value).startswith(f"topology = {text}: ")
    assert str(refused.value).endswith(f"; did you mean {meant}?")


def test_options_of_each_family_are_told_with_those_of_the_one_that_refuses():
    with pytest.raises(via.ConfigError, match="hosts=.* routing=, deadlock= and rails="):
        via.topology.parse("torus:4x4,colour=2")


def test_wires_may_be_changed_one_after_the_other():
    fast = via.topology.with_wires(via.topology.ring(4), trunks={"rate_mbit_s": 4000})
    made = via.topology.with_wires(fast, {("s0", "s1"): {"length_mm": 5000}})
    told = {frozenset((a[:2], b[:2])): number for number, (a, b) in enumerate(made.cables)}
    number = told[frozenset(("s0", "s1"))]
    assert (made.wires["rate_mbit_s"][number], made.wires["length_mm"][number]) == (4000, 5000)
    far = via.topology.with_wires(made, {("s0", "s1"): {"latency_ns": 70}})
    assert (far.wires["length_mm"][number], far.wires["latency_ns"][number]) == (0, 70)
    assert far.wires["rate_mbit_s"] == fast.wires["rate_mbit_s"]
