/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Collective operations after a loss: they stop, and no sum is wrong.

#include "../support/via-test-protocol-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(CollectivesTest)

BOOST_AUTO_TEST_CASE(AfterALossNoSumIsWrong)
{
    for (const std::string protocol : {"all-reduce", "all-gather"})
    {
        for (const std::uint32_t nodes : {2, 4, 7})
        {
            for (const std::string times : {"94:95", "100:110", "122:123", "126:131"})
            {
                const std::string cut = "partition:" + std::to_string(nodes / 2) + ":" + times;
                const Parameters parameters = {{"rounds", "40"}, {"process-faults", cut}};
                const ProtocolRun run = RunProtocol(protocol, nodes, parameters);
                const std::string said = run.violations.empty() ? "" : run.violations.front();
                BOOST_TEST(said == "", protocol << " on " << nodes << ", " << cut << ": " << said);
                BOOST_TEST((run.hits.lost > 0U || run.finished));
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
