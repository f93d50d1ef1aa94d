/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Consensus under faults: who falls behind catches up.

#include "../support/via-test-protocol-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(ConsensusTest)

BOOST_AUTO_TEST_CASE(AProposerThatMissedMoreSlotsThanATimeOutHoldsCatchesUp)
{
    const Parameters parameters = {{"rounds", "2000"},
                                   {"timeout-us", "1000"},
                                   {"limit-ms", "300"},
                                   {"process-faults", "partition:2:1000:40000"}};
    const ProtocolRun run = RunProtocol("multi-paxos", 3, parameters);
    BOOST_TEST(run.finished);
    BOOST_TEST(run.violations.empty());
    BOOST_TEST(run.report.end < 200 * PS_PER_MS); // long before nobody begins to lead any more
    BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, 2).size() == 2000U);
}

BOOST_AUTO_TEST_CASE(ALeaderAfterTheLastRoundOpensNoRound)
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
    {
        const Parameters parameters = {{"rounds", "30"},
                                       {"election-us", "8000"},
                                       {"transport", "kernel-udp"},
                                       {"process-faults", "partition:2:1000:30000"}};
        const ProtocolRun run = RunProtocol("raft", 3, parameters, seed);
        BOOST_TEST(run.finished);
        BOOST_TEST(run.samples.size() == 30U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
