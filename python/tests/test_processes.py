# SPDX-License-Identifier: GPL-2.0-only
"""Simulated processes written in Python: the VI vocabulary and its costs."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import via
from pairs import connected, ping_pong
from via._programs import compiler

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


def test_a_computation_that_the_stop_cuts_counts_until_then():
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def compute(p):
        await p.compute("1ms")

    run = cluster.run(stop="10us", check=False)
    assert run.report["processes"][0]["cpu_ps"] == 10_000_000
    assert run.cpu["ps"].tolist() == [10_000_000]


ADDRESS = """
import via
from pairs import connected

cluster = via.Cluster(nodes=2)

@cluster.process([0, 1])
async def tell(p):
    nic, memory, vi = await connected(p)
    region = await nic.register(p.allocate(100))
    memory[64:72] = region.address.to_bytes(8, "little")
    if p.rank == 0:
        await vi.post_send(memory[64:72])
        await vi.sent()
    else:
        await vi.recv()

print(cluster.run().payload_digest)
"""


def test_an_address_in_a_message_is_the_same_in_every_os_process():
    folder = str(Path(__file__).parent)
    path = os.pathsep.join([folder, *sys.path])
    ran = [
        subprocess.run(
            [sys.executable, "-c", ADDRESS], env={**os.environ, "PYTHONPATH": path},
            capture_output=True, text=True, check=True,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    assert ran[0] == ran[1] != ""
