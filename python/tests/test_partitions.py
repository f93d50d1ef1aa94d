# SPDX-License-Identifier: GPL-2.0-only
"""Workloads on several MPI ranks have the results of one, and of a run without MPI."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import campaigns
import networkx
import pytest
import random_clusters
import via
from ranks import PROTOCOLS, WITH_CREDITS, needs_mpi, same_on

ALONE = True  # ranks wait busily: beside another test, each case takes ten times as long
EXAMPLES = Path(__file__).parents[2] / "contrib" / "via" / "examples"
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


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize(("topology", "nodes", "workload", "given"), CASES)
def test_any_number_of_ranks_has_the_same_digest(
    topology: str, nodes: int, workload: str, given: dict[str, Any]
) -> None:
    cluster = via.Cluster(topology, nodes=nodes)
    run = same_on(cluster, (1, 2, 4), workload, rounds=1, **given)
    assert run.exit == 0
    assert all(run.partitions["records_sent"] > 0) or workload == "ping-pong"
    assert sum(run.partitions["hosts"]) == nodes


@needs_mpi
def test_ranks_compute_no_digest_of_payloads_that_nobody_wants() -> None:
    cluster = via.Cluster("star", nodes=2, payload_digest=False)
    assert cluster.run("ping-pong", rounds=2, mpi_ranks=2).payload_digest is None


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", via.profiles.names())
def test_cells_of_two_ranks_that_arrive_at_one_instant_keep_their_order(profile: str) -> None:
    cluster = via.Cluster(nodes=3, profile=profile)
    run = same_on(cluster, (1, 2, 3), "all-to-all", rounds=5)
    assert (run.exit, run.report["messages"]) == (0, 30)


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("profile", via.profiles.names())
@pytest.mark.parametrize("topology", ["torus:4x4", "fat-tree:k=2,n=3"])
def test_long_messages_under_load_are_the_same_on_any_number_of_ranks(
    profile: str, topology: str
) -> None:
    cluster = via.Cluster(topology, nodes=8, profile=profile)
    same_on(cluster, (1, 2, 4), "all-to-all", size=20_000, rounds=2)


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
        same_on(cluster, (1, 2, 4), workload, rounds=10)


@needs_mpi
def test_a_rank_that_is_done_before_a_run_is_stopped_may_have_cells_of_others() -> None:
    cluster = via.Cluster("dragonfly:a=2,h=1,p=2", nodes=10, seed=10035)
    same_on(cluster, (1, 2), "sequencer", size=9000, rounds=1, stop="268 us")


@needs_mpi
def test_links_of_several_ranks_that_wait_for_each_other_in_a_cycle_are_named() -> None:
    ring = "ring:5,routing=shortest-path,deadlock=allow"
    cluster = via.Cluster(ring, nodes=5, overrides={"link.credits": "8"})
    same_on(cluster, (1, 2, 3), "all-to-all", size=60_000, rounds=2)
    deadlock = cluster.run("all-to-all", size=60_000, rounds=2, mpi_ranks=2, check=False).report
    assert deadlock["deadlock"].startswith("cells wait for buffer space in a cycle: s0.1 -> s1")


@needs_mpi
@pytest.mark.night
def test_thirty_random_clusters_are_the_same_in_every_mode(monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.argv", ["random_clusters.py", "--amount", "30", "--first", "500"])
    assert random_clusters.main() == 0, capsys.readouterr().out


@needs_mpi
def test_ranks_divide_the_topology_that_the_overrides_give() -> None:
    own = {"switch.ports": "4", "switch.model": "own"}  # the star needs several switches
    same_on(via.Cluster("star", nodes=8, overrides=own), (1, 2), "barrier", rounds=3)


@needs_mpi
def test_reference_mode_is_the_same_on_any_number_of_ranks() -> None:
    usual = via.Cluster("ring:3", nodes=3).run("all-to-all", rounds=2, size=500, mpi_ranks=2)
    reference = via.Cluster("ring:3", nodes=3, reference=True)
    run = same_on(reference, (1, 2), "all-to-all", rounds=2, size=500)
    assert run.digest == usual.digest
    assert run.report["events"] > usual.report["events"]


@needs_mpi
@pytest.mark.night
def test_cards_of_finished_processes_work_in_order_on_any_number_of_ranks() -> None:
    small = {"link.go_mark": 4, "link.stop_mark": 12, "link.credits": 15}
    cluster = via.Cluster("fat-tree:k=3,n=3", nodes=20, profile="gamma-gnic2", overrides=small)
    same_on(cluster, (1, 2, 4), "ricart-agrawala", rounds=5, size=1500)


@needs_mpi
@pytest.mark.night
def test_lanes_that_wait_for_credits_are_the_same_on_any_number_of_ranks() -> None:
    faults = via.Faults().loss(corrupt_ppb=7 * 10**6, vanish_ppb=10**6)
    faults.link_down("n1", at="127 us", until="614 us")
    long = {"link.credits": 8, "link.cable_length_mm": 300_000}
    cluster = via.Cluster("torus:4x4", nodes=4, seed=30314, overrides=long, faults=faults)
    same_on(cluster, (1, 2, 4), "all-to-all", rounds=1, size=4096)


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
@pytest.mark.parametrize("topology", ["mesh:3x3", "mesh:3x3,rails=2", "fat-tree:k=3,n=2"])
@pytest.mark.parametrize("mark", [1, 3])
def test_congestion_notices_are_the_same_on_any_number_of_ranks(topology: str, mark: int) -> None:
    overrides = {"switch.feedback_mark": mark, "link.credits": 8}
    cluster = via.Cluster(topology, nodes=9, overrides=overrides)
    same_on(cluster, (1, 2, 4), "all-gather", size=48, rounds=5)


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
    run = same_on(cluster, (1, 2, 4), workload, rounds=100, stop=stop)
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
        same_on(cluster, (1, 2, 3), "all-to-all", rounds=3, size=5000)


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
    same_on(cluster, (1, 2, 3), "all-to-all", rounds=2, size=5000)


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
    same_on(via.Cluster(topology), (1, 2, 4), "all-to-all", rounds=1, size=2000)


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
def test_a_capture_on_two_ranks_is_that_of_one_process(tmp_path: Path) -> None:
    cluster = via.Cluster("fat-tree:k=2,n=2", nodes=4)
    plain, shared = tmp_path / "plain.pcapng", tmp_path / "shared.pcapng"
    cluster.run("all-to-all", size=3000, pcap=plain)
    cluster.run("all-to-all", size=3000, mpi_ranks=2, pcap=shared)
    assert shared.read_bytes() == plain.read_bytes()


@needs_mpi
@pytest.mark.parametrize("rails", [1, 2])
def test_a_capture_where_cables_of_hosts_are_cut_is_that_of_one_process(
    rails: int, tmp_path: Path
) -> None:
    cluster = via.Cluster("star", nodes=2, rails=rails)
    plain, shared = tmp_path / "plain.pcapng", tmp_path / "shared.pcapng"
    cluster.run("all-to-all", size=300, pcap=plain)
    cluster.run("all-to-all", size=300, mpi_ranks=2, pcap=shared)
    assert shared.read_bytes() == plain.read_bytes()


@needs_mpi
@pytest.mark.night
def test_a_region_that_is_gone_has_no_offset_in_the_capture_of_two_ranks(tmp_path: Path) -> None:
    cluster = via.Cluster("fat-tree:k=2,n=2", nodes=4)

    @cluster.process(0)
    async def writer(p: Any) -> None:
        nic = await p.open_nic()
        memory = p.allocate(4096)
        await nic.register(memory)
        vi = await nic.create_vi(rdma_write=True)
        await vi.post_recv(memory[:64])
        await vi.connect(3, "writes")
        await vi.recv()
        region = pickle.loads(bytes(memory[:64]))
        for at in (100, 500):  # the second one after the region is gone
            await vi.rdma_write(memory[1000:1100], via._core.RemoteMemory(*region).at(at, 100))
            await p.sleep("1 ms")

    @cluster.process(3)
    async def owner(p: Any) -> None:
        nic = await p.open_nic()
        memory, target = p.allocate(4096), p.allocate(4096)
        await nic.register(memory)
        region = await nic.register(target, rdma_write=True)
        vi = await nic.create_vi(rdma_write=True)
        await (await nic.listen("writes")).accept(vi)
        told = region.remote.address, region.remote.handle, region.remote.length
        memory[:64] = pickle.dumps(told).ljust(64)
        await vi.send(memory[:64])
        await p.sleep("500 us")
        await nic.deregister(region)
        await p.sleep("2 ms")

    plain, shared = tmp_path / "plain.pcapng", tmp_path / "shared.pcapng"
    cluster.run(pcap=plain, check=False)
    cluster.run(pcap=shared, mpi_ranks=2, check=False)
    assert shared.read_bytes() == plain.read_bytes()


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
@pytest.mark.parametrize("workload", ["mscs-regroup", "mscs-heartbeat"])
def test_who_goes_on_after_others_have_finished_ends_alike_on_any_number_of_ranks(
    workload: str,
) -> None:
    ring = via.Cluster("ring:8", nodes=8)
    same_on(ring, (1, 2), workload, rounds=3, process_faults="crash:3:3")


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


@needs_mpi
@pytest.mark.parametrize("workload", ["ping-pong", "stream"])
@pytest.mark.parametrize("profile", ["giganet-clan1000", "infinihost"])
def test_records_of_two_ranks_are_those_of_one_process(workload: str, profile: str) -> None:
    cluster = via.Cluster(nodes=2, profile=profile)
    amount = {"rounds": 2} if workload == "ping-pong" else {"messages": 3, "size": 64}
    alone = cluster.run(workload, **amount)
    two = cluster.run(workload, mpi_ranks=2, **amount)
    assert two.digest == alone.digest
    for name in ("messages", "spans", "breakdown", "links", "counters"):
        assert getattr(two, name).equals(getattr(alone, name)), name


@needs_mpi
def test_ranks_have_the_faults_that_a_plan_had_when_the_cluster_was_made() -> None:
    plan = via.Faults().loss("n0", corrupt_ppb=1)
    cluster = via.Cluster(nodes=2, faults=plan)
    plan.loss("all", vanish_ppb=300_000_000)
    run = same_on(cluster, (1, 2), "ping-pong", rounds=5)
    assert len(run.faults) == 1


@needs_mpi
@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_ranks_have_the_faults_that_a_file_had_when_the_cluster_was_made(
    suffix: str, tmp_path: Path
) -> None:
    file = tmp_path / f"plan{suffix}"
    text = {
        ".toml": 'schema = "via-faults/1"\n[[link_down]]\nwhere = "n0"\nat = "AT"\n',
        ".json": '{"schema": "via-faults/1", "link_down": [{"where": "n0", "at": "AT"}]}',
    }[suffix]
    file.write_text(text.replace("AT", "1 s"))
    cluster = via.Cluster(nodes=2, faults=file)
    file.write_text(text.replace("AT", "1 us"))
    assert same_on(cluster, (1, 2), "ping-pong", rounds=5).exit == 0


@needs_mpi
def test_ranks_have_the_cables_that_a_file_had_when_the_cluster_was_made(tmp_path: Path) -> None:
    file = tmp_path / "line.csv"
    file.write_text("a,b\nn0,s0\nn1,s1\ns0,s1\n")
    cluster = via.Cluster(f"file:{file}", nodes=2)
    file.write_text("a,b\nn0,s0\nn1,s0\n")
    assert same_on(cluster, (1, 2), "ping-pong", rounds=5).exit == 0
