# SPDX-License-Identifier: GPL-2.0-only
"""What a user sees when a program fails: on the terminal, and in Python."""

import ctypes
import gc
import os
import re
from pathlib import Path

import pytest
import via
from via import programs
from via._cli import main
from via._cli.guard import guarded
from via._programs import compiler

PAGE = Path(__file__).resolve().parents[2] / "contrib" / "via" / "doc" / "processes.md"
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
PROGRAM = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vipl.h>

static int* volatile pointer;
static volatile long counter;

static int dereference(void)
{
    return *pointer + 1;
}

__attribute__((noinline)) static void count(void)
{
    for (;;)
    {
        counter++;
    }
}

__attribute__((noinline)) static void do_nothing(void)
{
    for (;;)
    {
    }
}

static int is(const char* how, char** argv)
{
    return strcmp(argv[1], how) == 0;
}

int main(int argc, char** argv)
{
    if (atoi(getenv("VIA_RANK")) == 1)
    {
        usleep(100);
        if (is("null", argv))
        {
            return dereference();
        }
        if (is("abort", argv))
        {
            abort();
        }
        if (is("assert", argv))
        {
            assert(argc == 7);
        }
        if (is("code", argv))
        {
            return 3;
        }
        if (is("count", argv))
        {
            count();
        }
        if (is("nothing", argv))
        {
            do_nothing();
        }
        if (is("wild", argv))
        {
            VIP_NIC_HANDLE nic;
            VipOpenNic("VINIC", &nic);
            VipCreateCQ(nic, 8, (VIP_CQ_HANDLE*)64);
        }
    }
    usleep(1000);
    printf("rank %s is done\\n", getenv("VIA_RANK"));
    return 0;
}
"""
CONNECTED = """
#include "vipl-util.h"
#include <stdio.h>
int main(int argc, char** argv)
{
    Host host;
    VIP_VI_HANDLE vi;
    VIP_DESCRIPTOR* descriptor;
    parse_options(&host, argc, argv, NULL, 0);
    host_open(&host, 4096);
    vi = vi_open(&host);
    if (host.rank == 0)
    {
        vi_request(&host, vi, 1, 0);
        return 0;
    }
    descriptor = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    describe(&host, descriptor, host_take(&host, 64), 64);
    CHECK(VipPostRecv(vi, descriptor, host.handle));
    vi_wait(&host, vi, 0, 0);
    VipRecvWait(vi, VIP_INFINITE, &descriptor);
    printf("flushed: %d\\n", (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0);
    vi_close(vi);
    return 0;
}
"""
LOOP = "longer than --patience, while no other process will ever make progress"

# What the program does: exit code of the run, what the program's own stderr says, what `via` says.
FAILURES = {
    "null": (
        1,
        "fails.so: segmentation fault (SIGSEGV) at address 0x0, in dereference (fails.c:14)",
        "rank 1 on n1, at T: segmentation fault (SIGSEGV) at address 0x0, "
        "in dereference (fails.c:14)",
    ),
    "abort": (1, "aborted", "rank 1 on n1, at T: aborted"),
    "assert": (
        1,
        "fails.c:52: main: Assertion `argc == 7' failed.",
        "rank 1 on n1, at T: fails.c:52: main: Assertion `argc == 7' failed.",
    ),
    "code": (1, None, "rank 1 on n1, at T: exited with code 3"),
    "count": (
        3,
        None,
        f"rank 1 on n1: waits in a loop without calls, {LOOP}, in count (fails.c:21)",
    ),
    "nothing": (
        3,
        None,
        "rank 1 on n1: waits in an endless loop that does nothing, in do_nothing (fails.c:27)",
    ),
}


@pytest.fixture(scope="module")
def fails(compile_c):
    return compile_c("fails", PROGRAM)


def masked(line):
    """Leave out times, and the folder of the source."""
    return re.sub(r"\d+\.\d+ [mu]?s", "T", without_folder(line))


def without_folder(line):
    return re.sub(r"/\S*/fails\.c", "fails.c", line)


@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_is_told_on_the_terminal_and_others_run_on(fails, how, capfd):
    code, own, told = FAILURES[how]
    # the deadlocked ones: rank 0 must be done before patience ends
    assert main(["run", "--nodes", "3", "--patience", "5ms", str(fails), "--", how]) == code
    out, err = capfd.readouterr()
    lines = [masked(line) for line in err.splitlines()]
    expected = [own] if own else []
    expected += ["via: deadlock at T:"] if code == 3 else []
    assert lines[:-1] == [*expected, f"via: {told}"]
    assert lines[-1].startswith("via: digest ")
    assert sorted(out.splitlines()) == ["rank 0 is done", "rank 2 is done"]


@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_is_an_error_in_python(fails, how):
    code, _, told = FAILURES[how]
    with pytest.raises(via.RunError) as caught:
        via.Cluster(nodes=3).run_program(fails, [how], patience="5ms", capture=True)
    run = caught.value.run
    assert run.exit == code
    assert [masked(line) for line in run.troubles] == [told]
    signals = {"null": 11, "abort": 6, "assert": 6}
    process = run.report["processes"][1]
    assert process["signal"] == signals.get(how, 0)
    assert process["exit"] == {1: 128 + process["signal"] if process["signal"] else 3, 3: -1}[code]


def test_the_page_of_processes_shows_what_is_seen(tmp_path, capfd, monkeypatch):
    text = PAGE.read_text("utf-8")
    source = re.search(r"^```c\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1]
    (tmp_path / "fails.c").write_text(source, encoding="ascii")
    monkeypatch.chdir(tmp_path)
    assert compiler.main(["fails.c", "-o", "fails.so"]) == 0
    shown = re.findall(r"^```text\n\$ ./via (run .*?)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    hows = ["null", "abort", "assert", "code", "count", "nothing"]
    assert [command.split()[-1] for command, _ in shown] == hows
    for command, lines in shown:
        assert main(command.split()) in (1, 3)
        out, err = capfd.readouterr()
        seen = [without_folder(line) for line in (out + err).splitlines() if "digest" not in line]
        assert sorted(seen) == sorted(lines.splitlines())


@pytest.mark.skipif(SANITIZED, reason="AddressSanitizer reports the fault before us")
def test_a_fault_of_the_simulator_is_an_internal_error(capfd):
    def simulate():
        cluster = via.Cluster(nodes=2, seed=7)

        @cluster.process(1)
        async def wild(process):
            ctypes.string_at(64)

        cluster.run()
        return 0

    assert guarded(simulate) == 4
    err = capfd.readouterr().err
    assert err.startswith("via: internal error: the simulator ended by SIGSEGV; ")


def test_a_wild_pointer_given_to_vipl_ends_its_program_alone(fails, capfd):
    assert main(["run", "--seed", "7", str(fails), "--", "wild"]) == 1
    out, err = capfd.readouterr()
    assert "segmentation fault (SIGSEGV) at address 0x40, in VipCreateCQ" in err
    assert "rank 0 is done" in out


def test_signal_handlers_are_as_before_when_a_run_has_ended(fails):
    import faulthandler

    faulthandler.enable()
    via.Cluster(nodes=3).run_program(fails, ["null"], check=False, capture=True)
    assert faulthandler.is_enabled()


def test_what_ends_with_open_vis_is_noted_and_its_peer_told(tmp_path, capfd):
    source = tmp_path / "connected.c"
    source.write_text(CONNECTED, encoding="ascii")
    common = [str(programs.folder() / each) for each in programs.COMMON_SOURCES]
    program = str(source.with_suffix(".so"))
    include = f"-I{programs.folder()}"
    assert compiler.main([include, str(source), *common, "-o", program]) == 0
    assert main(["run", program]) == 0
    out, err = capfd.readouterr()
    assert out == "flushed: 1\n"
    assert masked(err.splitlines()[0]) == (
        "via: rank 0 on n0, at T: ended with 1 connected VI; the other side has lost the connection"
    )


def resident_kib():
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4


@pytest.mark.skipif(SANITIZED, reason="AddressSanitizer keeps what was freed")
@pytest.mark.parametrize("how", ["null", "abort", "code"])
def test_runs_of_failing_programs_leave_no_memory(fails, how):
    cluster = via.Cluster(nodes=2, record=False)

    def runs(count):
        for _ in range(count):
            cluster.run_program(fails, [how], capture=True, check=False)
        gc.collect()
        return resident_kib()

    before = runs(20)
    assert runs(100) - before < 100 * 4
