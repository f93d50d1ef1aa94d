/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How hosted programs end: exit, abort, assertions, exceptions, kills.

#include "support/via-test-program-bench.h"

#include <boost/test/unit_test.hpp>
#include <csignal>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

Finished
End(const std::string& how)
{
    return RunAlone(BuiltProgram("endings.c"), {how});
}

Finished
EndCxx(const std::string& how)
{
    return RunAlone(BuiltProgram("cplusplus.cc"), {how});
}

/// Runs a program until it waits, and kills it.
Finished
Kill(const std::string& program, const std::string& how = "wait")
{
    const ProgramImage image(BuiltProgram(program), ViplCount());
    Waiters waiters;
    TestProcess process(waiters, image, {how});
    waiters.Run(2 * PS_PER_SECOND);
    process.Thread().Kill();
    return {process.Status(), process.out, process.err, waiters.Now()};
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_end)

BOOST_AUTO_TEST_CASE(ReturnFromMainIsExit)
{
    const auto run = End("return");
    BOOST_TEST(run.status.code == 9);
    BOOST_TEST(run.out == "hello\nunfinished line 2goodbye\nlast\n");
}

BOOST_AUTO_TEST_CASE(ExitRunsHandlersAndDestructorsAndFlushes)
{
    const auto run = End("exit");
    BOOST_TEST(run.status.code == 7);
    BOOST_TEST(run.status.signal == 0);
    BOOST_TEST(run.out == "hello\nunfinished line 2goodbye\nlast\n");
}

BOOST_AUTO_TEST_CASE(UnderscoreExitRunsAndFlushesNothing)
{
    const auto run = End("_exit");
    BOOST_TEST(run.status.code == 8);
    BOOST_TEST(run.out == "hello\n");
}

BOOST_AUTO_TEST_CASE(AbortEndsTheProcessOnly)
{
    const auto run = End("abort");
    BOOST_TEST(run.status.signal == 6);
    BOOST_TEST(run.status.code == 134);
    BOOST_TEST(run.err == "aborted\n");
}

BOOST_AUTO_TEST_CASE(AFailedAssertionIsReportedWithItsPlace)
{
    const auto run = End("assert");
    BOOST_TEST(run.status.signal == 6);
    BOOST_TEST(run.status.report.find("endings.c:") != std::string::npos);
    BOOST_TEST(run.status.report.find("Assertion `argc == 1000' failed.") != std::string::npos);
    BOOST_TEST(run.err == run.status.report + "\n");
}

BOOST_AUTO_TEST_CASE(ARaisedSignalEndsTheProcess)
{
    BOOST_TEST(End("raise").status.signal == 15);
}

BOOST_AUTO_TEST_CASE(ASystemCallThatWouldEndTheSimulatorEndsTheProcess)
{
    const auto run = End("syscall");
    BOOST_TEST(run.status.signal == SIGSYS);
    BOOST_TEST(run.status.report ==
               "syscall(SYS_exit_group) is not for the process alone; call _exit");
}

BOOST_AUTO_TEST_CASE(AKilledProcessRunsNoHandlers)
{
    const auto run = Kill("endings.c");
    BOOST_TEST(run.status.signal == 9);
    BOOST_TEST(run.status.report == "killed");
    BOOST_TEST(run.out == "hello\n");
}

BOOST_AUTO_TEST_CASE(AnUncaughtExceptionIsReportedByTypeAndText)
{
    const auto run = EndCxx("uncaught");
    BOOST_TEST(run.status.signal == 6);
    BOOST_TEST(run.status.report == "uncaught exception of type std::logic_error: nobody listens");
    BOOST_TEST(EndCxx("number").status.report == "uncaught exception of type int");
}

BOOST_AUTO_TEST_CASE(ATerminateHandlerOfTheProgramGetsTheUncaughtException)
{
    const auto run = EndCxx("terminate");
    BOOST_TEST(run.status.code == 3);
    BOOST_TEST(run.out.find("handled: nobody listens\n") != std::string::npos, run.out);
}

BOOST_AUTO_TEST_CASE(APureVirtualCallAborts)
{
    const auto run = EndCxx("pure");
    BOOST_TEST(run.status.signal == 6);
    BOOST_TEST(run.err.find("pure virtual method called") == 0u);
}

BOOST_AUTO_TEST_CASE(AnExceptionThatLeavesANoexceptFunctionAborts)
{
    const auto run = EndCxx("noexcept");
    BOOST_TEST(run.status.signal == 6);
    BOOST_TEST(run.err.find("terminate called after throwing an instance of 'int'") == 0u);
}

BOOST_AUTO_TEST_CASE(ExitDestroysStaticObjectsOnly)
{
    const auto run = EndCxx("exit");
    BOOST_TEST(run.status.code == 4);
    BOOST_TEST(run.out == "template 2 3\ncaught again\n~static\n");
}

BOOST_AUTO_TEST_CASE(KillingAProcessUnwindsItsStack)
{
    const auto run = Kill("cplusplus.cc");
    BOOST_TEST(run.status.signal == 9);
    BOOST_TEST(run.out == "template 2 3\ncaught again\n~automatic\n");
}

BOOST_AUTO_TEST_CASE(ANoexceptFunctionOnTheWayDropsTheRestOfTheStack)
{
    const auto run = Kill("cplusplus.cc", "wait-noexcept");
    BOOST_TEST(run.status.signal == 9);
    BOOST_TEST(run.out == "template 2 3\ncaught again\n");
}

BOOST_AUTO_TEST_CASE(AProgramThatComputesOnAfterItsKillingEndsAllTheSame)
{
    BOOST_TEST(Kill("cplusplus.cc", "spin").status.signal == 9);
}

BOOST_AUTO_TEST_CASE(AProgramThatSwallowsItsKillingEndsAllTheSame)
{
    const ProgramImage image(BuiltProgram("cplusplus.cc"), ViplCount());
    Waiters waiters;
    TestProcess process(waiters, image, {"swallow"});
    waiters.Run(10 * PS_PER_SECOND);
    process.Thread().Kill();
    BOOST_TEST(process.Thread().IsDone());
}

BOOST_AUTO_TEST_CASE(ExitInACallbackEndsTheProcess)
{
    const auto run = RunAlone(BuiltProgram("callback.c"));
    BOOST_TEST(run.status.code == 11);
    BOOST_TEST(run.status.signal == 0);
    BOOST_TEST(run.out == "handler (nil)\n");
}

BOOST_AUTO_TEST_SUITE_END()
