# SPDX-License-Identifier: GPL-2.0-only
"""Programs in C++ with vipl.hpp, and the examples among them."""

import functools
import subprocess
import sys

import pytest
import via
from via import programs
from via._programs import compiler

OPENS_NOTHING = """
#include <vipl.hpp>
int main()
{
    vipl::Nic nic("/dev/null");
    return 0;
}
"""
THROWS_IN_A_HANDLER = """
#include <string>
#include <thread>
#include <vipl.hpp>
int main(int, char** argv)
{
    vipl::Nic nic("nic0");
    vipl::ProtectionTag tag(nic);
    vipl::DescriptorPool pool(nic, tag, 1);
    vipl::ViAttributes attributes;
    attributes.tag = tag.Get();
    vipl::VirtualInterface vi(nic, attributes);
    vi.SendNotify([argv](vipl::ViRef, const vipl::Completion& flushed) {
        if (argv[1] == std::string("number"))
        {
            throw 7;
        }
        flushed.Check();
    });
    vi.PostSend(pool.Take().Send());
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return 0;
}
"""


ENTERS_A_STATIC_TWICE = """
#include <chrono>
#include <iostream>
#include <thread>
struct Slow
{
    Slow()
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    int number = 7;
};
Slow& Get()
{
    static Slow slow;
    return slow;
}
int main()
{
    std::thread other([] { Get(); });
    std::cout << Get().number << std::endl;
    other.join();
}
"""


@pytest.fixture(scope="module")
def compile_cxx(built):
    """A function that compiles an example, or the text of a program, in a dialect of C++."""

    @functools.cache
    def compiled(name, text="", *flags):
        source = built / f"{name}.cc" if text else programs.folder() / f"{name}.cc"
        if text:
            source.write_text(text, encoding="ascii")
        program = built / f"{name}.so"
        assert compiler.main([*flags, str(source), "-o", str(program)]) == 0
        return program

    return compiled


@pytest.mark.parametrize(
    "standard",
    [(), pytest.param(("-std=gnu++20",), marks=pytest.mark.ci)],
    ids=["c++17", "gnu++20"],
)
def test_the_ping_pong_costs_what_its_calls_cost(compile_cxx, ping_pong, standard):
    pair = via.Cluster(nodes=2, record=False)
    program = compile_cxx("face-ping-pong", "", *standard)
    size, rounds, one_way = pair.run_program(program, capture=True).stdout.split()
    assert (size, rounds) == ("4", "100")
    in_c = pair.run_program(ping_pong, ["-s", 4, "-n", 100], capture=True).stdout.split()[2]
    # It takes each send back before it waits, which the program in C does later: 0.55 us a message.
    assert 0 < float(one_way) - float(in_c) < 0.7


def test_a_ping_pong_that_cannot_be_says_so(compile_cxx):
    pair = via.Cluster(nodes=2, record=False)
    program = compile_cxx("face-ping-pong")
    run = pair.run_program(program, [32769], capture=True, check=False)
    assert run.exit == 1
    assert "at most 32768 bytes" in run.stderr


@pytest.mark.parametrize(("nodes", "numbers"), [(2, [74]), (5, [74, 145, 214, 282])])
def test_calls_of_procedures_return_their_results(compile_cxx, nodes, numbers):
    cluster = via.Cluster(nodes=nodes, record=False)
    program = compile_cxx("face-rpc")
    first, second = (cluster.run_program(program, [4], capture=True) for _ in range(2))
    assert sorted(first.stdout.splitlines()) == [
        f"rank {rank}: {count} numbers; the server does not know this function"
        for rank, count in enumerate(numbers, 1)
    ]
    assert first.digest == second.digest


def test_what_nobody_catches_is_reported_with_the_call(compile_cxx):
    run = via.Cluster(nodes=1).run_program(
        compile_cxx("opens-nothing", OPENS_NOTHING), capture=True, check=False
    )
    assert "std::system_error: VipOpenNic: invalid parameter" in str(run.report["processes"])


def test_what_a_handler_does_not_catch_ends_the_process_too(compile_cxx):
    node = via.Cluster(nodes=1)
    program = compile_cxx("throws-in-a-handler", THROWS_IN_A_HANDLER)
    for thrown, report in (
        ("error", "uncaught exception of type std::system_error: descriptor: flushed"),
        ("number", "uncaught exception of type int"),
    ):
        run = node.run_program(program, [thrown], capture=True, check=False)
        assert run.report["processes"][0]["report"] == report
        assert run.report["processes"][0]["signal"] == 6
        assert report in run.stderr


def test_a_second_thread_waits_until_the_first_has_made_a_static(compile_cxx):
    program = compile_cxx("enters-a-static-twice", ENTERS_A_STATIC_TWICE)
    # in an OS process that has had no threads of its own, as `via run` mostly is
    command = [sys.executable, "-m", "via", "run", "--nodes", "1", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


THROWS = """
#include <cstdio>
#include <thread>
static ssize_t refuse(void*, const char*, size_t)
{
    throw 1;
}
int main()
{
    cookie_io_functions_t functions{};
    functions.write = refuse;
    FILE* stream = fopencookie(nullptr, "w", functions);
    setvbuf(stream, nullptr, _IONBF, 0);
    try
    {
        fputs("x", stream);
    }
    catch (int)
    {
        std::thread([stream] { std::printf("%d\\n", ftrylockfile(stream)); }).join();
    }
    std::_Exit(std::fflush(stdout));
}
"""


def test_an_exception_that_leaves_a_call_of_stdio_leaves_no_lock(compile_cxx):
    program = compile_cxx("throws-in-stdio", "#include <cstdlib>\n" + THROWS)
    assert via.Cluster(nodes=1).run_program(program, capture=True).stdout == "0\n"
