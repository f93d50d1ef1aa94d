# SPDX-License-Identifier: GPL-2.0-only
"""Protocols in Python: constructors, tasks, events, long messages, and forgotten awaits."""

import asyncio
import time
from dataclasses import dataclass
from time import sleep

import pytest
import via


class Base(via.Protocol):
    """A protocol whose process 0 does what a test says."""

    async def run(self):
        if self.rank == 0:
            return await self.act()
        return None

    async def late(self, time, value):
        await self.sleep(time)
        return value

    async def fails(self, time="1us"):
        await self.sleep(time)
        raise ValueError("no good")


def result_of(kind, **given):
    return via.Cluster(nodes=2).run(kind, **given).returned[0]


@dataclass(eq=False)
class Greets(via.Protocol):
    """Tells the next process a word, several times."""

    word: str = "hello"
    times: int = 1

    def targets(self):
        return [(self.rank + 1) % self.size]

    async def run(self):
        for _ in range(self.times):
            self.send(self.targets()[0], self.word.encode())
        return [(await self.recv())[1].rstrip(b"\0").decode() for _ in range(self.times)]


def test_a_constructor_gets_its_parameters():
    run = via.Cluster(nodes=3).run(Greets, word="ciao", times=2, rounds=1)
    assert run.returned == {rank: ["ciao", "ciao"] for rank in range(3)}
    assert run.provenance["arguments"] == {"word": "'ciao'", "times": "2"}
    assert run.provenance["parameters"] == {"rounds": "1"}


def test_unknown_parameters_of_a_protocol_are_refused():
    with pytest.raises(via.ConfigError, match="parameter of Greets = wort.*did you mean word"):
        via.Cluster(nodes=2).run(Greets, wort="x")


@pytest.mark.parametrize("name", ["rounds", "transport", "patience", "stop"])
def test_a_constructor_cannot_take_what_run_takes(name):
    kind = type("Sized", (via.Protocol,), {})
    exec(f"def __init__(self, {name}=3): pass", {}, made := {})
    kind.__init__ = made["__init__"]
    with pytest.raises(via.ConfigError, match=f"parameter of Sized = {name}: .*choose another"):
        via.Cluster(nodes=2).run(kind)


def test_tasks_run_beside_each_other():
    class Tasks(Base):
        async def act(self):
            one, other = self.spawn(self.late("3us", 1)), self.spawn(self.late("2us", 2))
            assert not one.done and not other.done
            began = self.now
            values = [await one, await other]
            return values, self.now - began

    values, took = result_of(Tasks)
    assert values == [1, 2]
    assert 3_000_000 <= took < 5_000_000  # one after the other takes more


def test_the_first_of_several_events_is_told_and_the_others_are_withdrawn():
    class First(via.Protocol):
        async def run(self):
            other = 1 - self.rank
            if self.rank == 1:
                await self.sleep("50us")
                self.send(0, b"late")
                return None
            early = await self.first_of(self.recv(other), self.sleep("2us"))
            late = await self.first_of(self.sleep("1s"), self.recv())
            return early, late

    early, late = result_of(First)
    assert early == (1, None)
    assert late == (1, (1, b"late" + bytes(4)))


def test_an_event_that_is_there_already_is_first_and_takes_nothing_else():
    class There(via.Protocol):
        async def run(self):
            if self.rank == 1:
                for word in (b"one", b"two"):
                    self.send(0, word)
                return None
            await self.sleep("1ms")
            first = await self.first_of(self.recv(), self.recv(), self.late())
            return first[0], first[1][1][:3], (await self.recv())[1][:3]

        async def late(self):
            raise AssertionError("it must not begin")

    assert result_of(There) == (0, b"one", b"two")


def test_all_of_several_events_are_waited_for():
    class All(Base):
        async def act(self):
            mine = self.spawn(self.late("1us", "mine"))
            return await self.all_of(self.late("5us", 5), mine, self.sleep("2us"))

    assert result_of(All) == [5, "mine", None]


def test_a_task_of_ones_own_goes_on_when_another_event_was_first():
    class Goes(Base):
        async def act(self):
            mine = self.spawn(self.late("5us", "mine"))
            assert (await self.first_of(mine, self.sleep("1us")))[0] == 1
            return mine.done, await mine

    assert result_of(Goes) == (False, "mine")


def test_messages_go_to_the_task_that_has_waited_longest():
    class Workers(via.Protocol):
        async def run(self):
            if self.rank == 1:
                for number in range(4):
                    self.send(0, bytes([number]))
                return None
            tasks = [self.spawn(self.work()) for _ in range(2)]
            return await self.all_of(*tasks)

        async def work(self):
            return [(await self.recv())[1][0] for _ in range(2)]

    assert result_of(Workers) == [[0, 2], [1, 3]]


def test_who_waits_for_a_task_gets_its_exception():
    class Catches(Base):
        async def act(self):
            for wait in (self.spawn(self.fails()), self.all_of(self.fails(), self.sleep("1s")),
                         self.first_of(self.sleep("1s"), self.fails())):  # fmt: skip
                with pytest.raises(ValueError, match="no good"):
                    await wait
            return self.now

    assert result_of(Catches) < 10_000_000


@pytest.mark.parametrize("wait", [via.Protocol.first_of, via.Protocol.all_of])
def test_an_event_that_fails_at_once_leaves_no_later_one_that_nobody_awaits(wait):
    class Begins(Base):
        async def act(self):
            with pytest.raises(ValueError, match="at once"):
                await wait(self, self.sleep("5us"), self.fails_at_once(), self.recv(), self.never())
            await self.sleep("10us")
            return "caught"

        async def fails_at_once(self):
            raise ValueError("at once")

        async def never(self):
            raise AssertionError("it must not begin")

    assert result_of(Begins) == "caught"


def test_an_exception_that_nobody_waits_for_ends_the_process():
    class Alone(Base):
        async def act(self):
            self.spawn(self.fails())
            await self.recv()

    with pytest.raises(via.ProcessFailed, match=r"no good \(test_python_tasks.py:\d+, in fails"):
        result_of(Alone)


def test_a_cancelled_task_ends_where_it_is():
    class Cancels(Base):
        closed = False

        async def slow(self):
            try:
                await self.recv()
            finally:
                self.closed = True

        async def act(self):
            task = self.spawn(self.slow())
            task.cancel()
            task.cancel()
            with pytest.raises(RuntimeError, match="cancelled"):
                await task
            return task.done, task.failed, self.closed

    assert result_of(Cancels) == (True, True, True)


def test_the_end_of_run_ends_its_tasks():
    ended = []

    class Leaves(Base):
        async def slow(self):
            try:
                await self.first_of(self.recv(), self.sleep("1s"))
            finally:
                ended.append(self.rank)

        async def act(self):
            self.spawn(self.slow())
            await self.sleep("1us")

    run = via.Cluster(nodes=2).run(Leaves)
    assert ended == [0] and run.end_ps < 10_000_000


def test_a_thousand_tasks_use_few_numbers_again():
    class Many(Base):
        async def act(self):
            for _ in range(1000):
                await self.first_of(self.sleep("1ns"), self.sleep("2ns"))
            return await self.first_of(self.late("1us", "end"))

    assert result_of(Many) == (0, "end")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda self: self.spawn(self.late), "spawn.. needs a call"),
        (lambda self: self.first_of(), "at least one event"),
        (lambda self: self.all_of(3), "can't be used in 'await'"),
    ],
)
def test_what_is_no_event_is_refused(wrong, says):
    class Wrong(Base):
        async def act(self):
            waits = wrong(self)
            await waits

    with pytest.raises(via.ProcessFailed, match=says):
        result_of(Wrong)


@pytest.mark.parametrize("awaits", [False, True])
def test_what_the_finally_of_a_cancelled_task_raises_is_not_lost(awaits):
    class Cancels(via.Protocol):
        async def stuck(self):
            try:
                await self.sleep("1 ms")
            finally:
                if awaits:
                    await self.sleep("1 us")
                raise KeyError("lost")

        async def run(self):
            task = self.spawn(self.stuck())
            with pytest.raises(RuntimeError if awaits else KeyError):
                task.cancel()
            assert task.failed
            return "went on"

    assert via.Cluster().run(Cancels).returned == {0: "went on", 1: "went on"}


def test_what_a_task_raises_when_the_end_of_run_ends_it_ends_the_process():
    class Leaves(via.Protocol):
        async def stuck(self):
            try:
                await self.sleep("1 ms")
            finally:
                raise KeyError("lost")

        async def run(self):
            self.spawn(self.stuck())

    with pytest.raises(via.ProcessFailed, match="lost"):
        via.Cluster().run(Leaves)


def test_a_task_cannot_cancel_itself():
    class Itself(Base):
        async def act(self):
            holder = []
            holder.append(self.spawn(self.ends(holder)))
            await holder[0]

        async def ends(self, holder):
            await self.sleep("1us")
            holder[0].cancel()

    with pytest.raises(via.ProcessFailed, match="cannot cancel itself"):
        result_of(Itself)


def test_a_selective_protocol_waits_for_one_message_at_a_time():
    class Picky(Base):
        selective = bounded = True

        async def act(self):
            await self.all_of(self.recv(1), self.recv(1))

    with pytest.raises(via.ProcessFailed, match="one message at a time"):
        result_of(Picky)


class Sizes(via.Protocol):
    """Sends messages of many sizes."""

    message_bytes = 5
    max_message_bytes = 65280
    sizes = (0, 5, 64, 65, 4097, 65280)

    async def run(self):
        other = 1 - self.rank
        if self.rank == 0:
            for size in self.sizes:
                self.send(other, bytes(range(256)) * (size // 256) + bytes(size % 256))
            return None
        return [await self.recv() for _ in self.sizes]


@pytest.mark.parametrize("transport", ["via-send", "kernel-tcp"])
@pytest.mark.parametrize("faults", ["", "slow:1:1:3:20"])
def test_messages_arrive_with_the_size_they_were_sent_with(transport, faults):
    run = via.Cluster(nodes=2).run(Sizes, transport=transport, process_faults=faults)
    got = [data for _, data in run.returned[1]]
    assert [len(data) for data in got] == [5, 5, 64, 65, 4097, 65280]
    assert got[-1] == bytes(range(256)) * 255
    if transport == "via-send":
        assert {5, 64, 65, 4097, 65280} <= set(run.messages["bytes"])


def test_a_message_of_one_size_may_be_long():
    kind = type("Long", (Sizes,), {"message_bytes": 8192, "max_message_bytes": None,
                                   "sizes": (1, 8192)})  # fmt: skip
    run = via.Cluster(nodes=2).run(kind)
    assert [len(data) for _, data in run.returned[1]] == [8192, 8192]


def test_sizes_that_cannot_be_are_refused():
    cluster = via.Cluster(nodes=2)
    for values, says in (
        ({"message_bytes": 4}, "message_bytes = 4: 5 to"),
        ({"max_message_bytes": 4}, "max_message_bytes = 4: 5 to"),
        ({"max_message_bytes": 65537}, "message_bytes = 65537: the card transfers at most 65536"),
    ):
        with pytest.raises(via.ConfigError, match=says):
            cluster.run(type("Wrong", (Sizes,), values))
    with pytest.raises(via.ConfigError, match="size = 9: messages of Sizes have their own sizes"):
        cluster.run(Sizes, size=9)
    with pytest.raises(via.ProcessFailed, match="at most 70 bytes, not 4097: its max_message"):
        cluster.run(type("Short", (Sizes,), {"max_message_bytes": 70}))


@pytest.mark.parametrize(
    "forgets",
    [
        lambda self: self.recv(),
        lambda self: self.sleep("1us"),
        lambda self: self.recv()[1],
    ],
)
def test_a_forgotten_await_is_told_with_its_line(forgets):
    class Forgets(Base):
        async def act(self):
            forgets(self)
            await self.recv()

    with pytest.raises(via.ProcessFailed, match=r"without `await` does nothing \(test_python_ta"):
        result_of(Forgets)


def test_a_forgotten_await_before_unpacking_is_told():
    class Unpacks(Base):
        async def act(self):
            peer, data = self.recv()
            return peer, data

    with pytest.raises(via.ProcessFailed, match=r"recv\(\) without `await`.*, in act\)"):
        result_of(Unpacks)


def test_a_forgotten_await_of_a_process_is_told():
    cluster = via.Cluster(nodes=2)

    @cluster.process(0)
    async def forgets(p):
        p.sleep("1us")
        await p.sleep("1us")

    with pytest.raises(via.ProcessFailed, match=r"operation without `await`.*, in forgets\)"):
        cluster.run()


def test_a_forgotten_await_of_an_async_function_is_warned_of_with_its_line():
    class Forgets(Base):
        async def act(self):
            self.late("1us", 1)

    with pytest.warns(RuntimeWarning, match=r"(?s)late' was never awaited.*test_python_tasks.py"):
        result_of(Forgets)


def test_a_forgotten_await_of_an_async_function_in_a_process_is_warned_of_with_its_line():
    cluster = via.Cluster(nodes=1)

    async def helper(p):
        await p.sleep("1us")

    @cluster.process(0)
    async def forgets(p):
        kept = helper(p)
        await p.sleep("1us")
        del kept

    with pytest.warns(RuntimeWarning, match=r"(?s)helper' was never awaited.*, in forgets"):
        cluster.run()


@pytest.mark.parametrize("name", ["time.sleep", "sleep", "asyncio.sleep"])
def test_a_sleep_of_this_machine_is_refused(name):
    class Sleeps(Base):
        async def act(self):
            if name == "time.sleep":
                time.sleep(0.001)
            elif name == "sleep":
                sleep(0.001)
            else:
                await asyncio.sleep(0.001)

    with pytest.raises(via.ProcessFailed, match=r"passes no simulated time.*, in act\)"):
        result_of(Sleeps)
    assert time.sleep is sleep
    sleep(0)


def test_a_process_cannot_sleep_on_this_machine_either():
    cluster = via.Cluster(nodes=2)

    @cluster.process(0)
    async def sleeps(p):
        time.sleep(0.001)

    with pytest.raises(via.ProcessFailed, match=r"time.sleep\(\) passes no.*, in sleeps\)"):
        cluster.run()
    assert time.sleep is sleep


def test_a_generator_gets_messages_that_came_before_it_looked():
    class Yields(via.Protocol):
        def run(self):
            if self.rank == 1:
                self.send(0, b"a")
                self.send(0, b"b")
                return None
            yield self.sleep("1ms")
            first = yield self.recv()
            second = yield self.recv()
            return first[1][:1] + second[1][:1]

    class Sends(Yields):
        def run(self):
            return (yield from super().run())

    assert result_of(Sends) == b"ab"
