/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of wires and switches: what programs see of each, by level, and what is conserved.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-fault-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(FaultTest)

BOOST_AUTO_TEST_CASE(AMessageDuringAShortCutIsLostOrSentAgain)
{
    for (const VIP_USHORT level : LEVELS)
    {
        for (const bool reference : {false, true})
        {
            const auto config =
                Planned({MakeFault(FaultKind::LINK_DOWN, "n0-s0", FAULT_AT + PS_PER_MS)},
                        reference);
            const FaultyPair pair(
                config,
                level,
                [](Party& self) {
                    SleepUntil(FAULT_AT + PS_PER_MS / 2);
                    self.Send(self.Make({self.At(0, 5000)}));
                    BOOST_TEST(self.Sent() == SENT);
                    SleepUntil(FAULT_AT + 100 * PS_PER_MS);
                    BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
                    self.Send(self.Make({self.At(0, 100)}));
                    BOOST_TEST(self.Sent() == SENT);
                    SleepUntil(PS_PER_SECOND);
                },
                [level](Party& self) {
                    BOOST_TEST(self.Received() == RECEIVED);
                    const bool first = level != VIP_SERVICE_UNRELIABLE;
                    BOOST_TEST(self.last->CS.Length == (first ? 5000U : 100U));
                    SleepUntil(PS_PER_SECOND);
                });
            BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
            BOOST_TEST(pair.report.cellsLost > 0U);
            BOOST_TEST(pair.report.faults.at(0).lost == pair.report.cellsLost);
        }
    }
}

BOOST_AUTO_TEST_CASE(AfterALongCutReliableConnectionsAreBroken)
{
    for (const VIP_USHORT level : LEVELS)
    {
        const FaultyPair pair(
            Planned({MakeFault(FaultKind::LINK_DOWN, "n0")}),
            level,
            [level](Party& self) {
                SleepUntil(FAULT_AT);
                self.Send(self.Make({self.At(0, 100)}));
                SleepUntil(FAULT_AT + SilenceSpan() + PS_PER_MS);
                const bool tells = level == VIP_SERVICE_RELIABLE_RECEPTION;
                BOOST_TEST(self.Sent() == (tells ? SENT | VIP_STATUS_TRANSPORT_ERROR : SENT));
                const bool reliable = level != VIP_SERVICE_UNRELIABLE;
                BOOST_TEST(self.State() == (reliable ? VIP_STATE_ERROR : VIP_STATE_CONNECTED));
                BOOST_TEST(self.Errors() == (reliable ? "CONN_LOST" : ""));
            },
            Idle);
        BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
    }
}

BOOST_AUTO_TEST_CASE(ACutInTheMiddleOfAMessageTakesItsRest)
{
    for (const VIP_USHORT level : LEVELS)
    {
        for (const bool reference : {false, true})
        {
            PlannedFault cut = MakeFault(FaultKind::LINK_DOWN, "n0>s0", FAULT_AT + 150 * PS_PER_US);
            cut.when.from = FAULT_AT + 100 * PS_PER_US;
            const FaultyPair pair(
                Planned({cut}, reference),
                level,
                [](Party& self) {
                    self.Fill(0, 30000, 3);
                    SleepUntil(FAULT_AT);
                    self.Send(self.Make({self.At(0, 8000)}));
                    self.Send(self.Make({self.At(8000, 8000)}));
                    SleepUntil(PS_PER_SECOND);
                },
                [level](Party& self) {
                    BOOST_TEST(self.Received() == RECEIVED);
                    SleepUntil(PS_PER_SECOND / 2);
                    const bool all = level != VIP_SERVICE_UNRELIABLE;
                    BOOST_TEST(self.Received() == (all ? RECEIVED : 0U));
                    SleepUntil(PS_PER_SECOND);
                });
            BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
            BOOST_TEST(pair.report.cellsLost > 0U);
        }
    }
}

BOOST_AUTO_TEST_CASE(APartitionCutsBetweenSetsAndHeals)
{
    PlannedFault partition = MakeFault(FaultKind::PARTITION, "all", FAULT_AT + 20 * PS_PER_MS);
    partition.sets = {{"n0"}};
    const FaultyPair pair(
        Planned({partition}),
        VIP_SERVICE_RELIABLE_DELIVERY,
        [](Party& self) {
            SleepUntil(FAULT_AT);
            self.Send(self.Make({self.At(0, 100)}));
            SleepUntil(FAULT_AT + 200 * PS_PER_MS);
            BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
        },
        [](Party& self) {
            SleepUntil(FAULT_AT + 15 * PS_PER_MS);
            VIP_DESCRIPTOR* none = nullptr;
            BOOST_TEST(VipRecvDone(self.vi, &none) == VIP_NOT_DONE);
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(Now() > FAULT_AT + 20 * PS_PER_MS);
            SleepUntil(PS_PER_SECOND / 2);
        });
    BOOST_TEST((pair.report.exit == RunExit::SUCCESS));
    BOOST_TEST(pair.report.faults.at(0).lost > 0U);
}

BOOST_AUTO_TEST_CASE(ADeadSwitchLosesWhatItHeldAndAllIsRecovered)
{
    for (const bool reference : {false, true})
    {
        ClusterConfig config = Config("star", 8);
        config.reference = reference;
        PlannedFault death =
            MakeFault(FaultKind::SWITCH_DOWN, "s0", 140 * PS_PER_US, 100 * PS_PER_US);
        config.plan.faults = {death};
        const WorkloadRun run = RunWorkload(config, "all-to-all", {{"rounds", "2"}});
        BOOST_TEST((run.report.exit == RunExit::SUCCESS));
        BOOST_TEST(run.report.cellsLost > 0U);
        BOOST_TEST(run.cellsMissing == 0U);
        BOOST_TEST(run.unacknowledged == 0U);
        BOOST_TEST(run.cellsIntoSwitches == run.cellsOutOfSwitches);
    }
}

/// The acknowledgement of the last message is under way when the last process ends.
BOOST_AUTO_TEST_CASE(AFaultAfterTheLastProcessHasARowIfItTakesCells)
{
    ClusterConfig config = Config("star", 3);
    const Ps end = RunWorkload(config, "ping-pong", {{"size", "3000"}}).report.end;
    config.plan.faults = {MakeFault(FaultKind::LINK_DOWN, "all", PS_NEVER, end + 1),
                          MakeFault(FaultKind::LINK_DOWN, "all", PS_NEVER, end + PS_PER_SECOND)};
    const RunReport report = RunWorkload(config, "ping-pong", {{"size", "3000"}}).report;
    BOOST_TEST(report.cellsLost > 0U);
    BOOST_TEST_REQUIRE(report.faults.size() == 1U); // the other one took none
    BOOST_TEST(report.faults[0].lost == report.cellsLost);
}

BOOST_AUTO_TEST_CASE(FaultsMayOverlapAndMayBeginAtZero)
{
    ClusterConfig config = Config("star", 4);
    config.plan.AddLoss("all", {10'000'000, 10'000'000, 1'000'000'000});
    config.plan.faults.push_back(MakeFault(FaultKind::LINK_DOWN, "n1", 300 * PS_PER_US, 0));
    config.plan.faults.push_back(
        MakeFault(FaultKind::LINK_DOWN, "s0>n1", 400 * PS_PER_US, 200 * PS_PER_US));
    config.plan.faults.push_back(
        MakeFault(FaultKind::SWITCH_DOWN, "s0", 390 * PS_PER_US, 250 * PS_PER_US));
    const WorkloadRun run = RunWorkload(config, "all-to-all", {{"rounds", "4"}});
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.report.faults.size() == 4U);
    BOOST_TEST(run.cellsMissing == 0U);
}

BOOST_AUTO_TEST_CASE(BothModesTellTheSameOfASingleMessage)
{
    const Ps from = 200 * PS_PER_US;
    for (const FaultKind kind : {FaultKind::LINK_DOWN, FaultKind::SWITCH_DOWN})
    {
        ClusterConfig config = Config("star", 2);
        const char* where = kind == FaultKind::LINK_DOWN ? "n1" : "s0";
        config.plan.faults = {MakeFault(kind, where, from + 50 * PS_PER_US, from)};
        const WorkloadRun fast = RunWorkload(config, "ping-pong");
        config.reference = true;
        const WorkloadRun slow = RunWorkload(config, "ping-pong");
        BOOST_TEST(fast.report.cellsLost > 0U);
        BOOST_TEST(fast.report.cellsLost == slow.report.cellsLost);
        BOOST_TEST(fast.samples == slow.samples, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()
