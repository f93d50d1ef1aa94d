# SPDX-License-Identifier: GPL-2.0-only
"""Simulated processes written in Python: the VI vocabulary, its costs, and how they end."""

import gc
import os
import signal
import threading
import traceback
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
import via
from via import compiler

PRODUCTS = ["giganet-clan1000", "servernet2", "berkeley-via-lanai4", "mvia-gnic2"]

PING_PONG = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vipl.h>

#define CHECK(call) do { if ((call) != VIP_SUCCESS) { exit(1); } } while (0)
#define ROUNDS 20

static char descriptors[4096] __attribute__((aligned(4096)));
static char memory[4096] __attribute__((aligned(4096)));
static VIP_MEM_HANDLE region, own;
static VIP_VI_HANDLE vi;

static VIP_DESCRIPTOR*
post(int slot, char* data, VIP_ULONG length)
{
    VIP_DESCRIPTOR* d = (VIP_DESCRIPTOR*)(descriptors + 64 * slot);
    d->CS.Control = 0;
    d->CS.SegCount = 1;
    d->CS.Length = length;
    d->DS[0].Local.Data.Address = data;
    d->DS[0].Local.Handle = region;
    d->DS[0].Local.Length = length;
    return d;
}

static void
address(VIP_NET_ADDRESS* a, int node)
{
    const char host[6] = {2, 0, 0, 0, 0, node};
    a->HostAddressLen = 6;
    a->DiscriminatorLen = 4;
    memcpy(a->HostAddress, host, 6);
    memcpy(a->HostAddress + 6, "ping", 4);
}

int
main(void)
{
    const int rank = atoi(getenv("VIA_RANK"));
    char local[512], remote[512];
    VIP_NIC_HANDLE nic;
    VIP_NIC_ATTRIBUTES limits;
    VIP_MEM_ATTRIBUTES rights = {NULL, VIP_FALSE, VIP_FALSE};
    VIP_VI_ATTRIBUTES wanted, other;
    VIP_CONN_HANDLE request;
    VIP_DESCRIPTOR* done;
    VIP_PROTECTION_HANDLE tag;
    int i;

    CHECK(VipOpenNic("nic0", &nic));
    CHECK(VipQueryNic(nic, &limits));
    CHECK(VipCreatePtag(nic, &tag));
    rights.Ptag = tag;
    CHECK(VipRegisterMem(nic, memory, sizeof(memory), &rights, &region));
    CHECK(VipRegisterMem(nic, descriptors, sizeof(descriptors), &rights, &own));
    memset(&wanted, 0, sizeof(wanted));
    wanted.ReliabilityLevel = limits.ReliabilityLevelSupport & 2 ? 2 : 1;
    wanted.MaxTransferSize = limits.MaxTransferSize;
    wanted.Ptag = tag;
    CHECK(VipCreateVi(nic, &wanted, NULL, NULL, &vi));
    CHECK(VipPostRecv(vi, post(0, memory, 64), own));
    address((VIP_NET_ADDRESS*)local, rank);
    address((VIP_NET_ADDRESS*)remote, 1);
    if (rank == 0)
    {
        CHECK(VipConnectRequest(vi, (VIP_NET_ADDRESS*)local, (VIP_NET_ADDRESS*)remote,
                                VIP_INFINITE, &other));
    }
    else
    {
        CHECK(VipConnectWait(nic, (VIP_NET_ADDRESS*)local, VIP_INFINITE,
                             (VIP_NET_ADDRESS*)remote, &other, &request));
        CHECK(VipConnectAccept(request, vi));
    }
    for (i = 0; i < ROUNDS; i++)
    {
        if (rank == 0)
        {
            CHECK(VipPostSend(vi, post(1, memory + 64, 40), own));
        }
        while (VipRecvDone(vi, &done) == VIP_NOT_DONE)
        {
        }
        CHECK(VipPostRecv(vi, post(0, memory, 64), own));
        if (rank == 1)
        {
            CHECK(VipPostSend(vi, post(1, memory + 64, 40), own));
        }
        while (VipSendDone(vi, &done) == VIP_NOT_DONE)
        {
        }
    }
    if (i % 2 == 0)
    {
        CHECK(VipDisconnect(vi));
    }
    return 0;
}
"""


async def connected(p, name="ping", nodes=(0, 1), **kwargs):
    """Open, register, connect: a NIC, memory, a VI."""
    nic = await p.open_nic()
    tag = await nic.create_tag()
    memory = p.allocate(4096)
    await nic.register(memory, tag=tag, rdma_write=True)
    level = 2 if nic.limits["reliability"] & 2 else 1
    vi = await nic.create_vi(tag=tag, reliability=level, **kwargs)
    await vi.post_recv(memory[:64])
    if p.node == nodes[0]:
        await vi.connect(nodes[1], name)
    else:
        await (await nic.listen(name)).accept(vi)
    return nic, memory, vi


async def ping_pong(p):
    nic = await p.open_nic()
    tag = await nic.create_tag()
    memory = p.allocate(4096)
    await nic.register(memory, tag=tag)
    level = 2 if nic.limits["reliability"] & 2 else 1
    vi = await nic.create_vi(tag=tag, reliability=level)
    await vi.post_recv(memory[:64])
    if p.rank == 0:
        await vi.connect(1, "ping")
    else:
        await (await nic.listen("ping")).accept(vi)
    for _ in range(20):
        if p.rank == 0:
            await vi.post_send(memory[64:104])
        await vi.recv(poll=True)
        await vi.post_recv(memory[:64])
        if p.rank == 1:
            await vi.post_send(memory[64:104])
        await vi.sent(poll=True)
    await vi.disconnect()


def times(run):
    kept = run.messages
    return sorted(zip(kept["posted_ps"], kept["end_ps"], kept["bytes"], strict=True))


@pytest.fixture(scope="session")
def same_in_c(built):
    """PING_PONG, whose basic blocks take no time, as those of Python do not."""
    source = built / "same.c"
    source.write_text(PING_PONG, encoding="ascii")
    program = source.with_suffix(".so")
    assert compiler.main(["--no-trace-pc", str(source), "-o", str(program)]) == 0
    return program


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_ping_pong_takes_what_the_same_in_c_takes_to_the_picosecond(product, same_in_c):
    in_c = via.Cluster(profile=product).run_program(same_in_c, check=False)
    cluster = via.Cluster(profile=product)
    cluster.process([0, 1])(ping_pong)
    run = cluster.run(check=False)
    assert [in_c.exit, run.exit] == [0, 0]
    assert len(times(run)) == 40
    assert times(run) == times(in_c)


def test_the_bytes_are_those_of_numpy_arrays_and_nothing_is_copied():
    cluster = via.Cluster()

    @cluster.process([0, 1])
    async def share(p):
        nic = await p.open_nic()
        array = np.zeros(1024, dtype=np.float64)
        await nic.register(array)
        vi = await nic.create_vi()
        if p.rank == 0:
            array[:4] = [1, 2, 3, 4]
            await vi.connect(1, b"numbers")
            await vi.send(array[:4])
            return None
        await vi.post_recv(array[8:16])
        await (await nic.listen(b"numbers")).accept(vi)
        done = await vi.recv()
        return done.length, array[8:12].tolist(), done.data is not None, array[:4].tolist()

    assert cluster.run().returned[1] == (32, [1, 2, 3, 4], True, [0, 0, 0, 0])


def test_rdma_gathers_scatters_and_carries_immediate_data():
    cluster = via.Cluster(profile="servernet2")
    places = {}

    @cluster.process([0, 1])
    async def move(p):
        nic = await p.open_nic()
        memory = p.allocate(8192)
        tag = await nic.create_tag()
        read = bool(nic.limits["rdma_read"])
        region = await nic.register(memory, tag=tag, rdma_write=True, rdma_read=read)
        places[p.rank] = region.remote
        vi = await nic.create_vi(tag=tag, rdma_write=True, rdma_read=read, segments=4)
        if p.rank == 1:
            await vi.post_recv(None)
            await (await nic.listen("x")).accept(vi)
            done = await vi.recv()
            return done.immediate, bytes(memory[100:105])
        await vi.connect(1, "x")
        memory[0:5] = b"hello"
        there = places[1].at(100, 5)
        await vi.rdma_write([memory[0:2], memory[2:5]], there, 77)
        if read:
            await vi.rdma_read(memory[200:205], there)
            return bytes(memory[200:205])
        return b"hello"

    run = cluster.run()
    assert run.returned == {0: b"hello", 1: (77, b"hello")}


def test_generators_compute_sleep_and_know_the_time():
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    def count(p):
        before = p.now
        yield p.sleep("3us")
        slept = p.now - before
        yield p.compute("2us")
        computed = p.now - before - slept
        yield p.compute(100)
        clock = yield p.clock()
        return slept, computed, clock == p.now

    slept, computed, told = cluster.run().returned[0]
    assert slept >= 3_000_000
    assert 2_000_000 <= computed < 2_010_000
    assert told


def test_completion_queues_say_which_vi_and_queue():
    cluster = via.Cluster(nodes=3)

    @cluster.process(range(3))
    async def gather(p):
        nic = await p.open_nic()
        memory = p.allocate(4096)
        await nic.register(memory)
        if p.rank > 0:
            vi = await nic.create_vi()
            await p.sleep(f"{20 * p.rank}ms")
            await vi.connect(0, f"from {p.rank}")
            await vi.send(memory[: p.rank])
            return None
        cq = await nic.create_cq(8)
        vis = []
        for _ in range(2):
            vis.append(await nic.create_vi(recv_cq=cq))
            await vis[-1].post_recv(memory[:64])
        assert await cq.done() is None
        for vi, name in zip(vis, ("from 1", "from 2"), strict=True):
            await (await nic.listen(name)).accept(vi)
        seen = set()
        for poll in (False, True):
            vi, receive = await cq.wait(poll=poll)
            done = await vi.recv_done()
            seen.add((vis.index(vi), receive, done.length))
        return seen

    assert cluster.run().returned[0] == {(0, True, 1), (1, True, 2)}


def test_programs_in_c_and_python_run_side_by_side(leaves):
    cluster = via.Cluster()
    cluster.spawn(0, leaves, [0])

    async def child(p, word):
        await p.sleep("1us")
        return word, p.rank, p.size, p.host

    cluster.spawn(1, child, ["hello"])
    run = cluster.run()
    assert run.returned == {1: ("hello", 1, 2, "n1")}
    assert cluster.run().digest == run.digest


def test_errors_carry_the_code_of_vipl():
    cluster = via.Cluster()

    @cluster.process(0)
    async def ask(p):
        nic = await p.open_nic()
        vi = await nic.create_vi()
        with pytest.raises(via.ViplError, match="VipConnectRequest: VIP_NO_MATCH") as nobody:
            await vi.connect(1, b"nobody")
        with pytest.raises(via.ViplError, match="TIMEOUT"):
            await nic.listen(b"nobody", timeout=1)
        with pytest.raises(via.ViplError, match="the queue is empty"):
            await vi.recv_done()
        with pytest.raises(via.ViplError) as name:
            await p.open_nic("eth0")
        return nobody.value.code, name.value.code

    assert cluster.run().returned[0] == (via.Vip.NO_MATCH, via.Vip.INVALID_PARAMETER)


def test_memory_of_another_tag_is_refused_by_the_card():
    cluster = via.Cluster()

    @cluster.process([0, 1])
    async def trespass(p):
        _, memory, vi = await connected(p)
        if p.node == 0:
            nic = await p.open_nic()
            other = p.allocate(64)
            await nic.register(other, tag=await nic.create_tag())
            with pytest.raises(via.ViplError) as refused:
                await vi.send(other)
            return refused.value.status & via.VipStatus.PROTECTION_ERROR != 0
        with pytest.raises(via.ViplError):
            await vi.recv()
        return True

    assert cluster.run(check=False).returned == {0: True, 1: True}


def test_an_exception_ends_its_process_and_says_where():
    cluster = via.Cluster(nodes=3)

    @cluster.process(range(3))
    async def work(p):
        await p.sleep("1us")
        if p.rank == 1:
            raise KeyError("lost")
        await p.sleep("1us")
        return "done"

    with pytest.raises(via.ProcessFailed) as failed:
        cluster.run()
    text = str(failed.value)
    assert "rank 1 on n1, at 1." in text
    assert "KeyError: 'lost' (test_processes.py:" in text
    assert ", in work)" in text
    assert isinstance(failed.value.__cause__, KeyError)
    assert failed.value.run.returned == {0: "done", 2: "done"}
    assert list(failed.value.run.errors) == [1]


def test_sys_exit_gives_the_exit_code():
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def leave(p):
        await p.sleep("1us")
        raise SystemExit(3 * p.rank)

    run = cluster.run(check=False)
    assert [process["exit"] for process in run.report["processes"]] == [0, 3]


def test_who_waits_for_ever_is_told():
    cluster = via.Cluster()

    @cluster.process(0)
    async def wait(p):
        nic = await p.open_nic()
        await nic.listen(b"nobody")

    with pytest.raises(via.Deadlock, match="rank 0 on n0.*waits in VipConnectWait"):
        cluster.run()


def test_a_killed_process_runs_its_finally_and_its_peer_is_told():
    cluster = via.Cluster()
    ended = []

    @cluster.process(0, stop="20ms")
    async def victim(p):
        try:
            _, _, vi = await connected(p)
            await vi.recv()
        finally:
            ended.append(p.now)

    @cluster.process(1)
    async def peer(p):
        _, _, vi = await connected(p)
        with pytest.raises(via.ViplError):
            await vi.recv()

    run = cluster.run(check=False)
    assert 20_000_000_000 <= ended[0] < 20_010_000_000
    assert [process["signal"] for process in run.report["processes"]] == [9, 0]


@pytest.mark.parametrize("wrong", [None, 3, "text"])
def test_other_things_cannot_be_awaited(wrong):
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    def odd(p):
        with pytest.raises(TypeError, match="awaits its own operations"):
            yield wrong
        operation = p.sleep(1)
        yield operation
        with pytest.raises(TypeError, match="each of them once"):
            yield operation
        operation = p.sleep(1)
        yield from operation
        with pytest.raises(RuntimeError, match="awaited once"):
            yield from operation

    cluster.run()


def test_operations_of_others_cannot_be_awaited():
    cluster = via.Cluster()
    shared = []

    @cluster.process([0, 1])
    async def steal(p):
        shared.append(p.sleep(1))
        await p.sleep("1us")
        with pytest.raises(TypeError, match="its own operations"):
            await shared[1 - p.rank]

    cluster.run()


def test_what_is_no_coroutine_is_refused():
    cluster = via.Cluster()
    for wrong in (len, lambda p: None):
        with pytest.raises(via.ConfigError, match="generator function"):
            cluster.process(0)(wrong)
    with pytest.raises(via.ConfigError, match="a function is needed"):
        cluster.process(0)(7)
    with pytest.raises(via.ConfigError, match=r"node = 2: 0 to 1"):
        cluster.process([0, 2])
    with pytest.raises(via.ConfigError, match="no process was added"):
        cluster.run()
    with pytest.raises(via.ConfigError, match="there is no such file"):
        cluster.spawn(0, "nothing.so")


def test_a_simulation_inside_a_process_is_refused():
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def nested(p):
        await p.sleep(1)
        with pytest.raises(via.ConfigError, match="inside a simulated process"):
            via.Cluster().run("ping-pong")

    cluster.run()


def interrupt_soon(seconds=0.3):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_run_of_a_workload_and_the_next_one_works():
    cluster = via.Cluster(nodes=2, record=False)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        cluster.run("ping-pong", rounds=100_000_000)
    assert cluster.run("ping-pong", rounds=10).exit == 0


def test_ctrl_c_ends_a_run_of_python_processes():
    cluster = via.Cluster(nodes=1, record=False)
    ended = []

    @cluster.process(0)
    async def spin(p):
        try:
            while True:
                await p.compute(10)
        finally:
            ended.append(True)

    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        cluster.run()
    assert ended == [True]
    assert via.Cluster().run("ping-pong", rounds=10).exit == 0


def test_a_thousand_processes_are_no_trouble():
    cluster = via.Cluster(nodes=64, record=False)
    for node in range(64):
        for _ in range(32):

            async def nap(p):
                await p.sleep("1us")
                return p.rank

            cluster.spawn(node, nap)
    assert cluster.run().returned == {rank: rank for rank in range(2048)}


def digest_of_ping_pong(seed):
    cluster = via.Cluster(seed=seed)
    cluster.process([0, 1])(ping_pong)
    return cluster.run(check=False).digest


def resident_bytes():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps what was freed"
)
def test_a_hundred_simulations_leave_nothing_behind():
    digests = []
    for number in range(100):
        digests.append(digest_of_ping_pong(number % 5))
        if number == 9:
            before = resident_bytes()
    assert resident_bytes() - before < 2**20
    assert digests == digests[:5] * 20
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(digest_of_ping_pong, range(5))) == digests[:5]


def test_a_traceback_leads_to_the_await():
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def ask(p):
        nic = await p.open_nic()
        await nic.listen(b"x", timeout=1)

    run = cluster.run(check=False)
    lines = "".join(traceback.format_exception(run.errors[0]))
    assert "await nic.listen" in lines
    assert "VIP_TIMEOUT" in run.troubles[0]
