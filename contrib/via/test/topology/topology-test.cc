/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies: closed forms for switches, cables and hops, routes that arrive, refusals.

#include "../support/via-test-graph.h"

#include "ns3/via-error.h"
#include "ns3/via-topology-shapes.h"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const ProviderProfile&
Profile()
{
    static const ProviderProfile profile = ProviderProfile::Load("giganet-clan1000");
    return profile;
}

std::size_t
Power(std::size_t base, std::size_t exponent)
{
    return exponent == 0 ? 1 : base * Power(base, exponent - 1);
}

} // namespace

BOOST_AUTO_TEST_SUITE(TopologyTest)

BOOST_AUTO_TEST_CASE(BackToBackIsOneCable)
{
    const Topology topology = ParseTopology("back-to-back", 2, Profile());
    BOOST_TEST(topology.switches.empty());
    BOOST_TEST(topology.cables.size() == 1U);
    BOOST_TEST(topology.Hops(0, 1) == 0U);
    BOOST_TEST(topology.Hops(1, 0) == 0U);
}

BOOST_AUTO_TEST_CASE(ACrossbarIsOneSwitchWithAPortPerHost)
{
    for (const std::uint32_t hosts : {1U, 2U, 31U, 500U})
    {
        const Topology topology = ParseTopology("crossbar", hosts, Profile());
        BOOST_TEST(topology.switches.size() == 1U);
        BOOST_TEST(topology.switches[0].ports == hosts);
        BOOST_TEST(topology.cables.size() == hosts);
        CheckGraph(topology, 37);
    }
}

BOOST_AUTO_TEST_CASE(AStarTakesTheSmallestSwitchOfTheProductThatHasRoom)
{
    for (const auto& [hosts, ports] : {std::pair{2U, 8U}, {8U, 8U}, {9U, 30U}, {30U, 30U}})
    {
        const Topology topology = ParseTopology("star", hosts, Profile());
        BOOST_TEST(topology.switches.size() == 1U);
        BOOST_TEST(topology.switches[0].ports == ports);
        BOOST_TEST(topology.Hops(0, hosts - 1) == 1U);
    }
}

BOOST_AUTO_TEST_CASE(AStarOfTooManyHostsIsACascadeOfTheLargestSwitch)
{
    const Topology topology = ParseTopology("star", 64, Profile());
    BOOST_TEST(topology.name == "star");
    BOOST_TEST(topology.switches.size() == 5U + 15U); // 5 leaves of 15 hosts, 15 roots
    BOOST_TEST(topology.cables.size() == 64U + 5U * 15U);
    BOOST_TEST(topology.Hops(0, 14) == 1U);
    BOOST_TEST(topology.Hops(0, 15) == 3U);
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(AStarOfSwitchesTooSmallForATreeIsRefusedBeyondOneSwitch)
{
    const ProviderProfile two = ProviderProfile::Load("servernet1").With("nic.ports", "2");
    BOOST_TEST(ParseTopology("star", 3, two).switches.size() == 1U); // 6 ports, 2 for each cable
    BOOST_CHECK_THROW(ParseTopology("star", 4, two), ConfigError);
    BOOST_TEST(Star(16, {4}).switches.size() == 4U * 8);
    BOOST_CHECK_THROW(Star(2, {1}), ConfigError);
    BOOST_CHECK_THROW(Star(1, {0}), ConfigError);
}

BOOST_AUTO_TEST_CASE(AFullFatTreeHasItsClosedForm)
{
    for (const auto& [k, n] : {std::pair{2U, 1U}, {2U, 3U}, {3U, 2U}, {4U, 3U}, {2U, 5U}})
    {
        const auto hosts = static_cast<std::uint32_t>(Power(k, n));
        const Topology topology = FatTree(k, n, hosts);
        BOOST_TEST(topology.switches.size() == n * Power(k, n - 1));
        BOOST_TEST(topology.cables.size() == n * Power(k, n));
        CheckGraph(topology);
    }
}

BOOST_AUTO_TEST_CASE(HopsOfAFatTreeGoUpToTheNearestCommonLevelAndDown)
{
    const Topology topology = FatTree(3, 3, 27);
    for (std::uint32_t from = 0; from < 27; ++from)
    {
        for (std::uint32_t to = 0; to < 27; ++to)
        {
            const std::uint32_t levels = from / 3 == to / 3 ? 1 : from / 9 == to / 9 ? 2 : 3;
            BOOST_TEST(topology.Hops(from, to) == 2 * levels - 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(AFatTreeLeavesOutWhatOnlyAbsentHostsWouldUse)
{
    const Topology topology = FatTree(4, 3, 17);
    BOOST_TEST(topology.switches.size() == 5U + 8U + 16U);
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(RoutesUpSpreadByDestination)
{
    const Topology topology = FatTree(4, 2, 16);
    std::set<std::uint32_t> ups;
    for (std::uint32_t to = 4; to < 8; ++to)
    {
        ups.insert(topology.switches[0].table.To(to).port);
    }
    BOOST_TEST((ups == std::set<std::uint32_t>{4, 5, 6, 7}));
}

BOOST_AUTO_TEST_CASE(WhatIsNoTopologyIsRefused)
{
    for (const std::string text : {"",
                                   "moebius",
                                   "Star",
                                   "star ",
                                   "fat-tree",
                                   "fat-tree:",
                                   "fat-tree:k=4",
                                   "fat-tree:n=2",
                                   "fat-tree:k=1,n=2",
                                   "fat-tree:k=65,n=2",
                                   "fat-tree:k=4,n=0",
                                   "fat-tree:k=4,n=13",
                                   "fat-tree:k=-4,n=2",
                                   "fat-tree:k=4x,n=2",
                                   "fat-tree:k=4000000000,n=2"})
    {
        BOOST_CHECK_THROW(ParseTopology(text, 2, Profile()), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(ATopologyWithoutRoomForTheNodesIsRefused)
{
    BOOST_CHECK_THROW(ParseTopology("fat-tree:k=4,n=2", 17, Profile()), ConfigError);
    BOOST_CHECK_NO_THROW(ParseTopology("fat-tree:k=4,n=2", 16, Profile()));
    BOOST_CHECK_THROW(ParseTopology("back-to-back", 1, Profile()), ConfigError);
    BOOST_CHECK_THROW(ParseTopology("back-to-back", 3, Profile()), ConfigError);
}

BOOST_AUTO_TEST_CASE(ACrossbarOfMoreHostsThanPortNumbersIsRefused)
{
    BOOST_CHECK_NO_THROW(ParseTopology("crossbar", 65535, Profile()));
    BOOST_CHECK_EXCEPTION(ParseTopology("crossbar", 65536, Profile()),
                          ConfigError,
                          [](const ConfigError& error) {
                              return std::string(error.what()) ==
                                     "--topology = crossbar: a switch has at most 65535 ports, not "
                                     "65536";
                          });
}

BOOST_AUTO_TEST_CASE(TheRoutesOfSixtyFiveThousandHostsArePagesThatSwitchesShare)
{
    const Topology topology = ParseTopology("fat-tree:k=64,n=3", 65536, Profile());
    BOOST_TEST(topology.switches.size() == 1024U + 1024U + 4096U);
    BOOST_TEST(topology.Hops(0, 65535) == 5U);
    const RouteTable& leaf = topology.switches[0].table;
    BOOST_TEST(leaf.PageOf(64) == topology.switches[1023].table.PageOf(0));
    BOOST_TEST(leaf.PageOf(0) != leaf.PageOf(64)); // down, not up
    BOOST_TEST(leaf.To(63).port == 63U);
    BOOST_TEST(leaf.To(64).port == 64U);
}

BOOST_AUTO_TEST_CASE(ARefusedTopologySaysWhatIsAllowed)
{
    try
    {
        ParseTopology("fat-tree:k=4,n=2", 17, Profile());
        BOOST_FAIL("nothing was refused");
    }
    catch (const ConfigError& error)
    {
        BOOST_TEST(std::string(error.what()) ==
                   "--topology = fat-tree:k=4,n=2: has room for 16 nodes, not 17");
    }
}

BOOST_AUTO_TEST_CASE(AFatTreeOptionThatNobodyKnowsIsRefused)
{
    BOOST_CHECK_THROW(ParseTopology("fat-tree:k=4,n=2,m=3", 2, Profile()), ConfigError);
    BOOST_CHECK_THROW(ParseTopology("fat-tree:k=4,k=5,n=2", 2, Profile()), ConfigError);
}

// It once grew a tree of switches with one way down, for ever.
BOOST_AUTO_TEST_CASE(AStarOfSwitchesThatNoTreeCanBeMadeOfIsRefusedWhenOneIsNotEnough)
{
    const ProviderProfile small =
        Profile().With({{"switch.ports", "3"}, {"switch.model", "small"}});
    BOOST_TEST(ParseTopology("star", 3, small).switches.size() == 1U);
    BOOST_CHECK_EXCEPTION(ParseTopology("star", 4, small),
                          ConfigError,
                          [](const ConfigError& error) {
                              return std::string(error.what())
                                         .find("--topology = star: has room for 3 nodes, not 4") ==
                                     0;
                          });
}

BOOST_AUTO_TEST_SUITE_END()
