/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Clusters: what a run reports, how it ends, and which configurations are refused.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-profile-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(ClusterTest)

BOOST_AUTO_TEST_CASE(AReportNamesEverythingThatMadeTheRun)
{
    const RunReport report =
        RunWorkload(Config("star", 2, 7), "ping-pong", {{"rounds", "3"}}).report;
    BOOST_TEST(report.profile == CARD);
    BOOST_TEST(report.host == "pii300-linux22");
    BOOST_TEST(report.fingerprint == ProviderProfile::Load(CARD).Fingerprint());
    BOOST_TEST(report.seed == 7U);
    BOOST_TEST(report.nodes == 2U);
    BOOST_TEST(report.topology == "star");
    BOOST_TEST(report.messages == 6U);
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_TEST(report.processes.size() == 2U);
}

BOOST_AUTO_TEST_CASE(NodesFromOneToTheLimitAreTaken)
{
    BOOST_TEST(RefusalOf([] { Cluster(Config("star", 0)); }) ==
               "--nodes = 0: a whole number from 1 to 262144");
    BOOST_CHECK_THROW(Cluster(Config("star", 262145)), ConfigError);
    BOOST_CHECK_NO_THROW(Cluster(Config("star", 1)));
}

BOOST_AUTO_TEST_CASE(ASecondClusterAtATimeIsRefused)
{
    const Cluster first(Config("star", 2));
    BOOST_CHECK_THROW(Cluster(Config("star", 2)), ConfigError);
}

BOOST_AUTO_TEST_CASE(ARefusedClusterIsNotInTheWayOfTheNext)
{
    BOOST_CHECK_THROW(Cluster(Config("no such topology", 2)), ConfigError);
    BOOST_CHECK_NO_THROW(Cluster(Config("star", 2)));
    BOOST_CHECK_NO_THROW(Cluster(Config("star", 2)));
}

BOOST_AUTO_TEST_CASE(OverridesAreCheckedLikeTheProfile)
{
    for (const auto& [key, value] : {std::pair{"nic.nonsense", "1"},
                                     {"nic.max_vi", "0"},
                                     {"nic.max_vi", "many"},
                                     {"nic.clock", "62.5"},
                                     {"bus.width", "3"}})
    {
        ClusterConfig config = Config("star", 2);
        config.overrides[key] = value;
        const std::string refusal = RefusalOf([&config] { Cluster cluster(config); });
        BOOST_TEST(refusal.find(key) != std::string::npos, refusal);
    }
}

BOOST_AUTO_TEST_CASE(ATopologyThatIsAValueConnectsAsManyHostsAsThereAreNodes)
{
    ClusterConfig config = Config("ring", 3);
    config.graph = std::make_shared<Topology>(Cluster(config).GetTopology());
    BOOST_TEST(Cluster(config).GetTopology().name == "ring");
    config.nodes = 4;
    BOOST_TEST(RefusalOf([&config] { Cluster cluster(config); }) ==
               "--nodes = 4: the topology ring connects 3");
}

BOOST_AUTO_TEST_CASE(NodesMayHaveOtherHostsAndCardsOnTheSameWire)
{
    ClusterConfig config = Config("star", 3);
    config.others[1] = {"", "xeon550-w2k"};
    const RunReport mixed = RunWorkload(config, "ping-pong", {{"rounds", "3"}}).report;
    const RunReport alike = RunWorkload(Config("star", 3), "ping-pong", {{"rounds", "3"}}).report;
    BOOST_TEST(mixed.digest != alike.digest);
    BOOST_TEST(mixed.fingerprint != alike.fingerprint);
    config.others = {{1, {"mvia-gnic2", ""}}};
    const std::string refusal = RefusalOf([&config] { Cluster cluster(config); });
    BOOST_TEST(refusal.find("profile of node 1 = mvia-gnic2: link.") == 0U, refusal);
    config.others = {{3, {"", "xeon550-w2k"}}};
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
}

BOOST_AUTO_TEST_CASE(AnUnknownProfileOrHostIsRefused)
{
    ClusterConfig config = Config("star", 2);
    config.profile = "myrinet-3000";
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
    config = Config("star", 2);
    config.host = "cray";
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
}

BOOST_AUTO_TEST_CASE(AProcessOnANodeThatIsNotThereIsRefused)
{
    Cluster cluster(Config("star", 2));
    BOOST_TEST(RefusalOf([&cluster] { cluster.AddProcess(2, [] { return 0; }); }) ==
               "node = 2: the cluster has nodes 0 to 1");
    ProgramSpec spec;
    spec.path = "/no/such/program.so";
    BOOST_CHECK_THROW(cluster.AddProgram(spec), ConfigError);
}

BOOST_AUTO_TEST_CASE(ARunHasOneWorkload)
{
    Cluster cluster(Config("star", 2));
    cluster.AddWorkload("ping-pong", {});
    BOOST_CHECK_THROW(cluster.AddWorkload("stream", {}), ConfigError);
}

BOOST_AUTO_TEST_CASE(ProcessesAreRankedInTheOrderOfAdding)
{
    Cluster cluster(Config("star", 3));
    std::string order;
    for (const std::uint32_t node : {2, 0, 2})
    {
        const std::uint32_t rank = cluster.AddProcess(node, [&order, node] {
            order += std::to_string(node);
            return static_cast<int>(node);
        });
        BOOST_TEST(rank + 1 == cluster.Processes().size());
    }
    const RunReport report = cluster.Run();
    BOOST_TEST(order == "022");
    BOOST_TEST(report.processes[0].exit == 2);
    BOOST_TEST(report.processes[1].node == 0U);
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
}

BOOST_AUTO_TEST_CASE(ARunThatIsStoppedSaysWhoStillWaits)
{
    ClusterConfig config = Config("star", 2);
    config.stop = 20 * PS_PER_US;
    const RunReport report = RunWorkload(config, "ping-pong").report;
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(report.processes[0].report == "waits for a message");
    BOOST_TEST(report.messages < 10U);
}

BOOST_AUTO_TEST_CASE(NodesWithoutWorkChangeNothing)
{
    const WorkloadRun two = RunWorkload(Config("star", 2), "ping-pong", {{"rounds", "5"}});
    const WorkloadRun eight = RunWorkload(Config("star", 8), "ping-pong", {{"rounds", "5"}});
    BOOST_TEST(two.samples.size() == 5U);
    BOOST_TEST(eight.report.events == two.report.events);
}

BOOST_AUTO_TEST_SUITE_END()
