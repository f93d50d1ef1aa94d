# SPDX-License-Identifier: GPL-2.0-only
"""What several MPI ranks refuse, and how their runs end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import via
from ranks import needs_mpi
from via._programs import compiler, partitions
from via.errors import ConfigError, RankDied, ViaError

ALONE = True  # ranks wait busily: beside another test, each case takes ten times as long
EXAMPLES = Path(__file__).parents[2] / "contrib" / "via" / "examples"


@pytest.mark.parametrize("given", ["graphcut", [0, 64], [0.5], [-1]])
def test_a_placing_of_another_kind_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match="partition_of_switch"):
        via.Cluster("ring", nodes=2).run("ping-pong", mpi_ranks=2, partition_of_switch=given)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"partition_of_switch": [0, 1]}, "partition_of_switch = "),
        ({"mpi_engine": "null-message"}, "engine"),
    ],
)
def test_what_is_said_of_ranks_is_refused_where_there_are_none(
    option: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=f"{said}.*there are no MPI ranks"):
        via.Cluster("ring", nodes=2).run("ping-pong", **option)


@needs_mpi
@pytest.mark.night
def test_null_messages_need_an_end() -> None:
    with pytest.raises(ConfigError, match="^stop = none: ranks that send null messages"):
        via.Cluster(nodes=4).run("barrier", mpi_ranks=2, mpi_engine="null-message")


@needs_mpi
@pytest.mark.night
def test_a_look_ahead_that_is_too_long_ends_the_run_and_names_the_wire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = partitions.run
    monkeypatch.setattr(
        partitions, "run", lambda task, count, **more: plain({**task, "lookahead_ps": 10**7}, count)
    )
    with pytest.raises(ViaError, match=r"late: (cells|credits) on the wire from [ns]\d+"):
        via.Cluster("star", nodes=4).run("all-to-all", mpi_ranks=2, rounds=2)


@needs_mpi
@pytest.mark.night
def test_a_task_that_names_no_node_is_refused() -> None:
    task = {
        "profile": "giganet-clan1000", "topology": "star", "nodes": 2, "workload": "barrier",
        "node_profiles": {"x": ["ideal", ""]},
    }  # fmt: skip
    with pytest.raises(ConfigError, match="node_profiles = x: the number of a node"):
        partitions.run(task, 1)


def rank_of(mpirun_parent: int) -> int:
    """Return the number of a via-partitions process below one of ours, when there is one."""
    while True:
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, rest = status.read_text().split("(", 1)[1].rsplit(")", 1)
                above = int(rest.split()[1])
                if name == "via-partitions" and parent_of(above) == mpirun_parent:
                    return int(status.parent.name)
            except OSError:
                continue
        time.sleep(0.05)


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


@needs_mpi
@pytest.mark.night
def test_a_rank_that_is_killed_ends_the_run_with_an_error() -> None:
    def kill() -> None:
        victim = rank_of(os.getpid())
        time.sleep(1)  # it has begun by then
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(RankDied, match="an MPI rank of 2 has died, mpirun ended with code"):
        via.Cluster("star", nodes=8).run("all-to-all", mpi_ranks=2, rounds=1_000_000)
    killer.join()


@pytest.mark.parametrize("option", ["control_network", "low_memory"])
def test_what_ranks_cannot_do_is_refused_by_name_with_the_reason(option: str) -> None:
    given: dict[str, Any] = {option: True}
    with pytest.raises(
        ConfigError, match=f"^{option} = True: not on several MPI ranks yet: .*since"
    ):
        via.Cluster(nodes=4, **given).run("barrier", mpi_ranks=2)


def test_progress_is_refused_on_ranks() -> None:
    with pytest.raises(ConfigError, match="^progress = True: not on several MPI ranks yet"):
        via.Cluster(nodes=4).run("barrier", mpi_ranks=2, progress=True)


@needs_mpi
def test_a_result_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    task = {"profile": "ideal", "topology": "star", "nodes": 2, "workload": "ping-pong"}
    (tmp_path / "task.json").write_text(json.dumps(task), encoding="utf-8")
    for result in ("/dev/full", tmp_path / "none" / "result.json"):
        command = [partitions.find_program(1), tmp_path / "task.json", result]
        done = subprocess.run(
            ["mpirun", "--allow-run-as-root", "-np", "1", *map(str, command)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert f"via-partitions: result = {result}: cannot be written: " in done.stderr
    assert Path("/dev/full").is_char_device()


@needs_mpi
def test_a_result_that_is_cut_short_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = subprocess.run

    def cuts(command: list[str], **given: Any) -> subprocess.CompletedProcess[bytes]:
        done: subprocess.CompletedProcess[bytes] = whole(command, **given)
        Path(command[-1]).write_text('{"run": ', encoding="utf-8")
        return done

    monkeypatch.setattr(subprocess, "run", cuts)
    with pytest.raises(RankDied):
        via.Cluster(nodes=2).run("ping-pong", rounds=2, mpi_ranks=1)


@needs_mpi
def test_the_watchdog_ends_a_loop_on_ranks_in_which_no_time_passes(tmp_path: Path) -> None:
    source, program = tmp_path / "spins.c", tmp_path / "spins.so"
    code = "int main(int n, char** a) { for (volatile int i = 0; a[1][0] == '1'; i++) {} }"
    source.write_text(code, encoding="utf-8")
    assert compiler.main([str(source), "--no-trace-pc", "-o", str(program)]) == 0
    cluster = via.Cluster(nodes=2, record=False)
    run = cluster.run_program(program, ["{rank}"], mpi_ranks=1, watchdog=1, check=False)
    assert run.exit == 3
    assert "a loop in which no time passes, longer than --watchdog" in run.processes["report"][1]


@needs_mpi
@pytest.mark.night
def test_faults_on_wires_without_credits_are_refused_with_the_reason() -> None:
    lossy = via.Cluster(nodes=4, profile="mx-d", faults=via.Faults().loss(corrupt_ppb=1))
    with pytest.raises(ConfigError, match="not on several MPI ranks yet: .*send again"):
        lossy.run("barrier", mpi_ranks=2)
    with pytest.raises(ConfigError, match="^mpi_ranks = 4: a whole number from 1 to 2"):
        via.Cluster(nodes=2).run("ping-pong", mpi_ranks=4)


def test_more_ranks_than_there_may_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="^mpi_ranks = 65"):
        via.Cluster(nodes=100).run("barrier", mpi_ranks=65)


def test_without_via_ranks_the_error_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from via import _core

    monkeypatch.setattr(_core, "__file__", str(tmp_path / "build/python/via/_core.so"))
    with pytest.raises(ConfigError, match="via-partitions is not built: ./via setup --mpi"):
        via.Cluster(nodes=2).run("ping-pong", mpi_ranks=2)
