# SPDX-License-Identifier: GPL-2.0-only
"""VIPL programs run from Python."""

import pytest
import via
from via import programs
from via.studies import measure

HELLO = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv)
{
    printf("rank %s of %s:", getenv("VIA_RANK"), getenv("VIA_SIZE"));
    for (int i = 1; i < argc; i++)
    {
        printf(" %s", argv[i]);
    }
    printf("\\n");
    fprintf(stderr, "%s\\n", getenv("WORD") ? getenv("WORD") : "no word");
    return 0;
}
"""
ECHO = """
#include <stdio.h>
int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin))
    {
        fputs(line, stdout);
    }
    return 0;
}
"""


POLLS = """
#include <string.h>
#include <sys/time.h>
#include <vipl.h>
static volatile int flag;
int main(int argc, char** argv)
{
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    struct timeval now;
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 8, &cq);
    while (strcmp(argv[1], "queue") == 0 && VipCQDone(cq, &vi, &receive) == VIP_NOT_DONE)
    {
    }
    while (strcmp(argv[1], "clock") == 0 && flag == 0)
    {
        gettimeofday(&now, NULL);
    }
    while (strcmp(argv[1], "memory") == 0 && flag == 0)
    {
    }
    for (;;)
    {
    }
}
"""


@pytest.fixture(scope="module")
def polls(compile_c):
    return compile_c("polls", POLLS)


@pytest.fixture(scope="module")
def pair():
    return via.Cluster(nodes=2)


@pytest.fixture(scope="module")
def hello(compile_c):
    return compile_c("hello", HELLO)


def test_what_programs_print_can_be_caught(pair, hello):
    run = pair.run_program(hello, ["{rank}", "{size}", "{host}", "as is"], capture=True)
    assert sorted(run.stdout.splitlines()) == [
        "rank 0 of 2: 0 2 n0 as is",
        "rank 1 of 2: 1 2 n1 as is",
    ]
    assert run.stderr == "no word\nno word\n"


def test_what_is_not_caught_goes_where_it_always_goes(pair, hello, capfd):
    run = pair.run_program(hello)
    assert run.stdout is None
    assert "rank 0 of 2:" in capfd.readouterr().out


def test_lines_can_bear_their_process(pair, hello):
    run = pair.run_program(hello, prefix=True, procs_per_node=2, capture=True)
    assert "[n1.1] rank 3 of 4:" in run.stdout.splitlines()


def test_the_environment_is_what_was_given(pair, hello, monkeypatch):
    monkeypatch.setenv("WORD", "of the shell")
    run = pair.run_program(hello, env={"WORD": "of {host}"}, capture=True)
    assert sorted(run.stderr.splitlines()) == ["of n0", "of n1"]


def test_a_file_is_read_as_standard_input(pair, compile_c, tmp_path):
    (tmp_path / "lines").write_text("one\ntwo\n")
    echo = compile_c("echo", ECHO)
    run = pair.run_program(echo, stdin=tmp_path / "lines", capture=True)
    assert run.stdout.splitlines() == ["one", "two"] * 2


def test_exit_codes_are_reported_per_process(pair, leaves):
    run = pair.run_program(leaves, ["{rank}"], check=False)
    assert [process["exit"] for process in run.report["processes"]] == [0, 1]
    assert run.exit == 1


def test_a_failed_process_is_an_error_with_the_run(pair, leaves):
    with pytest.raises(via.ProcessFailed, match="rank 1 on n1") as caught:
        pair.run_program(leaves, ["{rank}"])
    assert caught.value.run.exit == 1


def test_a_deadlock_names_who_waits(pair, waits):
    with pytest.raises(via.Deadlock, match="rank 0 on n0: ") as caught:
        pair.run_program(waits)
    assert caught.value.run.exit == 3


def test_who_polls_for_what_nobody_will_do_is_deadlocked(pair, polls):
    with pytest.raises(via.Deadlock) as caught:
        pair.run_program(polls, ["queue"], patience="2ms")
    reason = "a polling loop, longer than --patience, for something that will never happen"
    assert caught.value.run.troubles == [
        f"rank {i} on n{i}: waits in {reason}, in main (polls.c:15)" for i in (0, 1)
    ]


@pytest.mark.parametrize("how", ["memory", "clock"])
def test_who_looks_at_memory_for_ever_is_deadlocked(pair, polls, how):
    with pytest.raises(via.Deadlock, match=r"rank 1 on n1: waits in a .*loop.*--patience"):
        pair.run_program(polls, [how], patience="2ms")


@pytest.mark.parametrize("patience", ["soon", "1us", 0, -5, 1.5])
def test_wrong_patience_is_refused(pair, hello, patience):
    with pytest.raises(via.ConfigError, match="^patience = "):
        pair.run_program(hello, patience=patience)


def test_ping_pong_times_agree_with_what_the_program_prints(pair, ping_pong):
    result = measure.ping_pong(ping_pong, pair, 4, 50)
    mean_us = result.rounds_ps.mean() / 2e6
    # The program's clock ticks in microseconds, twice in 50 rounds.
    assert result.printed_us == pytest.approx(mean_us, abs=0.05)


def test_stages_of_a_ping_pong_add_up_to_its_latency(pair, ping_pong):
    result = measure.ping_pong(ping_pong, pair, 4, 50)
    stages = measure.round_stages(result)
    mean_us = result.rounds_ps.mean() / 2e6
    assert stages["latency_ps"].sum() / 1e6 == pytest.approx(mean_us, rel=1e-12)
    assert stages["share_pct"].sum() == pytest.approx(100)
    assert 0 < measure.residual_share_pct(stages) < 50


def test_a_program_has_no_samples(pair, hello):
    with pytest.raises(via.ConfigError, match="built-in workloads"):
        _ = pair.run_program(hello, capture=True).samples


def test_the_barrier_of_the_examples_checks_itself(barrier):
    run = via.Cluster(nodes=5, record=False).run_program(barrier, ["-n", 3], capture=True)
    assert run.stdout.startswith("5 3 ")


@pytest.mark.parametrize("how", ["rdma", "send"])
def test_processes_of_a_node_share_its_nic(pair, barrier, how):
    args = ["-n", 3, "-k", 2, "-m", how]
    runs = [pair.run_program(barrier, args, procs_per_node=2, capture=True) for _ in range(2)]
    assert runs[0].stdout.startswith("4 3 ")
    assert runs[0].digest == runs[1].digest


def test_a_program_that_is_not_there_is_refused(pair):
    with pytest.raises(via.ConfigError, match=r"^program = nowhere\.so: there is no such file"):
        pair.run_program("nowhere.so")


def test_a_file_that_is_no_program_is_refused(pair):
    with pytest.raises(via.ConfigError, match="via cc"):
        pair.run_program(__file__)


@pytest.mark.parametrize("count", [0, 1025, -1, "2", None])
def test_impossible_numbers_of_processes_are_refused(pair, hello, count):
    with pytest.raises(via.ConfigError, match="^procs_per_node = "):
        pair.run_program(hello, procs_per_node=count)


def test_an_example_that_is_not_there_is_refused_with_those_there_are(built):
    with pytest.raises(via.ConfigError, match="barrier, block-storage, costs, credit-flow, "):
        programs.build("tennis", built)


def test_an_example_is_compiled_only_when_it_changed(built, ping_pong):
    before = ping_pong.stat().st_mtime_ns
    assert programs.build("ping-pong", built).stat().st_mtime_ns == before


def test_a_variable_may_be_for_some_processes_only(hello):
    env = {"WORD": "all", "0:WORD": "first", "2-:WORD": "last"}
    run = via.Cluster(nodes=4).run_program(hello, env=env, capture=True, prefix=True)
    said = sorted(run.stderr.splitlines())
    assert said == ["[n0.0] first", "[n1.0] all", "[n2.0] last", "[n3.0] last"]


@pytest.mark.parametrize("name", ["4:WORD", "3-2:WORD", "7-:WORD"])
def test_a_variable_of_no_process_is_refused(hello, name):
    with pytest.raises(via.errors.ConfigError, match="the run has processes 0 to 3"):
        via.Cluster(nodes=4).run_program(hello, env={name: "x"})


def test_a_program_of_ones_own_is_compiled_from_its_sources(tmp_path):
    source = tmp_path / "hello.c"
    source.write_text(HELLO, "ascii")
    program = programs.compile([source], tmp_path / "hello.so", "-O1")
    run = via.Cluster(nodes=1).run_program(program, ["there"], capture=True)
    assert run.stdout == "rank 0 of 1: there\n"


@pytest.mark.parametrize("sources", [[], ["nowhere.c"], "hello.c"])
def test_sources_that_are_not_there_are_refused(sources, tmp_path):
    with pytest.raises(via.ConfigError, match="sources"):
        programs.compile(sources, tmp_path / "hello.so")


def test_a_program_that_does_not_compile_is_an_error(tmp_path, capfd):
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return nothing; }", "ascii")
    with pytest.raises(via.ViaError, match="could not compile wrong.so"):
        programs.compile([source], tmp_path / "wrong.so")
    assert "nothing" in capfd.readouterr().err


def test_an_example_is_built_into_a_folder_given_as_text(built, ping_pong):
    assert via.programs.build("ping-pong", str(built)) == ping_pong
