# SPDX-License-Identifier: GPL-2.0-only
"""Runs on several MPI ranks against each other, where ns-3's module mpi is there."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import campaigns
import networkx
import pytest
import via
from via._programs import compiler, partitions
from via.errors import ConfigError, ViaError

EXAMPLES = Path(__file__).parents[2] / "contrib" / "via" / "examples"


def is_built() -> bool:
    try:
        partitions.find_program(1)
    except ConfigError:
        return False
    return True


ALONE = True  # ranks wait busily: beside another test, each case takes ten times as long
needs_mpi = pytest.mark.skipif(not is_built(), reason="./via setup --mpi makes via-partitions")

FAULTS = {
    "schema": "via-faults/1",
    "loss": [{"where": "all", "corrupt_ppb": 5_000_000, "vanish_ppb": 5_000_000}],
    "link_down": [{"where": "n1", "at": "40 us", "until": "70 us"}],
    "slow_node": [{"where": "n2", "at": "30 us", "until": "90 us", "factor": 3}],
    "partition": [{"sets": [["n0", "n3"]], "at": "100 us", "until": "120 us"}],
}
CASES: list[tuple[str, int, str, dict[str, Any]]] = [
    ("star", 8, "ping-pong", {"size": 5000}),
    ("star", 8, "all-to-all", {"size": 1500}),
    ("fat-tree:k=2,n=3", 8, "all-to-all", {"size": 300}),
    ("torus:3x3", 9, "all-to-all", {"size": 300}),
    ("torus:4x4", 16, "barrier", {"size": 8}),
]
WITH_CREDITS = (
    "firmvia-sp", "giganet-clan1000", "ideal", "infinihost", "servernet1", "servernet2",
    "synfinity", "unet-atm",
)  # fmt: skip
PROTOCOLS = (
    "all-gather", "all-reduce", "broadcast", "central-barrier", "chain-replication", "gossip",
    "lock-server", "message-stream", "mscs-global-update", "mscs-heartbeat", "mscs-join",
    "mscs-regroup", "multi-paxos", "paxos", "primary-backup", "raft", "reduce", "request-reply",
    "ricart-agrawala", "sequencer", "three-phase-commit", "token-ring", "tree-barrier",
    "two-phase-commit", "view-synchrony",
)  # fmt: skip


def same_on(
    cluster: via.Cluster,
    counts: tuple[int, ...],
    workload: str,
    *,
    alone: bool = False,
    **given: Any,
) -> via.Run:
    """Run on so many MPI ranks each time; return the last run, which is like the first.

    With `alone` it has the digest of a run without MPI, too. There a protocol ends earlier.
    """
    first, *others = (
        cluster.run(workload, mpi_ranks=count, check=False, **given) for count in counts
    )
    assert not alone or first.digest == cluster.run(workload, check=False, **given).digest
    for other in others:
        assert other.digest == first.digest
        assert list(other.samples) == list(first.samples)
        one, more = dict(first.report), dict(other.report)
        for own in ("mpi_ranks", "partitions", "events"):  # each rank hears who has finished
            del one[own], more[own]
        assert more == one
        assert other.decisions.equals(first.decisions)
        assert other.messages.equals(first.messages)
    return other


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize(("topology", "nodes", "workload", "given"), CASES)
def test_any_number_of_ranks_has_the_same_digest(
    topology: str, nodes: int, workload: str, given: dict[str, Any]
) -> None:
    cluster = via.Cluster(topology, nodes=nodes)
    run = same_on(cluster, (1, 2, 4), workload, alone=True, rounds=1, **given)
    assert run.exit == 0
    assert all(run.partitions["records_sent"] > 0) or workload == "ping-pong"
    assert sum(run.partitions["hosts"]) == nodes


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", via.profiles.names())
def test_cells_of_two_ranks_that_arrive_at_one_instant_keep_their_order(profile: str) -> None:
    cluster = via.Cluster(nodes=3, profile=profile)
    run = same_on(cluster, (1, 2, 3), "all-to-all", alone=True, rounds=5)
    assert (run.exit, run.report["messages"]) == (0, 30)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", via.profiles.names())
@pytest.mark.parametrize("topology", ["torus:4x4", "fat-tree:k=2,n=3"])
def test_long_messages_under_load_are_the_same_on_any_number_of_ranks(
    profile: str, topology: str
) -> None:
    cluster = via.Cluster(topology, nodes=8, profile=profile)
    same_on(cluster, (1, 2, 4), "all-to-all", alone=True, size=20_000, rounds=2)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", WITH_CREDITS)
@pytest.mark.parametrize("workload", ["all-to-all", "barrier"])
def test_storms_are_the_same_on_any_number_of_ranks(
    profile: str, workload: str, tmp_path: Path
) -> None:
    for seed in (1, 4, 8 + 2, 16 + 32, 63):
        faults = tmp_path / "storm.toml"
        faults.write_text(campaigns.storm(seed, 200))
        cluster = via.Cluster(
            "fat-tree:k=2,n=3", nodes=8, profile=profile, seed=seed, faults=faults
        )
        same_on(cluster, (1, 2, 4), workload, alone=workload == "all-to-all", rounds=10)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("seed", range(40))
def test_random_clusters_are_the_same_on_any_number_of_ranks(seed: int) -> None:
    draw = random.Random(seed)
    topology = draw.choice(["star", "crossbar", "ring:4", "torus:4x4", "fat-tree:k=4,n=2"])
    faults = via.Faults()
    if draw.random() < 0.4:
        faults.loss(corrupt_ppb=draw.randint(1, 20) * 10**6, vanish_ppb=draw.randint(0, 5) * 10**6)
    if draw.random() < 0.2:
        at = draw.randint(1, 300)
        faults.link_down("n1", at=f"{at} us", until=f"{at + draw.randint(5, 900)} us")
    nodes = draw.randint(2, 4 if topology == "ring:4" else 10)
    cluster = via.Cluster(
        topology,
        nodes=nodes,
        profile=draw.choice(WITH_CREDITS),
        seed=seed,
        faults=faults,
    )
    workload = draw.choice(["barrier", "all-to-all", "all-gather", *PROTOCOLS])
    counts = tuple(count for count in (1, 2, 4) if count <= nodes)
    same_on(cluster, counts, workload, rounds=draw.randint(1, 4), limit_ms=5_000)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("seed", range(20))
def test_runs_that_are_stopped_are_the_same_on_any_number_of_ranks(seed: int) -> None:
    draw = random.Random(seed)
    cluster = via.Cluster(
        draw.choice(["star", "torus:4x4", "fat-tree:k=4,n=2"]),
        nodes=draw.randint(4, 10),
        profile=draw.choice(via.profiles.names()),
        seed=seed,
    )
    workload = draw.choice(["barrier", "all-to-all", "all-gather", *PROTOCOLS])
    stop = draw.randint(10, 300) * 1_000_000
    run = same_on(cluster, (1, 2, 4), workload, alone=True, rounds=100, stop=stop)
    assert run.end_ps == stop


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", ["giganet-clan1000", "servernet2", "mvia-gnic2", "myvia"])
@pytest.mark.parametrize("routing", ["adaptive", "ecmp"])
def test_packets_that_may_overtake_are_the_same_on_any_number_of_ranks(
    profile: str, routing: str
) -> None:
    for tree in ("fat-tree:k=2,n=3", "fat-tree:k=4,n=2"):
        cluster = via.Cluster(f"{tree},routing={routing}", nodes=8, profile=profile)
        same_on(cluster, (1, 2, 3), "all-to-all", alone=True, rounds=3, size=5000)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("seed", range(20))
def test_wires_that_differ_are_the_same_on_any_number_of_ranks(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    nodes = draw.randint(3, 6)
    base = via.topology.parse(draw.choice(["star", "fat-tree:k=2,n=3", "fat-tree:k=4,n=2"]), nodes)
    lines = ["a,b,length_mm,rate_mbit_s,cells"]
    for a, b in via.topology.to_networkx(base).edges():
        wire = draw.choice(["", 30_000]), draw.choice(["", 100, 700]), draw.choice(["", 16, 40])
        lines.append(",".join(map(str, (a, b, *wire))))
    table = tmp_path / "wires.csv"
    table.write_text("\n".join(lines))
    cluster = via.Cluster(f"file:{table}", nodes=nodes, profile=draw.choice(WITH_CREDITS))
    same_on(cluster, (1, 2, 3), "all-to-all", alone=True, rounds=2, size=5000)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("topology", ["star", "torus:2x2"])
def test_programs_use_any_card_on_ranks(topology: str, tmp_path: Path) -> None:
    for source in EXAMPLES.glob("vipl-*.[ch]"):
        text = source.read_text("ascii").replace("VipOpenNic(DEVICE", 'VipOpenNic("VINIC1"')
        (tmp_path / source.name).write_text(text, "ascii")
    program = tmp_path / "barrier.so"
    sources = [EXAMPLES / "barrier.c", *tmp_path.glob("*.c")]
    assert compiler.main([*map(str, sources), "-o", str(program)]) == 0
    cluster = via.Cluster(topology, nodes=4, rails=2)
    alone, *others = (cluster.run_program(program, mpi_ranks=count) for count in (None, 2, 4))
    assert [run.digest for run in others] == [alone.digest] * 2


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", ["giganet-clan1000", "servernet2", "infinihost", "ideal"])
def test_programs_that_start_again_are_the_same_on_any_number_of_ranks(
    profile: str, barrier: Path
) -> None:
    for seed in range(6):
        draw = random.Random(seed)
        faults = via.Faults()
        for _ in range(draw.randint(1, 3)):
            at = draw.randint(20, 900)
            until = f"{at + draw.randint(5, 500)} us"
            faults.node_crash(f"n{draw.randrange(4)}", at=f"{at} us", until=until, restart=True)
        cluster = via.Cluster("ring", nodes=4, profile=profile, faults=faults)
        alone, *others = (
            cluster.run_program(
                barrier, ["-n", 200], mpi_ranks=ranks, capture=True, check=False, stop="20 ms"
            )
            for ranks in (None, 1, 2, 4)
        )
        for run in others:
            assert (run.digest, run.end_ps) == (alone.digest, alone.end_ps)
            assert run.processes.equals(alone.processes)
            assert run.faults.equals(alone.faults)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("topology", [
    via.topology.from_networkx(networkx.petersen_graph(), hosts=1),
    via.topology.with_wires(via.topology.ring(10), trunks={"rate_mbit_s": 400}),
    via.topology.with_rails(via.topology.fat_tree(2, 4, nodes=10), 2),
], ids=str)  # fmt: skip
def test_topologies_that_are_values_are_the_same_on_any_number_of_ranks(
    topology: via.topology.Topology,
) -> None:
    same_on(via.Cluster(topology), (1, 2, 4), "all-to-all", alone=True, rounds=1, size=2000)


@needs_mpi
@pytest.mark.night
def test_messages_that_a_reset_card_had_sent_are_counted_once() -> None:
    plan = via.Faults().storm("nic_reset", per_second=500, least="50 us", most="90 us", until="1 s")
    cluster = via.Cluster(nodes=8, profile="ideal", faults=plan)
    one = cluster.run("barrier", rounds=50, check=False)
    two = cluster.run("barrier", rounds=50, check=False, mpi_ranks=2)
    assert two.report["messages"] == one.report["messages"]


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize(
    ("profile", "workload", "given"),
    [
        ("giganet-clan1000", "ping-pong", {"size": 5000}),
        ("giganet-clan1000", "all-to-all", {"size": 300}),
        ("servernet2", "all-to-all", {"size": 3000}),
        ("gm-lanai9-200", "all-to-all", {"size": 3000}),
        ("mvia-gnic2", "all-reduce", {}),
        ("infinihost", "two-phase-commit", {"transport": "via-rdma-write"}),
        ("giganet-clan1000", "raft", {"transport": "kernel-udp"}),
        ("mvia-gnic2", "socket-stream", {"messages": 9, "size": 3000, "transport": "kernel-tcp"}),
    ],
)
def test_critical_paths_are_those_of_a_run_without_mpi(
    profile: str, workload: str, given: dict[str, Any]
) -> None:
    cluster = via.Cluster("fat-tree:k=2,n=3", nodes=8, profile=profile)
    plain = cluster.run(workload, check=False, **given)
    order = ["end_ps", "src_rank", "vi", "seq"]
    messages = plain.messages.sort_values(order, kind="stable", ignore_index=True)
    for ranks in (1, 2, 4):
        run = cluster.run(workload, mpi_ranks=ranks, check=False, **given)
        assert run.messages.equals(messages)
        assert run.breakdown.equals(plain.breakdown)
        if workload != "raft":  # its processes hear later that all have finished
            assert len(run.spans) == len(plain.spans)
            assert run.links.equals(plain.links)
            assert run.counters.equals(plain.counters)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize(
    ("profile", "workload", "given"),
    [
        ("giganet-clan1000", "all-to-all", {"size": 3000, "rounds": 2}),
        ("gm-lanai9-200", "all-to-all", {"size": 3000}),
        ("servernet1", "all-gather", {}),
        ("infinihost", "two-phase-commit", {"transport": "via-rdma-write"}),
        ("mvia-gnic2", "socket-stream", {"messages": 9, "size": 3000, "transport": "kernel-tcp"}),
    ],
)
def test_a_capture_has_the_bytes_of_one_without_mpi(
    profile: str, workload: str, given: dict[str, Any], tmp_path: Path
) -> None:
    cluster = via.Cluster("fat-tree:k=2,n=3", nodes=8, profile=profile)
    plain, shared = tmp_path / "plain.pcapng", tmp_path / "shared.pcapng"
    cluster.run(workload, pcap=plain, snaplen=64, check=False, **given)
    assert len(plain.read_bytes()) > 10_000
    for ranks in (1, 2, 4):
        cluster.run(workload, mpi_ranks=ranks, pcap=shared, snaplen=64, check=False, **given)
        assert shared.read_bytes() == plain.read_bytes()


class Ring(via.Protocol):
    """Each process sends to the next one and waits for the one before."""

    selective = True
    bounded = True

    def __init__(self, fails_at: int = -1) -> None:
        super().__init__()
        self.fails_at = fails_at

    async def run(self) -> int:
        for number in range(self.rounds):
            if number == self.fails_at and self.rank == 1:
                raise ValueError("no more")
            self.enter(number)
            self.send((self.rank + 1) % self.size, bytes([number]))
            await self.recv((self.rank - 1) % self.size)
            self.leave(number)
            self.note("decide", number, self.rank)
        return self.now


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("transport", ["via-send", "via-rdma-write", "kernel-udp"])
def test_a_protocol_in_python_is_the_same_on_any_number_of_ranks(transport: str) -> None:
    cluster = via.Cluster("fat-tree:k=2,n=3", nodes=8)
    plain = cluster.run(Ring, rounds=6, transport=transport)
    for ranks in (1, 2, 4):
        run = cluster.run(Ring, rounds=6, transport=transport, mpi_ranks=ranks)
        assert run.returned == plain.returned
        assert list(run.samples) == list(plain.samples)
        assert run.decisions.equals(plain.decisions)
        assert run.breakdown.equals(plain.breakdown)


@needs_mpi
@pytest.mark.night
def test_an_error_in_python_is_known_from_another_rank() -> None:
    cluster = via.Cluster("star", nodes=4)
    run = cluster.run(Ring, fails_at=2, rounds=4, mpi_ranks=2, check=False, stop="10ms")
    assert [(rank, str(error)) for rank, error in run.errors.items()] == [(1, "no more")]
    assert run.exit == 1


@needs_mpi
@pytest.mark.night
def test_processes_in_python_are_the_same_on_any_number_of_ranks(leaves: Path) -> None:
    cluster = via.Cluster("star", nodes=4)

    @cluster.process([0, 3], 20)
    async def ping_pong(p: via.Process, rounds: int) -> float:
        nic = await p.open_nic()
        memory = p.allocate(4096)
        await nic.register(memory)
        vi = await nic.create_vi()
        await vi.post_recv(memory[0:64])
        if p.rank == 0:
            await vi.connect(3, "ping")
        else:
            await (await nic.listen("ping")).accept(vi)
        began = p.now
        for _ in range(rounds):
            if p.rank == 0:
                await vi.send(memory[64:72])
            await vi.recv(poll=True)
            await vi.post_recv(memory[0:64])
            if p.rank == 1:
                await vi.send(memory[64:72])
        return (p.now - began) / rounds

    cluster.spawn(1, leaves, ["7"])
    plain = cluster.run(check=False)
    assert plain.returned[0] > 1_000_000
    for ranks in (1, 2, 4):
        run = cluster.run(mpi_ranks=ranks, check=False)
        assert run.digest == plain.digest
        assert run.returned == plain.returned
        assert run.processes.equals(plain.processes)
        assert run.breakdown.equals(plain.breakdown)


@needs_mpi
@pytest.mark.night
def test_functions_that_cannot_be_sent_are_refused_and_say_why() -> None:
    cluster = via.Cluster(nodes=2)
    lock = threading.Lock()

    @cluster.process(0)
    async def holds(p: via.Process) -> None:
        with lock:
            await p.compute(1)

    limit = "^mpi_ranks = 2: the functions of processes go to other OS processes: .*lock"
    with pytest.raises(ConfigError, match=limit):
        cluster.run(mpi_ranks=2)


@needs_mpi
@pytest.mark.night
def test_where_a_graph_is_cut_makes_no_difference() -> None:
    cluster = via.Cluster("torus:3x3", nodes=9)
    one, cut = (
        cluster.run("all-to-all", mpi_ranks=2, rounds=1, partition_of_switch=placing)
        for placing in ([0, 1, 0, 1, 0, 1, 0, 1, 0], "graph-cut")
    )
    assert cut.digest == one.digest
    assert sum(cut.partitions["records_sent"]) < sum(one.partitions["records_sent"])


@pytest.mark.parametrize("given", ["graphcut", [0, 64], [0.5], [-1]])
def test_a_placing_of_another_kind_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match="partition_of_switch"):
        via.Cluster("ring", nodes=2).run("ping-pong", mpi_ranks=2, partition_of_switch=given)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"partition_of_switch": [0, 1]}, "partition_of_switch = "),
        ({"mpi_engine": "null-message"}, "engine"),
    ],
)
def test_what_is_said_of_ranks_is_refused_where_there_are_none(
    option: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=f"{said}.*there are no MPI ranks"):
        via.Cluster("ring", nodes=2).run("ping-pong", **option)


@needs_mpi
@pytest.mark.night
def test_eight_ranks_have_the_digest_of_one() -> None:
    run = same_on(via.Cluster("torus:2x2x2", nodes=8), (1, 8), "all-to-all", size=64, rounds=1)
    assert list(run.partitions["hosts"]) == [1] * 8


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("transport", ["via-send", "via-rdma-write"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_on_two_ranks_has_the_digest_of_one(protocol: str, transport: str) -> None:
    cluster = via.Cluster("ring", nodes=4)
    run = same_on(cluster, (1, 2), protocol, rounds=3, transport=transport)
    assert run.exit == 0


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("transport", ["kernel-udp", "kernel-tcp"])
@pytest.mark.parametrize(
    "protocol", ["barrier", "all-to-all", "two-phase-commit", "raft", "gossip"]
)
@pytest.mark.parametrize("topology", ["star", "torus:2x2"])
def test_kernels_of_two_ranks_talk_as_those_of_one(
    topology: str, protocol: str, transport: str
) -> None:
    cluster = via.Cluster(topology, nodes=4)
    run = same_on(cluster, (1, 2, 4), protocol, rounds=3, transport=transport)
    assert run.exit == 0
    assert all(run.partitions["records_sent"] > 0)


@needs_mpi
@pytest.mark.night
def test_a_kernel_that_crashes_is_missed_alike_on_any_number_of_ranks() -> None:
    plan = via.Faults().node_crash("n3", at="2 ms")
    cluster = via.Cluster("star", nodes=4, faults=plan)
    run = same_on(cluster, (1, 2), "mscs-regroup", transport="kernel-tcp", limit_ms=20_000)
    assert list(run.faults["killed"]) == [1]


@needs_mpi
@pytest.mark.night
def test_tcp_sends_again_alike_what_the_wires_of_two_ranks_lose() -> None:
    plan = via.Faults().loss(corrupt_ppb=2_000_000)
    cluster = via.Cluster("star", nodes=4, faults=plan)
    run = same_on(cluster, (1, 2), "all-to-all", transport="kernel-tcp", size=3000, rounds=5)
    assert run.report["cells"]["corrupt"] > 0


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize(
    ("topology", "nodes"), [("star", 8), ("fat-tree:k=2,n=3", 8), ("torus:3x3", 9)]
)
def test_faults_on_wires_and_nodes_are_the_same_on_any_number_of_ranks(
    topology: str, nodes: int
) -> None:
    cluster = via.Cluster(topology, nodes=nodes, faults=FAULTS)
    run = same_on(cluster, (1, 2, 4), "all-to-all", size=300, rounds=2)
    assert run.report["cells"]["lost"] > 0
    assert run.report["cells"]["corrupt"] > 0
    assert len(run.faults) == 4


@needs_mpi
@pytest.mark.night
def test_a_node_that_crashes_is_missed_alike_on_any_number_of_ranks() -> None:
    plan = via.Faults().node_crash("n3", at="50 us")
    cluster = via.Cluster("ring", nodes=4, faults=plan)
    run = same_on(cluster, (1, 2, 4), "two-phase-commit", rounds=20, limit_ms=10)
    assert list(run.faults["killed"]) == [1]


@needs_mpi
@pytest.mark.night
def test_processes_that_crash_are_missed_alike_on_any_number_of_ranks() -> None:
    cluster = via.Cluster("ring", nodes=4)
    faults = "crash:3:5,slow:1:2:3:40"
    assert same_on(cluster, (1, 2, 4), "paxos", rounds=4, process_faults=faults).exit == 0


@needs_mpi
@pytest.mark.ci
@pytest.mark.parametrize("mode", ["send", "rdma"])
def test_programs_on_two_ranks_print_and_end_as_on_one(barrier: Path, mode: str) -> None:
    cluster = via.Cluster("ring", nodes=4)
    one, two = (
        cluster.run_program(
            barrier, ["-m", mode, "-n", "3"], prefix=True, capture=True, mpi_ranks=count
        )
        for count in (1, 2)
    )
    assert one.digest == two.digest
    assert one.stdout == two.stdout != ""
    assert one.processes.equals(two.processes)
    plain = via.Cluster("ring", nodes=4, reference=True).run_program(
        barrier, ["-m", mode, "-n", "3"], prefix=True, capture=True
    )
    assert two.stdout == plain.stdout
    assert two.end_ps == plain.end_ps


@needs_mpi
@pytest.mark.night
def test_a_program_that_waits_for_ever_on_one_of_two_ranks_is_a_deadlock(waits: Path) -> None:
    run = via.Cluster(nodes=2).run_program(waits, mpi_ranks=2, check=False)
    assert run.exit == 3
    assert run.troubles == via.Cluster(nodes=2).run_program(waits, check=False).troubles


@needs_mpi
@pytest.mark.night
def test_what_a_program_returns_on_another_rank_is_known(leaves: Path) -> None:
    run = via.Cluster(nodes=2).run_program(leaves, ["{rank}"], mpi_ranks=2, check=False)
    assert list(run.processes["exit"]) == [0, 1]
    assert run.exit == 1


@needs_mpi
@pytest.mark.night
def test_null_messages_keep_ranks_in_step_too() -> None:
    cluster = via.Cluster("torus:2x2", nodes=4)
    given: dict[str, Any] = {"size": 500, "rounds": 1, "stop": "100us"}
    windows = cluster.run("all-to-all", mpi_ranks=2, **given)
    nulls = cluster.run("all-to-all", mpi_ranks=2, mpi_engine="null-message", **given)
    assert nulls.digest == windows.digest
    assert nulls.end_ps == windows.end_ps


@needs_mpi
@pytest.mark.night
def test_null_messages_need_an_end() -> None:
    with pytest.raises(ConfigError, match="^stop = none: ranks that send null messages"):
        via.Cluster(nodes=4).run("barrier", mpi_ranks=2, mpi_engine="null-message")


@needs_mpi
@pytest.mark.night
def test_a_look_ahead_that_is_too_long_ends_the_run_and_names_the_wire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = partitions.run
    monkeypatch.setattr(
        partitions, "run", lambda task, count, **more: plain({**task, "lookahead_ps": 10**7}, count)
    )
    with pytest.raises(ViaError, match=r"late: (cells|credits) on the wire from [ns]\d+"):
        via.Cluster("star", nodes=4).run("all-to-all", mpi_ranks=2, rounds=2)


@needs_mpi
@pytest.mark.night
def test_a_task_that_names_no_node_is_refused() -> None:
    task = {
        "profile": "giganet-clan1000", "topology": "star", "nodes": 2, "workload": "barrier",
        "node_profiles": {"x": ["ideal", ""]},
    }  # fmt: skip
    with pytest.raises(ConfigError, match="node_profiles = x: the number of a node"):
        partitions.run(task, 1)


def rank_of(mpirun_parent: int) -> int:
    """Return the number of a via-partitions process below one of ours, when there is one."""
    while True:
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, rest = status.read_text().split("(", 1)[1].rsplit(")", 1)
                above = int(rest.split()[1])
                if name == "via-partitions" and parent_of(above) == mpirun_parent:
                    return int(status.parent.name)
            except OSError:
                continue
        time.sleep(0.05)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize(
    ("workload", "given"),
    [
        ("stream", {"messages": 50, "window": 7}),
        ("socket-ping-pong", {"rounds": 5, "transport": "kernel-tcp"}),
        ("socket-ping-pong", {"rounds": 5, "transport": "kernel-udp"}),
        ("socket-stream", {"messages": 9, "size": 3000, "transport": "kernel-tcp"}),
        ("socket-stream", {"messages": 9, "size": 3000, "transport": "kernel-udp"}),
    ],
)
def test_both_ends_of_a_pair_may_be_on_ranks_of_their_own(
    workload: str, given: dict[str, Any]
) -> None:
    run = same_on(via.Cluster("chain", nodes=2), (1, 2), workload, **given)
    assert run.exit == 0
    assert len(run.samples) > 0
    assert all(run.partitions["records_sent"] > 0)


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


@needs_mpi
@pytest.mark.night
def test_a_rank_that_is_killed_ends_the_run_with_an_error() -> None:
    def kill() -> None:
        victim = rank_of(os.getpid())
        time.sleep(1)  # it has begun by then
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(ViaError, match="an MPI rank of 2 has died, mpirun ended with code"):
        via.Cluster("star", nodes=8).run("all-to-all", mpi_ranks=2, rounds=1_000_000)
    killer.join()


@needs_mpi
@pytest.mark.night
def test_what_ranks_cannot_do_is_refused_by_name() -> None:
    def refuses(cluster: via.Cluster, workload: str = "barrier", **given: Any) -> None:
        with pytest.raises(ConfigError, match="not on several MPI ranks yet"):
            cluster.run(workload, mpi_ranks=2, **given)

    refuses(via.Cluster(nodes=4, profile="mx-d", faults=via.Faults().loss(corrupt_ppb=1)))
    refuses(via.Cluster(nodes=4, control_network=True))
    refuses(via.Cluster(nodes=4, low_memory=True))
    with pytest.raises(ConfigError, match="^mpi_ranks = 4: a whole number from 1 to 2"):
        via.Cluster(nodes=2).run("ping-pong", mpi_ranks=4)


def test_more_ranks_than_there_may_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="^mpi_ranks = 65"):
        via.Cluster(nodes=100).run("barrier", mpi_ranks=65)


def test_without_via_ranks_the_error_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from via import _core

    monkeypatch.setattr(_core, "__file__", str(tmp_path / "build/python/via/_core.so"))
    with pytest.raises(ConfigError, match="via-partitions is not built: ./via setup --mpi"):
        via.Cluster(nodes=2).run("ping-pong", mpi_ranks=2)
