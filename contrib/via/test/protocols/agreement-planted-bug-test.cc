/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A planted bug in each protocol of views and agreement, and the checker that finds it.

#include "../support/via-test-planted-bug.h"

#include "ns3/via-mscs-join.h"
#include "ns3/via-mscs.h"
#include "ns3/via-paxos.h"
#include "ns3/via-raft.h"
#include "ns3/via-view-synchrony.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

struct HastyHeartbeat : MscsHeartbeat
{
    using MscsHeartbeat::MscsHeartbeat;

    Ps Patience() const override
    {
        return MscsHeartbeat::Patience() / 12;
    }
};

struct LonelyRegroup : MscsRegroup
{
    using MscsRegroup::MscsRegroup;

    std::uint64_t View() const override
    {
        return MscsRegroup::View() + Self();
    }
};

/// Takes updates in the order in which they come, again if they come again.
struct CarelessUpdate : MscsGlobalUpdate
{
    using MscsGlobalUpdate::MscsGlobalUpdate;

    void Apply(std::uint64_t, std::uint64_t value) override
    {
        MscsGlobalUpdate::Apply(NextToApply(), value);
    }
};

/// Believes to be in a cluster of its own.
struct LonelyJoin : MscsJoin
{
    using MscsJoin::MscsJoin;

    std::uint64_t View() const override
    {
        return MscsJoin::View() + Self();
    }
};

/// Goes on without what others have heard.
struct HastyViews : ViewSynchrony
{
    using ViewSynchrony::ViewSynchrony;

    bool DeliversTheRest() const override
    {
        return false;
    }
};

/// Is content with any answer.
template <class P>
struct HastyQuorum : P
{
    using P::P;

    Rank Quorum() const override
    {
        return 1;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(AgreementPlantedBugTest)

BOOST_AUTO_TEST_CASE(AClusterServiceThatErrsIsFound)
{
    BOOST_TEST(Begins(Found<HastyHeartbeat>("mscs-heartbeat"), "process "));
    BOOST_TEST(Begins(Found<LonelyRegroup>("mscs-regroup"), "view "));
    BOOST_TEST(Begins(Found<LonelyJoin>("mscs-join"), "view "));
    const Parameters slow = {{"writers", "2"}, {"process-faults", "slow:4:10:1:200000"}};
    BOOST_TEST(Begins(Found<CarelessUpdate>("mscs-global-update", slow), "total order: "));
}

BOOST_AUTO_TEST_CASE(AViewThatBeginsTooEarlyIsFound)
{
    // a node that goes down in the middle of a multicast: some have heard it, others have not
    const std::string planted = Plant<HastyViews>("view-synchrony");
    std::string said;
    for (Ps at = 300; at < 400 && said.empty(); ++at)
    {
        FaultPlan plan;
        plan.faults.emplace_back();
        plan.faults.back().kind = FaultKind::NODE_CRASH;
        plan.faults.back().where = "n7";
        plan.faults.back().when.from = at * PS_PER_US;
        const Parameters rounds = {{"rounds", "20"}};
        BOOST_TEST(RunProtocol("view-synchrony", 8, rounds, 1, false, "", plan).violations.empty());
        const ProtocolRun run = RunProtocol(planted, 8, rounds, 1, false, "", plan);
        said = run.violations.empty() ? "" : run.violations.front();
    }
    RemoveProtocol(planted);
    BOOST_TEST(Begins(said, "view synchrony: "), said);
}

BOOST_AUTO_TEST_CASE(AQuorumOfOneIsFound)
{
    Parameters apart = {{"process-faults", "partition:2:100:400000"}};
    BOOST_TEST(!Found<HastyQuorum<MultiPaxos>>("multi-paxos", apart).empty());
    BOOST_TEST(!Found<HastyQuorum<Raft>>("raft", apart).empty());
    apart["proposers"] = "3";
    BOOST_TEST(Begins(Found<HastyQuorum<Paxos>>("paxos", apart), "agreement: "));
}

BOOST_AUTO_TEST_SUITE_END()
