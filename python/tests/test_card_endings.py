# SPDX-License-Identifier: GPL-2.0-only
"""How messages end when VIs are closed, break or fill a card's buffers."""

import pytest
import via


async def opened(process, *, size=65536, reliability=2, count=1, **given):
    """Open a card; return it, registered memory and VIs."""
    nic = await process.open_nic()
    tag = await nic.create_tag()
    memory = process.allocate(size)
    await nic.register(memory, tag=tag)
    vis = [await nic.create_vi(tag=tag, reliability=reliability, **given) for _ in range(count)]
    return nic, memory, vis


@pytest.mark.parametrize("reference", [False, True])
@pytest.mark.parametrize("at", ["100us", "300us", "1ms"])
def test_a_disconnect_while_two_messages_arrive_lets_the_other_one_arrive(at, reference):
    cluster = via.Cluster(nodes=3, profile="ideal", reference=reference)

    @cluster.process([0, 1, 2])
    async def send_to_the_second(p):
        peers = [0, 2] if p.rank == 1 else [1]
        _, memory, vis = await opened(p, count=len(peers))
        for vi, peer in zip(vis, peers, strict=True):
            await vi.post_recv(memory)
            await vi.connect_peer(peer, f"a{p.rank + peer}")
        await p.sleep(10_000_000_000 - p.now)
        if p.rank == 1:
            await p.sleep(at)
            await vis[0].disconnect()
            return (await vis[1].recv()).length
        await vis[0].post_send(memory[:60000])
        await p.sleep("5ms")
        return 0

    run = cluster.run()
    assert run.returned == {0: 0, 1: 60000, 2: 0}
    assert len(run.messages) == 2  # also the one that was cut off


def test_a_disconnect_in_the_middle_of_a_message_gives_the_digest_of_the_reference():
    def digest(reference):
        cluster = via.Cluster(nodes=3, profile="ideal", record=False, reference=reference)

        @cluster.process([0, 1, 2])
        async def send_to_the_second(p):
            peers = [0, 2] if p.rank == 1 else [1]
            _, memory, vis = await opened(p, count=len(peers))
            for vi, peer in zip(vis, peers, strict=True):
                await vi.post_recv(memory)
                await vi.connect_peer(peer, f"a{p.rank + peer}")
            await p.sleep(10_000_000_000 - p.now)
            if p.rank != 1:
                await vis[0].post_send(memory[:60000])
            else:
                await p.sleep(100_000_000)
                await vis[0].disconnect()
            await p.sleep("5ms")

        return cluster.run().digest

    assert digest(reference=False) == digest(reference=True)


def test_a_message_without_a_receive_leaves_room_for_those_of_other_vis():
    cluster = via.Cluster(nodes=2, profile="infinihost", record=False)

    @cluster.process([0, 1])
    async def two_vis(p):
        nic, memory, (lost, used) = await opened(p, size=(3 << 20) + 64, count=2)
        if p.rank == 1:
            await used.post_recv(memory[:64])
            await (await nic.listen("lost")).accept(lost)
            await (await nic.listen("used")).accept(used)
            return (await used.recv()).length
        await lost.connect(1, "lost")
        await used.connect(1, "used")
        with pytest.raises(via.ViplError):
            await lost.send(memory[: 3 << 20])
        await p.sleep("20ms")
        return (await used.send(memory[:64])).length

    assert cluster.run().returned == {0: 64, 1: 64}


@pytest.mark.parametrize("profile", ["ideal", "infinihost"])
def test_a_read_whose_target_breaks_before_it_is_answered_is_flushed(profile):
    cluster = via.Cluster(nodes=2, profile=profile, record=False)
    remote = {}

    @cluster.process([0, 1])
    async def read(p):
        nic = await p.open_nic()
        tag = await nic.create_tag()
        memory = p.allocate(65536 * 3)
        remote[p.rank] = (await nic.register(memory, tag=tag, rdma_read=True)).remote
        vi = await nic.create_vi(tag=tag, rdma_read=True, reliability=2)
        if p.rank == 1:
            await (await nic.listen("a")).accept(vi)
            return await p.sleep("10ms")
        await vi.connect(1, "a")
        for first in (0, 65536):
            await vi.post_rdma_read(memory[first : first + 60000], remote[1].at(first, 60000))
        await vi.post_send(memory[-64:])  # finds no receive: the peer breaks
        lengths = [(await vi.sent()).length]
        with pytest.raises(via.ViplError) as error:
            await vi.sent()
        return lengths, error.value.status & via.VipStatus.DESC_FLUSHED_ERROR != 0

    assert cluster.run().returned[0] == ([60000], True)


@pytest.mark.parametrize("profile", ["giganet-clan1000", "servernet2", "iwarp-early"])
def test_messages_that_wait_for_room_keep_the_order_of_all_vis(profile):
    room = 4096 if profile == "iwarp-early" else 1024
    cluster = via.Cluster(
        nodes=2, profile=profile, record=False, overrides={"nic.retransmit_buffer": room}
    )
    count = 60

    @cluster.process([0, 1])
    async def in_turns(p):
        nic, memory, _ = await opened(p, count=0)
        cq = await nic.create_cq(256)
        given = {"recv_cq": cq} if p.rank else {}
        tag = await nic.create_tag()
        region = p.allocate(4096)
        await nic.register(region, tag=tag)
        vis = []
        for each in "ab":
            vi = await nic.create_vi(tag=tag, descriptors=256, reliability=2, **given)
            for _ in range(count if p.rank else 0):
                await vi.post_recv(region)
            await vi.connect_peer(1 - p.rank, each)
            vis.append(vi)
        await p.sleep("2ms")
        order = []
        for _ in range(count):
            for vi, size in zip(vis, (200, 8), strict=True):
                if p.rank == 0:
                    await vi.post_send(region[:size])
                else:
                    got, _ = await cq.wait()
                    order.append(vis.index(got))
                    await got.recv_done()
        await p.sleep("20ms")
        return order

    assert cluster.run().returned[1] == [0, 1] * count


def test_messages_of_a_vi_that_is_connected_again_have_numbers_of_their_own():
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def twice(p):
        _, memory, (vi,) = await opened(p)
        for _ in range(2):
            await vi.post_recv(memory[:64])
            await vi.connect_peer(1 - p.rank, "a")
            await (vi.send(memory[:64]) if p.rank == 0 else vi.recv())
            await p.sleep("1ms")
            await vi.disconnect()
            if p.rank == 0:
                with pytest.raises(via.ViplError):
                    await vi.recv_done()
            await p.sleep("1ms")

    assert cluster.run().messages["seq"].tolist() == [0, 1]


def test_a_message_that_is_too_long_for_its_receive_counts_as_dropped_where_it_is_called_so():
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def too_long(p):
        _, memory, (vi,) = await opened(p, reliability=1)
        await vi.post_recv(memory[:64])
        await vi.connect_peer(1 - p.rank, "a")
        if p.rank == 0:
            return await vi.send(memory[:1000])
        with pytest.raises(via.ViplError):
            await vi.recv()

    run = cluster.run()
    assert run.messages["dropped"].tolist() == [True]
    counters = run.counters[run.counters["counter"].astype(str) == "messages_dropped"]
    assert counters["value"].tolist() == [0, 1]


def test_descriptors_are_written_over_the_bus_of_their_card():
    def posts_ps(buses):
        cluster = via.Cluster("star,rails=2", profile="firmvia-sp", overrides={"bus.count": buses})

        @cluster.process([0, 1])
        async def on_both(p):
            vis = []
            for name in ("nic0", "nic1"):
                nic = await p.open_nic(name)
                tag = await nic.create_tag()
                memory = p.allocate(65536)
                await nic.register(memory, tag=tag)
                vis.append((await nic.create_vi(tag=tag), memory))
                for _ in range(2):
                    await vis[-1][0].post_recv(memory)
                await vis[-1][0].connect_peer(1 - p.rank, "a")
            took = []
            for is_read in (False, True):
                await p.sleep("1ms")
                if is_read and p.rank == 0:
                    await vis[0][0].post_send(vis[0][1][:60000])
                    await p.compute("100us")  # now the first card reads the bytes
                took.append(-p.now)
                if p.rank == 0:
                    await vis[1][0].post_send(vis[1][1][:64])
                took[-1] += p.now
            await p.sleep("5ms")
            return took

        idle, busy = cluster.run().returned[0]
        return busy - idle

    assert posts_ps(1) > 2_000_000
    assert posts_ps(2) < 100_000
