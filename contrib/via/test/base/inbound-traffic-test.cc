/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Counts of what is bound for each host.

#include "ns3/via-inbound-traffic.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(InboundTrafficTest)

BOOST_AUTO_TEST_CASE(NothingIsBoundForAHostAtFirst)
{
    InboundTraffic inbound;
    BOOST_TEST(!inbound.IsWatched());
    inbound.Watch(2);
    BOOST_TEST(inbound.IsWatched());
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
    BOOST_TEST(inbound.LeavesFrom(1) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(TheEarliestCountsUntilAllHaveArrived)
{
    InboundTraffic inbound;
    inbound.Watch(2);
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
    inbound.Watch(1);
    inbound.Remove(0, 0);
    inbound.Add(0, 300);
    inbound.Add(0, 500);
    inbound.Remove(0, 2);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(WhatIsAddedForGoodStays)
{
    InboundTraffic inbound;
    inbound.Watch(1);
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
    inbound.Watch(1);
    inbound.Add(7, 300);
    inbound.Remove(7);
    inbound.AddForGood(7);
    BOOST_TEST(inbound.LeavesFrom(0) == PS_NEVER);
}

BOOST_AUTO_TEST_SUITE_END()
