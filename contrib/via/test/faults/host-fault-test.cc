/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of hosts and their cards: what their programs see, and what their peers see, and when.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-fault-bench.h"
#include "../support/via-test-vipl-bench.h"

#include <array>
#include <cstdlib>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr VIP_UINT32 FLUSHED = VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR;

/// Node 0 crashes then, and its programs start again.
PlannedFault
CrashAndRestart(Ps at, Ps until)
{
    PlannedFault crash = MakeFault(FaultKind::NODE_CRASH, "n0", until, at);
    crash.restart = true;
    return crash;
}

/// The milliseconds at which a process of node 0 starts that would sleep for 50 ms.
std::vector<Ps>
StartsOf(const std::vector<PlannedFault>& faults, Ps stop, RunReport& report)
{
    Cluster cluster(Planned(faults));
    std::vector<Ps> starts;
    const auto sleeps = [&starts] {
        starts.push_back(Now() / PS_PER_MS);
        Pause(50 * PS_PER_MS);
        return 0;
    };
    cluster.AddProcess(0, sleeps, 0, stop);
    report = cluster.Run();
    return starts;
}

} // namespace

BOOST_AUTO_TEST_SUITE(HostFaultTest)

BOOST_AUTO_TEST_CASE(AResetCardBreaksItsConnectionsAndPeersNoticeWhenTheySend)
{
    for (const VIP_USHORT level : LEVELS)
    {
        const FaultyPair pair(
            Planned({MakeFault(FaultKind::NIC_RESET, "n1", FAULT_AT + PS_PER_MS)}),
            level,
            [level](Party& self) {
                SleepUntil(FAULT_AT + 2 * PS_PER_MS);
                BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
                self.Send(self.Make({self.At(0, 100)}));
                SleepUntil(FAULT_AT + SilenceSpan() + 5 * PS_PER_MS);
                const bool reliable = level != VIP_SERVICE_UNRELIABLE;
                BOOST_TEST(self.State() == (reliable ? VIP_STATE_ERROR : VIP_STATE_CONNECTED));
                BOOST_TEST(self.Errors() == (reliable ? "CONN_LOST" : ""));
            },
            [](Party& self) {
                SleepUntil(FAULT_AT + PS_PER_US);
                BOOST_TEST(self.State() == VIP_STATE_ERROR);
                BOOST_TEST(self.Errors() == "CATASTROPHIC");
                BOOST_TEST(self.Received() == (FLUSHED | VIP_STATUS_OP_RECEIVE));
                SleepUntil(PS_PER_SECOND);
            });
        BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
    }
}

BOOST_AUTO_TEST_CASE(AResetCardForgetsAnAcceptThatHasNotLeftYet)
{
    const auto ask = [](std::uint32_t node, VIP_VI_HANDLE vi) {
        Address here(node, "peer");
        Address there(1 - node, "peer");
        return VipConnectPeerRequest(vi, here, there, 100);
    };
    const FaultyPair pair(
        Planned({MakeFault(FaultKind::NIC_RESET, "n0", FAULT_AT + PS_PER_MS)}),
        VIP_SERVICE_UNRELIABLE,
        [&ask](Party& self) {
            SleepUntil(FAULT_AT - 5 * PS_PER_MS);
            for (int i = 0; i < 64; ++i) // the accept has to wait for them
            {
                self.Send(self.Make({self.At(0, UsualTransfer())}));
            }
            BOOST_TEST(ask(0, self.CreateVi()) == VIP_SUCCESS);
            SleepUntil(PS_PER_SECOND);
        },
        [&ask](Party& self) {
            const VIP_VI_HANDLE vi = self.CreateVi();
            VIP_VI_ATTRIBUTES attributes;
            BOOST_TEST(ask(1, vi) == VIP_SUCCESS);
            BOOST_TEST(VipConnectPeerWait(vi, &attributes) == VIP_TIMEOUT);
        });
    BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AResetCardForgetsThePeerRequestsThatItHasSent)
{
    const auto larger = [] {
        Party self;
        self.Open({});
        SleepUntil(FAULT_AT - 5 * PS_PER_MS);
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(VipConnectPeerRequest(self.vi, Address(1), Address(0), VIP_INFINITE) ==
                   VIP_SUCCESS);
        BOOST_TEST(VipConnectPeerWait(self.vi, &attributes) == VIP_TIMEOUT);
        BOOST_TEST(Now() >= FAULT_AT);
        BOOST_TEST(Now() < FAULT_AT + PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    const auto config = Planned({MakeFault(FaultKind::NIC_RESET, "n1", FAULT_AT + PS_PER_MS)});
    const auto smaller = [] { SleepUntil(PS_PER_SECOND); };
    BOOST_TEST((RunEach({smaller, larger}, config).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AfterAResetTheTwoConnectAgain)
{
    const FaultyPair pair(
        Planned({MakeFault(FaultKind::NIC_RESET, "n1", FAULT_AT + PS_PER_MS)}),
        VIP_SERVICE_RELIABLE_DELIVERY,
        [](Party& self) {
            SleepUntil(FAULT_AT + 5 * PS_PER_MS);
            const VIP_VI_HANDLE old = self.vi;
            self.vi = self.CreateVi();
            // its first request is not heard: for the other card it belongs to the past
            while (self.Connect(self.vi, 1, "again") != VIP_SUCCESS)
            {
                Pause(PS_PER_MS);
            }
            VIP_VI_STATE state;
            VIP_VI_ATTRIBUTES attributes;
            VIP_BOOLEAN sends;
            VIP_BOOLEAN receives;
            VipQueryVi(old, &state, &attributes, &sends, &receives);
            BOOST_TEST(state == VIP_STATE_ERROR);
            self.Send(self.Make({self.At(0, 300)}));
            BOOST_TEST(self.Sent() == SENT);
            SleepUntil(PS_PER_SECOND);
        },
        [](Party& self) {
            SleepUntil(FAULT_AT + 2 * PS_PER_MS);
            self.vi = self.CreateVi();
            self.Receive(self.Make({self.At(0, 300)}));
            BOOST_TEST(self.Listen(self.vi, "again") == VIP_SUCCESS);
            BOOST_TEST(self.Received() == RECEIVED);
            SleepUntil(PS_PER_SECOND);
        });
    BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(ACrashedNodeIsSilentAndItsProcessesAreGone)
{
    const FaultyPair pair(
        Planned({MakeFault(FaultKind::NODE_CRASH, "n1")}),
        VIP_SERVICE_RELIABLE_DELIVERY,
        [](Party& self) {
            SleepUntil(FAULT_AT + 10 * PS_PER_MS);
            BOOST_TEST(self.State() == VIP_STATE_CONNECTED); // nobody told
            self.Send(self.Make({self.At(0, 100)}));
            SleepUntil(FAULT_AT + SilenceSpan() + 15 * PS_PER_MS);
            BOOST_TEST(self.State() == VIP_STATE_ERROR);
            BOOST_TEST(self.Errors() == "CONN_LOST");
        },
        Idle);
    BOOST_TEST((pair.report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(pair.report.processes.at(0).exit == 0);
    BOOST_TEST(pair.report.processes.at(1).signal == 9);
    BOOST_TEST(pair.report.processes.at(1).end == FAULT_AT);
    BOOST_TEST(pair.report.faults.at(0).killed == 1U);
}

BOOST_AUTO_TEST_CASE(WorkThatTheEndCutsOffNeitherGoesOnNorCounts)
{
    constexpr Ps END = FAULT_AT + PS_PER_MS;
    Cluster cluster(Planned({MakeFault(FaultKind::NODE_CRASH, "n0", PS_NEVER, END)}));
    bool wentOn = false;
    const auto computes = [&wentOn] {
        SleepUntil(FAULT_AT);
        FiberThread::Current()->Spend(Stage::COMPUTE, Cycles(3'000'000)); // 10 ms
        wentOn = true;
        return 0;
    };
    cluster.AddProcess(0, computes);
    cluster.AddProcess(1, computes, 0, END);
    const RunReport report = cluster.Run();
    BOOST_TEST(!wentOn);
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.signal == 9);
        BOOST_TEST(process.end == END);
        BOOST_TEST(process.cpu <= PS_PER_MS + 10 * PS_PER_US); // and a context switch
        BOOST_TEST(process.cpu >= PS_PER_MS);
    }
    BOOST_TEST(report.cpu.at("compute") <= 2 * PS_PER_MS);
}

BOOST_AUTO_TEST_CASE(AThreadOfAProcessEndsWithItInTheMiddleOfItsWork)
{
    constexpr Ps END = FAULT_AT + PS_PER_MS;
    Cluster cluster(Config("star", 2));
    bool wentOn = false;
    cluster.AddProcess(
        0,
        [&wentOn] {
            FiberProcess::Current()->StartThread({Now(), 0}, {[&wentOn] {
                                                     FiberThread::Current()->Spend(
                                                         Stage::COMPUTE,
                                                         Cycles(300'000'000));
                                                     wentOn = true;
                                                 }});
            Pause(PS_PER_SECOND);
            return 0;
        },
        0,
        END);
    const RunReport report = cluster.Run();
    BOOST_TEST(!wentOn);
    BOOST_TEST(report.processes.at(0).cpu <= END);
}

BOOST_AUTO_TEST_CASE(AProcessOfAProtocolUsesNoCpuAfterItsCrash)
{
    for (Ps end = 60 * PS_PER_US; end < 100 * PS_PER_US; end += 3 * PS_PER_US)
    {
        ClusterConfig config = Config("star", 5);
        config.plan.faults = {MakeFault(FaultKind::NODE_CRASH, "n2", PS_NEVER, end)};
        const Parameters slowly{{"rounds", "50"}, {"process-faults", "slow:2:1:1000:40"}};
        const RunReport report = RunWorkload(config, "all-gather", slowly).report;
        BOOST_TEST(report.processes.at(2).report == "killed", end);
        BOOST_TEST(report.processes.at(2).end == end);
        BOOST_TEST(report.processes.at(2).cpu == end); // it computes, for 40 us at a time, or polls
    }
}

BOOST_AUTO_TEST_CASE(AProgramStartsAgainWhenItsNodeReturns)
{
    PlannedFault crash = MakeFault(FaultKind::NODE_CRASH, "n0", FAULT_AT + PS_PER_MS);
    crash.restart = true;
    Cluster cluster(Planned({crash}));
    std::vector<Ps> starts;
    cluster.AddProcess(0, [&starts] {
        starts.push_back(Now());
        Pause(50 * PS_PER_MS);
        return 0;
    });
    const RunReport report = cluster.Run();
    BOOST_TEST(starts.size() == 2U);
    BOOST_TEST(starts.back() >= FAULT_AT + PS_PER_MS);
    BOOST_TEST(starts.back() < FAULT_AT + PS_PER_MS + 10 * PS_PER_US);
    BOOST_TEST(report.processes.size() == 2U);
    BOOST_TEST(report.processes.at(0).signal == 9);
    BOOST_TEST(report.processes.at(1).exit == 0);
}

BOOST_AUTO_TEST_CASE(AProgramWhoseNodeCrashesAgainBeforeItReturnsStartsWhenItIsBack)
{
    for (const Ps end : {2, 3}) // at the begin of the second crash, and later
    {
        RunReport report;
        const std::vector<Ps> starts = StartsOf({CrashAndRestart(PS_PER_MS, end * PS_PER_MS),
                                                 CrashAndRestart(2 * PS_PER_MS, 5 * PS_PER_MS)},
                                                PS_NEVER,
                                                report);
        BOOST_TEST(starts == std::vector<Ps>({0, 5}), boost::test_tools::per_element());
        BOOST_TEST(report.faults.at(0).killed == 1U);
        BOOST_TEST(report.faults.at(1).killed == 0U);
    }
}

BOOST_AUTO_TEST_CASE(WhetherAProgramStartsAgainTheCrashThatEndsLastSays)
{
    PlannedFault last = CrashAndRestart(2 * PS_PER_MS, 5 * PS_PER_MS);
    last.restart = false;
    RunReport report;
    BOOST_TEST(StartsOf({CrashAndRestart(PS_PER_MS, 3 * PS_PER_MS), last}, PS_NEVER, report) ==
                   std::vector<Ps>({0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(WhatACrashKilledStartsAgainIfALaterOneSaysSo)
{
    PlannedFault first = CrashAndRestart(PS_PER_MS, 3 * PS_PER_MS);
    first.restart = false;
    RunReport report;
    BOOST_TEST(StartsOf({first, CrashAndRestart(2 * PS_PER_MS, 5 * PS_PER_MS)}, PS_NEVER, report) ==
                   std::vector<Ps>({0, 5}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(AProgramThatStartsAfterTheReturnOfItsNodeStartsWhenItWasTo)
{
    for (const bool restart : {false, true})
    {
        PlannedFault crash = CrashAndRestart(PS_PER_MS, 3 * PS_PER_MS);
        crash.restart = restart;
        Cluster cluster(Planned({crash}));
        std::vector<Ps> starts;
        for (const Ps start : {2, 3, 4}) // the first one while the node is down
        {
            const auto notes = [&starts] {
                starts.push_back(Now() / PS_PER_MS);
                return 0;
            };
            cluster.AddProcess(0, notes, start * PS_PER_MS);
        }
        const RunReport report = cluster.Run();
        BOOST_TEST(starts == (restart ? std::vector<Ps>({3, 3, 4}) : std::vector<Ps>({3, 4})),
                   boost::test_tools::per_element());
        BOOST_TEST(report.processes.at(0).signal == 9);
        BOOST_TEST(report.processes.at(2).signal == 0);
        BOOST_TEST(report.faults.at(0).killed == 1U);
    }
}

BOOST_AUTO_TEST_CASE(AProgramThatStartsAgainIsKilledWhenItWasToBe)
{
    const PlannedFault crash = CrashAndRestart(PS_PER_MS, 2 * PS_PER_MS);
    RunReport report;
    const Ps stop = 10 * PS_PER_MS;
    BOOST_TEST(StartsOf({crash}, stop, report).size() == 2U);
    BOOST_TEST(report.processes.at(1).signal == 9);
    BOOST_TEST(report.processes.at(1).end == stop);
    BOOST_TEST(StartsOf({crash}, 2 * PS_PER_MS, report).size() == 1U);
    BOOST_TEST(report.processes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(AProgramThatEndedBeforeItsNodeCrashedLeavesANumberFree)
{
    PlannedFault other = CrashAndRestart(2 * PS_PER_MS, 4 * PS_PER_MS);
    other.where = "n1";
    Cluster cluster(Planned({CrashAndRestart(PS_PER_MS, 3 * PS_PER_MS), other}));
    const auto sleeps = [] {
        Pause(50 * PS_PER_MS);
        return 0;
    };
    cluster.AddProcess(1, sleeps);
    cluster.AddProcess(0, [] { return 0; });
    cluster.AddProcess(0, sleeps);
    std::vector<std::uint32_t> numbers;
    for (const ProcessReport& process : cluster.Run().processes)
    {
        numbers.push_back(process.rank);
    }
    const std::vector<std::uint32_t> expected{0, 1, 2, 4, 5}; // 3 would have been process 1
    BOOST_TEST(numbers == expected, boost::test_tools::per_element());
    BOOST_TEST(cluster.GetProcesses().Count() == 3U);
    BOOST_TEST(cluster.GetProcesses().NodeOf(4) == 0U);
    BOOST_TEST(cluster.GetProcesses().NodeOf(5) == 1U);
}

BOOST_AUTO_TEST_CASE(ASlowNodeTakesSoMuchLonger)
{
    PlannedFault slow = MakeFault(FaultKind::SLOW_NODE, "n0", FAULT_AT + 100 * PS_PER_MS);
    slow.num = 3;
    Cluster cluster(Planned({slow}));
    cluster.AddProcess(0, [] {
        const auto compute = [] {
            const Ps from = Now();
            FiberThread::Current()->Spend(Stage::COMPUTE, Cycles(300'000)); // a millisecond
            return Now() - from;
        };
        const Ps usual = compute();
        SleepUntil(FAULT_AT + PS_PER_MS);
        const Ps longer = compute();
        SleepUntil(FAULT_AT + 200 * PS_PER_MS);
        BOOST_TEST(std::abs(longer - 3 * usual) < PS_PER_US / 10); // edges of another clock
        BOOST_TEST(std::abs(compute() - usual) < PS_PER_US / 10);
        return 0;
    });
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(WorkThatASlowNodeHasBegunIsStretched)
{
    const auto slow = [](Ps from, Ps until, std::uint32_t factor) {
        PlannedFault fault = MakeFault(FaultKind::SLOW_NODE, "n0", until, from);
        fault.num = factor;
        return fault;
    };
    // of 4 ms the first at full speed, 1 at a third, 1 at half the speed, and the last in full
    // again
    Cluster cluster(Planned({slow(FAULT_AT, FAULT_AT + 9 * PS_PER_MS, 3),
                             slow(FAULT_AT + 3 * PS_PER_MS, FAULT_AT + 5 * PS_PER_MS, 2),
                             slow(FAULT_AT + 5 * PS_PER_MS, FAULT_AT + 9 * PS_PER_MS, 1)}));
    cluster.AddProcess(0, [] {
        SleepUntil(FAULT_AT - PS_PER_MS);
        const Ps from = Now();
        FiberThread::Current()->Spend(Stage::COMPUTE, Cycles(1'200'000));
        BOOST_TEST(std::abs(Now() - from - 7 * PS_PER_MS) < PS_PER_US / 10); // edges
        return 0;
    });
    const RunReport report = cluster.Run();
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_TEST(report.faults.size() == 3U);
}

BOOST_AUTO_TEST_CASE(ABuiltInWorkloadThatLosesAConnectionSaysSo)
{
    ClusterConfig config = Config("star", 2);
    config.plan.faults = {MakeFault(FaultKind::NODE_CRASH, "n1", PS_NEVER, 300 * PS_PER_US)};
    const RunReport report = RunWorkload(config, "ping-pong", {{"rounds", "1000"}}).report;
    BOOST_TEST((report.exit != RunExit::SUCCESS));
    BOOST_TEST(report.processes.at(1).report == "killed");
    BOOST_TEST(!report.processes.at(0).report.empty());
}

BOOST_AUTO_TEST_CASE(AProtocolGoesOnWithoutACrashedNode)
{
    ClusterConfig config = Config("star", 5);
    config.plan.faults = {MakeFault(FaultKind::NODE_CRASH, "n4", PS_NEVER, PS_PER_MS)};
    const RunReport report = RunWorkload(config, "raft", {{"rounds", "20"}}).report;
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_TEST(report.violations.empty());
    BOOST_TEST(report.processes.at(4).report == "killed");
}

BOOST_AUTO_TEST_CASE(WhatAProcessPostsWhileItIsKilledTakesNoTime)
{
    std::array<Party, 2> parties;

    struct Goodbye
    {
        ~Goodbye()
        {
            for (int i = 0; i < 8; ++i)
            {
                BOOST_TEST(party.Send(party.Make({})) == VIP_SUCCESS);
            }
        }

        Party& party;
    };

    ClusterConfig config = Config("star", 2);
    config.plan.faults = {MakeFault(FaultKind::NODE_CRASH, "n0", PS_NEVER, FAULT_AT)};
    Cluster cluster(config);
    for (Party& party : parties)
    {
        cluster.AddProcess(0, [&party] {
            party.Open({});
            party.Receive(party.Make({party.At(0, 8)})); // flushed when the node crashes
            const Goodbye goodbye{party};
            Pause(PS_PER_SECOND);
            return 0;
        });
    }
    const RunReport report = cluster.Run();
    BOOST_TEST(report.processes.at(0).end == FAULT_AT);
    BOOST_TEST(report.processes.at(1).end == FAULT_AT);
}

BOOST_AUTO_TEST_SUITE_END()
