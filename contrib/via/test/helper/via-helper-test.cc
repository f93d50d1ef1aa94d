/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ViaHelper: NICs for ns-3 nodes, what it refuses, what ns-3 sees of a run.

#include "support/via-test-program-bench.h"
#include "support/via-test-two-nodes.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"

#include <boost/test/unit_test.hpp>
#include <iostream>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Matches a ConfigError that speaks of something.
auto
Naming(const std::string& what)
{
    return [what](const ConfigError& error) {
        BOOST_TEST_INFO(error.what());
        return std::string(error.what()).find(what) != std::string::npos;
    };
}

std::vector<MessageRow> g_messages;

void
Collect(const MessageRow& message)
{
    g_messages.push_back(message);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(via_helper, TwoNodes)

BOOST_AUTO_TEST_CASE(InstallReturnsTheNicsInTheOrderOfTheNodes)
{
    const ViaNicContainer nics = via.Install(nodes);
    BOOST_TEST(nics.GetN() == nodes.GetN());
    BOOST_TEST((nics.End() - nics.Begin()) == nics.GetN());
    for (std::uint32_t i = 0; i < nics.GetN(); ++i)
    {
        BOOST_TEST(nics.Get(i)->GetHostIndex() == i);
        BOOST_TEST((nics.Get(i) == nodes.Get(i)->GetObject<ViaNicObject>()));
    }
}

BOOST_AUTO_TEST_CASE(NicsAreAddedToContainersAsDevicesOfNs3Are)
{
    const ViaNicContainer nics = via.Install(nodes);
    ViaNicContainer some(nics.Get(1));
    some.Add(nics.Get(0));
    some.Add(nics);
    BOOST_TEST(some.GetN() == 4U);
    BOOST_TEST((some.Get(0) == nics.Get(1)));
    BOOST_TEST((some.Get(3)->GetObject<Node>() == nodes.Get(1)));
}

BOOST_AUTO_TEST_CASE(InstallGivesEachNodeANic)
{
    via.Install(nodes);
    const auto nic = nodes.Get(1)->GetObject<ViaNicObject>();
    BOOST_REQUIRE(nic);
    BOOST_TEST(nic->GetHostIndex() == 1);
    StringValue name;
    nic->GetAttribute("HostName", name);
    BOOST_TEST(name.Get() == "n1");
}

BOOST_AUTO_TEST_CASE(MessagesAreTracedAtTheNodeTheyGoTo)
{
    g_messages.clear();
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), SendOne);
    via.InstallProcess(nodes.Get(1), ReceiveOne);
    Config::ConnectWithoutContext("/NodeList/*/$ns3::via::ViaNicObject/MessageEnd",
                                  MakeCallback(&Collect));
    const RunReport report = Run();
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_REQUIRE(g_messages.size() == 1);
    BOOST_TEST(g_messages[0].bytes == 8);
    BOOST_TEST(g_messages[0].sourceRank == 0);
    BOOST_TEST(g_messages[0].destinationRank == 1);
    BOOST_TEST(g_messages[0].posted < g_messages[0].end);
}

BOOST_AUTO_TEST_CASE(ViCountFollowsTheProcess)
{
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), [this] {
        const Line line;
        UintegerValue count;
        nodes.Get(0)->GetObject<ViaNicObject>()->GetAttribute("ViCount", count);
        return static_cast<int>(count.Get());
    });
    const RunReport report = Run();
    BOOST_TEST(report.processes[0].exit == 1);
    BOOST_TEST(nodes.Get(0)->GetObject<ViaNicObject>()->GetViCount() == 0);
}

BOOST_AUTO_TEST_CASE(TheReportOutlivesTheSimulator)
{
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), SendOne);
    via.InstallProcess(nodes.Get(1), ReceiveOne);
    const RunReport before = Run();
    Simulator::Destroy();
    BOOST_TEST(via.GetReport().digest == before.digest);
    BOOST_TEST(via.GetReport().messages == 1);
}

BOOST_AUTO_TEST_CASE(AClusterCanFollowAnother)
{
    via.Install(nodes);
    Simulator::Destroy();
    const NodeContainer others(3);
    BOOST_CHECK_NO_THROW(via.Install(others));
}

BOOST_AUTO_TEST_CASE(TheDigestIsThatOfTheClusterAlone)
{
    via.SetSeed(5);
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), SendOne);
    via.InstallProcess(nodes.Get(1), ReceiveOne);
    const std::string digest = Run().digest;
    Simulator::Destroy();
    ClusterConfig config;
    config.seed = 5;
    Cluster cluster(config);
    cluster.AddProcess(0, SendOne);
    cluster.AddProcess(1, ReceiveOne);
    BOOST_TEST(cluster.Run().digest == digest);
}

BOOST_AUTO_TEST_CASE(ProgramsRunWithRankAndArguments)
{
    via.Install(nodes);
    via.InstallProgram(nodes, BuiltProgram("endings.c"), {"exit"});
    const RunReport report = Run();
    BOOST_REQUIRE(report.processes.size() == 2);
    BOOST_TEST(report.processes[0].exit == 7);
    BOOST_TEST(report.processes[1].node == 1);
}

BOOST_AUTO_TEST_CASE(AProgramThatReportsNoBlocksIsNamedInAWarning)
{
    std::ostringstream said;
    std::streambuf* const before = std::cerr.rdbuf(said.rdbuf());
    via.Install(nodes);
    const std::string program = BuiltProgram("own-names.c", "--no-trace-pc");
    via.InstallProgram(nodes, program);
    std::cerr.rdbuf(before);
    BOOST_TEST(said.str().find(program) != std::string::npos);
    BOOST_TEST(said.str().find("--no-trace-pc") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ANodeGetsOneNic)
{
    via.Install(nodes);
    ViaHelper again;
    BOOST_CHECK_EXCEPTION(again.Install(nodes), ConfigError, Naming("already has a VIA NIC"));
}

BOOST_AUTO_TEST_CASE(TwoClustersAtATimeAreRefused)
{
    via.Install(nodes);
    ViaHelper again;
    BOOST_CHECK_EXCEPTION(again.Install(NodeContainer(2)), ConfigError, Naming("one may exist"));
}

BOOST_AUTO_TEST_CASE(ANodeThatIsGivenTwiceIsRefused)
{
    NodeContainer twice;
    twice.Add(nodes);
    twice.Add(nodes.Get(0));
    BOOST_CHECK_EXCEPTION(via.Install(twice), ConfigError, Naming("in the container twice"));
}

BOOST_AUTO_TEST_CASE(NoNodesAreRefused)
{
    BOOST_CHECK_EXCEPTION(via.Install(NodeContainer()), ConfigError, Naming("no nodes"));
}

BOOST_AUTO_TEST_CASE(AWrongTopologyIsRefusedAndCanBeMended)
{
    via.SetTopology("moebius");
    BOOST_CHECK_EXCEPTION(via.Install(nodes), ConfigError, Naming("moebius"));
    via.SetTopology("back-to-back");
    BOOST_CHECK_NO_THROW(via.Install(nodes));
}

BOOST_AUTO_TEST_CASE(AProfileValueCanBeChanged)
{
    via.SetProfileValue("no.such-key", "1");
    BOOST_CHECK_EXCEPTION(via.Install(nodes), ConfigError, Naming("no.such-key"));
}

BOOST_AUTO_TEST_CASE(ProcessesNeedInstallFirst)
{
    BOOST_CHECK_EXCEPTION(via.InstallProcess(nodes, SendOne), ConfigError, Naming("Install first"));
    BOOST_CHECK_EXCEPTION(via.GetReport(), ConfigError, Naming("Install first"));
}

BOOST_AUTO_TEST_CASE(ProcessesNeedNodesOfThisHelper)
{
    via.Install(nodes);
    BOOST_CHECK_EXCEPTION(via.InstallProcess(NodeContainer(1), SendOne),
                          ConfigError,
                          Naming("no NIC of this helper"));
}

BOOST_AUTO_TEST_CASE(WhatIsSetAfterInstallWouldChangeNothingAndIsRefused)
{
    via.Install(nodes);
    const auto isLate = Naming("before Install");
    BOOST_CHECK_EXCEPTION(via.SetProfile("ideal"), ConfigError, isLate);
    BOOST_CHECK_EXCEPTION(via.SetSeed(2), ConfigError, Naming("ViaHelper::SetSeed"));
    BOOST_CHECK_EXCEPTION(via.SetProfileValue("nic.clock", "1"), ConfigError, isLate);
    BOOST_CHECK_EXCEPTION(via.SetFaults(FaultPlan()), ConfigError, isLate);
    BOOST_CHECK_EXCEPTION(via.EnableRecording(), ConfigError, isLate);
    Simulator::Destroy();
    BOOST_CHECK_NO_THROW(via.SetSeed(2)); // for the next cluster
}

BOOST_AUTO_TEST_CASE(AProcessWithoutABodyIsRefused)
{
    via.Install(nodes);
    BOOST_CHECK_EXCEPTION(via.InstallProcess(nodes, nullptr), ConfigError, Naming("no body"));
    BOOST_TEST(nodes.Get(0)->GetNApplications() == 0U);
}

BOOST_AUTO_TEST_CASE(TheClusterEndsWithTheSimulator)
{
    BOOST_CHECK_EXCEPTION(via.GetCluster(), ConfigError, Naming("Install first"));
    via.Install(nodes);
    BOOST_TEST(via.GetCluster().Profile().Name() == "giganet-clan1000");
    Simulator::Destroy();
    BOOST_CHECK_EXCEPTION(via.GetCluster(), ConfigError, Naming("Simulator::Destroy()"));
    BOOST_CHECK_THROW(via.EnablePcapAll("late"), ConfigError);
}

BOOST_AUTO_TEST_CASE(AMissingProgramIsRefusedBeforeTimeStarts)
{
    via.Install(nodes);
    BOOST_CHECK_EXCEPTION(via.InstallProgram(nodes, "nowhere.so"),
                          ConfigError,
                          Naming("nowhere.so"));
}

BOOST_AUTO_TEST_SUITE_END()
