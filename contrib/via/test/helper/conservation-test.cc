/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What must be conserved: cells, credits and packets, in every topology and workload.

#include "../support/via-test-cluster-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The topology of @p config with cables that have room for as few cells as they may.
std::shared_ptr<const Topology>
WithRoomForOneBurst(const ClusterConfig& config)
{
    const ProviderProfile profile = ProviderProfile::Load(config.profile);
    auto topology =
        std::make_shared<Topology>(ParseTopology(config.topology, config.nodes, profile));
    for (Cable& cable : topology->cables)
    {
        cable.wire.cells =
            profile.Number32("nic.dma_burst") / profile.Number32("link.cell_payload");
    }
    return topology;
}

FaultPlan
Corrupting(std::uint64_t ppb)
{
    FaultPlan plan;
    if (ppb > 0)
    {
        PlannedFault fault;
        fault.kind = FaultKind::LOSS;
        fault.loss.corrupt = ppb;
        plan.faults.push_back(fault);
    }
    return plan;
}

void
CheckQuiet(const WorkloadRun& run)
{
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.cellsMissing == 0U);
    BOOST_TEST(run.packetsAlive == 0U);
    BOOST_TEST(run.cellsIntoSwitches == run.cellsOutOfSwitches);
}

} // namespace

BOOST_AUTO_TEST_SUITE(ConservationTest)

BOOST_AUTO_TEST_CASE(NothingIsLeftInAStar)
{
    const WorkloadRun run = RunWorkload(Config("star", 8), "all-to-all", {{"rounds", "3"}});
    CheckQuiet(run);
    BOOST_TEST(run.cellsFromHosts == run.cellsIntoSwitches);
    BOOST_TEST(run.cellsFromHosts - run.cellsTold ==
               3U * 8U * 7U * 86U); // 86 cells carry 4096 bytes and a header
}

BOOST_AUTO_TEST_CASE(NothingIsLeftInACascadedStar)
{
    CheckQuiet(RunWorkload(Config("star", 64), "all-to-all", {{"rounds", "1"}, {"size", "600"}}));
    CheckQuiet(RunWorkload(Config("star", 64), "barrier", {{"rounds", "3"}}));
}

BOOST_AUTO_TEST_CASE(NothingIsLeftInACrossbar)
{
    CheckQuiet(RunWorkload(Config("crossbar", 40), "all-to-all", {{"rounds", "1"}}));
}

BOOST_AUTO_TEST_CASE(NothingIsLeftOnACable)
{
    for (const std::string workload : {"ping-pong", "stream", "all-to-all", "barrier"})
    {
        const WorkloadRun run = RunWorkload(Config("back-to-back", 2), workload);
        CheckQuiet(run);
        BOOST_TEST(run.cellsIntoSwitches == 0U);
    }
}

BOOST_AUTO_TEST_CASE(NothingIsLeftInAFatTree)
{
    const WorkloadRun run =
        RunWorkload(Config("fat-tree:k=3,n=3", 27), "all-to-all", {{"rounds", "1"}});
    CheckQuiet(run);
    BOOST_TEST(run.cellsIntoSwitches > run.cellsFromHosts);
}

BOOST_AUTO_TEST_CASE(NothingIsLeftInReferenceMode)
{
    ClusterConfig config = Config("star", 6);
    config.reference = true;
    CheckQuiet(RunWorkload(config, "all-to-all", {{"rounds", "2"}}));
    CheckQuiet(RunWorkload(config, "stream", {{"messages", "30"}}));
}

BOOST_AUTO_TEST_CASE(NothingIsLeftWhenCreditsAreFew)
{
    for (const bool reference : {false, true})
    {
        ClusterConfig config = Config("fat-tree:k=2,n=3", 8);
        config.reference = reference;
        config.overrides["link.credits"] = "32";
        CheckQuiet(RunWorkload(config, "all-to-all", {{"rounds", "3"}, {"size", "10000"}}));
    }
}

BOOST_AUTO_TEST_CASE(NothingIsLeftWhereACableHasRoomForOneBurst)
{
    for (const char* product : {"giganet-clan1000", "ideal", "synfinity", "servernet2"})
    {
        for (const std::uint64_t corrupt : {0U, 10'000'000U})
        {
            ClusterConfig config = Config("star", 6);
            config.profile = product;
            config.graph = WithRoomForOneBurst(config);
            config.plan = Corrupting(corrupt);
            BOOST_TEST_CONTEXT(product << ", " << corrupt << " of 10^9 cells corrupt")
            {
                const WorkloadRun run = RunWorkload(config, "all-to-all", {{"size", "3000"}});
                CheckQuiet(run);
                BOOST_TEST((run.cellsResent > 0) == (corrupt > 0));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(LargeMessagesDoNotLockUpAnyTopology)
{
    for (const std::string topology : {"star", "crossbar", "fat-tree:k=2,n=3"})
    {
        CheckQuiet(
            RunWorkload(Config(topology, 8), "all-to-all", {{"rounds", "2"}, {"size", "65536"}}));
    }
}

BOOST_AUTO_TEST_SUITE_END()
