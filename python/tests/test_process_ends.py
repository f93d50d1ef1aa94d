# SPDX-License-Identifier: GPL-2.0-only
"""How processes in Python end: of themselves, by mistakes, signals, faults; what is left."""

import gc
import json
import os
import signal
import threading
import traceback
from concurrent.futures import ProcessPoolExecutor

import pytest
import via
from pairs import connected, ping_pong


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
    assert "KeyError: 'lost' (test_process_ends.py:" in text
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


@pytest.mark.parametrize("by", ["stop", "crash"])
def test_a_process_that_is_killed_in_a_long_call_does_not_come_out_of_it(by):
    crash = {"schema": "via-faults/1", "node_crash": [{"where": "n0", "at": "100 us"}]}
    cluster = via.Cluster(nodes=1, faults=crash if by == "crash" else None)
    came = []

    @cluster.process(0, stop="100us" if by == "stop" else None)
    async def opens(p):
        await p.open_nic()  # some 250 us
        came.append("opened")

    run = cluster.run(check=False)
    (process,) = run.report["processes"]
    assert came == []
    assert (process["signal"], process["end_ps"]) == (9, 100_000_000)
    assert process["cpu_ps"] <= process["end_ps"]


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
        with pytest.raises(TypeError, match="await only its own operations"):
            yield wrong
        operation = p.sleep(1)
        yield operation
        with pytest.raises(TypeError, match="each once"):
            yield operation
        operation = p.sleep(1)
        yield from operation
        with pytest.raises(RuntimeError, match="awaited only once"):
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
    with pytest.raises(via.ConfigError, match=r"nodes = 2: 0 to 1"):
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


def test_now_in_the_finally_of_a_process_is_when_it_was_killed():
    cluster = via.Cluster(faults=via.Faults().node_crash("n1", at="2 ms"))
    ended = []

    @cluster.process([0, 1])
    async def works(p):
        try:
            await p.compute("3 ms")
        finally:
            ended.append((p.rank, p.now))

    run = cluster.run(check=False)
    assert dict(ended)[1] == 2_000_000_000 == run.processes.end_ps[1]


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


def test_an_error_in_a_library_names_the_line_of_the_users_code():
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def read(p):
        await p.sleep(1)
        json.loads("{")

    with pytest.raises(
        via.ProcessFailed, match=r"JSONDecodeError.*test_process_ends.py:\d+, in read"
    ):
        cluster.run()
