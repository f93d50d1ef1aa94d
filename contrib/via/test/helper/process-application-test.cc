/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ViaProcessApplication: start, stop, and what the others see of a process that is killed.

#include "support/via-test-program-bench.h"
#include "support/via-test-two-nodes.h"

#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/via-error.h"
#include "ns3/via-process-application.h"

#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr Ps US = PS_PER_SECOND / 1'000'000;

Ps
ClockOfProcess()
{
    return ViplProcess::Running().Clock().at;
}

Ptr<ViaProcessApplication>
First(const ApplicationContainer& applications)
{
    return DynamicCast<ViaProcessApplication>(applications.Get(0));
}

/// Polls the receive queue for ever.
int
PollForever()
{
    Line line;
    line.Accept();
    VIP_DESCRIPTOR* done = nullptr;
    while (VipRecvDone(line.vi, &done) == VIP_NOT_DONE)
    {
    }
    return 1;
}

std::vector<std::pair<int, Ps>> g_ends;

void
NoteEnd(std::uint32_t, const ExitStatus& status, Ps when)
{
    g_ends.emplace_back(status.code, when);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(process_application, TwoNodes)

BOOST_AUTO_TEST_CASE(AProcessStartsAtItsStartTime)
{
    Ps started = 0;
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0),
                       [&] {
                           started = ClockOfProcess();
                           return 0;
                       })
        .Start(MicroSeconds(30));
    Run();
    BOOST_TEST(started == 30 * US);
}

BOOST_AUTO_TEST_CASE(AnApplicationAddedLaterCountsFromThen)
{
    Ps started = 0;
    via.Install(nodes);
    Simulator::Schedule(MicroSeconds(100), [&] {
        via.InstallProcess(nodes.Get(0),
                           [&] {
                               started = ClockOfProcess();
                               return 0;
                           })
            .Start(MicroSeconds(5));
    });
    Run();
    BOOST_TEST(started == 105 * US);
}

BOOST_AUTO_TEST_CASE(RanksFollowTheNodesNotTheOrderOfInstallation)
{
    std::vector<std::uint32_t> ranks(2);
    via.Install(nodes);
    for (const std::uint32_t node : {1, 0})
    {
        via.InstallProcess(nodes.Get(node), [&ranks, node] {
            ranks[node] = ViplProcess::Running().Rank();
            return 0;
        });
    }
    Run();
    BOOST_TEST(ranks == (std::vector<std::uint32_t>{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(AProcessThatBlocksIsKilledAtItsStopTime)
{
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), [] { return static_cast<int>(Line().Receive()); })
        .Stop(MilliSeconds(2));
    const RunReport report = Run();
    BOOST_TEST(report.processes[0].signal == 9);
    BOOST_TEST(report.processes[0].exit == 137);
    BOOST_TEST(report.processes[0].end == 2000 * US);
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
}

BOOST_AUTO_TEST_CASE(AProcessThatPollsIsKilledAtItsStopTime)
{
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), [] {
        Line line;
        line.Request();
        return static_cast<int>(line.Receive());
    });
    via.InstallProcess(nodes.Get(1), PollForever).Stop(MilliSeconds(3));
    const RunReport report = Run();
    BOOST_TEST(report.processes[1].signal == 9);
    BOOST_TEST(report.processes[1].end >= 3000 * US);
    BOOST_TEST(report.processes[1].end < 3001 * US);
}

BOOST_AUTO_TEST_CASE(ThePeerOfAKilledProcessSeesTheDisconnect)
{
    VIP_VI_STATE state{};
    VIP_UINT32 status = 0;
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), [&] {
        Line line;
        line.Request();
        line.Receive();
        status = line.status;
        state = line.State();
        return 0;
    });
    via.InstallProcess(nodes.Get(1), PollForever).Stop(MilliSeconds(3));
    const RunReport report = Run();
    BOOST_TEST((status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0);
    BOOST_TEST(state == VIP_STATE_ERROR);
    BOOST_TEST(report.processes[0].exit == 0);
    BOOST_TEST(report.processes[0].end > 3000 * US);
    BOOST_TEST(report.processes[0].end < 3100 * US);
}

BOOST_AUTO_TEST_CASE(AServerKilledWhileItWaitsLeavesNobodyToConnectTo)
{
    via.Install(nodes);
    via.InstallProcess(nodes.Get(1),
                       [] {
                           Line().Accept();
                           return 0;
                       })
        .Stop(MilliSeconds(1));
    auto client = via.InstallProcess(nodes.Get(0), [] {
        Line().Request(); // nobody waits, so it asks until it is killed
        return 0;
    });
    client.Start(MilliSeconds(2));
    client.Stop(MilliSeconds(4));
    const RunReport report = Run();
    BOOST_TEST(report.processes[0].signal == 9);
    BOOST_TEST(report.processes[0].end >= 4000 * US);
}

BOOST_AUTO_TEST_CASE(DestructorsOfAKilledProcessMayCallVipl)
{
    struct Closer
    {
        Line& line;
        VIP_RETURN& result;

        ~Closer()
        {
            result = VipDisconnect(line.vi);
        }
    };

    VIP_RETURN result = VIP_NOT_DONE;
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0),
                       [&] {
                           Line line;
                           const Closer closer{line, result};
                           return static_cast<int>(line.Receive());
                       })
        .Stop(MilliSeconds(1));
    Run();
    BOOST_TEST(result == VIP_SUCCESS);
}

BOOST_AUTO_TEST_CASE(AProcessThatEndsBeforeItsStopTimeEndsTheRunThen)
{
    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), [] { return 0; }).Stop(Seconds(100));
    const RunReport report = Run();
    BOOST_TEST(report.processes[0].signal == 0);
    BOOST_TEST(report.end < US);
    BOOST_TEST(Simulator::Now().GetTimeStep() < US);
}

BOOST_AUTO_TEST_CASE(TheEndIsTraced)
{
    g_ends.clear();
    via.Install(nodes);
    const auto killed =
        via.InstallProcess(nodes.Get(0), [] { return static_cast<int>(Line().Receive()); });
    const auto done = via.InstallProcess(nodes.Get(1), [] { return 4; });
    for (const auto& one : {killed, done})
    {
        First(one)->TraceConnectWithoutContext("End", MakeCallback(&NoteEnd));
    }
    First(killed)->SetStopTime(MilliSeconds(1));
    Run();
    BOOST_REQUIRE(g_ends.size() == 2);
    BOOST_TEST(g_ends[0].first == 4);
    BOOST_TEST(g_ends[1].first == 137);
    BOOST_TEST(g_ends[1].second == 1000 * US);
}

BOOST_AUTO_TEST_CASE(AProcessThatStillRunsGoesWithTheSimulator)
{
    bool gone = false;

    struct Flag
    {
        bool& flag;

        ~Flag()
        {
            flag = true;
        }
    };

    via.Install(nodes);
    via.InstallProcess(nodes.Get(0), [&] {
        const Flag flag{gone};
        return static_cast<int>(Line().Receive());
    });
    Simulator::Stop(MilliSeconds(1));
    Run();
    BOOST_TEST(!gone);
    Simulator::Destroy();
    BOOST_TEST(gone);
}

BOOST_AUTO_TEST_CASE(AProgramIsChosenByAttributes)
{
    via.Install(nodes);
    const auto application = CreateObject<ViaProcessApplication>();
    application->SetAttribute("Program", StringValue(BuiltProgram("endings.c")));
    application->SetAttribute("Arguments", StringValue("  wait  {rank} "));
    nodes.Get(0)->AddApplication(application);
    application->SetStopTime(Seconds(1));
    const RunReport report = Run();
    BOOST_TEST(application->GetArgumentLine() == "wait {rank}");
    BOOST_TEST(report.processes[0].signal == 9);
    BOOST_TEST(report.processes[0].end == PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(NothingToRunIsRefused)
{
    BOOST_CHECK_THROW(CreateObject<ViaProcessApplication>()->Check(), ConfigError);
}

BOOST_AUTO_TEST_CASE(AProgramAndAFunctionAreRefused)
{
    const auto application = CreateObject<ViaProcessApplication>();
    application->SetAttribute("Program", StringValue("a.so"));
    application->SetBody([] { return 0; });
    BOOST_CHECK_THROW(application->Check(), ConfigError);
}

BOOST_AUTO_TEST_CASE(AStopBeforeTheStartIsRefused)
{
    const auto application = CreateObject<ViaProcessApplication>();
    application->SetBody([] { return 0; });
    application->SetStartTime(Seconds(2));
    application->SetStopTime(Seconds(1));
    BOOST_CHECK_EXCEPTION(application->Check(), ConfigError, [](const ConfigError& error) {
        return std::string(error.what()).find("StopTime") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(ANegativeStartIsRefused)
{
    const auto application = CreateObject<ViaProcessApplication>();
    application->SetBody([] { return 0; });
    application->SetStartTime(Seconds(-1));
    BOOST_CHECK_THROW(application->Check(), ConfigError);
}

BOOST_AUTO_TEST_CASE(ANodeWithoutNicIsRefused)
{
    const auto application = CreateObject<ViaProcessApplication>();
    application->SetBody([] { return 0; });
    nodes.Get(0)->AddApplication(application);
    BOOST_CHECK_THROW(application->Initialize(), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
