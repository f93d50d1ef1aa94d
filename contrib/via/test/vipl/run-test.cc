/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs of programs and processes on a cluster: isolation, failures, deadlocks.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"
#include "support/via-test-vipl-bench.h"

#include <stdexcept>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_run)

BOOST_AUTO_TEST_CASE(OneProgramOnTwoNodesKeepsGlobalsErrnoAndDirectoriesApart)
{
    const std::string out = RunOnNodes(BuiltProgram("isolation.c"), {{"1", "/usr"}, {"2", "/tmp"}});
    BOOST_TEST(Contains(out, "[n0.0] errno 1\n"), out);
    BOOST_TEST(Contains(out, "[n1.0] errno 2\n"), out);
    BOOST_TEST(Contains(out, "[n0.0] globals 101 201\n"), out);
    BOOST_TEST(Contains(out, "[n1.0] globals 102 202\n"), out);
    BOOST_TEST(Contains(out, "[n0.0] cwd /usr\n"), out);
    BOOST_TEST(Contains(out, "[n1.0] cwd /tmp\n"), out);
}

BOOST_AUTO_TEST_CASE(TemplatesExceptionsAndChronoWorkOnACluster)
{
    const std::string out = RunOnNodes(BuiltProgram("cplusplus.cc"), {{}, {"", "more"}});
    for (const std::string node : {"[n0.0] ", "[n1.0] "})
    {
        BOOST_TEST(Contains(out, node + "caught again\n"), out);
        BOOST_TEST(Contains(out, node + "steady 1500\n"), out);
        BOOST_TEST(Contains(out, node + "wall 946684801\n"), out);
    }
    BOOST_TEST(Contains(out, "[n0.0] template 1 2\n"), out);
    BOOST_TEST(Contains(out, "[n1.0] template 3 4\n"), out);
}

BOOST_AUTO_TEST_CASE(ADeadlockSaysWhoWaitsForWhat)
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        ends[0].Receive(ends[0].Make({}));
        VipRecvWait(ends[0].vi, VIP_INFINITE, &ends[0].last);
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Listen(ends[1].vi);
    };
    const RunReport report = RunEach({client, server, [] {}});
    BOOST_TEST((report.exit == RunExit::DEADLOCK));
    BOOST_TEST(report.processes[0].report == "waits in VipRecvWait");
    BOOST_TEST(report.processes[1].report == "waits in VipConnectWait");
    BOOST_TEST(report.processes[2].report == "");
    BOOST_TEST(report.processes[2].exit == 0);
}

BOOST_AUTO_TEST_CASE(AWaitForACompletionQueueIsNamedInADeadlock)
{
    Party party;
    const auto body = [&] {
        Setup setup;
        setup.cqEntries = 4;
        party.Open(setup);
        VIP_BOOLEAN receive;
        VipCQWait(party.cq, VIP_INFINITE, &party.vi, &receive);
    };
    const RunReport report = RunEach({body});
    BOOST_TEST((report.exit == RunExit::DEADLOCK));
    BOOST_TEST(report.processes[0].report == "waits in VipCQWait");
}

BOOST_AUTO_TEST_CASE(AProcessThatFailsLeavesTheOthersRunning)
{
    Party ends[2];
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(0, [] { return 3; });
    cluster.AddProcess(0, []() -> int { throw std::runtime_error("out of luck"); });
    cluster.AddProcess(1, [&] {
        ends[1].Open({});
        Pause(PS_PER_SECOND);
        return 0;
    });
    const RunReport report = cluster.Run();
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(report.processes[0].exit == 3);
    BOOST_TEST(report.processes[1].signal == 6);
    BOOST_TEST(report.processes[1].report == "uncaught exception: out of luck");
    BOOST_TEST(report.processes[2].exit == 0);
    BOOST_TEST(report.processes[2].end > PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(AnExceptionThatIsNoStandardOneIsReportedByItsType)
{
    const RunReport report = RunEach({[] { throw 42; }, [] { throw std::string("out of luck"); }});
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(report.processes[0].signal == 6);
    BOOST_TEST(report.processes[0].exit == 134);
    BOOST_TEST(report.processes[0].report == "uncaught exception of type int");
    BOOST_TEST(report.processes[1].report.find("string") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(AProcessIsKilledThoughANoexceptFunctionWaits)
{
    Cluster cluster{ClusterConfig{}};
    const auto waits = []() noexcept { Pause(PS_PER_SECOND); };
    cluster.AddProcess(
        0,
        [waits] {
            waits();
            return 0;
        },
        0,
        PS_PER_MS);
    const RunReport report = cluster.Run();
    BOOST_TEST(report.processes[0].signal == 9);
    BOOST_TEST(report.processes[0].report == "killed");
    BOOST_TEST(report.processes[0].end == PS_PER_MS);
}

BOOST_AUTO_TEST_CASE(AProcessThatFailsWhileConnectedIsNoticedByItsPeer)
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
        throw std::runtime_error("out of luck");
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({}));
        ends[1].Listen(ends[1].vi);
        BOOST_TEST(VipRecvWait(ends[1].vi, VIP_INFINITE, &ends[1].last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(ends[1].Errors() == "CONN_LOST");
    };
    const RunReport report = RunEach({client, server});
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(report.processes[1].exit == 0);
}

BOOST_AUTO_TEST_CASE(ARunThatIsStoppedEndsWithoutComplaintOfADeadlock)
{
    Party party;
    ClusterConfig config;
    config.stop = PS_PER_MS;
    const auto body = [&] {
        party.Open({});
        Pause(PS_PER_SECOND);
    };
    const RunReport report = RunEach({body}, config);
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(report.processes[0].exit == -1);
}

BOOST_AUTO_TEST_CASE(AProgramLoadsTheProvidersLibraryAndItselfAndNothingElse)
{
    BOOST_TEST(RunOnNodes(BuiltProgram("loads.c"), {{}}) ==
               "[n0.0] opened, own 42 7, no VipNothing, no libm.so.6, no handle\n");
}

BOOST_AUTO_TEST_CASE(CodesHaveNames)
{
    BOOST_TEST(
        RunOnNodes(BuiltProgram("code-names.c", "-std=c89 -pedantic-errors -Wall -Werror"), {{}}) ==
        "[n0.0] VIP_SUCCESS VIP_DESCRIPTOR_ERROR VIP_ERROR_NOT_SUPPORTED unknown, "
        "VIP_ERROR_CATASTROPHIC unknown, VIP_STATE_CONNECT_PENDING unknown\n");
}

BOOST_AUTO_TEST_SUITE_END()
