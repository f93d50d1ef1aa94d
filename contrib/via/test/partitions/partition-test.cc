/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Several partitions: who gets what, what is refused, and remote links from one partition to
// itself.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-refusal.h"
#include "../support/via-test-vipl-bench.h"

#include "ns3/via-partition-records.h"
#include "ns3/via-partition-result.h"
#include "ns3/via-remote-links.h"
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

/// Every cable is a remote link, and all records stay here.
ClusterConfig
OnePartition(ClusterConfig config)
{
    auto partitions = std::make_shared<PartitionConfig>();
    partitions->plan = DivideBySwitch(Graph(config), 1);
    partitions->everyCable = true;
    config.partition = partitions;
    config.record = false;
    return config;
}

PartitionsReport
RunOnOnePartition(const ClusterConfig& config,
                  const std::string& workload,
                  const std::map<std::string, std::string>& parameters)
{
    Cluster cluster(OnePartition(config));
    cluster.AddWorkload(workload, parameters);
    cluster.Simulate();
    return ReportOfPartitions(cluster, {ResultOfPartition(cluster, UsageOfPartition(), true)});
}

/// The critical paths of a run, as lines.
std::vector<std::string>
LinesOf(const RunLog& log)
{
    std::vector<std::string> lines;
    const CriticalPaths paths = FindCriticalPaths(log.Messages(), log.Spans());
    for (const BreakdownRow& row : BreakdownRows(paths, log.Hosts()))
    {
        lines.push_back(row.message + " " + row.op + " " + row.stage + " " + row.owner + " " +
                        std::to_string(row.cycles) + " " + std::to_string(row.start) + " " +
                        std::to_string(row.end));
    }
    return lines;
}

/// @param isDivided every cable is a remote link
std::vector<std::string>
RecordedLines(ClusterConfig config,
              bool isDivided,
              const std::string& workload,
              const std::map<std::string, std::string>& parameters)
{
    config = isDivided ? OnePartition(config) : config;
    config.record = true;
    Cluster cluster(config);
    cluster.AddWorkload(workload, parameters);
    cluster.Simulate();
    return LinesOf(isDivided ? JoinRecords({RecordsOfPartition(cluster)}) : cluster.TakeLog());
}

/// Partition @p self of two of @p config.
ClusterConfig
OneOfTwo(ClusterConfig config, std::uint32_t self)
{
    auto partitions = std::make_shared<PartitionConfig>();
    partitions->plan = DivideBySwitch(Graph(config), 2);
    partitions->plan.self = self;
    config.partition = partitions;
    return config;
}

/// Node @p node crashes for half a millisecond, until millisecond @p end, and restarts.
PlannedFault
RestartOf(std::uint32_t node, Ps end)
{
    PlannedFault crash;
    crash.kind = FaultKind::NODE_CRASH;
    crash.where = "n" + std::to_string(node);
    crash.when = {end * PS_PER_MS - PS_PER_MS / 2, end * PS_PER_MS};
    crash.restart = true;
    return crash;
}

/// A program that outlives all faults.
int
SleepOn()
{
    Pause(PS_PER_SECOND);
    return 0;
}

/// Hears of packets, and does not care.
class Nobody final : public PacketListener
{
  public:
    void OnPacket(const CapturedPacket&) override
    {
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(PartitionTest)

BOOST_AUTO_TEST_CASE(RemoteLinksTakeNoTimeOfTheirOwn)
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
        const PartitionsReport crossed =
            RunOnOnePartition(config, workload, {{"size", size}, {"rounds", "2"}});
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

BOOST_AUTO_TEST_CASE(CriticalPathsCrossRemoteLinks)
{
    for (const auto& [profile, topology, workload, size] :
         {std::tuple{"giganet-clan1000", "star", "ping-pong", "5000"},
          {"servernet2", "fat-tree:k=2,n=3", "all-to-all", "1000"},
          {"gm-lanai9-200", "star", "all-to-all", "3000"},
          {"infinihost", "torus:4x4", "barrier", "8"}})
    {
        ClusterConfig config = Config(topology, 8);
        config.profile = profile;
        const std::map<std::string, std::string> given{{"size", size}, {"rounds", "2"}};
        const auto plain = RecordedLines(config, false, workload, given);
        BOOST_TEST(plain.size() > 100U, profile);
        BOOST_TEST(RecordedLines(config, true, workload, given) == plain, profile);
    }
}

BOOST_AUTO_TEST_CASE(DatagramsThatEqualLostOnesHaveTheSameRecordsOverRemoteLinks)
{
    ClusterConfig config = Config("star", 3);
    config.plan.AddLoss("n1", {100'000'000, 0, 0});
    const std::map<std::string, std::string> given{{"rounds", "20"},
                                                   {"interval-us", "1000"},
                                                   {"missed", "50"},
                                                   {"transport", "kernel-udp"}};
    const auto plain = RecordedLines(config, false, "mscs-heartbeat", given);
    BOOST_TEST(plain.size() > 100U);
    BOOST_TEST(RecordedLines(config, true, "mscs-heartbeat", given) == plain);
}

BOOST_AUTO_TEST_CASE(CellsThatAreLostAreSentAgainOverRemoteLinks)
{
    ClusterConfig config = Config("torus:2x2", 4);
    config.plan.AddLoss("all", {20'000'000, 20'000'000, 0});
    const PartitionsReport crossed =
        RunOnOnePartition(config, "all-to-all", {{"size", "2000"}, {"rounds", "3"}});
    BOOST_TEST(crossed.run.cellsLost > 0U);
    BOOST_TEST(crossed.run.cellsCorrupt > 0U);
    BOOST_TEST(static_cast<int>(crossed.run.exit) == 0);
}

BOOST_AUTO_TEST_CASE(CongestionNoticesComeAsWithoutRemoteLinks)
{
    for (const std::string topology : {"mesh:3x3", "mesh:3x3,rails=2"})
    {
        ClusterConfig config = Config(topology, 9);
        const std::map<std::string, std::string> given{{"size", "48"}, {"rounds", "5"}};
        const Ps free = RunWorkload(config, "all-gather", given).report.end;
        config.overrides = {{"switch.feedback_mark", "1"}, {"link.credits", "8"}};
        const RunReport plain = RunWorkload(config, "all-gather", given).report;
        BOOST_TEST(plain.end > free, topology); // some sources had to pause
        BOOST_TEST(RunOnOnePartition(config, "all-gather", given).run.digest == plain.digest,
                   topology);
    }
}

BOOST_AUTO_TEST_CASE(SwitchesAreDealtOutInTheirOrderAndHostsGoWithThem)
{
    const Topology graph = Graph(Config("fat-tree:k=2,n=3", 8));
    const PartitionPlan plan = DivideBySwitch(graph, 4);
    const std::vector<std::uint32_t> expected{0, 0, 1, 1, 2, 2, 3, 3};
    BOOST_TEST(plan.hosts == expected);
    for (std::uint32_t partition = 0; partition < 4; ++partition)
    {
        BOOST_TEST(std::count(plan.switches.begin(), plan.switches.end(), partition) > 0);
    }
}

BOOST_AUTO_TEST_CASE(SwitchesBetweenPartitionsAreDealtOutEvenly)
{
    const Topology graph = Graph(Config("fat-tree:k=4,n=2", 16));
    const PartitionPlan plan = DivideBySwitch(graph, 2);
    const std::vector<std::uint32_t> expected{0, 0, 1, 1, 0, 1, 0, 1};
    BOOST_TEST(plan.switches == expected);
}

BOOST_AUTO_TEST_CASE(HostsOfOneSwitchAreDealtOutByNumber)
{
    const Topology graph = Graph(Config("star", 8));
    const PartitionPlan plan = DivideBySwitch(graph, 2);
    const std::vector<std::uint32_t> expected{0, 0, 0, 0, 1, 1, 1, 1};
    BOOST_TEST(plan.hosts == expected);
    BOOST_TEST(plan.CountCuts(graph) == 4);
}

BOOST_AUTO_TEST_CASE(TheUserMaySayWhoGetsASwitch)
{
    const Topology graph = Graph(Config("torus:2x2", 4));
    const PartitionPlan plan = DivideAsTold(graph, 2, {1, 0, 0, 1});
    const std::vector<std::uint32_t> expected{1, 0, 0, 1};
    BOOST_TEST(plan.hosts == expected);
    BOOST_TEST(Refuses([&graph] { DivideAsTold(graph, 2, {0, 0, 0}); }, "4 switches"));
    BOOST_TEST(Refuses([&graph] { DivideAsTold(graph, 2, {0, 0, 0, 0}); }, "partition 1"));
    BOOST_TEST(Refuses([&graph] { DivideAsTold(graph, 2, {0, 1, 0, 2}); }, "0 to 1"));
}

BOOST_AUTO_TEST_CASE(NoPartitionIsWithoutAHost)
{
    const Topology graph = Graph(Config("star", 8));
    BOOST_TEST(Refuses([&graph] { DivideBySwitch(graph, 9); }, "from 1 to 8"));
    BOOST_TEST(Refuses([&graph] { DivideBySwitch(graph, 0); }, "--mpi-ranks = 0"));
}

BOOST_AUTO_TEST_CASE(DistancesFromOtherPartitionsAreThoseOfTheirHostsAndSwitches)
{
    const Topology graph = Graph(Config("ring:8", 8));
    PartitionPlan plan = DivideBySwitch(graph, 2);
    const std::vector<OutsideDistance> all = DistancesFromOutside(plan, graph);
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        BOOST_TEST(all[i].hosts == (i == 0 || i == 3 ? 1U : 2U));
        BOOST_TEST(all[i].switches == all[i].hosts);
    }
    BOOST_TEST(all[4].hosts == 0U); // not ours
}

BOOST_AUTO_TEST_CASE(ASwitchOfOthersMayBeNearerThanTheirHosts)
{
    const Topology graph = Graph(Config("fat-tree:k=2,n=3", 8)); // four switches on each level
    const std::vector<OutsideDistance> all = DistancesFromOutside(DivideBySwitch(graph, 2), graph);
    BOOST_TEST(all[0].switches == 2U); // one at the top
    BOOST_TEST(all[0].hosts == 4U);    // up to the top and down again
}

BOOST_AUTO_TEST_CASE(OnePartitionHasNothingOutside)
{
    const Topology graph = Graph(Config("ring:4", 4));
    for (const OutsideDistance& one : DistancesFromOutside(DivideBySwitch(graph, 1), graph))
    {
        BOOST_TEST(one.hosts == OutsideDistance::UNREACHED);
        BOOST_TEST(one.switches == OutsideDistance::UNREACHED);
    }
}

BOOST_AUTO_TEST_CASE(APartitionHasOnlyItsOwnHostsAndSwitches)
{
    Cluster cluster(OneOfTwo(Config("fat-tree:k=2,n=3", 8), 1));
    // of host 0, it asks what hosts of its kind take at least
    BOOST_TEST(cluster.HostsHere() == std::vector<NodeId>({0, 4, 5, 6, 7}),
               boost::test_tools::per_element());
    const PartitionPlan& plan = cluster.GetFabric().GetRemoteLinks()->Plan();
    for (std::size_t i = 0; i < plan.switches.size(); ++i)
    {
        BOOST_TEST((cluster.GetFabric().Switches()[i] != nullptr) == (plan.switches[i] == 1));
    }
}

BOOST_AUTO_TEST_CASE(ProcessesThatPartitionsStartAgainHaveDifferentNumbers)
{
    ClusterConfig config = Config("fat-tree:k=2,n=2", 4);
    config.plan.faults = {RestartOf(3, 3), RestartOf(3, 4), RestartOf(0, 2), RestartOf(0, 3)};
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t self : {0U, 1U})
    {
        Cluster cluster(OneOfTwo(config, self));
        cluster.AddProcess(0, SleepOn);
        cluster.AddProcess(3, SleepOn);
        for (const ProcessReport& process : cluster.Run().processes)
        {
            numbers.push_back(process.rank);
        }
    }
    // 2: of node 0 after 2 ms; 3 and 4: of both after 3 ms; 5: of node 3 after 4 ms
    const std::vector<std::uint32_t> expected{0, 2, 3, 1, 4, 5};
    BOOST_TEST(numbers == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(APartitionKnowsOfTheFastestHostElsewhere)
{
    ClusterConfig config = Config("fat-tree:k=2,n=3", 8);
    config.others[7] = {"", "xeon2400-linux24"};
    const auto leastCall = [](const ClusterConfig& one) { return Cluster(one).LeastLeads().call; };
    const Ps whole = leastCall(config);
    BOOST_TEST(leastCall(OneOfTwo(config, 0)) == whole);
    BOOST_TEST(leastCall(OneOfTwo(config, 1)) == whole);
    config.others.clear();
    BOOST_TEST(leastCall(config) > whole);
}

BOOST_AUTO_TEST_CASE(WhatSeveralPartitionsCannotDoIsRefusedByName)
{
    const auto refuses = [](const ClusterConfig& config, const std::string& workload) {
        return Refuses([&] { RunOnOnePartition(config, workload, {}); },
                       "not on several MPI ranks yet");
    };
    ClusterConfig captured = Config("star", 4);
    Nobody nobody;
    captured.capture.listener = &nobody;
    BOOST_TEST(refuses(captured, "ping-pong"));
}

BOOST_AUTO_TEST_SUITE_END()
