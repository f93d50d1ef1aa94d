# SPDX-License-Identifier: GPL-2.0-only
"""Positions of nodes in the drawing of a topology; each family has its own layout."""

from __future__ import annotations

from math import ceil, cos, pi, sin
from typing import TYPE_CHECKING

from via._drawing.topology_graph import graph_of

if TYPE_CHECKING:
    from via._core import Topology

Point = tuple[float, float]
Places = dict[str, Point]  # by name: "n0", "s0"

HOST_DISTANCE = 0.42  # from a host to its switch; neighbours in a grid are 1 apart


class Plane:
    """The first plane of a topology with several planes."""

    def __init__(self, topology: Topology) -> None:
        size = len(topology.switch_ports) // topology.rails
        self.family, self.hosts = topology.family, topology.hosts
        self.switch_ports, self.places = topology.switch_ports[:size], topology.places[:size]
        self.name, self.rails = topology.name, 1
        count = len(topology.cables) // topology.rails
        self.cables = topology.cables[:count]
        self.wires = {name: values[:count] for name, values in topology.wires.items()}


PLANE_STEP = (0.22, 0.34)  # offset of a plane's switches from those of the previous plane


def layout(topology: Topology) -> Places:
    """Return a point for each host and switch; y grows upwards, distances are about 1.

    The switches of further planes are beside those of the first; the second plane of a tree is
    below its hosts.
    """
    if topology.rails == 1:
        return _of_plane(topology)
    plane = Plane(topology)
    places = _of_plane(plane)
    size = len(plane.switch_ports)
    for rail in range(1, topology.rails):
        for one in range(size):
            x, y = places[f"s{one}"]
            side, pair = (-1, rail - 1) if plane.family == "tree" and rail % 2 else (1, rail)
            at = (x + pair * PLANE_STEP[0], side * (y + pair * PLANE_STEP[1]))
            places[f"s{rail * size + one}"] = at
    return places


def _of_plane(topology: Topology | Plane) -> Places:
    if topology.family in ("star", "crossbar", "back-to-back", "ring"):
        return _around(topology)
    if topology.family in ("grid", "chain", "hypercube"):
        return _with_hosts(topology, _grid(topology.places))
    if topology.family == "tree":
        return _levels(topology)
    if topology.family == "dragonfly":
        return _groups(topology)
    return _springs(topology)


def homes(topology: Topology | Plane) -> dict[str, list[str]]:
    """Return the hosts of each switch, by name."""
    found: dict[str, list[str]] = {f"s{one}": [] for one in range(len(topology.switch_ports))}
    for one, other in topology.cables:
        for host, home in ((one, other), (other, one)):
            if host[0] == "n" and home[0] == "s":
                found[home.partition(".")[0]].append(host)
    return found


def _circle(count: int, radius: float, centre: Point = (0.0, 0.0)) -> list[Point]:
    """Return points on a circle, the first at the top, then clockwise."""
    turns = [pi / 2 - 2 * pi * number / max(count, 1) for number in range(count)]
    return [(centre[0] + radius * cos(turn), centre[1] + radius * sin(turn)) for turn in turns]


def _around(topology: Topology | Plane) -> Places:
    """Place one switch in the middle of its hosts, or a ring of switches with hosts outside."""
    switches = len(topology.switch_ports)
    if switches == 0:
        return {"n0": (0.0, 0.0), "n1": (1.0, 0.0)}
    if switches == 1:
        radius = max(1.0, topology.hosts / (2 * pi))
        circle = _circle(topology.hosts, radius)
        return {"s0": (0.0, 0.0), **{f"n{host}": at for host, at in enumerate(circle)}}
    radius = max(1.0, switches / (2 * pi))
    circle = _circle(switches, radius)
    return _outside(topology, {f"s{one}": at for one, at in enumerate(circle)}, (0.0, 0.0))


def _outside(topology: Topology | Plane, switches: Places, centre: Point) -> Places:
    """Place hosts outside their switches, seen from the centre, side by side."""
    places = dict(switches)
    for switch, hosts in homes(topology).items():
        x, y = switches[switch]
        length = max((x - centre[0]) ** 2 + (y - centre[1]) ** 2, 1e-9) ** 0.5
        along = ((x - centre[0]) / length, (y - centre[1]) / length)
        for number, host in enumerate(hosts):
            aside = 0.34 * (number - (len(hosts) - 1) / 2)
            out = HOST_DISTANCE * 1.3
            places[host] = (
                x + out * along[0] - aside * along[1],
                y + out * along[1] + aside * along[0],
            )
    return places


def _grid(coordinates: list[list[int]]) -> Places:
    """Place two dimensions as a grid; the third and further ones as blocks side by side."""
    sizes = [max(axis) + 1 for axis in zip(*coordinates, strict=True)]
    places: Places = {}
    for one, place in enumerate(coordinates):
        at = [0.0, 0.0]
        step = [1.0, 1.0]
        for dimension, (coordinate, size) in enumerate(zip(place, sizes, strict=True)):
            axis = dimension % 2
            at[axis] += coordinate * step[axis]
            step[axis] = step[axis] * size + 0.8
        places[f"s{one}"] = (at[0], -at[1])
    return places


def _with_hosts(topology: Topology | Plane, switches: Places) -> Places:
    """Place hosts below and right of their switch, on a small arc."""
    places = dict(switches)
    for switch, hosts in homes(topology).items():
        x, y = switches[switch]
        for number, host in enumerate(hosts):
            turn = -pi / 4 + (pi / 2.4) * (number - (len(hosts) - 1) / 2) / max(len(hosts) - 1, 1)
            places[host] = (x + HOST_DISTANCE * cos(turn), y + HOST_DISTANCE * sin(turn))
    return places


def _levels(topology: Topology | Plane) -> Places:
    """Place hosts at the bottom and roots at the top, each level at full width."""
    counts: dict[int, int] = {}
    for level, _ in topology.places:
        counts[level] = counts.get(level, 0) + 1
    width = float(max(topology.hosts, *counts.values()))
    height = max(1.0, width / (2.2 * (len(counts) + 1)))
    places = {
        f"n{host}": ((host + 0.5) * width / topology.hosts, 0.0) for host in range(topology.hosts)
    }
    for one, (level, place) in enumerate(topology.places):
        places[f"s{one}"] = ((place + 0.5) * width / counts[level], (level + 1) * height)
    return places


def _groups(topology: Topology | Plane) -> Places:
    """Place all routers on one circle with gaps between groups, and hosts outside."""
    groups = max(group for group, _ in topology.places) + 1
    routers = max(router for _, router in topology.places) + 1
    hosts = ceil(topology.hosts / len(topology.places))
    step = max(0.8, 0.4 * hosts)
    slots = groups * (routers + 1)  # the last of each group is its gap
    circle = _circle(slots, max(1.5, slots * step / (2 * pi)))
    switches = {
        f"s{one}": circle[group * (routers + 1) + router]
        for one, (group, router) in enumerate(topology.places)
    }
    return _outside(topology, switches, (0.0, 0.0))


def _springs(topology: Topology | Plane) -> Places:
    """Place the nodes of any other graph with networkx."""
    both = graph_of(topology)  # raises ConfigError without networkx
    import networkx as nx

    graph = nx.Graph(both.edges())
    size = max(2.0, len(graph) ** 0.5)
    found = nx.kamada_kawai_layout(graph, scale=size)
    return {str(name): (float(x), float(y)) for name, (x, y) in found.items()}
