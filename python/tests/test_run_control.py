# SPDX-License-Identifier: GPL-2.0-only
"""Who looks in on a run from outside: Ctrl-C, handlers of signals, the watchdog."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
import via
from via._base.files import written
from via._cli import guard, main

LONGEST_S = 5.0  # a second on a machine of one's own
SPINS = """
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned counter;
int main(int argc, char** argv)
{
    if (atoi(getenv("VIA_RANK")) == 1)
    {
        usleep(100);
        for (;;)
        {
            counter++;
        }
    }
    usleep(1000);
    return 0;
}
"""


@pytest.fixture(scope="module")
def spins(compile_c):
    """Spin in a loop in which time passes."""
    return compile_c("spins", SPINS)


@pytest.fixture(scope="module")
def stands(compile_c):
    """Spin in a loop in which no time passes."""
    return compile_c("stands", SPINS, "--no-trace-pc")


class Rang(Exception):
    """What a handler of the tests raises."""


@contextmanager
def alarm(seconds=0.3, then=None):
    """Ring once, soon; fail if the body goes on for much longer although that raises."""

    def ring(number, frame):
        if then is None:
            raise Rang
        then()

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    began = time.monotonic()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert then is not None or time.monotonic() - began < seconds + LONGEST_S


def digest_of_the_next_run():
    return via.Cluster(seed=3, record=False).run("ping-pong", rounds=20).digest


@pytest.fixture(scope="module")
def usual_digest():
    return digest_of_the_next_run()


def workload():
    via.Cluster(record=False).run("ping-pong", rounds=100_000_000)


def process():
    cluster = via.Cluster(nodes=1, record=False)

    @cluster.process(0)
    async def spin(p):
        while True:
            await p.compute(10)

    cluster.run()


def process_in_python():
    cluster = via.Cluster(nodes=1, record=False)

    @cluster.process(0)
    async def spin(p):
        await p.sleep(1)
        while True:
            pass

    cluster.run()


def building():
    via.Cluster("star", nodes=65535, record=False).run("barrier", rounds=100)


@pytest.mark.parametrize("what", [workload, process, process_in_python, building])
def test_what_a_handler_raises_ends_a_run_and_the_next_one_works(what, usual_digest):
    with pytest.raises(Rang), alarm():
        what()
    assert digest_of_the_next_run() == usual_digest


@pytest.mark.parametrize("program", ["spins", "stands"])
def test_what_a_handler_raises_ends_programs(program, usual_digest, request):
    path = request.getfixturevalue(program)
    with pytest.raises(Rang), alarm():
        via.Cluster(record=False).run_program(path, patience="1000s")
    assert digest_of_the_next_run() == usual_digest


def test_a_handler_runs_while_tables_are_made():
    def rows():
        return len(via.Cluster(nodes=8).run("all-to-all", rounds=200, size=16).breakdown)

    rang = []
    with alarm(0.02, lambda: rang.append(True)):
        usual = rows()
        while not rang:  # a fast machine has made the first table before the alarm
            assert rows() == usual


def test_a_handler_that_raises_nothing_leaves_no_trace(stands):
    def told():
        run = via.Cluster(record=False).run("ping-pong", rounds=300_000)
        return run.digest, run.report["events"]

    rang = []
    with alarm(0.02, lambda: rang.append(True)):
        looked_at = told()
    assert rang == [True]
    assert looked_at == told()


def test_handlers_run_while_a_program_stands_in_a_loop(stands):
    rang = []
    with alarm(0.3, lambda: rang.append(True)), pytest.raises(via.Deadlock):
        via.Cluster(record=False).run_program(stands, watchdog=2)
    assert rang == [True]


def interrupt_soon(seconds=0.3):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_program_in_a_loop_in_which_no_time_passes(stands):
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        via.Cluster(record=False).run_program(stands)


# ---- the command line: the signal goes to one OS process, not to its group


def interrupted(arguments, seconds=2.0, *, as_a_shell=False):
    """Start a command, interrupt it; return its exit code and how long it took to end.

    Args:
        arguments: of via.
        seconds: until it is interrupted.
        as_a_shell: signal its whole group, as Ctrl-C in a terminal does.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "via", *map(str, arguments)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    time.sleep(seconds)
    assert process.poll() is None
    (os.killpg if as_a_shell else os.kill)(process.pid, signal.SIGINT)
    began = time.monotonic()
    _, said = process.communicate(timeout=60)
    return process.returncode, time.monotonic() - began, said.decode()


@pytest.mark.parametrize("as_a_shell", [False, True])
@pytest.mark.parametrize("program", ["spins", "stands"])
def test_ctrl_c_ends_via_run(program, as_a_shell, request):
    path = request.getfixturevalue(program)
    command = ["run", "--patience", "10000s", path]
    code, took, said = interrupted(command, as_a_shell=as_a_shell)
    assert (code, "Traceback" in said) == (130, False)
    assert took < LONGEST_S


@pytest.mark.parametrize("as_a_shell", [False, True])
def test_ctrl_c_ends_a_study(as_a_shell, tmp_path):
    code, took, said = interrupted(
        ["study", "barrier", "--jobs", "2", "--out", tmp_path], as_a_shell=as_a_shell
    )
    assert (code, "Traceback" in said) == (130, False)
    assert took < LONGEST_S
    assert said.endswith("via: interrupted\n")
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGINT, "via: interrupted\n"), (signal.SIGTERM, ""), (signal.SIGHUP, "")],
)
def test_a_signal_that_ends_takes_files_that_are_being_written(tmp_path, capfd, number, said):
    def write():
        with written(tmp_path / "table.csv"):
            os.kill(os.getppid(), number)  # the parent passes it on
            time.sleep(LONGEST_S)
        return 0

    assert guard.guarded(write) == 128 + number
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().err == said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("sender", ["parent", "child"])
def test_a_signal_right_after_the_fork_is_not_lost(monkeypatch, number, sender):
    fork = os.fork

    def told_at_once():
        child = fork()
        if (child == 0) == (sender == "child"):
            os.kill(os.getppid() if child == 0 else child, number)
        elif child != 0:
            time.sleep(0.1)  # the child is first
        return child

    monkeypatch.setattr(os, "fork", told_at_once)
    assert guard.guarded(lambda: time.sleep(LONGEST_S) or 0) == 128 + number


def test_what_ignores_a_signal_goes_on(capfd):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert guard.guarded(lambda: os.kill(os.getpid(), signal.SIGHUP) or 0) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


# ---- the watchdog


def test_the_watchdog_names_the_loop_in_which_no_time_passes(stands, capfd):
    assert main(["run", "--watchdog", "1", str(stands)]) == 3
    told = "rank 1 on n1: waits in a loop in which no time passes, longer than --watchdog, in main"
    assert told in capfd.readouterr().err


def test_the_watchdog_names_a_python_process():
    cluster = via.Cluster(nodes=1, record=False)

    @cluster.process(0)
    async def stand(p):
        while True:
            await p.sleep(0)

    with pytest.raises(via.Deadlock, match="rank 0 on n0: waits in a loop in which no time"):
        cluster.run(watchdog=1)


def test_long_work_in_python_is_progress():
    cluster = via.Cluster(nodes=1, record=False)

    @cluster.process(0)
    async def compute(p):
        await p.sleep(1)
        until = time.process_time() + 1.5
        while time.process_time() < until:
            pass
        await p.sleep(1)

    assert cluster.run(watchdog=1).exit == 0


@pytest.mark.parametrize("watchdog", [-1, 1.5, "soon"])
def test_wrong_watchdogs_are_refused(watchdog):
    with pytest.raises(via.ConfigError, match="^watchdog = "):
        via.Cluster().run("ping-pong", watchdog=watchdog)


def test_ctrl_c_after_the_child_has_ended_changes_nothing(monkeypatch):
    waited, ended = os.waitid, []

    def wait_then_interrupt(*given):
        how = waited(*given)
        if how is not None:
            ended.append(how)
            signal.raise_signal(signal.SIGINT)
        return how

    monkeypatch.setattr(os, "waitid", wait_then_interrupt)
    assert guard.guarded(lambda: 7) == 7
    assert len(ended) == 1


def test_a_signal_that_does_not_interrupt_the_wait_for_the_child_is_passed_on():
    def told_to_a_thread_that_does_not_wait():
        time.sleep(0.3)
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

    threading.Thread(target=told_to_a_thread_that_does_not_wait).start()
    assert guard.guarded(lambda: time.sleep(5) or 0) == 128 + signal.SIGTERM


@pytest.mark.parametrize("error", [via.errors.NoProgress, via.errors.RankDied])
def test_an_error_of_the_simulator_is_exit_code_4(error, capsys):
    def fail():
        raise error("so it was")

    assert guard.answered(fail) == 4
    assert capsys.readouterr().err == "via: so it was\n"
