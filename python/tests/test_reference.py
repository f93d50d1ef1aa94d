# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a run are those of the reference, which does everything at its instant."""

import pandas as pd
import pytest
import via
from hypothesis import given, settings
from hypothesis import strategies as st

WORKLOADS = {
    "barrier": {"rounds": 8},
    "all-to-all": {"rounds": 2, "size": 4096},
    "stream": {"messages": 30, "size": 20000},
    "view-synchrony": {},
    "lock-server": {},
    "paxos": {},
}


def by_row(spans: pd.DataFrame) -> pd.DataFrame:
    """The reference adds spans, and messages that end at one instant, in another order."""
    kinds = spans.select_dtypes("category").columns
    texts = spans.astype(dict.fromkeys(kinds, str))
    return texts.sort_values(list(texts.columns), ignore_index=True)


def check(workload: str, nodes: int, stop: int | None, **cluster: object) -> None:
    """Compare all tables of two runs."""
    nodes = 2 if workload == "stream" else nodes
    now, reference = (
        via.Cluster(nodes=nodes, reference=wanted, **cluster).run(
            workload, stop=stop, check=False, **WORKLOADS[workload]
        )
        for wanted in (False, True)
    )
    assert now.digest == reference.digest
    for table in ("messages", "breakdown", "counters", "cpu", "links", "processes"):
        pd.testing.assert_frame_equal(getattr(now, table), getattr(reference, table))
    pd.testing.assert_frame_equal(by_row(now.spans), by_row(reference.spans))


@pytest.mark.parametrize("profile", ["giganet-clan1000", "gm-lanai9-200", "servernet2"])
def test_spans_of_a_stopped_run_end_with_it(profile):
    check("all-to-all", 6, 33_333_333, profile=profile)


def test_cards_of_a_stopped_run_count_what_happened_in_it():
    check("barrier", 3, 1_000_000, profile="emp-alteon")  # a look-up is planned for later


def test_time_that_a_process_loses_to_the_kernel_is_recorded_alike():
    check("view-synchrony", 5, None, profile="mvia-gnic2")


@settings(max_examples=25, deadline=None)
@given(
    profile=st.sampled_from(sorted(via.profiles.names())),
    workload=st.sampled_from(sorted(WORKLOADS)),
    nodes=st.integers(3, 6),
    stop=st.none() | st.integers(1_000_000, 300_000_000),
    seed=st.integers(1, 1000),
)
def test_all_tables_are_those_of_the_reference(profile, workload, nodes, stop, seed):
    check(workload, nodes, stop, profile=profile, seed=seed)


def each_mode(make) -> tuple[via.Run, via.Run]:
    """Run what `make` prepares in the usual and in reference mode."""
    now, reference = (make(wanted).run(check=False) for wanted in (False, True))
    assert now.digest == reference.digest
    assert (now.end_ps, now.exit) == (reference.end_ps, reference.exit)
    pd.testing.assert_frame_equal(by_row(now.spans), by_row(reference.spans))
    return now, reference


def test_cards_that_are_cabled_to_each_other_stream_both_ways() -> None:
    def two(reference: bool) -> via.Cluster:
        cluster = via.Cluster("back-to-back", nodes=2, reference=reference)

        @cluster.process([0, 1])
        async def streams(p: via.Process) -> None:
            nic = await p.open_nic()
            memory = p.allocate(20_000)
            await nic.register(memory)
            vi = await nic.create_vi(reliability=2)
            for _ in range(8):
                await vi.post_recv(memory)
            await vi.connect_peer(1 - p.rank, "x")
            for _ in range(8):
                await vi.post_send(memory)
            for _ in range(8):
                await vi.recv()

        return cluster

    assert each_mode(two)[0].exit == 0


@pytest.mark.parametrize("profile", ["bip", "iwarp-early", "myvia", "servernet1"])
def test_a_process_that_ends_closes_its_stream_at_its_own_clock(profile: str) -> None:
    def two(reference: bool) -> via.Cluster:
        cluster = via.Cluster(nodes=2, profile=profile, reference=reference)

        @cluster.process(0)
        async def serve(p: via.Process) -> None:
            listener = await p.socket()
            await listener.bind(5000)
            await listener.listen()
            stream, _ = await listener.accept()
            for _ in range(5):
                await stream.recv(64, all=True)
                await stream.send(bytes(64))

        @cluster.process(1, start="1ms")
        async def ask(p: via.Process) -> None:
            stream = await p.socket()
            await stream.connect("n0", 5000)
            for _ in range(5):
                await stream.send(bytes(64))
                await stream.recv(64, all=True)

        return cluster

    each_mode(two)


def test_a_thread_that_waits_when_its_process_ends_waits_until_then() -> None:
    def two(reference: bool) -> via.Cluster:
        cluster = via.Cluster(nodes=2, reference=reference)

        @cluster.process([0, 1])
        async def polls(p: via.Process) -> None:
            nic = await p.open_nic()
            memory = p.allocate(4096)
            await nic.register(memory)
            vi = await nic.create_vi()
            await vi.post_recv(memory[0:8])
            await vi.connect_peer(1 - p.rank, "x")
            for _ in range(0 if p.rank else 20):
                await vi.recv_done()
                await p.compute("5us")

        return cluster

    each_mode(two)


def test_rdma_writes_that_end_after_a_stop_do_not_count() -> None:
    for stop in ("15 us", "20 us", "25 us"):
        now, reference = (
            via.Cluster(nodes=3, reference=wanted).run(
                "all-to-all",
                size=1024,
                rounds=3,
                transport="via-rdma-write",
                stop=stop,
                check=False,
            )
            for wanted in (False, True)
        )
        assert now.report["messages"] == reference.report["messages"]
        pd.testing.assert_frame_equal(by_row(now.messages), by_row(reference.messages))
