/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Which rounds of a protocol have a duration: those that have come to their end.

#include "../support/via-test-protocol-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr RoundSpan TO_LAST = RoundSpan::FIRST_ENTRY_TO_LAST_EXIT;

using Times = std::vector<Ps>;

/// Are all of @p some among @p all?
bool
AreAmong(Times some, Times all)
{
    std::sort(some.begin(), some.end());
    std::sort(all.begin(), all.end());
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// The samples of a run that stops at @p stop.
Times
SamplesUntil(const std::string& name, Ps stop)
{
    ClusterConfig config = Config("star", 5);
    config.profile = CardFor(name);
    config.stop = stop;
    return RunWorkload(config, name, {{"rounds", "3"}}).samples;
}

} // namespace

BOOST_AUTO_TEST_SUITE(HistoryTest)

BOOST_AUTO_TEST_CASE(ARoundThatSomebodyHasYetToLeaveHasNoDuration)
{
    History history(100);
    history.Enter(0, 10);
    for (Rank rank = 0; rank < 99; ++rank)
    {
        history.Leave(0, rank, 20 + rank);
        BOOST_TEST(history.Durations(TO_LAST).empty());
    }
    BOOST_TEST((history.Durations(RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT) == Times{10}));
    history.Leave(0, 99, 200);
    BOOST_TEST((history.Durations(TO_LAST) == Times{190}));
}

BOOST_AUTO_TEST_CASE(WhoHasCrashedOrFinishedNeedNotLeave)
{
    History history(4);
    history.Enter(0, 10);
    history.Leave(0, 0, 20);
    history.Leave(0, 2, 50);
    history.Crash(1);
    BOOST_TEST(history.Durations(TO_LAST).empty());
    history.Finish(3); // its group has excluded it
    BOOST_TEST((history.Durations(TO_LAST) == Times{40}));
}

BOOST_AUTO_TEST_CASE(ARoundThatOnlyTheCrashedHaveLeftHasNoDuration)
{
    History history(2);
    history.Enter(0, 10);
    history.Leave(0, 0, 10);
    history.Crash(0);
    history.Finish(1);
    BOOST_TEST(history.Durations(TO_LAST).empty());
}

BOOST_AUTO_TEST_CASE(WhatTwoPartitionsReportCountsTogether)
{
    History all(70);
    for (const Rank from : {0U, 35U})
    {
        History part(70);
        part.Enter(1, 10);
        for (Rank rank = from; rank < from + 35; ++rank)
        {
            part.Leave(1, rank, 20 + rank);
        }
        all.AddRounds(part.Rounds(), part.Left());
        BOOST_TEST(all.Durations(TO_LAST).size() == (from == 0 ? 0U : 1U));
    }
    BOOST_TEST((all.Durations(TO_LAST) == Times{79}));
}

BOOST_AUTO_TEST_CASE(ARumourThatReachesNobodyHasNoSample)
{
    FaultPlan plan;
    PlannedFault cut;
    cut.kind = FaultKind::LINK_DOWN;
    cut.where = "n1";
    plan.faults.push_back(cut);
    BOOST_TEST(RunProtocol("gossip", 2, {{"rounds", "1"}}, 1, false, "", plan).samples.empty());
    BOOST_TEST(RunProtocol("gossip", 2, {{"rounds", "1"}}).samples.size() == 1U);
}

BOOST_AUTO_TEST_CASE(AStoppedRunHasNoSampleThatTheWholeRunLacks)
{
    for (const std::string& name : ProtocolNames())
    {
        const ProtocolRun whole = RunProtocol(name, 5, {{"rounds", "3"}});
        for (int part = 1; part < 24; ++part)
        {
            const Times some = SamplesUntil(name, whole.report.end / 24 * part);
            BOOST_TEST(AreAmong(some, whole.samples), name << " until " << part << "/24");
        }
    }
}

BOOST_AUTO_TEST_CASE(RoundsThatSurvivorsCompleteHaveSamples)
{
    const Parameters crash = {{"rounds", "4"}, {"process-faults", "crash:4:3"}};
    for (const std::string name : {"gossip", "raft", "paxos", "three-phase-commit"})
    {
        const ProtocolRun run = RunProtocol(name, 5, crash);
        BOOST_TEST(run.history.Crashed().size() == 1U);
        BOOST_TEST(run.finished, name);
        BOOST_TEST(run.samples.size() >= 4U, name << ": " << run.samples.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
