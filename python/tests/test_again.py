# SPDX-License-Identifier: GPL-2.0-only
"""What makes a run again makes that run: the script, and for a program also the command."""

import shlex
import shutil
from pathlib import Path

import pytest
import via
from via import programs
from via._cli import main
from via._page import again


@pytest.fixture
def is_made_again(tmp_path, monkeypatch):
    """A function that runs the script of a run, and its command, and compares the digests."""

    def follow(first):
        told = first.provenance, first.digest, first.exit == 0
        exec(again._script(*told), {})  # it compares the digests itself
        language, text = again.command(*told)
        if language == "python":
            return True
        main(shlex.split(text.replace("\\\n", ""), comments=True)[1:])
        return via.Run.load(tmp_path / "again").digest == first.digest

    monkeypatch.chdir(tmp_path)
    return follow


@pytest.fixture
def here(tmp_path):
    """A function that copies a program to where the script runs, which knows only its name."""
    return lambda program: shutil.copy(program, tmp_path)


@pytest.fixture(scope="module")
def service(built):
    return programs.build("request-reply", built)


def test_a_run_on_another_kernel_is_made_again(is_made_again):
    usual, other = (
        via.Cluster(kernel=kernel).run("message-stream", transport="kernel-tcp", rounds=20)
        for kernel in (None, "linux-2.4")
    )
    assert usual.digest != other.digest
    assert is_made_again(usual)
    assert is_made_again(other)


def test_a_program_on_another_kernel_is_run_again(is_made_again, here, service):
    cluster = via.Cluster(kernel="linux-2.4")
    first = cluster.run_program(here(service), ["-t", "tcp", "-n", "5"])
    assert "--kernel linux-2.4" in again.command(first.provenance, first.digest)[1]
    assert is_made_again(first)


def test_a_run_with_seed_0_is_made_again(is_made_again):
    first = via.Cluster(seed=0).run("ping-pong", rounds=2)
    assert first.digest != via.Cluster(seed=1).run("ping-pong", rounds=2).digest
    assert is_made_again(first)


def test_a_run_on_a_host_of_ones_own_is_made_again(is_made_again, tmp_path, here, ping_pong):
    (known,) = {each.file for each in via.profiles.load().entries if each.key == "cpu.clock"}
    own = tmp_path / "myhost.toml"
    own.write_text(Path(known).read_text("utf-8").replace("300 MHz", "450 MHz"), "utf-8")
    first = via.Cluster(host=own).run("ping-pong", rounds=2)
    assert first.digest != via.Cluster().run("ping-pong", rounds=2).digest
    assert is_made_again(first)
    assert is_made_again(via.Cluster(host=str(own)).run_program(here(ping_pong), ["-n", "2"]))


def test_a_run_that_failed_is_made_again(is_made_again):
    plan = via.Faults().node_crash("n1", at="100 us")
    first = via.Cluster(faults=plan).run("ping-pong", rounds=50, check=False)
    assert first.exit != 0
    assert is_made_again(first)


READS = """
#include <stdio.h>
int main(void)
{
    int code = 0;
    FILE* file = fopen("code", "r");
    return scanf("%d", &code) == 1 || (file && fscanf(file, "%d", &code) == 1) ? code : 0;
}
"""


@pytest.mark.parametrize("option", ["stdin", "cwd"])
def test_a_program_that_reads_files_is_run_again(is_made_again, here, compile_c, tmp_path, option):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "code").write_text("7", encoding="ascii")
    given = {"stdin": "folder/code", "cwd": "folder"}[option]
    first = via.Cluster(nodes=1).run_program(
        here(compile_c("reads", READS)), check=False, **{option: given}
    )
    assert first.report["processes"][0]["exit"] == 7
    assert is_made_again(first)
    assert f"--{option} {given}" in again.command(first.provenance, first.digest)[1]


COMPUTES = """
#include <time.h>
int main(void)
{
    struct timespec now = {0, 0};
    while (now.tv_nsec < 5000000 && now.tv_sec == 0)
    {
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    return 0;
}
"""


@pytest.mark.parametrize("patience", ["1ms", 1_000_000_000])
def test_a_program_is_run_again_with_the_same_patience(is_made_again, here, compile_c, patience):
    program = here(compile_c("computes", COMPUTES))
    first = via.Cluster(nodes=1).run_program(program, patience=patience, check=False)
    assert first.exit == 3
    assert is_made_again(first)


def test_the_script_of_processes_says_their_patience(compile_c):
    cluster = via.Cluster()
    cluster.spawn(0, compile_c("computes", COMPUTES))
    cluster.start(patience="10ms")
    cluster.step(until="20ms")
    for run in (cluster.finish(), cluster.run(patience="10ms")):
        assert "run = cluster.run(patience='10ms')" in again.command(run.provenance, run.digest)[1]
    assert "patience" not in again.command(cluster.run().provenance, "")[1]


@pytest.mark.parametrize(
    "workload",
    [
        via.workloads.Stream(messages=40, window=2),
        via.workloads.Raft(rounds=3, election_us=500, size=100),
        via.workloads.MscsRegroup(rounds=2, tick_us=9_000, patience=3),
    ],
)
def test_a_workload_is_run_again_with_all_its_parameters(is_made_again, workload):
    cluster = via.Cluster(nodes=3)
    first = cluster.run(workload)
    assert first.digest != cluster.run(workload.name).digest
    assert is_made_again(first)
