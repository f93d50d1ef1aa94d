/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Signals that hosted programs send to themselves.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>
#include <csignal>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(program_signal)

BOOST_AUTO_TEST_CASE(TimersExpireInSimulatedTime)
{
    const ProgramRun run = RunProgram(BuiltProgram("timers.c"));
    BOOST_TEST(run.out == "sleep left 3 after 2000 ms, caught 1\n"
                          "a loop ends after 100\n"
                          "pause -1 -1 errno 1 caught 4\n"
                          "masked 4 pending 1 unmasked 5\n"
                          "sigwait 0 1\n"
                          "getitimer 0 0, profiling -1\n");
}

BOOST_AUTO_TEST_CASE(AnUnhandledAlarmEndsTheProcess)
{
    const ProgramRun run = RunProgram(BuiltProgram("timers.c"));
    BOOST_TEST(run.process.report.find("raised signal 14 (Alarm clock)") != std::string::npos,
               run.process.report);
}

BOOST_AUTO_TEST_SUITE_END()
