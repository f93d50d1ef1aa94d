/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What hosted programs get from the C library: as if each were alone on its machine.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

std::string
Path(const std::string& name)
{
    return "/tmp/via-libc-" + std::to_string(getpid()) + "-" + name;
}

std::string
Lines(const std::string& text, std::size_t from, std::size_t count)
{
    std::size_t begin = 0;
    for (; from > 0; --from)
    {
        begin = text.find('\n', begin) + 1;
    }
    std::size_t end = begin;
    for (; count > 0; --count)
    {
        end = text.find('\n', end) + 1;
    }
    return text.substr(begin, end - begin);
}

/// Two processes that take turns.
std::pair<std::string, std::string>
RunTwo()
{
    const ProgramImage image(BuiltProgram("libc.c"), ViplCount());
    const std::string input = Path("input");
    std::ofstream(input) << "hello";
    Waiters waiters;
    ProgramOptions options;
    options.libc.input = input;
    TestProcess first(waiters, image, {"1", Path("first")}, options);
    TestProcess second(waiters, image, {"2", Path("second")}, options);
    waiters.Run();
    for (const char* name : {"input", "first", "second"})
    {
        unlink(Path(name).c_str());
    }
    BOOST_TEST(first.Status().Ok());
    BOOST_TEST(second.Status().Ok());
    return {first.out, second.out};
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_libc)

BOOST_AUTO_TEST_CASE(StaticBuffersAreTheProcessOwn)
{
    const auto [first, second] = RunTwo();
    BOOST_TEST(Lines(first, 0, 1) ==
               "71 Fri Jan  1 00:00:00 1971 10.0.0.1 Unknown error 1001 via 1\n");
    BOOST_TEST(Lines(second, 0, 1) ==
               "72 Sat Jan  1 00:00:00 1972 10.0.0.2 Unknown error 1002 via 2\n");
}

BOOST_AUTO_TEST_CASE(SignalMasksUsageAndLimitsAreTheProcessOwn)
{
    sigset_t before;
    sigset_t after;
    sigprocmask(SIG_BLOCK, nullptr, &before);
    BOOST_TEST(Lines(RunTwo().first, 1, 1) ==
               "masked 1 caught 1 slept 2 cpu 1 limit 1 nice 0 tty 0\n");
    sigprocmask(SIG_BLOCK, nullptr, &after);
    BOOST_TEST(sigismember(&before, SIGSEGV) == sigismember(&after, SIGSEGV));
}

BOOST_AUTO_TEST_CASE(RandomBytesAreTheSameInEveryRun)
{
    const std::string random = Lines(RunTwo().first, 2, 1);
    BOOST_TEST(random.find("random ") == 0U);
    BOOST_TEST(random == Lines(RunTwo().first, 2, 1));
}

BOOST_AUTO_TEST_CASE(StandardStreamsAreTheProcessOwn)
{
    const std::string expected = "read 6 copied\none two\nprinted 5\nfrom input 4\ninto the file\n";
    const auto [first, second] = RunTwo();
    BOOST_TEST(Lines(first, 3, 5) == expected);
    BOOST_TEST(Lines(second, 3, 5) == expected);
}

BOOST_AUTO_TEST_CASE(WideCharactersOfTheStandardStreamsAreBytes)
{
    const ProgramImage image(BuiltProgram("wide.cc"), ViplCount());
    const std::string input = Path("wide");
    std::ofstream(input) << "first\nsecond\n";
    Waiters waiters;
    ProgramOptions options;
    options.libc.input = input;
    TestProcess process(waiters, image, {}, options);
    waiters.Run();
    unlink(input.c_str());
    BOOST_TEST(process.Status().Ok());
    BOOST_TEST(process.out == "narrow\nwide 7\nstream 8\ntext\n7 -1 -1\nfirst|second\nfile\n");
    BOOST_TEST(process.err == "error\n");
}

BOOST_AUTO_TEST_CASE(AFileMaskIsTheProcessOwn)
{
    const ProgramImage image(BuiltProgram("masks.c"), ViplCount());
    const mode_t ours = umask(022);
    Waiters waiters;
    TestProcess first(waiters, image, {"077", Path("first")});
    TestProcess second(waiters, image, {"002", Path("second")});
    waiters.Run();
    BOOST_TEST(first.out == "600 77\n");
    BOOST_TEST(second.out == "664 2\n");
    BOOST_TEST(umask(ours) == 022U);
    unlink(Path("first").c_str());
    unlink(Path("second").c_str());
}

BOOST_AUTO_TEST_CASE(CheckedCallsAreThoseOfTheProcess)
{
    const std::string program = BuiltProgram("checked.c", "-D_FORTIFY_SOURCE=2");
    const ProgramRun run = RunProgram(program, {Path("checked")});
    BOOST_TEST((run.exit == RunExit::SUCCESS), run.process.report);
    BOOST_TEST(run.out == "n0 3 0 checked\nprinted\n");
    unlink(Path("checked").c_str());
}

BOOST_AUTO_TEST_SUITE_END()
