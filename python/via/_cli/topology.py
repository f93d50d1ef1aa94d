# SPDX-License-Identifier: GPL-2.0-only
"""`via topology`: the parts of a topology, and whether its routes can deadlock."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from via._cli.guard import answered
from via._cli.options import Parser
from via.errors import refuse

if TYPE_CHECKING:
    from via._core import Topology

EPILOG = """\
examples:
  via topology torus:8x8                     counts, diameter, bisection, lanes, deadlock or not
  via topology ring --nodes 6 --plot ring.png
  via topology torus:4x4,routing=shortest-path,deadlock=allow       names the cycle
  via topology dragonfly:a=4,p=2,h=2 --graphml dragonfly.graphml --netanim dragonfly.xml
  via topology fat-tree:k=4,n=2 --routes > routes.csv
"""


def main(argv: Sequence[str]) -> int:
    """Run `via topology`; return the exit code."""
    given = parser().parse_args(argv)
    return answered(lambda: answer(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via topology",
        description="Describes a topology, named as for `via run --topology`.",
        epilog=EPILOG,
    )
    made.add_argument("name", metavar="NAME", help="such as torus:8x8,hosts=2, or file:PATH")
    made.add_argument(
        "--nodes", metavar="N", help="number of nodes (default: as many as there is room for)"
    )
    made.add_argument(
        "--profile", default="giganet-clan1000", metavar="P",
        help="product whose switches make up a star (default: %(default)s)",
    )  # fmt: skip
    made.add_argument("--plot", type=Path, metavar="FILE", help="draw it: .png, .svg or .pdf")
    made.add_argument("--graphml", type=Path, metavar="FILE", help="write it as GraphML")
    made.add_argument("--netanim", type=Path, metavar="FILE", help="write it for NetAnim")
    made.add_argument("--routes", action="store_true", help="print only the routing tables, as CSV")
    return made


def answer(given: argparse.Namespace) -> int:
    """Print the description and write the requested files."""
    from via import topology as topologies
    from via._base import commands
    from via._base.files import check_outputs
    from via._cli.sources import profile_files
    from via.figures import check_kind

    check_outputs(
        {f"--{option}": getattr(given, option) for option in ("plot", "graphml", "netanim")},
        [("NAME", given.name.removeprefix("file:").split(",")[0]),
         *(("--profile", file) for file in profile_files(given.profile))],
    )  # fmt: skip
    if given.plot is not None:
        check_kind(given.plot, "--plot")
    if given.nodes is not None and not (given.nodes.isdecimal() and int(given.nodes) > 0):
        raise refuse("--nodes", given.nodes, "a whole number from 1 to 262144")
    nodes = None if given.nodes is None else int(given.nodes)
    topology = topologies.parse(given.name, nodes, given.profile)
    if given.routes:
        print_routes(topology)
    else:
        print_facts(topologies.describe(topology))
    if given.plot is not None:
        with commands.recording(commands.of_command("topology", *_words(given))):
            topologies.plot_topology(topology, given.plot)
    if given.graphml is not None:
        topologies.write_graphml(topology, given.graphml)
    if given.netanim is not None:
        topologies.write_netanim(topology, given.netanim)
    return 0


def _words(given: argparse.Namespace) -> list[str]:
    """Return the words that draw the figure again, without its file."""
    nodes = [] if given.nodes is None else ["--nodes", given.nodes]
    return [given.name, *nodes, "--profile", given.profile]


def print_facts(facts: dict[str, object]) -> None:
    """Print one line per fact."""
    cycle = facts.pop("cycle")
    facts["hops_mean"] = f"{facts['hops_mean']:.2f}"
    if facts["bisection"] is None:
        facts["bisection"] = "not known"
    facts["deadlock"] = "possible" if cycle else "impossible"
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name.replace('_', ' '):{width}}  {value}")
    if isinstance(cycle, list):
        for channel in cycle:
            print(f"{'':{width}}  waits for {channel}")


def print_routes(topology: Topology) -> None:
    """Print the routing tables of all switches, by destination host."""
    out = sys.stdout
    out.write("switch,host,port,lane,choices\n")
    for switch in range(len(topology.switch_ports)):
        for host, (port, lane, ports) in enumerate(topology.routes(switch)):
            choices = " ".join(map(str, ports))
            out.write(f"s{switch},n{host},{port},{lane},{choices}\n")
