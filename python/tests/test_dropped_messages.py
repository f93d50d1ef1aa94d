# SPDX-License-Identifier: GPL-2.0-only
"""Records of messages that are lost or answered by nobody: whose they are, how long they live."""

import via


def sent_over_a_bad_cable(profile="giganet-clan1000"):
    """Return a run of 20 sends on an unreliable VI; the cable of the sender loses a third."""
    bad = via.Faults().loss("n0>s0", corrupt_ppb=300_000_000, at="2ms")
    cluster = via.Cluster(profile=profile, faults=bad)

    @cluster.process([0, 1])
    async def work(p):
        nic = await p.open_nic()
        memory = p.allocate(4096)
        await nic.register(memory)
        vi = await nic.create_vi(reliability=1, descriptors=32)
        for _ in range(20):
            await vi.post_recv(memory[64:72])
        await vi.connect_peer(1 - p.rank, b"x", 1000)
        if p.rank == 0:
            await p.sleep("2ms")
            for _ in range(20):
                await vi.send(memory[:8])
                await p.compute("50us")
        else:
            await p.sleep("5ms")

    return cluster.run(check=False)


def test_a_message_that_is_lost_lives_until_it_would_have_arrived():
    run = sent_over_a_bad_cable()
    lost = run.messages[run.messages["dropped"]]
    assert 0 < len(lost) < 20
    rows = run.breakdown
    for message in lost.itertuples():
        stages = rows[rows["message"] == message.message]
        assert stages["start_ps"].iloc[0] == message.posted_ps
        assert stages["end_ps"].iloc[-1] == message.end_ps > message.posted_ps
        assert (stages["end_ps"].iloc[:-1].to_numpy() == stages["start_ps"].iloc[1:]).all()


def test_a_message_that_is_lost_was_for_the_process_of_its_vi():
    messages = sent_over_a_bad_cable().messages
    assert set(messages[messages["dropped"]]["dst_rank"]) == {1}


def test_an_rdma_read_that_finds_no_connection_is_a_dropped_message():
    cluster = via.Cluster(profile="infinihost")
    mail = {}

    @cluster.process([0, 1])
    async def work(p):
        nic = await p.open_nic()
        memory = p.allocate(4096)
        tag = await nic.create_tag()
        mail[p.rank] = (await nic.register(memory, tag=tag, rdma_read=True)).remote
        vi = await nic.create_vi(tag=tag, rdma_read=True)
        await vi.connect_peer(1 - p.rank, b"x", 100)
        await p.sleep(9_994_000_000 - p.now)
        if p.rank == 1:
            await vi.disconnect()  # it is known at the peer after the read is posted
            await p.sleep("1ms")
            return
        await p.sleep("6us")
        await vi.rdma_read(memory[:64], mail[1].at(0, 64))

    message = cluster.run(check=False).messages.iloc[0]
    assert (message["op"], message["bytes"], message["dropped"]) == ("rdma-read", 64, True)
    assert (message["src_rank"], message["dst_rank"]) == (0, 1)
    assert message["end_ps"] > message["posted_ps"]
