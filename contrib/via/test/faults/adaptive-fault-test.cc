/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of hosts and wires where packets may overtake each other: nobody waits for ever for one.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-fault-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// All to all over adaptive routes while @p kind happens to @p where.
WorkloadRun
Struck(FaultKind kind, const std::string& where)
{
    ClusterConfig config = Planned({MakeFault(kind, where, 600 * PS_PER_US, 300 * PS_PER_US)});
    config.topology = "fat-tree:k=2,n=3,routing=adaptive";
    config.nodes = 8;
    config.stop = 200 * PS_PER_MS;
    return RunWorkload(config, "all-to-all", {{"size", "20000"}, {"rounds", "5"}});
}

} // namespace

BOOST_AUTO_TEST_SUITE(AdaptiveFaultTest)

BOOST_AUTO_TEST_CASE(NoPacketWaitsForOneThatAFaultTook)
{
    const std::pair<FaultKind, const char*> faults[] = {{FaultKind::LINK_DOWN, "n1"},
                                                        {FaultKind::LINK_DOWN, "s0-s4"},
                                                        {FaultKind::SWITCH_DOWN, "s5"},
                                                        {FaultKind::NIC_RESET, "n1"},
                                                        {FaultKind::NODE_CRASH, "n1"}};
    for (const auto& [kind, where] : faults)
    {
        const WorkloadRun run = Struck(kind, where);
        BOOST_TEST(run.report.messages > 0U, where);
        BOOST_TEST(run.packetsAlive == 0U, FaultKindName(kind) << " of " << where);
    }
}

BOOST_AUTO_TEST_SUITE_END()
