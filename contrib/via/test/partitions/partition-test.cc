/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Several ranks: who gets what, what is refused, and crossings from one rank to itself.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-folders.h"

#include "ns3/via-error.h"
#include "ns3/via-rank-crossings.h"
#include "ns3/via-rank-result.h"
#include "ns3/via-report-json.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

Topology
Graph(const ClusterConfig& config)
{
    return ParseTopology(config.topology, config.nodes, ProviderProfile::Load(config.profile));
}

/// Every cable is a crossing, and all records stay here.
ClusterConfig
OneRank(ClusterConfig config)
{
    auto ranks = std::make_shared<RankConfig>();
    ranks->plan = DivideBySwitch(Graph(config), 1);
    config.ranks = ranks;
    config.record = false;
    return config;
}

RanksReport
RunOnOneRank(const ClusterConfig& config,
             const std::string& workload,
             const std::map<std::string, std::string>& parameters)
{
    Cluster cluster(OneRank(config));
    cluster.AddWorkload(workload, parameters);
    cluster.Simulate();
    return ReportOfRanks(cluster, {ResultOfRank(cluster, UsageOfRank())});
}

/// Is what @p make does refused with a text that has @p words in it?
template <class F>
bool
Refuses(const F& make, const std::string& words)
{
    try
    {
        make();
    }
    catch (const ConfigError& error)
    {
        return std::string(error.what()).find(words) != std::string::npos;
    }
    return false;
}

} // namespace

BOOST_AUTO_TEST_SUITE(RankTest)

BOOST_AUTO_TEST_CASE(CrossingsTakeNoTimeOfTheirOwn)
{
    for (const auto& [topology, nodes, workload, size] :
         {std::tuple{"star", 2U, "ping-pong", "5000"},
          {"star", 8U, "all-to-all", "64"},
          {"fat-tree:k=2,n=3", 8U, "all-to-all", "1000"},
          {"torus:4x4", 16U, "barrier", "8"}})
    {
        ClusterConfig config = Config(topology, nodes);
        config.reference = true;
        const WorkloadRun plain = RunWorkload(config, workload, {{"size", size}, {"rounds", "2"}});
        const RanksReport crossed =
            RunOnOneRank(config, workload, {{"size", size}, {"rounds", "2"}});
        BOOST_TEST(crossed.run.digest == plain.report.digest, topology);
        BOOST_TEST(crossed.run.end == plain.report.end, topology);
        BOOST_TEST(crossed.samples == plain.samples, topology);
    }
}

BOOST_AUTO_TEST_CASE(WhatAReportSaysSurvivesJson)
{
    ClusterConfig config = Config("star", 4);
    config.plan.AddLoss("n1", {100'000'000, 0, 0});
    const RunReport report = RunWorkload(config, "all-to-all", {{"rounds", "2"}}).report;
    const std::string text = ReportAsJson(report);
    BOOST_TEST(report.faults.size() == 1U);
    BOOST_TEST(report.processes.size() == 4U);
    BOOST_TEST(ReportAsJson(ReportFromJson(text)) == text);
}

BOOST_AUTO_TEST_CASE(CellsThatAreLostAreSentAgainOverCrossings)
{
    ClusterConfig config = Config("torus:2x2", 4);
    config.plan.AddLoss("all", {20'000'000, 20'000'000, 0});
    const RanksReport crossed =
        RunOnOneRank(config, "all-to-all", {{"size", "2000"}, {"rounds", "3"}});
    BOOST_TEST(crossed.run.cellsLost > 0U);
    BOOST_TEST(crossed.run.cellsCorrupt > 0U);
    BOOST_TEST(static_cast<int>(crossed.run.exit) == 0);
}

BOOST_AUTO_TEST_CASE(SwitchesAreDealtOutInTheirOrderAndHostsGoWithThem)
{
    const Topology graph = Graph(Config("fat-tree:k=2,n=3", 8));
    const RankPlan plan = DivideBySwitch(graph, 4);
    const std::vector<std::uint32_t> expected{0, 0, 1, 1, 2, 2, 3, 3};
    BOOST_TEST(plan.hosts == expected);
    for (std::uint32_t rank = 0; rank < 4; ++rank)
    {
        BOOST_TEST(std::count(plan.switches.begin(), plan.switches.end(), rank) > 0);
    }
}

BOOST_AUTO_TEST_CASE(HostsOfOneSwitchAreDealtOutByNumber)
{
    const Topology graph = Graph(Config("star", 8));
    const RankPlan plan = DivideBySwitch(graph, 2);
    const std::vector<std::uint32_t> expected{0, 0, 0, 0, 1, 1, 1, 1};
    BOOST_TEST(plan.hosts == expected);
    BOOST_TEST(plan.CountCuts(graph) == 4);
}

BOOST_AUTO_TEST_CASE(TheUserMaySayWhoGetsASwitch)
{
    const Topology graph = Graph(Config("torus:2x2", 4));
    const RankPlan plan = DivideAsTold(graph, 2, {1, 0, 0, 1});
    const std::vector<std::uint32_t> expected{1, 0, 0, 1};
    BOOST_TEST(plan.hosts == expected);
    BOOST_TEST(Refuses([&graph] { DivideAsTold(graph, 2, {0, 0, 0}); }, "4 switches"));
    BOOST_TEST(Refuses([&graph] { DivideAsTold(graph, 2, {0, 0, 0, 0}); }, "rank 1"));
    BOOST_TEST(Refuses([&graph] { DivideAsTold(graph, 2, {0, 1, 0, 2}); }, "from 0 to 1"));
}

BOOST_AUTO_TEST_CASE(NoRankIsWithoutAHost)
{
    const Topology graph = Graph(Config("star", 8));
    BOOST_TEST(Refuses([&graph] { DivideBySwitch(graph, 9); }, "from 1 to 8"));
    BOOST_TEST(Refuses([&graph] { DivideBySwitch(graph, 0); }, "--mpi-ranks = 0"));
}

BOOST_AUTO_TEST_CASE(WhatSeveralRanksCannotDoIsRefusedByName)
{
    const auto refuses = [](const ClusterConfig& config, const std::string& workload) {
        return Refuses([&] { RunOnOneRank(config, workload, {}); }, "not on several ranks yet");
    };
    ClusterConfig captured = Config("star", 4);
    captured.capture.file = BuildFolder() / "on-ranks.pcapng"; // begun, never finished
    BOOST_TEST(refuses(captured, "ping-pong"));
    BOOST_TEST(refuses(Config("star,rails=2", 4), "ping-pong"));
}

BOOST_AUTO_TEST_SUITE_END()
