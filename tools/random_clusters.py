# SPDX-License-Identifier: GPL-2.0-only
"""Random clusters: the reference mode, the usual one and MPI ranks have the same results.

usage: ./via python tools/random_clusters.py --amount N [--first SEED] [--ranks 1,2,4]
           [--programs | --protocols]

A seed selects product, topology, workload, options and faults; seven of ten clusters have several
senders for one receiver, with small buffers, congestion marks or cross traffic. Each cluster runs
in reference mode, without it, and on each number of MPI ranks: reports with their digests, samples
and counters are compared. A cluster that differs, or whose run dies, is printed as Python. What
the simulator refuses, such as faults on ranks with worms, is counted and does not count as a run.
With --programs the clusters run a VIPL program that sends and waits at random, with threads and
sockets (contrib/via/test/programs/random-waits.c); what it prints is compared, too. On ranks it
uses no sockets, which they refuse. With --protocols they run a protocol in Python that sends,
sleeps and waits at random, in several tasks, over any transport; what each process saw and when is
compared.
Exit code 1: at least one cluster differed.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import via
from via._programs import compiler
from via.errors import ConfigError, ViaError

CONTENDED = ("all-to-all", "all-gather", "barrier")
OWN = ("events", "mpi_ranks", "partitions")  # of a report: they do depend on how
PROTOCOLS = (
    "broadcast", "central-barrier", "gossip", "mscs-heartbeat", "multi-paxos", "paxos", "ping-pong",
    "raft", "reduce", "request-reply", "ricart-agrawala", "sequencer", "three-phase-commit",
    "token-ring", "two-phase-commit", "view-synchrony",
)  # fmt: skip
TOPOLOGIES = (
    ("back-to-back", 2, 2), ("star", 2, 12), ("crossbar", 2, 10), ("ring:4", 2, 4),
    ("torus:4x4", 4, 16),
    ("mesh:3x3", 3, 9), ("fat-tree:k=2,n=3", 4, 8), ("fat-tree:k=4,n=2", 4, 16),
    ("fat-tree:k=3,n=3", 9, 27), ("dragonfly:a=2,h=1,p=2", 6, 12),
)  # fmt: skip
TRANSPORTS = ("via-send", "via-rdma-write", "kernel-udp", "kernel-tcp")
SIZES = (1, 8, 47, 48, 64, 500, 1500, 4096, 9000)
CLAN = "giganet-clan1000"
SOURCES = Path(__file__).resolve().parents[1] / "contrib" / "via"


@dataclass
class Case:
    """A cluster and what runs on it.

    Attributes:
        options: of via.Cluster.
        workload: its name, or a protocol in Python.
        run: options of Cluster.run, or of Cluster.run_program.
        is_contended: several send to one at a time.
        program: what runs in place of a workload.
    """

    options: dict[str, Any]
    workload: str | type[via.Protocol]
    run: dict[str, Any] = field(default_factory=dict)
    is_contended: bool = False
    program: Path | None = None

    def __str__(self) -> str:
        if self.program is not None:
            run = f"run_program({self.program.name!r}, check=False, **{self.run})"
            return f"via.Cluster(**{self.options}).{run}"
        what = repr(self.workload)
        if not isinstance(self.workload, str):
            what = f"random_clusters.{self.workload.__name__}"
        return f"via.Cluster(**{self.options}).run({what}, check=False, **{self.run})"


class RandomProtocol(via.Protocol):
    """Processes that do anything, in several tasks, and note what they see."""

    message_bytes = 16
    max_message_bytes = 700
    window = 4

    def __init__(self, seed: int = 0) -> None:
        """Make one; what it does depends on the seed and on its rank."""
        super().__init__()
        self.seed = seed

    async def run(self) -> None:
        """Do something in each round, beside tasks that send."""
        self.draw = random.Random(self.seed * 1000 + self.rank)
        self.others = [rank for rank in range(self.size) if rank != self.rank]
        for number in range(self.rounds):
            self.enter(number)
            tasks = [self.spawn(self.talk()) for _ in range(self.draw.randrange(3))]
            for _ in range(self.draw.randrange(1, 12)):
                await self.act()
            await self.all_of(*tasks)
            self.leave(number)

    async def talk(self) -> None:
        """Send now and then."""
        for _ in range(self.draw.randrange(6)):
            await self.sleep(self.some_time())
            self.say()

    async def act(self) -> None:
        """Send, sleep, or wait for something."""
        way = self.draw.randrange(7)
        if way < 2:
            self.say()
        elif way == 2:
            await self.sleep(self.some_time())
        elif way < 5:
            source = self.draw.choice(self.others) if way == 3 else None
            self.see(await self.recv(source, timeout=self.some_time()))
        elif way == 5:
            _, message = await self.first_of(self.recv(), self.sleep(self.some_time()))
            self.see(message)
        else:
            messages = await self.all_of(
                self.recv(timeout=self.some_time()), self.sleep(self.some_time())
            )
            self.see(messages[0])

    def some_time(self) -> int:
        """Return a random span in picoseconds."""
        return self.draw.randrange(1, 50_000_000)

    def say(self) -> None:
        """Send a message of any length to anybody."""
        self.send(self.draw.choice(self.others), bytes(self.draw.randrange(600)))

    def see(self, message: tuple[int, bytes] | None) -> None:
        """Note what has come, if anything."""
        if message is None:
            self.note("propose", 0)
        else:
            self.note("deliver", message[0], len(message[1]))


def buffers(draw: random.Random, profile: str) -> dict[str, str]:
    """Return the fewest buffers of a link that the product allows, or a few more."""
    told = {entry.key: entry.value for entry in via.profiles.load(profile).entries}
    burst = int(told["nic.dma_burst"]) // int(told["link.cell_payload"])
    marks = [max(burst, 1) * draw.choice((1, 1, 2, 4))]
    if told["link.flow_control"] in ("stop-and-go", "pause"):
        marks += [marks[0] + draw.choice((1, 2, 8))]
        marks += [marks[1] + draw.choice((3, 7, 10))]  # what leaves before a stop arrives
    keys = ("link.go_mark", "link.stop_mark", "link.credits")[-len(marks) :]
    return dict(zip(keys, map(str, marks), strict=True))


def overrides(draw: random.Random, profile: str) -> dict[str, str]:
    """Return values for keys of a product: small buffers, early congestion marks, other cables."""
    told = buffers(draw, profile) if draw.random() < 0.5 else {}
    if profile == CLAN and draw.random() < 0.7:
        told["switch.feedback_mark"] = str(draw.choice((1, 2, 4, 8, 32)))
    if draw.random() < 0.3:
        told["link.cable_length_mm"] = str(draw.choice((500, 3000, 20000, 300000)))
    return told


def faults(draw: random.Random) -> dict[str, Any]:
    """Return a fault plan: losses, and perhaps a cut wire or a slow node."""
    plan = via.Faults()
    plan.loss(corrupt_ppb=draw.randint(1, 20) * 10**6, vanish_ppb=draw.randint(0, 5) * 10**6)
    if draw.random() < 0.4:
        at = draw.randint(1, 300)
        plan.link_down("n1", at=f"{at} us", until=f"{at + draw.randint(5, 900)} us")
    if draw.random() < 0.2:
        plan.slow_node("n0", at="10 us", until="500 us", factor=draw.randint(2, 6))
    return plan.to_dict()


def process_faults(draw: random.Random, nodes: int) -> str:
    """Return faults of processes; none in half of the cases."""
    rank = draw.randrange(nodes)
    return draw.choice((
        "", "", "", f"crash:{rank}:{draw.randint(1, 9)}",
        f"slow:{rank}:{draw.randint(1, 9)}:{draw.randint(1, 9)}:{draw.randint(1, 90)}",
        f"partition:{draw.randint(1, nodes - 1)}:{draw.randint(1, 90)}:{draw.randint(91, 300)}",
    ))  # fmt: skip


def of_cluster(
    draw: random.Random, seed: int, topology: str, nodes: int, profile: str
) -> dict[str, Any]:
    """Return options of via.Cluster that all kinds of cases have."""
    return {
        "topology": topology, "nodes": nodes, "profile": profile, "seed": seed,
        "record": draw.random() < 0.2, "overrides": overrides(draw, profile),
    }  # fmt: skip


def case(seed: int) -> Case:
    """Return the cluster of a seed."""
    draw = random.Random(seed)
    topology, least, most = draw.choice(TOPOLOGIES)
    nodes = draw.randint(least, most)
    profile = CLAN if draw.random() < 0.4 else draw.choice(sorted(via.profiles.names()))
    is_contended = draw.random() < 0.9 and nodes > 2
    workload = draw.choice(CONTENDED if is_contended else PROTOCOLS)
    options = of_cluster(draw, seed, topology, nodes, profile)
    if draw.random() < 0.25:
        options["faults"] = faults(draw)
    run: dict[str, Any] = {"rounds": draw.randint(1, 5), "size": draw.choice(SIZES)}
    if draw.random() < 0.2:
        run["stop"] = f"{draw.randint(5, 400)} us"
    if not is_contended and workload != "ping-pong":
        options["kernel"] = draw.choice(sorted(via.profiles.kernels()))
        run["transport"] = draw.choice(TRANSPORTS)
        run["process_faults"] = process_faults(draw, nodes)
        run["limit_ms"] = 100  # for those that wait for a process that has crashed
    return Case(options, workload, run, is_contended)


def compiled(folder: Path) -> Path:
    """Compile the program that sends and waits at random."""
    program = folder / "random-waits.so"
    sources = [SOURCES / "test/programs/random-waits.c", *(SOURCES / "examples").glob("vipl-*.c")]
    include = ["-I", str(SOURCES / "examples")]
    if compiler.main([*map(str, sources), *include, "-o", str(program)]) != 0:
        raise RuntimeError("random-waits.c cannot be compiled")
    return program


def program_case(seed: int, program: Path, *, sockets: bool = True) -> Case:
    """Return the cluster of a seed, and how it runs the program."""
    draw = random.Random(seed)
    topology, least, most = draw.choice(TOPOLOGIES)
    per_node = draw.choice((1, 1, 1, 2))
    nodes = draw.randint(least, max(least, min(most, 8 // per_node)))
    profile = CLAN if draw.random() < 0.3 else draw.choice(sorted(via.profiles.names()))
    options = of_cluster(draw, seed, topology, nodes, profile)
    if draw.random() < 0.7:
        options["kernel"] = draw.choice(sorted(via.profiles.kernels()))
    if draw.random() < 0.25:
        options["faults"] = faults(draw)
    stop = draw.choice(("500 ms", "500 ms", "500 ms", f"{draw.randint(1, 60)} ms"))
    options["control_network"] = sockets and draw.random() < 0.3
    args = [seed, draw.randint(1, 8), sockets + options["control_network"]]
    run = {"args": args, "procs_per_node": per_node, "stop": stop}
    return Case(options, "random-waits", run, nodes * per_node > 2, program)


def protocol_case(seed: int) -> Case:
    """Return the cluster of a seed, and how it runs the protocol in Python."""
    draw = random.Random(seed)
    topology, least, most = draw.choice(TOPOLOGIES)
    nodes = draw.randint(least, most)
    profile = CLAN if draw.random() < 0.3 else draw.choice(sorted(via.profiles.names()))
    options = of_cluster(draw, seed, topology, nodes, profile)
    options["kernel"] = draw.choice(sorted(via.profiles.kernels()))
    if draw.random() < 0.25:
        options["faults"] = faults(draw)
    run = {"seed": seed, "rounds": draw.randint(1, 6), "transport": draw.choice(TRANSPORTS)}
    return Case(options, RandomProtocol, {**run, "stop": "40 ms"}, nodes > 2)


def compared(run: via.Run) -> tuple[dict[str, Any], str]:
    """Return a run's report, but for what depends on how it was run, and its counters."""
    report = {key: value for key, value in run.report.items() if key not in OWN}
    return report, run.counters.to_csv()


def signs(told: Case, *, reference: bool = False, ranks: int | None = None) -> tuple[Any, ...]:
    """Run a case; return what must not depend on how."""
    cluster = via.Cluster(**told.options, reference=reference)
    given = dict(told.run)
    if told.program is not None:
        run = cluster.run_program(told.program, check=False, mpi_ranks=ranks, capture=True, **given)
        return compared(run), run.stdout, run.stderr
    try:
        run = cluster.run(told.workload, check=False, mpi_ranks=ranks, **given)
    except ConfigError as error:
        if "size" not in str(error) or "size" not in given:
            raise
        del given["size"]  # this workload has none, or not this one
        run = cluster.run(told.workload, check=False, mpi_ranks=ranks, **given)
    return compared(run), list(run.samples), run.decisions.to_csv()


def differences(told: Case, counts: tuple[int, ...]) -> list[str]:
    """Return what is wrong with a case: the runs that differ.

    Raises:
        ConfigError: the case is refused.
    """
    usual = signs(told)
    wrong = [] if signs(told, reference=True) == usual else ["reference mode"]
    counts = tuple(count for count in counts if count <= told.options["nodes"])
    on_ranks = [signs(told, ranks=count) for count in counts]
    return wrong + [
        f"{count} ranks" for count, each in zip(counts, on_ranks, strict=True) if each != usual
    ]


def compare(
    make: Callable[[int], Case],
    amount: int,
    first: int,
    counts: tuple[int, ...],
    seen: Counter[str],
) -> None:
    """Compare what `make` makes of each seed until the amount is reached; count in `seen`."""
    seed = first
    while seen["compared"] < amount:
        told = make(seed)
        wrong: list[str] | None
        try:
            wrong = differences(told, counts)
        except ConfigError:
            wrong = None
        except ViaError as error:
            wrong = [str(error)]
        seed += 1
        if wrong is None:
            seen["refused"] += 1
            continue
        seen["compared"] += 1
        seen["contended"] += told.is_contended
        seen["with faults"] += "faults" in told.options
        if wrong:
            seen["different"] += 1
            print(f"seed {seed - 1} differs ({', '.join(wrong)}): {told}", flush=True)


def main() -> int:
    """Compare clusters, and tell how many; Ctrl+C ends that early."""
    parser = argparse.ArgumentParser(description="random clusters, compared")
    parser.add_argument("--amount", type=int, required=True, help="clusters that are not refused")
    parser.add_argument("--first", type=int, default=0, help="seed (default: %(default)s)")
    parser.add_argument("--ranks", default="1,2,4", help="numbers of MPI ranks; '': none")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--programs", action="store_true", help="that send and wait at random")
    what.add_argument("--protocols", action="store_true", help="in Python, the same")
    given = parser.parse_args()
    counts = tuple(int(count) for count in given.ranks.split(",") if count)
    seen: Counter[str] = Counter()
    began = time.monotonic()
    with TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        make: Callable[[int], Case] = protocol_case if given.protocols else case
        if given.programs:
            program = compiled(Path(folder))
            make = functools.partial(program_case, program=program, sockets=not counts)
        compare(make, given.amount, given.first, counts, seen)
    took = time.monotonic() - began
    print(", ".join(f"{count} {what}" for what, count in seen.items()) + f", {took:.0f} s")
    return 1 if seen["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
