# SPDX-License-Identifier: GPL-2.0-only
"""Programs, and code in Python, on several MPI ranks."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import via
from ranks import needs_mpi
from via._programs import compiler
from via.errors import ConfigError, NotReturned

ALONE = True  # ranks wait busily: beside another test, each case takes ten times as long
EXAMPLES = Path(__file__).parents[2] / "contrib" / "via" / "examples"


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
            assert run.messages.equals(alone.messages)
            assert run.faults.equals(alone.faults)


async def meets_again(p: via.Process) -> tuple[int, int, int]:
    """Sleep; but when started again, exchange messages with the other one that was."""
    if p.now < 350_000_000:
        await p.sleep("100 us" if p.rank == 4 else "30 ms")
    else:
        nic = await p.open_nic()
        memory = p.allocate(64)
        await nic.register(memory)
        vi = await nic.create_vi()
        await vi.post_recv(memory[0:4])
        await vi.connect_peer(3 - p.node, "again", 100)
        await vi.send(memory[4:8])
        await vi.recv()
    return p.node, p.rank, p.size


@needs_mpi
@pytest.mark.night
@pytest.mark.parametrize("until", ["420 us", "400 us", "390 us"])
def test_processes_that_start_again_have_one_number_on_any_number_of_ranks(until: str) -> None:
    faults = via.Faults().node_crash("n0", at="300 us", until="400 us", restart=True)
    faults.node_crash("n3", at="320 us", until=until, restart=True)
    cluster = via.Cluster("fat-tree:k=2,n=2", nodes=4, faults=faults)
    for node in (0, 1, 2, 3, 0):
        cluster.spawn(node, meets_again)
    alone, *others = (cluster.run(mpi_ranks=ranks, check=False) for ranks in (None, 1, 2))
    assert len(alone.returned) == 5  # process 4 had ended before the crash
    for run in others:
        assert run.digest == alone.digest
        assert run.returned == alone.returned
        assert run.messages.equals(alone.messages)
        assert run.breakdown.equals(alone.breakdown)
        assert run.processes.equals(alone.processes)


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


class TwoArgumentsError(Exception):
    def __init__(self, node: int, what: str) -> None:
        super().__init__(f"{node}: {what}")
        self.node = node


class Ends(via.Protocol):
    async def run(self) -> object:
        if self.rank == 0:
            raise TwoArgumentsError(self.rank, "no quorum")
        return threading.Lock() if self.rank == 1 else "fine"


@needs_mpi
@pytest.mark.night
def test_what_cannot_leave_a_rank_costs_no_other_result() -> None:
    run = via.Cluster(nodes=3).run(Ends, mpi_ranks=2, check=False)
    assert (str(run.errors[0]), run.errors[0].node) == ("0: no quorum", 0)
    assert str(run.errors[1]).startswith("what process 1 returned cannot leave its MPI rank: ")
    assert run.returned == {2: "fine"}


async def returns_a_lock(p: via.Process) -> object:
    return threading.Lock()


@needs_mpi
def test_a_return_value_that_cannot_leave_its_rank_is_an_error() -> None:
    cluster = via.Cluster(nodes=2)
    cluster.process(0)(returns_a_lock)
    with pytest.raises(NotReturned, match="what process 0 returned cannot leave its MPI rank: "):
        cluster.run(mpi_ranks=1)


@needs_mpi
def test_a_socket_on_ranks_is_refused_with_the_reason() -> None:
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def asks(p: via.Process) -> str:
        try:
            await p.socket()
        except OSError as error:
            return str(error)
        return "none"

    run = cluster.run(mpi_ranks=2)
    says = "[Errno 97] socket(): sockets need a run without MPI ranks (--mpi-ranks)"
    assert run.returned == {0: says, 1: says}


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
    assert one.report["payload_digest"] == two.report["payload_digest"]  # heaps at one address
    assert one.stdout == two.stdout != ""
    assert one.processes.equals(two.processes)
    plain = via.Cluster("ring", nodes=4, reference=True).run_program(
        barrier, ["-m", mode, "-n", "3"], prefix=True, capture=True
    )
    assert two.stdout == plain.stdout
    assert two.end_ps == plain.end_ps


@needs_mpi
@pytest.mark.ci
def test_ranks_keep_line_ends_and_replace_what_is_no_text(
    compile_c: Callable[..., Path], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    program = compile_c("prints", '#include <stdio.h>\nint main(void) { puts("a\\r\\nb\\xff"); }\n')
    one, two = (
        via.Cluster(nodes=2).run_program(program, capture=True, mpi_ranks=count)
        for count in (None, 2)
    )
    assert two.stdout == one.stdout == "a\r\nb\ufffd\n" * 2
    via.Cluster(nodes=2).run_program(program, mpi_ranks=2)
    assert capfdbinary.readouterr().out == b"a\r\nb\xff\n" * 2


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
