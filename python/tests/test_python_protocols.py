# SPDX-License-Identifier: GPL-2.0-only
"""Protocols written in Python: the same picoseconds as in C++, and mistakes that say so."""

import pytest
import via

TRANSPORTS = ["via-send", "via-rdma-write", "kernel-udp", "kernel-tcp"]


class Barrier(via.Protocol):
    """A dissemination barrier: the built-in "barrier" again."""

    window = 2
    bounded = True
    selective = True
    span = "last-entry-to-last-exit"

    def steps(self):
        count = (self.size - 1).bit_length()
        return [((self.rank + 2**k) % self.size, (self.rank - 2**k) % self.size)
                for k in range(count)]  # fmt: skip

    def targets(self):
        return [to for to, _ in self.steps()]

    async def run(self):
        steps = self.steps()
        for number in range(self.rounds):
            self.enter(number)
            for to, source in steps:
                self.send(to, number.to_bytes(8, "little"))
                _, data = await self.recv(source)
                assert int.from_bytes(data, "little") == number
            self.leave(number)
        return self.now


class Counting(Barrier):
    def __init__(self, count=1):
        super().__init__()


def test_an_instance_instead_of_its_class_is_told_how_to_call_run():
    with pytest.raises(via.ConfigError, match=r"an instance of Counting: .*run\(Counting, count="):
        via.Cluster().run(Counting(count=2))


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_barrier_in_python_has_the_digest_of_the_one_in_c(transport):
    cluster = via.Cluster(nodes=9, record=False)
    mine = cluster.run(Barrier, rounds=5, transport=transport)
    theirs = cluster.run("barrier", rounds=5, transport=transport)
    assert mine.digest == theirs.digest
    assert (mine.samples == theirs.samples).all()
    assert len(mine.returned) == 9


def test_so_it_has_in_reference_mode():
    cluster = via.Cluster(nodes=4, record=False, reference=True)
    assert cluster.run(Barrier, rounds=3).digest == cluster.run("barrier", rounds=3).digest


class Vote(via.Protocol):
    """Process 0 asks all, in no order, with credits; it decides what the majority wants."""

    message_bytes = 16

    def targets(self):
        return range(1, self.size) if self.rank == 0 else [0]

    async def run(self):
        for number in range(self.rounds):
            self.enter(number)
            if self.rank == 0:
                await self.sleep("3us")
                for peer in self.targets():
                    self.send(peer, b"vote?")
                votes = [(await self.recv())[1][:3] for _ in self.targets()]
                self.note("decide", number, votes.count(b"yes"))
            else:
                _, question = await self.recv()
                assert question == b"vote?" + bytes(11)
                self.send(0, b"yes" if (self.rank + number) % 3 else b"no ")
            self.leave(number)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_vote_runs_over_every_transport(transport):
    run = via.Cluster(nodes=5).run(Vote, rounds=4, transport=transport, size=100)
    assert len(run.samples) == 4
    assert run.decisions["value"].tolist() == [3, 3, 2, 3]
    assert run.provenance["protocol"] == "Vote"


class Patient(via.Protocol):
    """Waits for what never comes, but not for ever."""

    def run(self):
        nothing = yield self.recv(timeout="5us")
        assert nothing is None
        waited = self.now
        if self.rank == 0:
            self.send(1, b"late")
        else:
            heard = yield self.recv(0, timeout="1ms")
            assert heard == (0, b"late" + bytes(4))
        return waited >= 5_000_000, self.random(1) == self.random(1) != self.random(2)


def test_a_receive_can_run_out_of_patience():
    run = via.Cluster(nodes=2).run(Patient)
    assert run.returned == {0: (True, True), 1: (True, True)}


class Fails(via.Protocol):
    """Its process 1 does not live long."""

    async def run(self):
        await self.sleep("1us")
        if self.rank == 1:
            raise ValueError("no good")
        await self.recv()


def test_an_exception_ends_the_process_and_says_where():
    with pytest.raises(via.ProcessFailed, match="rank 1 on n1.*ValueError: no good") as failed:
        via.Cluster(nodes=2).run(Fails)
    assert isinstance(failed.value.__cause__, ValueError)
    assert "test_python_protocols.py:" in str(failed.value)


class Wrong(via.Protocol):
    """Tries whatever is not allowed."""

    bounded = True
    window = 1

    def targets(self):
        return [(self.rank + 1) % self.size]

    async def run(self):
        for to, data, says in (
            (self.rank, b"", "not a peer"),
            (99, b"", "not a peer"),
            ((self.rank + 2) % self.size, b"", "does not name"),
            ((self.rank + 1) % self.size, bytes(9), "message_bytes"),
        ):
            with pytest.raises(ValueError, match=says):
                self.send(to, data)
        self.send((self.rank + 1) % self.size, b"one")
        with pytest.raises(ValueError, match="more than its `bounded` allows"):
            self.send((self.rank + 1) % self.size, b"two")
        with pytest.raises(ValueError, match="not a peer"):
            self.recv(self.size)
        with pytest.raises(ValueError, match="rounds are 0 to 0"):
            self.enter(1)
        with pytest.raises(ValueError, match="event = win: one of propose, vote"):
            self.note("win", 1)
        with pytest.raises(TypeError, match=r"await only self.recv\(\)"):
            await Nothing()
        await self.recv()


class Nothing:
    """Awaited, it yields something of its own."""

    def __await__(self):
        yield 3


def test_what_a_protocol_may_not_do_is_an_exception():
    assert via.Cluster(nodes=4).run(Wrong, rounds=1).exit == 0


def test_what_is_no_protocol_is_refused():
    cluster = via.Cluster(nodes=2)
    for wrong in (int, lambda: None, 7):
        with pytest.raises(via.ConfigError, match=r"subclass of via\.Protocol"):
            cluster.run(wrong)
    for name, value in (("message_bytes", 2**31), ("message_bytes", 4), ("span", "long")):
        changed = type("Changed", (Vote,), {name: value})
        with pytest.raises(via.ConfigError, match=name):
            cluster.run(changed)
    with pytest.raises(via.ConfigError, match="transport"):
        cluster.run(Vote, transport="pigeon")
    one = Vote()
    with pytest.raises(ValueError, match="instance of its own"):
        cluster.run(lambda: one)
    with pytest.raises(ValueError, match="not running"):
        one.send(0, b"")
    assert cluster.run(Vote, rounds=1).exit == 0


def test_who_waits_for_ever_is_a_deadlock():
    class Silent(via.Protocol):
        async def run(self):
            await self.recv()

    with pytest.raises(via.Deadlock):
        via.Cluster(nodes=2).run(Silent)


class Resumed:
    """Awaits something as Python 3.12 and later do: by its methods __next__ and send."""

    def __init__(self, awaited):
        self.awaited = awaited

    def __await__(self):
        inner, value = self.awaited.__await__(), None
        while True:
            try:
                told = next(inner) if value is None else inner.send(value)
            except StopIteration as stop:
                return stop.value
            value = yield told


def test_what_is_awaited_is_resumed_by_its_methods_too():
    class Greets(via.Protocol):
        async def run(self):
            if self.rank == 0:
                self.send(1, b"early")
                return None
            first = await Resumed(self.recv())
            await Resumed(self.sleep("1us"))
            return first

    assert via.Cluster(nodes=2).run(Greets).returned[1] == (0, b"early\0\0\0")
    cluster = via.Cluster(nodes=2)

    @cluster.process(0)
    async def opens(p):
        nic = await Resumed(p.open_nic())
        await Resumed(p.sleep("1us"))
        return nic.limits is not None

    assert cluster.run().returned[0]


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        ({"window": 0}, "window = 0: 1 to 4096"),
        ({"window": "a"}, "window = 'a': a whole number"),
        ({"bounded": "no"}, "bounded = 'no': True or False"),
        ({"selective": 1}, "selective = 1: True or False"),
        ({"selective": True}, "selective = True: only a protocol that is bounded"),
        ({"targets": lambda self: 5}, "targets.. of process 0 = 5: None, or the ranks"),
        ({"targets": lambda self: [9]}, "targets.. of process 0 = 9: 0 to 1 are possible"),
        ({"targets": lambda self: ["a"]}, "targets.. of process 0 = 'a': a whole number"),
        ({"targets": lambda self: [self.rank]}, "targets.. of process 0 = 0: a process does not"),
    ],
)
def test_a_wrong_attribute_of_a_protocol_is_named_with_its_value(attributes, says):
    with pytest.raises(via.ConfigError, match=says):
        via.Cluster(nodes=2).run(type("Changed", (Vote,), attributes))


@pytest.mark.parametrize("how", ["sleep", "recv", "recv at once", "yield", "beside", "withdrawn"])
def test_an_operation_of_a_protocol_can_be_awaited_once(how):
    class Twice(via.Protocol):
        async def run(self):
            if self.rank == 1:
                self.send(0, b"one")
                self.send(0, b"two")
                return
            if how == "recv at once":
                await self.sleep("1ms")
            tick = self.sleep("1us") if how in ("sleep", "beside") else self.recv()
            if how == "beside":
                self.spawn(self.waits(tick))
            elif how == "withdrawn":
                await self.first_of(self.sleep(0), tick)
            else:
                await tick
            await tick

        async def waits(self, tick):
            await tick

    class Yields(Twice):
        def run(self):
            tick = self.sleep("1us")
            yield tick
            yield tick

    with pytest.raises(via.ProcessFailed, match=r"rank 0.*(only|call) once"):
        via.Cluster(nodes=2).run(Yields if how == "yield" else Twice)


def test_who_has_returned_is_not_among_those_who_wait():
    class Leaves(via.Protocol):
        async def run(self):
            if self.rank > 0:
                await self.recv()

    with pytest.raises(via.Deadlock) as stuck:
        via.Cluster(nodes=3).run(Leaves)
    ranks = [line.split(" on ")[0] for line in stuck.value.run.troubles]
    assert ranks == ["rank 1", "rank 2"]


@pytest.mark.parametrize("code", [0, None, 3, "text"])
def test_system_exit_ends_a_process_of_a_protocol_as_one_of_a_cluster(code):
    class Exits(via.Protocol):
        async def run(self):
            raise SystemExit(code)

    cluster = via.Cluster(nodes=2)

    @cluster.process(0)
    async def exits(p):
        raise SystemExit(code)

    theirs = cluster.run(check=False).report["processes"][0]
    run = via.Cluster(nodes=2).run(Exits, check=False)
    mine = run.report["processes"][0]
    assert mine["exit"] == theirs["exit"] == (code if isinstance(code, int) else 1 if code else 0)
    assert mine["report"] == (theirs["report"] or ("exited with code 3" if code == 3 else ""))
    assert (run.ending == "ended well") == (not code)
    assert not run.errors
