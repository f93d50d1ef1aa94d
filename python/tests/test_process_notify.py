# SPDX-License-Identifier: GPL-2.0-only
"""Handlers of completions in Python processes: VipRecvNotify, VipSendNotify, VipCQNotify."""

import gc

import pytest
import via


async def joined(p, *, receives=1, cq=None):
    """A VI to the other process, with receives posted; its NIC and memory."""
    nic = await p.open_nic()
    memory = p.allocate(4096)
    await nic.register(memory)
    options = {}
    if cq is not None:
        options["recv_cq"] = await nic.create_cq(cq)
    vi = await nic.create_vi(**options)
    for slot in range(receives):
        await vi.post_recv(memory[64 * slot : 64 * slot + 64])
    return nic, memory, vi, options.get("recv_cq")


def pair(sender, receiver):
    """Two processes: each gets itself and what joined() made, before they connect."""
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def either(p):
        function = receiver if p.rank == 1 else sender
        made = await joined(p, receives=4 if p.rank == 1 else 0)
        return await function(p, made)

    return cluster


async def send_three(p, made):
    _, memory, vi, _ = made
    await vi.connect_peer(1, "x")
    for number in range(3):
        memory[0] = 65 + number
        await vi.send(memory[: number + 1])
        await p.sleep("50us")


async def send_one(p, made):
    _, memory, vi, _ = made
    await vi.connect_peer(1, "x")
    await vi.send(memory[:1])


def test_a_handler_is_called_once_with_the_completion():
    async def receive(p, made):
        _, _, vi, _ = made
        calls = []
        await vi.notify_recv(lambda done: calls.append((done.length, bytes(done.data[:1]), p.now)))
        await vi.connect_peer(0, "x")
        await p.sleep("200us")
        rest = [(await vi.recv()).length for _ in range(2)]
        return calls, rest

    run = pair(send_three, receive).run()
    calls, rest = run.returned[1]
    assert [call[:2] for call in calls] == [(1, b"A")]
    assert rest == [2, 3]
    first = run.messages.iloc[0]
    assert first["posted_ps"] < calls[0][2] <= first["posted_ps"] + 60_000_000


def test_a_coroutine_may_ask_for_the_next_one():
    lengths = []

    async def receive(p, made):
        _, memory, vi, _ = made

        async def on_message(done):
            lengths.append(done.length)
            await vi.post_recv(memory[512:576])
            await p.compute(100)
            if len(lengths) < 3:  # later ones are flushed: the sender has ended
                await vi.notify_recv(on_message)

        await vi.notify_recv(on_message)
        await vi.connect_peer(0, "x")
        await p.compute("400us")
        return p.now

    pair(send_three, receive).run()
    assert lengths == [1, 2, 3]


def test_a_generator_is_a_handler_too():
    lengths = []

    async def receive(p, made):
        _, _, vi, _ = made

        def on_message(done):
            yield p.compute("1us")
            lengths.append((done.length, p.now))

        await vi.notify_recv(on_message)
        await vi.connect_peer(0, "x")
        await p.sleep("100us")

    pair(send_one, receive).run()
    assert [length for length, _ in lengths] == [1]


def test_sends_are_told_of():
    async def send(p, made):
        _, memory, vi, _ = made
        done = []
        await vi.notify_sent(done.append)
        await vi.connect_peer(1, "x")
        await vi.post_send(memory[:8])
        await p.sleep("100us")
        return [
            (each.length, each.receive, bool(each.status & via.VipStatus.DONE)) for each in done
        ]

    async def receive(p, made):
        await made[2].connect_peer(0, "x")
        await made[2].recv()

    assert pair(send, receive).run().returned[0] == [(8, False, via.VipStatus.DONE)]


def test_entries_of_a_completion_queue_are_told_of():
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def either(p):
        _, memory, vi, cq = await joined(p, receives=2, cq=8)
        told = []

        async def on_entry(of, receive):
            told.append((of is vi, receive, (await of.recv_done()).length))

        await cq.notify(on_entry)
        await vi.connect_peer(1 - p.rank, "x")
        await vi.send(memory[: 5 + p.rank])
        await p.sleep("200us")
        return told

    assert cluster.run().returned == {0: [(True, True, 6)], 1: [(True, True, 5)]}


def test_handlers_cost_what_they_cost_in_the_model():
    def times(how):
        async def receive(p, made):
            _, _, vi, _ = made
            seen = []
            if how == "notify":
                await vi.notify_recv(lambda done: seen.append(p.now))
            await vi.connect_peer(0, "x")
            if how == "wait":
                await vi.recv()
                seen.append(p.now)
            await p.sleep("300us")
            return seen[0]

        return pair(send_three, receive).run()

    notified, waited = times("notify"), times("wait")
    assert notified.returned[1] >= waited.returned[1]  # the thread of handlers has to be woken
    assert times("notify").digest == notified.digest


def test_an_exception_in_a_handler_ends_the_process():
    closed = []

    async def receive(p, made):
        _, _, vi, _ = made

        def fail(done):
            raise LookupError("no such message")

        await vi.notify_recv(fail)
        await vi.connect_peer(0, "x")
        try:
            await p.sleep("1s")
        finally:
            closed.append(p.rank)

    with pytest.raises(via.ProcessFailed, match="rank 1 on n1.*LookupError: no such mes") as failed:
        pair(send_one, receive).run()
    assert isinstance(failed.value.__cause__, LookupError)
    assert closed == [1]


def test_system_exit_in_a_coroutine_ends_the_process_with_its_code():
    async def receive(p, made):
        _, _, vi, _ = made

        async def leave(done):
            await p.compute(10)
            raise SystemExit(7)

        await vi.notify_recv(leave)
        await vi.connect_peer(0, "x")
        await p.sleep("1s")

    run = pair(send_one, receive).run(check=False)
    assert run.processes["exit"].tolist() == [0, 7]


def test_a_process_may_end_while_its_handler_waits():
    ended = []

    async def receive(p, made):
        _, _, vi, _ = made

        async def linger(done):
            try:
                await p.sleep("1s")
            finally:
                ended.append("handler")

        await vi.notify_recv(linger)
        await vi.connect_peer(0, "x")
        await p.sleep("100us")
        return "over"

    run = pair(send_one, receive).run()
    assert run.returned[1] == "over" and ended == ["handler"]


@pytest.mark.parametrize("wrong", [None, 5, "handler"])
def test_a_handler_has_to_be_callable(wrong):
    async def receive(p, made):
        with pytest.raises(TypeError, match="a handler is a function"):
            made[2].notify_recv(wrong)
        with pytest.raises(TypeError, match="a handler is a function"):
            made[2].notify_sent(wrong)
        with pytest.raises(TypeError, match="a handler is a function"):
            (await made[0].create_cq(2)).notify(wrong)

    async def nothing(p, made):
        pass

    pair(nothing, receive).run()


def test_vipl_refuses_notices_of_what_is_gone():
    async def receive(p, made):
        nic, _, vi, _ = made
        lone = await nic.create_vi()
        await lone.destroy()
        with pytest.raises(via.ViplError) as refused:
            await lone.notify_recv(print)
        return refused.value.call, refused.value.code

    async def nothing(p, made):
        pass

    run = pair(nothing, receive).run()
    assert run.returned[1] == ("VipRecvNotify", via.Vip.INVALID_PARAMETER)


def test_handlers_that_were_never_called_are_let_go():
    class Handler:
        def __call__(self, done):
            raise AssertionError("there is no message")

    async def receive(p, made):
        for _ in range(3):
            await made[2].notify_recv(Handler())

    async def nothing(p, made):
        pass

    pair(nothing, receive).run()
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, Handler)]
