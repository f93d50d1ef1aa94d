/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs with several threads: handlers of VIPL's, threads of POSIX, C11 and C++.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <sstream>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

ProgramRun
RunHandlers(const std::string& how)
{
    return RunProgram(BuiltProgram("handlers.c"), {how});
}

ProgramRun
RunThreads(const std::string& story)
{
    return RunProgram(BuiltProgram("threads.c"), {story});
}

ProgramRun
RunCxxThreads(const std::string& story)
{
    return RunProgram(BuiltProgram("threads.cc"), {story});
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_threaded_program)

BOOST_AUTO_TEST_CASE(AHandlerSharesTheVariablesOfItsProcessAndHasAnErrnoOfItsOwn)
{
    const ProgramRun run = RunHandlers("");
    BOOST_TEST(run.out ==
               "handler of a flushed send, errno 0\nmain, errno 3\ngoodbye after 1 call\n");
    BOOST_TEST(run.process.exit == 0);
}

BOOST_AUTO_TEST_CASE(ExitInAHandlerEndsTheProcessWhileMainSleeps)
{
    const ProgramRun run = RunHandlers("exit");
    BOOST_TEST(run.out == "handler of a flushed send, errno 0\ngoodbye after 1 call\n");
    BOOST_TEST(run.process.exit == 11);
    BOOST_TEST(run.process.signal == 0);
    BOOST_TEST(run.process.end < PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(AbortInAHandlerEndsTheProcessWithItsSignal)
{
    const ProgramRun run = RunHandlers("abort");
    BOOST_TEST(run.process.signal == 6);
    BOOST_TEST(run.process.report == "aborted");
}

BOOST_AUTO_TEST_CASE(ThreadsGetAMutexInTheOrderInWhichTheyAskedForIt)
{
    const ProgramRun run = RunThreads("order");
    BOOST_TEST(run.out == "0\n1\njoined 0\n2\njoined 10\njoined 20\nagain -3, itself -35\n");
    BOOST_TEST(run.process.exit == 0);
    BOOST_TEST(RunThreads("order").digest == run.digest);
}

BOOST_AUTO_TEST_CASE(ASignalWakesTheFirstWaiterAndABroadcastAllInTheirOrder)
{
    BOOST_TEST(RunThreads("condition").out == "0\none was served\n1\n2\n3\n");
}

BOOST_AUTO_TEST_CASE(MutexesAreNormalRecursiveOrCheckForErrors)
{
    BOOST_TEST(RunThreads("kinds").out ==
               "again EBUSY, elsewhere EBUSY, destroy EBUSY, lock -, free -\n"
               "again 0, elsewhere EBUSY, destroy EBUSY, lock 0, free EPERM\n"
               "again EBUSY, elsewhere EBUSY, destroy EBUSY, lock EDEADLK, free EPERM\n");
}

BOOST_AUTO_TEST_CASE(DeadlinesAreInstantsOfSimulatedClocks)
{
    BOOST_TEST(RunThreads("deadlines").out == "ETIMEDOUT at 10 ms\n"
                                              "0 at 50 ms\n"
                                              "ETIMEDOUT at 60 ms\n"
                                              "ETIMEDOUT at 70 ms\n"
                                              "-1 ETIMEDOUT at 80 ms\n");
}

BOOST_AUTO_TEST_CASE(KeysErrnoAndThreadLocalVariablesBelongToOneThreadAndOnceToAll)
{
    BOOST_TEST(RunThreads("own").out == "once\n"
                                        "before nothing\n"
                                        "before nothing\n"
                                        "errno 101, own 6 1, key one\n"
                                        "destroy one\n"
                                        "errno 100, own 5 0, key zero\n"
                                        "destroy zero\n"
                                        "main: errno 3, own 5\n");
}

BOOST_AUTO_TEST_CASE(DeadlockedMutexesAreReportedWithTheirThreads)
{
    const ProgramRun run = RunThreads("deadlock");
    BOOST_TEST((run.exit == RunExit::DEADLOCK));
    BOOST_TEST(run.process.report ==
               "waits in pthread_mutex_lock; thread 2 waits in pthread_mutex_lock");
}

BOOST_AUTO_TEST_CASE(ReadersShareALockWritersDoNotAndNobodyOvertakes)
{
    BOOST_TEST(RunThreads("others").out == "read 0\nread 1\nread 0 ends\nread 1 ends\n"
                                           "write 2\nwrite 2 ends\n"
                                           "read 3\nread 4\nread 3 ends\nread 4 ends\n"
                                           "2 is the last\ntrywait -1\nvalue 1\n");
}

BOOST_AUTO_TEST_CASE(TheThreadsOfC11AreThoseOfPosix)
{
    BOOST_TEST(RunThreads("c11").out == "destroy C11\ndestroy C11\n-3 2 1\n");
}

BOOST_AUTO_TEST_CASE(StacksAreAsLargeAsAskedForAndThreadsAreLimited)
{
    BOOST_TEST(RunThreads("limits").out ==
               "stack 1\nstack 1\n1022 threads, then EAGAIN; join EINVAL\n");
}

BOOST_AUTO_TEST_CASE(AMaskOfSignalsIsKeptAndIsNotTheSimulators)
{
    BOOST_TEST(RunThreads("masks").out == "SEGV 0 USR1 1\nEINVAL\n");
}

BOOST_AUTO_TEST_CASE(ADetachedThreadCannotBeDetachedAgain)
{
    BOOST_TEST(RunThreads("detached").out ==
               "0\nagain EINVAL\ndetached early\ndetached late\n0\nagain ESRCH\n");
}

BOOST_AUTO_TEST_CASE(AThreadThatLeavesRunsItsCleanupFunctionsInsideOut)
{
    BOOST_TEST(RunThreads("leave").out ==
               "clean popped\nclean inner\nclean inner\nclean outer\nresult 42\ngoodbye\n");
}

BOOST_AUTO_TEST_CASE(WhenMainLeavesTheProcessLastsAsLongAsItsThreads)
{
    const ProgramRun run = RunThreads("main leaves");
    BOOST_TEST(run.out == "still here\ngoodbye\n");
    BOOST_TEST(run.process.exit == 0);
}

BOOST_AUTO_TEST_CASE(ExitInAThreadEndsTheProcess)
{
    const ProgramRun run = RunThreads("exit");
    BOOST_TEST(run.out == "goodbye\n");
    BOOST_TEST(run.process.exit == 5);
}

BOOST_AUTO_TEST_CASE(AFaultInAThreadEndsTheProcessWithItsPlace)
{
    const ProgramRun run = RunThreads("crash");
    BOOST_TEST(run.process.signal == 11);
    BOOST_TEST(Contains(run.process.report, "in CrashHere (threads.c:"), run.process.report);
}

BOOST_AUTO_TEST_CASE(AThreadThatWaitsWhenMainReturnsIsNoDeadlock)
{
    const ProgramRun run = RunThreads("return");
    BOOST_TEST((run.exit == RunExit::SUCCESS));
    BOOST_TEST(run.out == "goodbye\n");
}

BOOST_AUTO_TEST_CASE(ThreadsMutexesAndConditionsOfCxxWork)
{
    BOOST_TEST(RunCxxThreads("library").out ==
               "once\nthread 0\nthread 1\nthread 2\ntimeout after 20 ms\nwriter 0\n");
}

BOOST_AUTO_TEST_CASE(FuturesWaitInSimulatedTime)
{
    BOOST_TEST(RunCxxThreads("futures").out == "ready 0\nanswer 42\ncaught no\n");
}

BOOST_AUTO_TEST_CASE(EachThreadHasItsOwnExceptions)
{
    BOOST_TEST(RunCxxThreads("exceptions").out == "one one\ntwo two\none one\ntwo two\n");
}

BOOST_AUTO_TEST_CASE(ThreadLocalObjectsAreDestroyedWithTheirThreads)
{
    BOOST_TEST(RunCxxThreads("own").out == "end of a scope left by pthread_exit\n"
                                           "end of a thread's own (the first's)\n"
                                           "end of a thread's own (the second's)\n"
                                           "a thread's own\n"
                                           "end of a thread's own\n");
}

BOOST_AUTO_TEST_CASE(ATerminateHandlerGetsWhatNobodyCatchesInAThread)
{
    const ProgramRun run = RunProgram(BuiltProgram("cplusplus.cc"), {"terminate-thread"});
    BOOST_TEST(run.process.exit == 3);
    BOOST_TEST(Contains(run.out, "handled: nobody listens\n"), run.out);
}

BOOST_AUTO_TEST_CASE(AProgramSeesTheCpusOfItsHostAlone)
{
    ClusterConfig config;
    config.overrides["cpu.count"] = "3";
    const std::string program = BuiltProgram("cpus.cc");
    const std::string alone = RunOnNodes(program, {{}}, config);
    BOOST_TEST(alone == "[n0.0] 3 3 3 3 3 3 on 2 2 0, pages of 4096\n");
    std::set<char> cpus;
    std::istringstream crowd(RunOnEachNode(program, {}, 5, config).out);
    for (std::string line; std::getline(crowd, line);)
    {
        const std::size_t place = line.find(" on ");
        BOOST_REQUIRE(place != std::string::npos);
        cpus.insert(line[place + 4]);
    }
    BOOST_TEST(cpus.size() > 1U);
    BOOST_TEST(*cpus.rbegin() <= '2');
}

BOOST_AUTO_TEST_CASE(AnExceptionThatLeavesAThreadOfAProgramEndsIt)
{
    const ProgramRun run = RunCxxThreads("uncaught");
    BOOST_TEST(run.process.signal == 6);
    BOOST_TEST(run.process.report == "uncaught exception of type std::runtime_error: out of luck");
}

BOOST_AUTO_TEST_CASE(ThreadLocalVariablesThatAllThreadsWouldShareAreRefused)
{
    const std::string program = BuiltProgram("threads.c", "-ftls-model=initial-exec");
    BOOST_CHECK_EXCEPTION(ProgramImage(program, ViplCount()), ConfigError, [](const auto& error) {
        return Contains(error.what(), "-ftls-model");
    });
}

BOOST_AUTO_TEST_CASE(WhatNoSimulatedThreadCanDoIsNamedWhenItIsLinked)
{
    const auto [status, text] = RunViaCc("'" + ProgramSource("cancels.c") + "' -o /dev/null");
    BOOST_TEST(status == 0); // the call itself ends the process
    BOOST_TEST(Contains(text, "calls pthread_cancel()"), text);
}

BOOST_AUTO_TEST_SUITE_END()
