/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Hosted programs: isolation, memory, time.

#include "support/via-test-folders.h"
#include "support/via-test-program-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(TwoCopiesOfOneProgramShareNothing)
{
    const ProgramImage image(BuiltProgram("isolation.c"), ViplCount());
    Waiters waiters;
    TestProcess first(waiters, image, {"1", "/usr"});
    TestProcess second(waiters, image, {"2", "/tmp"});
    waiters.Run();
    BOOST_TEST(first.out == "errno 1\nglobals 101 201\nrand 1\nstrtok two\nenv 1\ncwd /usr\n");
    BOOST_TEST(second.out == "errno 2\nglobals 102 202\nrand 1\nstrtok two\nenv 2\ncwd /tmp\n");
    BOOST_TEST(first.Status().Ok());
}

BOOST_AUTO_TEST_CASE(TheSimulatorsOwnStateIsLeftAlone)
{
    const ProgramImage image(BuiltProgram("isolation.c"), ViplCount());
    const auto here = std::filesystem::current_path();
    FILE* const out = stdout;
    Waiters waiters;
    TestProcess process(waiters, image, {"1", "/"});
    errno = 77;
    waiters.Run(PS_PER_US);
    BOOST_TEST(errno == 77);
    BOOST_TEST(std::filesystem::current_path() == here);
    BOOST_TEST(stdout == out);
    waiters.Run();
    BOOST_TEST(std::filesystem::current_path() == here);
}

BOOST_AUTO_TEST_CASE(GlobalsOfTheNextProcessAreFresh)
{
    const auto program = BuiltProgram("isolation.c");
    for (int i = 0; i < 3; i++)
    {
        BOOST_TEST(RunAlone(program, {"5", "/"}).out.find("globals 105 205") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(AddressesOfMemoryAreTheSameInEveryRun)
{
    const auto program = BuiltProgram("memory.c");
    const auto first = RunAlone(program);
    const auto second = RunAlone(program);
    BOOST_TEST(first.status.Ok());
    BOOST_TEST(first.out == second.out);
    BOOST_TEST(first.out.find("0x21") == 0u);
}

BOOST_AUTO_TEST_CASE(StandardInputIsTheFileThatWasNamed)
{
    const auto path = BuildFolder() / "program-test-input.txt";
    std::ofstream(path) << "a line\nno newline";
    ProgramOptions options;
    options.libc.input = path.string();
    const auto run = RunAlone(BuiltProgram("memory.c"), {}, options);
    BOOST_TEST(run.out.substr(run.out.size() - 17) == "a line\nno newline");
}

BOOST_AUTO_TEST_CASE(EverySleepAdvancesSimulatedTimeOnly)
{
    const auto run = RunAlone(BuiltProgram("clocks.c"));
    BOOST_TEST(run.out == "start 0\nsleep 3000\nusleep 3250\nnanosleep 3750\nselect 3850\n"
                          "poll 4000\nuntil 9250\npast 9250\nwall 946684809.250000\n"
                          "cpu 4625000\nlocal Sat Jan  1 00:00:09 2000\n");
    BOOST_TEST(run.end / PS_PER_MS == 9250);
}

BOOST_AUTO_TEST_CASE(APrefixStandsBeforeEachLine)
{
    ProgramOptions options;
    options.libc.prefix = "[n3.0] ";
    const auto run = RunAlone(BuiltProgram("endings.c"), {"exit"}, options);
    BOOST_TEST(run.out == "[n3.0] hello\n[n3.0] unfinished line 2goodbye\n[n3.0] last\n");
}

BOOST_AUTO_TEST_CASE(OptionsAreParsedPerProcess)
{
    const ProgramImage image(BuiltProgram("options.c"), ViplCount());
    Waiters waiters;
    TestProcess first(waiters, image, {"-ab", "file", "-o", "out", "--size=3", "--", "-x"});
    TestProcess second(waiters, image, {"x", "-vofast", "y", "--verb", "--level", "-s9"});
    waiters.Run();
    BOOST_TEST(first.out == "a=-\nb=-\no=out\ns=3\noperand file\noperand -x\n");
    BOOST_TEST(second.out == "v=-\no=fast\nv=-\nl=-\ns=9\noperand x\noperand y\n");
}

BOOST_AUTO_TEST_CASE(AnUnknownOptionIsReportedOnTheProcessErrorStream)
{
    const auto run = RunAlone(BuiltProgram("options.c"), {"-q", "--nothing", "-o"});
    BOOST_TEST(run.err.find("invalid option -- 'q'") != std::string::npos);
    BOOST_TEST(run.err.find("unrecognized option '--nothing'") != std::string::npos);
    BOOST_TEST(run.err.find("option requires an argument -- 'o'") != std::string::npos);
    BOOST_TEST(run.out == "?=-\n?=-\n?=-\n");
}

BOOST_AUTO_TEST_CASE(ALoopThatPollsMemoryLetsTimePass)
{
    const ProgramImage image(BuiltProgram("polling.c"), ViplCount());
    BOOST_TEST(image.ReportsBlocks());
    Waiters waiters;
    TestProcess process(waiters, image);
    waiters.Run(PS_PER_MS);
    BOOST_TEST(process.blocks > 100'000u);
    BOOST_REQUIRE(process.out.substr(0, 5) == "nic0 ");
    *reinterpret_cast<volatile int*>(std::stoull(process.out.substr(5), nullptr, 16)) = 6;
    waiters.Run();
    BOOST_TEST(process.Status().code == 6);
}

BOOST_AUTO_TEST_CASE(FunctionsOfTheProgramKeepNamesOfTheCLibrary)
{
    BOOST_TEST(RunAlone(BuiltProgram("own-names.c", "-fno-builtin -w")).out == "5\n");
}

BOOST_AUTO_TEST_CASE(TemplatesExceptionsAndClocksOfCPlusPlusArePrivate)
{
    const ProgramImage image(BuiltProgram("cplusplus.cc"), ViplCount());
    Waiters waiters;
    TestProcess first(waiters, image);
    TestProcess second(waiters, image, {"", "more"});
    waiters.Run();
    BOOST_TEST(first.out == "template 1 2\ncaught again\nsteady 1500\nwall 946684801\n~static\n");
    BOOST_TEST(second.out == "template 3 4\ncaught again\nsteady 1500\nwall 946684801\n~static\n");
}

BOOST_AUTO_TEST_CASE(ManyCopiesLiveSideBySide)
{
    const ProgramImage image(BuiltProgram("isolation.c"), ViplCount());
    Waiters waiters;
    std::vector<std::unique_ptr<TestProcess>> processes;
    for (int i = 0; i < 200; i++)
    {
        processes.push_back(
            std::make_unique<TestProcess>(waiters,
                                          image,
                                          std::vector<std::string>{std::to_string(i), "/"}));
    }
    waiters.Run();
    BOOST_TEST(std::all_of(processes.begin(), processes.end(), [&, i = 0](const auto& p) mutable {
        return p->out.find("globals " + std::to_string(100 + i++) + " ") != std::string::npos;
    }));
}

BOOST_AUTO_TEST_SUITE_END()
