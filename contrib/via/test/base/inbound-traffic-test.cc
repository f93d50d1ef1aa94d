/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Counts of what is bound for each host.

#include "ns3/via-inbound-traffic.h"

#include <boost/test/unit_test.hpp>
#include <tuple>
#include <vector>

using namespace ns3::via;

namespace
{

/// What is announced to other partitions.
struct Announcements final : InboundCarrier
{
    void Announce(NodeId host, std::int64_t count, Ps leaves) override
    {
        all.push_back({host, count, leaves});
    }

    std::vector<std::tuple<NodeId, std::int64_t, Ps>> all;
};

} // namespace

BOOST_AUTO_TEST_SUITE(InboundTrafficTest)

BOOST_AUTO_TEST_CASE(NothingIsBoundForAHostAtFirst)
{
    InboundTraffic inbound;
    BOOST_TEST(!inbound.IsWatched());
    inbound.Watch(2, false);
    BOOST_TEST(inbound.IsWatched());
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
    BOOST_TEST(inbound.LeavesFrom(1) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(TheEarliestCountsUntilAllHaveArrived)
{
    InboundTraffic inbound;
    inbound.Watch(2, false);
    inbound.Add(1, 500);
    inbound.Add(1, 300);
    BOOST_TEST(inbound.LeavesFrom(1) == 300);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
    inbound.Remove(1);
    BOOST_TEST(inbound.LeavesFrom(1) == 300); // which of them has arrived is not known
    inbound.Remove(1);
    BOOST_TEST(inbound.LeavesFrom(1) == PS_NEVER);
    inbound.Add(1, 900);
    BOOST_TEST(inbound.LeavesFrom(1) == 900);
}

BOOST_AUTO_TEST_CASE(SeveralAreRemovedAtOnce)
{
    InboundTraffic inbound;
    inbound.Watch(1, false);
    inbound.Remove(0, 0);
    inbound.Add(0, 300);
    inbound.Add(0, 500);
    inbound.Remove(0, 2);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(WhatIsAddedForGoodStays)
{
    InboundTraffic inbound;
    inbound.Watch(1, false);
    inbound.AddForGood(0);
    inbound.AddForGood(0);
    inbound.Add(0, 700);
    inbound.Remove(0);
    BOOST_TEST(inbound.LeavesFrom(0) == 0);
}

BOOST_AUTO_TEST_CASE(UnwatchedOrUnknownHostsAreNotCounted)
{
    InboundTraffic inbound;
    inbound.Add(0, 300);
    inbound.Remove(0);
    inbound.Watch(1, false);
    inbound.Add(7, 300);
    inbound.Remove(7);
    inbound.AddForGood(7);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(WhatIsBoundForAHostOfAnotherPartitionIsAnnounced)
{
    InboundTraffic inbound;
    Announcements others;
    inbound.Watch(2, false);
    inbound.SetElsewhere(1, others);
    inbound.Add(0, 300);
    BOOST_TEST(others.all.empty());
    inbound.Add(1, 500);
    inbound.Remove(1, 3); // a flush
    BOOST_TEST((others.all.at(0) == std::tuple(1U, 1, Ps{500})));
    BOOST_TEST((others.all.at(1) == std::tuple(1U, -3, PS_NEVER)));
    BOOST_TEST(inbound.LeavesFrom(1) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(NoticesCountForSourcesOfThisPartitionAlone)
{
    InboundTraffic inbound;
    Announcements others;
    inbound.Watch(2, true);
    inbound.SetElsewhere(1, others);
    inbound.AddNotices(0, 300);
    inbound.AddNotices(1, 300);
    BOOST_TEST(inbound.LeavesFrom(0) == 300);
    inbound.RemoveNotices(0);
    inbound.RemoveNotices(1);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
    BOOST_TEST(others.all.empty());
}

BOOST_AUTO_TEST_CASE(WithoutNoticesASourceGetsNothing)
{
    InboundTraffic inbound;
    inbound.Watch(1, false);
    inbound.AddNotices(0, 300);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
    inbound.RemoveNotices(0);
}

BOOST_AUTO_TEST_SUITE_END()
