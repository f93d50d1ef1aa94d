/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Atomic commitment under crashes: the living decide.

#include "../support/via-test-protocol-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(CommitmentTest)

BOOST_AUTO_TEST_CASE(ANewLeaderThatHasDecidedTellsTheOthers)
{
    for (std::uint32_t message = 1; message < 30; ++message)
    {
        const Parameters parameters = {{"abort-percent", "30"},
                                       {"limit-ms", "20000"},
                                       {"process-faults", "crash:0:" + std::to_string(message)}};
        const ProtocolRun run = RunProtocol("three-phase-commit", 4, parameters);
        BOOST_TEST_CONTEXT("crash at message " << message)
        {
            BOOST_TEST(run.finished);
            BOOST_TEST(run.violations.empty());
            for (Rank rank = 1; rank < 4; ++rank)
            {
                BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, rank).size() == 10U);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
