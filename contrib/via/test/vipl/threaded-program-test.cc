/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs with several threads: handlers of VIPL's.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_threaded_program)

BOOST_AUTO_TEST_CASE(AHandlerSharesThePrintersOfItsProcessAndHasAnErrnoOfItsOwn)
{
    const ProgramRun run = RunProgram(BuiltProgram("handlers.c"));
    BOOST_TEST(run.out ==
               "handler of a flushed send, errno 0\nmain, errno 3\ngoodbye after 1 call\n");
    BOOST_TEST(run.process.exit == 0);
}

BOOST_AUTO_TEST_CASE(ExitInAHandlerEndsTheProcessWhileMainSleeps)
{
    const ProgramRun run = RunProgram(BuiltProgram("handlers.c"), {"exit"});
    BOOST_TEST(run.out == "handler of a flushed send, errno 0\ngoodbye after 1 call\n");
    BOOST_TEST(run.process.exit == 11);
    BOOST_TEST(run.process.signal == 0);
    BOOST_TEST(run.process.end < PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(AbortInAHandlerEndsTheProcessWithItsSignal)
{
    const ProgramRun run = RunProgram(BuiltProgram("handlers.c"), {"abort"});
    BOOST_TEST(run.process.signal == 6);
    BOOST_TEST(run.process.report == "aborted");
}

BOOST_AUTO_TEST_SUITE_END()
