# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps that are killed and called again: the table is that of a sweep nobody disturbed."""

import contextlib
import importlib.util
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import via

COUNT = 200

SCRIPT = """
import sys
import via

GRID = {"size": range(4, 404, 4), "rounds": [2, 3]}

if __name__ == "__main__":
    _, where, cache, out = sys.argv
    if where == "here":
        via.sweep("ping-pong", GRID, jobs=2, cache=cache, out=out)
    else:
        from distributed import Client, LocalCluster
        with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                via.sweep("ping-pong", GRID, cache=cache, out=out, client=client)
"""

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="Dask is not installed: ./via setup brings python3-distributed",
)


def start(folder: Path, where: str, cache: str, out: str) -> subprocess.Popen:
    script = folder / "swept.py"
    script.write_text(SCRIPT, "ascii")
    command = [sys.executable, str(script), where, cache, out]
    return subprocess.Popen(
        command, cwd=folder, start_new_session=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def finish(process: subprocess.Popen) -> None:
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said.decode()[-2000:]


def kept(folder: Path, cache: str) -> int:
    return len(list(folder.glob(f"{cache}/??/[!.]*.json")))


def killed_at(folder: Path, process: subprocess.Popen, cache: str, count: int) -> int:
    """Kill a sweep as soon as it has kept so many points; return how many it has."""
    while kept(folder, cache) < count:
        assert process.poll() is None, process.stderr.read().decode()[-2000:]
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with contextlib.suppress(ProcessLookupError):  # Dask's workers would go by themselves, slowly
        os.killpg(process.pid, signal.SIGKILL)
    return kept(folder, cache)


@contextlib.contextmanager
def dask_cluster(workers: int, threads: int = 1):
    import dask
    from distributed import Client, LocalCluster

    options = {"n_workers": workers, "threads_per_worker": threads, "dashboard_address": None}
    # By default Dask knocks at a dead worker's door for 30 seconds.
    patience = {"distributed.comm.timeouts.connect": "2s"}
    with dask.config.set(patience), LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    finish(start(folder, "here", "kept", "table.csv"))
    return folder / "table.csv"


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("here", marks=pytest.mark.ci),
        pytest.param("dask", marks=[pytest.mark.night, needs_dask]),
    ],
)
def test_a_sweep_killed_three_times_ends_with_the_same_table(tmp_path, undisturbed, where):
    dice = random.Random(7)
    done = 0
    for _ in range(3):
        process = start(tmp_path, where, "kept", "table.csv")
        done = killed_at(tmp_path, process, "kept", done + dice.randint(5, 60))
        assert not (tmp_path / "table.csv").exists()
    assert 15 <= done < COUNT
    finish(start(tmp_path, where, "kept", "table.csv"))
    table = (tmp_path / "table.csv").read_bytes()
    assert table == undisturbed.read_bytes()
    assert table.count(b"\n") == COUNT + 1


@pytest.mark.ci
@needs_dask
def test_a_worker_of_dask_that_is_killed_loses_nothing(tmp_path):
    marks = tmp_path / "marks"
    grid = {"a": range(6), "marks": str(marks)}
    with dask_cluster(2) as client:
        table = via.sweep(kills_its_worker_once, grid, cache=None, client=client)
    assert table["value"].tolist() == list(range(6))
    assert table["error"].tolist() == [""] * 6


@pytest.mark.ci
@needs_dask
def test_results_that_went_with_their_worker_are_done_again():
    from via.sweeps.on_dask import run_on
    from via.sweeps.point import Task

    tasks = [Task(number, twice, {"a": number}) for number in range(4)]
    with dask_cluster(1) as client:

        def wait_until(reached):
            while not reached([state.status for state in client.futures.values()]):
                time.sleep(0.001)

        coming = run_on(client, tasks)
        done = [next(coming)]
        wait_until(lambda all_: set(all_) == {"finished"})
        (nanny,) = client.cluster.workers.values()
        os.kill(nanny.process.pid, signal.SIGKILL)
        wait_until(lambda all_: "finished" not in all_)
        done += coming
    assert sorted((task.number, outcome.values["value"]) for task, outcome in done) == [
        (0, 0), (1, 2), (2, 4), (3, 6)
    ]  # fmt: skip


def twice(a):
    return 2 * a


def kills_its_worker_once(a, marks):
    if a == 3 and not os.path.exists(marks):
        Path(marks).touch()
        os.kill(os.getppid(), signal.SIGKILL)  # the point itself is a child of Dask's worker
        time.sleep(60)
    return a


@pytest.mark.ci
@needs_dask
def test_errors_on_dask_are_those_of_this_machine(tmp_path):
    with dask_cluster(2, threads=2) as client, pytest.warns(via.SweepWarning):
        there = via.sweep(goes_wrong, {"a": range(8)}, cache=None, client=client)
    with pytest.warns(via.SweepWarning):
        here = via.sweep(goes_wrong, {"a": range(8)}, cache=None, jobs=1)
    assert there.to_csv() == here.to_csv()


def goes_wrong(a):
    if a == 1:
        raise KeyError("one")
    if a == 2:
        os.kill(os.getpid(), signal.SIGUSR1)
    if a == 3:
        sys.exit(3)
    return {"value": a / 3, "who": via.Cluster(nodes=2).run("barrier", rounds=a).digest}


@pytest.mark.ci
@needs_dask
def test_workers_with_other_profiles_are_refused(tmp_path, monkeypatch):
    with dask_cluster(1) as client:
        (tmp_path / "mine.toml").write_text("", "ascii")
        monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
        with pytest.raises(via.ConfigError, match="has another profile set"):
            via.sweep("barrier", {"nodes": 2}, cache=None, client=client)


@pytest.mark.ci
@needs_dask
def test_a_function_of_a_script_is_swept_on_dask_from_the_command_line(tmp_path, monkeypatch):
    from distributed import LocalCluster
    from via._cli import main

    monkeypatch.chdir(tmp_path)
    Path("elsewhere").mkdir()
    Path("elsewhere/sent.py").write_text("def twice(a):\n    return 2 * a\n", "ascii")
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster:
        words = ["elsewhere/sent.py:twice", "a=1,2", "--out", "t.csv", "--cache", "none"]
        assert main(["sweep", *words, "--dask", cluster.scheduler_address]) == 0
    assert Path("t.csv").read_text("ascii") == "a,value,error\n1,2,\n2,4,\n"
