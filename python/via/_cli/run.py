# SPDX-License-Identifier: GPL-2.0-only
"""`via run`: VIPL programs on a simulated cluster."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via._base.units import PATIENCE, WATCHDOG_S
from via._cli.guard import answered, guarded
from via._cli.options import Parser, add_override, overrides
from via._programs import plug_ins
from via.errors import refuse

if TYPE_CHECKING:
    from via.results import Run

DESCRIPTION = """\
Runs a VIPL program made by `via cc` as the processes of a simulated cluster: process i runs on node
i/K. Its output goes to this terminal; the times in it are simulated. In the program's arguments,
--env and --cwd, {rank}, {size} and {host} are replaced; VIA_RANK, VIA_SIZE and
VIA_PROCS_PER_NODE are set.
"""

EPILOG = """\
topologies:
  star                one switch of the product; a tree of them if it has too few ports (default)
  back-to-back        two nodes on one cable
  crossbar            one ideal switch with a port per node
  chain, ring, mesh:8x8, torus:8x8x4, hypercube:10   [,hosts=H] nodes on each switch
  fat-tree:k=K,n=N    K^N nodes, N levels of switches with 2K ports
  clos:m=M,n=N,r=R    R leaves with N nodes each, M spines
  dragonfly:a=A,p=P,h=H[,g=G]   groups of A routers with P nodes and H cables to other groups
  file:PATH           a .graphml or .csv file
  all take ,routing=up-down|shortest-path|ecmp|adaptive; via topology NAME describes one

exit codes:
  0  all processes exited with 0        3  deadlock; the report says what each process waits for
  1  a process failed or was killed     4  internal error
  2  usage error, or a wrong value      130  Ctrl-C (128 + N for a signal N): no results

examples:
  via cc contrib/via/examples/ping-pong.c contrib/via/examples/vipl-*.c -o ping-pong.so
  via run ping-pong.so -- -s 4 -n 100
  via run --nodes 8 --prefix barrier.so -- -m rdma
  via run --nodes 2 --breakdown stages.csv --trace trace.json --json run.json ping-pong.so
  via run --save ping ping-pong.so && via breakdown ping && via trace ping --message 0.0.3
  via run --pcap packets.pcapng --snaplen 64 ping-pong.so -- -n 10
  via run --nodes 4 --env LOG={host}.log --stop 10ms prog.so
"""


MOST_TROUBLES = 20  # lines printed; --json has all


def main(argv: Sequence[str]) -> int:
    """Run `via run`; return the exit code."""
    own, program_arguments = split_at_dashes(argv)
    given = parser().parse_args(own)
    given.arguments = program_arguments

    def refuse_early() -> int:
        check(given)
        return 0

    with plug_ins.permitted(given.allow_plug_in):
        return answered(refuse_early, parser()) or guarded(lambda: simulate(given), parser())


def split_at_dashes(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before and after the first "--"."""
    words = list(argv)
    if "--" not in words:
        return words, []
    place = words.index("--")
    return words[:place], words[place + 1 :]


class _Parser(Parser):
    """A parser whose errors say where the program's own arguments go."""

    def error(self, message: str) -> Any:
        if message.startswith("unrecognized arguments"):
            message += " (arguments of the program go after --)"
        return super().error(message)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = _Parser(
        prog="via run",
        usage="via run [options] prog.so [-- arguments]",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    made.add_argument("program", metavar="prog.so", help="shared object made by via cc")
    _add_cluster_options(made.add_argument_group("cluster"))
    _add_process_options(made.add_argument_group("processes"))
    _add_result_options(made.add_argument_group("results"))
    return made


def _add_cluster_options(group: Any) -> None:
    group.add_argument(
        "--profile", default="giganet-clan1000", metavar="P",
        help="product: a name of `via profiles`, or a TOML file (default: %(default)s)",
    )  # fmt: skip
    group.add_argument("--host", metavar="H", help="host computer (default: the product's own)")
    group.add_argument(
        "--kernel", metavar="K", help="network stack of sockets (default: the host's own)"
    )
    group.add_argument(
        "--node-profile", action="append", default=[], metavar="NODE=[P][@H]",
        help="another product or host for a node or a range of nodes (2-5); may be repeated",
    )  # fmt: skip
    add_override(group)
    group.add_argument(
        "--nodes", metavar="N", help="nodes, 1 to 262144 (default: 2, or all hosts of a file)"
    )
    group.add_argument("--topology", default="star", metavar="T", help="see below")
    group.add_argument(
        "--seed", default="1", metavar="S", help="seed of all randomness (default: %(default)s)"
    )
    group.add_argument("--stop", metavar="TIME", help="end of simulated time: 10us, 1.5ms, 2s")
    group.add_argument(
        "--patience", default=PATIENCE, metavar="TIME",
        help="simulated time, at least 1ms, after which programs that only poll or compute, while "
        "all others wait forever, count as deadlocked (default: %(default)s)",
    )  # fmt: skip
    plug_ins.add_option(group)
    group.add_argument(
        "--watchdog", default=str(WATCHDOG_S), metavar="SECONDS",
        help="CPU time of this machine in which simulated time may stand still: after that a "
        "program that stays in a loop counts as deadlocked, and other work that repeats at one "
        "instant ends the run; 0: no limit (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--reference", action="store_true", help="every bus transaction and cell is an event: slow"
    )
    group.add_argument(
        "--no-payload-digest", action="store_true",
        help="do not hash the bytes of delivered messages (payload_digest in --json)",
    )  # fmt: skip
    group.add_argument(
        "--faults",
        metavar="FILE",
        help="fault plan, a TOML or JSON file: see the manual on faults",
    )
    group.add_argument(
        "--mpi-ranks", metavar="R",
        help="OS processes that simulate, 1 to 64 and no more than nodes: see the manual on "
        "several processors (default: this process alone, without MPI)",
    )  # fmt: skip
    group.add_argument(
        "--mpi-engine", choices=("granted-window", "null-message"), default="granted-window",
        help="how MPI ranks synchronize; null-message needs --stop (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--partition-of-switch", metavar="R,R,... | graph-cut", default="",
        help="for each switch, the MPI rank that simulates it and its hosts; graph-cut: divided "
        "evenly with few cables between partitions (default: divided evenly, in order)",
    )  # fmt: skip


def _add_process_options(group: Any) -> None:
    group.add_argument(
        "--procs-per-node", default="1", metavar="K",
        help="1 to 1024; they share the node's CPUs: two that poll on one CPU alternate by time "
        "slices (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="[RANKS:]NAME=VALUE",
        help="environment variable. A prefix 2:, 2-5: or 1-: gives the variable to these processes "
        "alone. May be repeated, the last value of a name counts",
    )
    group.add_argument(
        "--control-network", action="store_true",
        help="sockets have a second network, at no cost, on which node i is the host c<i>: for "
        "what programs tell each other before they begin; not on several MPI ranks",
    )  # fmt: skip
    group.add_argument(
        "--low-memory", action="store_true",
        help="globals, heap (64 MiB each) and stacks below 2 GiB, for programs that keep pointers "
        "in 32 bits; not on several MPI ranks",
    )  # fmt: skip
    group.add_argument("--cwd", default="", metavar="DIR", help="working directory")
    group.add_argument("--stdin", default="", metavar="FILE", help="standard input")
    group.add_argument(
        "--prefix", action="store_true", help="print [n3.0] before each line of node 3, process 0"
    )


def _add_result_options(group: Any) -> None:
    group.add_argument("--digest", action="store_true", help="end stdout with the digest")
    group.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")
    group.add_argument(
        "--breakdown", type=Path, metavar="FILE", help="write the stages of every message as CSV"
    )
    group.add_argument(
        "--trace", type=Path, metavar="FILE", help="write a Chrome trace of the run, for Perfetto"
    )
    group.add_argument(
        "--save", type=Path, metavar="DIR",
        help="save the whole run in a folder, for via breakdown, trace, compare and via.Run.load",
    )  # fmt: skip
    group.add_argument(
        "--pcap", type=Path, metavar="FILE", help="write all packets at the NICs as pcapng"
    )
    group.add_argument(
        "--snaplen", default="65536", metavar="BYTES",
        help="payload of each packet to keep in --pcap: 0 to 261976 (default: %(default)s)",
    )  # fmt: skip


def check(given: argparse.Namespace) -> None:
    """Check the options before anything is loaded.

    Raises:
        ConfigError: the text names the option, its value and what is allowed.
    """
    from via._base.files import check_outputs
    from via._cli.sources import files_of_cluster
    from via._programs import partitions
    from via._runs import store

    for option in ("nodes", "seed", "procs_per_node", "snaplen", "watchdog", "mpi_ranks"):
        if (text := getattr(given, option)) is not None:
            setattr(given, option, _whole(f"--{option.replace('_', '-')}", text))
    if given.mpi_ranks is not None:
        for option in ("control_network", "low_memory"):
            if getattr(given, option):
                raise partitions.refusal(option, "given", f"--{option.replace('_', '-')}")
    given.partition_of_switch = _partitions_of_switches(given.partition_of_switch)
    partitions.asked_for(given.mpi_ranks, given.mpi_engine, given.partition_of_switch)
    if given.stdin and not Path(given.stdin).is_file():
        raise refuse("--stdin", given.stdin, "there is no such file")
    given.node_profile = _node_profiles(given.node_profile)
    given.override = overrides(given.override)
    if given.save is not None:
        store.check_folder(given.save, "--save")
    check_outputs(
        {f"--{name}": getattr(given, name) for name in ("json", "breakdown", "trace", "pcap")},
        [("program", given.program), ("--stdin", given.stdin), *files_of_cluster(given)],
        {"--save": given.save},
    )  # fmt: skip
    given.env = _variables(given.env)


def _whole(option: str, text: str) -> int:
    if not re.fullmatch(r"-?\d+", text, re.ASCII):
        raise refuse(option, text, "a whole number is needed")
    return int(text)


def _partitions_of_switches(text: str) -> list[int] | str:
    if text in ("", "graph-cut"):
        return text or []
    return [_whole("--partition-of-switch", part) for part in text.split(",")]


def _variables(texts: Sequence[str]) -> dict[str, str]:
    """Return the variables in the order of their last values, by which the last one counts."""
    found: dict[str, str] = {}
    for text in texts:
        name, value = _variable(text)
        found.pop(name, None)  # a dictionary keeps the first place of a name
        found[name] = value
    return found


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise refuse("--env", text, "NAME=VALUE is needed")
    return name, value


def _node_profiles(texts: Sequence[str]) -> dict[int, tuple[str, str]]:
    """Return product and host by node, from texts such as "2-5=giganet-clan1000@pii450-win"."""
    found: dict[int, tuple[str, str]] = {}
    for text in texts:
        parts = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?=([^@]*)(?:@(.+))?", text, re.ASCII)
        if parts is None or not (parts[3] or parts[4]):
            raise refuse("--node-profile", text, "NODE=PRODUCT, NODE=PRODUCT@HOST or NODE=@HOST")
        first, last = int(parts[1]), int(parts[2] or parts[1])
        if last < first:
            raise refuse("--node-profile", text, f"there is no node from {first} to {last}")
        for node in range(first, last + 1):
            found[node] = (parts[3], parts[4] or "")
    return found


def simulate(given: argparse.Namespace) -> int:
    """Run the program and write the results; return the exit code."""
    from via.cluster import Cluster

    cluster = Cluster(
        given.topology,
        nodes=given.nodes,
        profile=given.profile,
        host=given.host,
        kernel=given.kernel,
        node_profiles=given.node_profile,
        seed=given.seed,
        reference=given.reference,
        payload_digest=not given.no_payload_digest,
        record=bool(given.breakdown or given.trace or given.save),
        faults=given.faults,
        control_network=given.control_network,
        low_memory=given.low_memory,
        overrides=given.override,
    )
    run = cluster.run_program(
        given.program,
        given.arguments,
        procs_per_node=given.procs_per_node,
        env=given.env,
        cwd=given.cwd,
        stdin=given.stdin,
        prefix=given.prefix,
        stop=given.stop,
        patience=given.patience,
        watchdog=given.watchdog,
        pcap=given.pcap,
        snaplen=given.snaplen,
        mpi_ranks=given.mpi_ranks,
        mpi_engine=given.mpi_engine,
        partition_of_switch=given.partition_of_switch,
        check=False,
    )
    report(run)
    write_results(run, given)
    if given.digest:
        print(run.digest, flush=True)
    return run.exit


def report(run: Run) -> None:
    """Print what went wrong, and the digest, on stderr."""
    from via._base.units import format_time
    from via.results import EXIT_DEADLOCK

    if run.exit == EXIT_DEADLOCK:
        print(f"via: deadlock at {format_time(run.end_ps)}:", file=sys.stderr)
    for lines in (run.troubles, run.notes):
        for line in lines[:MOST_TROUBLES]:
            print(f"via: {line}", file=sys.stderr)
        if len(lines) > MOST_TROUBLES:
            more = len(lines) - MOST_TROUBLES
            print(f"via: and {more} more processes; --json has them all", file=sys.stderr)
    if run.sketch:
        name = run.report["profile"]["name"]
        print(f"via: profile {name} is a sketch: {run.sketch}", file=sys.stderr)
    print(f"via: digest {run.digest}", file=sys.stderr, flush=True)


def write_results(run: Run, given: argparse.Namespace) -> None:
    """Write the requested files."""
    from via._base.files import written
    from via._runs import trace

    if given.json:
        with written(given.json) as file:
            file.write(json.dumps(run.report, indent=1) + "\n")
    if given.breakdown:
        with written(given.breakdown) as file:
            run.breakdown.to_csv(file, index=False, lineterminator="\n")
    if given.trace:
        trace.write(run, given.trace)
    if given.save:
        run.save(given.save)
