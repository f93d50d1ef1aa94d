# SPDX-License-Identifier: GPL-2.0-only
"""`via` as a new user calls it: what comes out, and with which exit code."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass

import pytest
from via._cli import COMMANDS, main
from via._cli.guard import guarded


@dataclass
class Done:
    code: int
    out: str
    err: str

    @property
    def digest(self):
        return re.search(r"^via: digest ([0-9a-f]{32})$", self.err, re.MULTILINE)[1]


@pytest.fixture
def via(capfd):
    """A function that runs a command line in this process and catches what is written."""

    def called(*arguments):
        code = main([str(argument) for argument in arguments])
        return Done(code, *capfd.readouterr())

    return called


def test_without_a_command_the_usage_is_shown(via):
    done = via()
    assert done.code == 2
    assert "usage: via COMMAND" in done.err


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_examples(via, command):
    done = via(command, "--help")
    assert done.code == 0
    assert f"usage: via {command}" in done.out


def test_the_package_is_a_program():
    command = [sys.executable, "-m", "via", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"via \d+\.\d+\.\d+\n", done.stdout)


def test_ctrl_c_while_the_package_is_imported_is_no_traceback(tmp_path):
    (tmp_path / "numpy.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n", "ascii"
    )  # an import of the package
    place = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    command = [sys.executable, "-m", "via", "workloads"]
    done = subprocess.run(command, capture_output=True, text=True, env=place)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_an_unknown_command_is_refused(via):
    done = via("fly")
    assert done.code == 2
    assert "unknown command fly" in done.err


def test_a_program_runs_and_leaves_its_digest(via, ping_pong):
    done = via("run", ping_pong, "--", "-s", "4", "-n", "10")
    assert done.code == 0
    assert done.out.startswith("4 10 ")
    assert done.digest


def test_the_digest_is_the_last_line_when_asked_for(via, ping_pong):
    done = via("run", "--digest", ping_pong, "--", "-n", "10")
    assert done.out.splitlines()[-1] == done.digest


def test_two_runs_have_one_digest_and_another_seed_has_another(via, ping_pong):
    first, again, other = (
        via("run", "--seed", seed, ping_pong, "--", "-n", "10").digest for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_all_results_can_be_written_at_once(via, ping_pong, tmp_path):
    names = {"json": "run.json", "breakdown": "stages.csv", "trace": "trace.json"}
    options = [word for name, file in names.items() for word in (f"--{name}", tmp_path / file)]
    done = via("run", *options, ping_pong, "--", "-n", "10")
    assert done.code == 0
    assert json.loads((tmp_path / "run.json").read_text())["digest"] == done.digest
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    with (tmp_path / "stages.csv").open() as file:
        assert ",".join(next(csv.reader(file))) == (
            "message,src_rank,dst_rank,vi,seq,op,bytes,stage,owner,clock_hz,cycles,start_ps,end_ps"
        )


def test_recording_does_not_change_the_digest_of_a_program(via, ping_pong, tmp_path):
    plain = via("run", ping_pong, "--", "-n", "10")
    traced = via("run", "--trace", tmp_path / "t.json", ping_pong, "--", "-n", "10")
    assert plain.digest == traced.digest


def test_packets_can_be_captured(via, ping_pong, tmp_path):
    plain = via("run", ping_pong, "--", "-n", "10")
    file = tmp_path / "packets.pcapng"
    traced = via("run", "--pcap", file, "--snaplen", "16", ping_pong, "--", "-n", "10")
    assert plain.digest == traced.digest
    assert file.read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"


def test_what_several_ranks_cannot_do_is_refused(via, leaves):
    for option in ("--control-network", "--low-memory"):
        done = via("run", "--mpi-ranks", "2", option, leaves)
        assert done.code == 2
        assert done.err.startswith(f"via: {option} = given: not on several MPI ranks yet: ")
        assert "since" in done.err


def test_a_process_that_fails_is_exit_code_1(via, leaves):
    done = via("run", leaves, "--", "{rank}")
    assert done.code == 1
    assert done.digest


def test_a_deadlock_is_exit_code_3_and_says_who_waits(via, waits):
    done = via("run", waits)
    assert done.code == 3
    assert "via: deadlock at" in done.err
    assert "via: rank 0 on n0: " in done.err
    assert done.digest


def test_a_program_that_is_not_there_is_exit_code_2(via):
    done = via("run", "nowhere.so")
    assert done.code == 2
    assert done.err.startswith("via: program = nowhere.so: there is no such file")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--nodes", "0", "--nodes = 0: 1 to 262144"),
        ("--nodes", "many", "--nodes = many: a whole number"),
        ("--seed", "1.5", "--seed = 1.5: a whole number"),
        ("--seed", "-1", "--seed = -1: 0 to 18446744073709551615"),
        ("--nodes", "-3", "--nodes = -3: 1 to 262144"),
        ("--procs-per-node", "0", "--procs-per-node = 0: "),
        ("--profile", "cray", "cray"),
        ("--host", "cray", "cray"),
        ("--topology", "moebius", "--topology = moebius"),
        ("--stop", "soon", "--stop = soon: a number and a unit"),
        ("--mpi-ranks", "65", "--mpi-ranks = 65: 1 to 64"),
        ("--mpi-ranks", "two", "--mpi-ranks = two: a whole number"),
        ("--faults", "f.toml", "--faults = f.toml: cannot be read"),
        ("--stdin", "/nowhere", "--stdin = /nowhere: there is no such file"),
        ("--env", "WORD", "--env = WORD: NAME=VALUE is needed"),
        ("--env", ":FOO=a", "--env = :FOO=a: NAME, or RANKS:NAME"),
        ("--env", "1-:=a", "--env = 1-:=a: NAME, or RANKS:NAME"),
        ("--json", "/nowhere/run.json", "--json = /nowhere/run.json: the folder /nowhere does not"),
        ("--breakdown", "/", "--breakdown = /: a file is needed"),
        ("--trace", "/proc/trace.json", "--trace = /proc/trace.json: cannot write there"),
        ("--pcap", "/nowhere/p.pcapng", "--pcap = /nowhere/p.pcapng: the folder /nowhere does not"),
        ("--snaplen", "long", "--snaplen = long: a whole number"),
        ("--snaplen", "-1", "--snaplen = -1: 0 to 261976"),
        ("--colour", "blue", "arguments of the program go after --"),
    ],
)
def test_a_wrong_value_is_exit_code_2_and_named(via, option, value, said, ping_pong):
    done = via("run", option, value, ping_pong)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_the_simulators_crash_is_exit_code_4(capfd):
    assert guarded(lambda: os.kill(os.getpid(), signal.SIGKILL) or 0) == 4
    assert "internal error: the simulator ended by SIGKILL" in capfd.readouterr().err


def test_an_end_that_nobody_expects_is_exit_code_4(capfd):
    assert guarded(lambda: os._exit(0)) == 4
    assert "ended the simulator itself, with exit code 0" in capfd.readouterr().err


def test_an_unforeseen_exception_is_exit_code_4(capfd):
    assert guarded(lambda: 1 // 0) == 4
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_profiles_are_listed_with_fingerprints(via):
    done = via("profiles")
    assert done.code == 0
    assert re.search(r"^giganet-clan1000 .* [0-9a-f]{16}$", done.out, re.MULTILINE)


def test_the_entries_of_a_profile_can_be_had_as_csv(via):
    done = via("profiles", "giganet-clan1000", "--csv")
    assert done.out.splitlines()[0] == "key,value,unit,trust,source,file,line"


def test_the_rates_of_a_host_s_bus_are_listed_by_the_size_of_a_burst(via):
    done = via("profiles", "--dma", "--host", "opteron1600")
    assert done.code == 0
    assert re.search(r"^ 4096 +936\.\d +\d+\.\d +\d+\.\d$", done.out, re.MULTILINE)
    done = via("profiles", "gm-lanai9-133", "--dma", "--csv")
    assert done.out.splitlines()[0] == "burst_bytes,read_mb_s,write_mb_s,both_mb_s"
    assert [line.split(",")[0] for line in done.out.splitlines()[1:]] == [
        str(8 << power) for power in range(10)
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "--dma needs a host"), (["ideal", "--explain", "bus.clock"], "exclude"),
     (["--host", "cray"], "host = cray")],
)  # fmt: skip
def test_rates_of_what_is_no_host_are_refused(via, words, said):
    done = via("profiles", "--dma", *words)
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize("words", [["xeon550-w2k"], ["--host", "xeon550-w2k"]])
def test_the_numbers_of_a_host_are_listed(via, words):
    lines = via("profiles", *words, "--csv").out.splitlines()
    assert {line.split(".")[0] for line in lines[1:]} == {"bus", "cpu", "os"}
    assert "cpu.clock = 550000000" in via("profiles", *words, "--explain", "cpu.clock").out
    assert "evidence: " in via("profiles", *words).out


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--host", "cray"], "--host = cray: "), (["--csv"], "--csv needs a profile, or a host"),
     (["xeon550-w2k", "--host", "p150-linux20"], "this is a host"),
     (["xeon550-w2k", "--explain", "nic.clock"], "no such key"), (["--explain", "x"], "needs a")],
)  # fmt: skip
def test_what_is_asked_of_no_profile_or_the_wrong_one_is_refused(via, words, said):
    done = via("profiles", *words)
    assert done.code == 2
    assert said in done.err


def test_cycles_that_a_host_has_from_one_with_another_clock_are_told(via):
    told = "of a host of 2400 MHz, as times in the source are; here they pass at 900 MHz"
    assert told in via("profiles", "rx2000", "--explain", "os.syscall").out
    assert "taken over" not in via("profiles", "rx2000", "--explain", "bus.read_gap").out
    assert "taken over" not in via("profiles", "xeon2400-gcle", "--explain", "os.syscall").out


def test_an_unknown_profile_is_exit_code_2(via):
    done = via("profiles", "cray")
    assert done.code == 2
    assert "giganet-clan1000" in done.err


def test_the_host_of_a_profile_is_refused_as_the_option_it_is(via):
    done = via("profiles", "giganet-clan1000", "--host", "cray")
    assert done.code == 2
    assert done.err.startswith("via: --host = cray: ")


def test_a_thousand_failures_are_not_a_thousand_lines(via, leaves):
    done = via("run", "--nodes", 64, leaves, "--", "3")
    assert done.code == 1
    assert "via: and 44 more processes" in done.err
    assert len(done.err.splitlines()) == 22


def test_a_simulation_does_not_outlive_its_command(compile_c):
    loop = compile_c("loop", "int main(void) { for (volatile int i = 0;; i++) {} }\n")
    command = [sys.executable, "-m", "via", "run", str(loop)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(timeout=2)
        running.kill()
        assert running.stderr.read() == b""  # at its end the pipe has no writer left


def test_the_last_value_of_a_variable_counts_after_those_of_some_ranks():
    from via._cli.run import check, parser

    words = [word for text in ("A=a", "0:A=b", "A=c") for word in ("--env", text)]
    given = parser().parse_args([*words, "prog.so"])
    check(given)
    assert list(given.env.items()) == [("0:A", "b"), ("A", "c")]
