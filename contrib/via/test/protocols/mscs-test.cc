/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The published rules of Microsoft Cluster Server.

#include "../support/via-test-planted-bug.h"

#include "ns3/via-error.h"
#include "ns3/via-mscs.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The mean of a global update on @p nodes nodes, in ps.
Ps
UpdateTime(std::uint32_t nodes)
{
    const ProtocolRun run = RunProtocol("mscs-global-update", nodes, {{"rounds", "20"}});
    Ps sum = 0;
    for (const Ps sample : run.samples)
    {
        sum += sample;
    }
    return sum / static_cast<Ps>(run.samples.size());
}

/// Looks whether its locker is done with an update whose lock came back.
struct WatchedUpdate : MscsGlobalUpdate
{
    using MscsGlobalUpdate::MscsGlobalUpdate;

    void OnUnlock() override
    {
        BOOST_TEST(IsIdle());
        MscsGlobalUpdate::OnUnlock();
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(MscsTest)

BOOST_AUTO_TEST_CASE(ASilentNodeIsHeldForDeadAfterSevenPointTwoSeconds)
{
    const ProtocolRun run =
        RunProtocol("mscs-heartbeat", 8, {{"rounds", "12"}, {"process-faults", "crash:5:20"}});
    const auto suspicions = EventsOf(run.history, EventKind::SUSPECT);
    BOOST_TEST(suspicions.size() == 7U); // everybody else, once
    for (const HistoryEvent& event : suspicions)
    {
        BOOST_TEST(event.key == 5U);
    }
    for (const Ps sample : run.samples)
    {
        BOOST_TEST(sample >= 7'200 * PS_PER_MS);
        BOOST_TEST(sample < 7'201 * PS_PER_MS);
    }
}

BOOST_AUTO_TEST_CASE(WhoseHeartbeatsComeInTimeIsNotSuspected)
{
    const Parameters fast = {{"interval-us", "1000"}, {"missed", "2"}};
    BOOST_TEST(RunProtocol("mscs-heartbeat", 4, fast).violations.empty());
    const Parameters hasty = {{"interval-us", "1000"}, {"missed", "1"}};
    BOOST_CHECK_THROW(RunProtocol("mscs-heartbeat", 4, hasty), ConfigError);
}

BOOST_AUTO_TEST_CASE(HeartbeatsAreNTimesNMinusOneInEachInterval)
{
    for (const std::uint32_t nodes : {2U, 5U, 16U})
    {
        const ProtocolRun run = RunProtocol("mscs-heartbeat", nodes, {{"rounds", "10"}});
        BOOST_TEST(run.messages == 10U * nodes * (nodes - 1)); // in 12 s: n (n - 1) / 1.2 s
    }
}

BOOST_AUTO_TEST_CASE(AGlobalUpdateIsLinearInTheNodes)
{
    const Ps four = UpdateTime(4);
    const Ps eight = UpdateTime(8);
    const Ps sixteen = UpdateTime(16);
    const double ratio =
        static_cast<double>(sixteen - eight) / static_cast<double>(2 * (eight - four));
    BOOST_TEST(ratio > 0.97);
    BOOST_TEST(ratio < 1.03);
}

BOOST_AUTO_TEST_CASE(ALockerDropsTheUpdateOfAnUpdaterThatWasOnlySlow)
{
    const std::string watched = Plant<WatchedUpdate>("mscs-global-update");
    const Parameters parameters = {{"rounds", "3"},
                                   {"writers", "3"},
                                   {"timeout-us", "1000"},
                                   {"process-faults", "slow:4:6:1:5300"}};
    const ProtocolRun run = RunProtocol(watched, 5, parameters);
    RemoveProtocol(watched);
    BOOST_TEST(run.finished);
    BOOST_TEST(run.violations.empty());
}

BOOST_AUTO_TEST_CASE(ARegroupHasFiveStagesOfAllToAll)
{
    const ProtocolRun run = RunProtocol("mscs-regroup", 6, {{"rounds", "1"}});
    BOOST_TEST(run.messages == 5U * 6U * 5U);
    BOOST_TEST(EventsOf(run.history, EventKind::VIEW).size() == 6U);
}

BOOST_AUTO_TEST_CASE(ARegroupThatIsOvertakenByTheNextIsOver)
{
    // TCP keeps the order of two nodes, not of three: ACTIVATE of the next may come first
    const Parameters parameters = {{"rounds", "4"}, {"transport", "kernel-tcp"}};
    const ProtocolRun run = RunProtocol("mscs-regroup", 12, parameters);
    BOOST_TEST(run.messages == 4U * 5U * 12U * 11U);
    BOOST_TEST(EventsOf(run.history, EventKind::VIEW).size() == 4U * 12U);
}

BOOST_AUTO_TEST_CASE(ARegroupLeavesOutWhoHasCrashed)
{
    const ProtocolRun run =
        RunProtocol("mscs-regroup", 5, {{"rounds", "3"}, {"process-faults", "crash:2:30"}});
    BOOST_TEST(run.finished);
    BOOST_TEST(run.violations.empty());
    const auto views = EventsOf(run.history, EventKind::VIEW, 0);
    BOOST_TEST(views.size() == 3U);
    BOOST_TEST(views.front().value != views.back().value);
}

BOOST_AUTO_TEST_CASE(WhoSurvivesAllOthersRegroupsAlone)
{
    const ProtocolRun run =
        RunProtocol("mscs-regroup",
                    3,
                    {{"rounds", "2000"}, {"process-faults", "crash:1:5,crash:2:5"}});
    BOOST_TEST(run.finished);
    BOOST_TEST(run.violations.empty());
    const auto views = EventsOf(run.history, EventKind::VIEW, 0);
    BOOST_TEST(views.size() == 2'000U);
    BOOST_TEST(views.back().at < 5'000 * PS_PER_MS); // two patiences and what it takes alone
}

BOOST_AUTO_TEST_CASE(AJoinHasTheMessagesOfItsPage)
{
    // one node joins n - 1 members: question, answers, petition, update, database, answer
    for (const std::uint32_t n : {2U, 3U, 6U})
    {
        const ProtocolRun run =
            RunProtocol("mscs-join", n, {{"rounds", "1"}, {"founders", std::to_string(n - 1)}});
        BOOST_TEST(run.finished);
        // the last answer need not be sent when all is over
        const std::uint64_t most = (n - 1) + (n - 1) + 1 + 2 * (n - 2) + (n + 16) + 1;
        BOOST_TEST(run.messages <= most);
        BOOST_TEST(run.messages + 1 >= most);
        BOOST_TEST(run.samples.at(0) < 100 * PS_PER_MS); // nobody was waited for in vain
    }
}

BOOST_AUTO_TEST_CASE(WhoJoinsIsInTheViewOfAll)
{
    const ProtocolRun run = RunProtocol("mscs-join", 5, {{"rounds", "4"}});
    BOOST_TEST(run.finished);
    BOOST_TEST(run.violations.empty());
    BOOST_TEST(run.samples.size() == 16U);
    BOOST_TEST(!EventsOf(run.history, EventKind::VIEW, 4).empty());
}

BOOST_AUTO_TEST_CASE(WhoAsksItsSponsorAgainStandsInLineOnce)
{
    for (const std::uint64_t seed : {1, 2, 3, 4})
    {
        const Parameters parameters = {{"rounds", "4"},
                                       {"limit-ms", "120000"},
                                       {"process-faults", "crash:7:5"}};
        const ProtocolRun run = RunProtocol("mscs-join", 8, parameters, seed);
        BOOST_TEST(run.finished, "seed " << seed);
        BOOST_TEST(run.violations.empty());
    }
}

BOOST_AUTO_TEST_CASE(DatagramsOfAnUpdateAreSentAgainWhenLost)
{
    FaultPlan plan;
    plan.AddLoss("all", {20'000'000, 0, 0});
    for (const std::string protocol : {"mscs-global-update", "mscs-join"})
    {
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6})
        {
            const Parameters parameters = {{"rounds", "10"}, {"transport", "kernel-udp"}};
            const ProtocolRun run = RunProtocol(protocol, 4, parameters, seed, false, "", plan);
            BOOST_TEST(run.finished, protocol << " seed " << seed);
            BOOST_TEST(run.violations.empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(ADatabaseThatHasLostPagesIsSentAgain)
{
    FaultPlan plan;
    plan.AddLoss("all", {50'000'000, 0, 0});
    const Parameters parameters = {{"rounds", "10"}, {"transport", "kernel-udp"}};
    for (const std::uint64_t seed : {1, 2, 3})
    {
        const ProtocolRun run = RunProtocol("mscs-join", 5, parameters, seed, false, "", plan);
        BOOST_TEST(run.finished, "seed " << seed);
        BOOST_TEST(run.violations.empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
