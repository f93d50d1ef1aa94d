/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routing: tables from the graph, and the proof that packets never wait in a circle, or where.

#include "../support/via-test-graph.h"

#include "ns3/via-channel-graph.h"
#include "ns3/via-error.h"
#include "ns3/via-route-filler.h"
#include "ns3/via-routing.h"
#include "ns3/via-topology-shapes.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const std::vector<std::string> SHAPES{"chain:5",
                                      "ring:3",
                                      "ring:8",
                                      "mesh:3x4",
                                      "torus:5x4",
                                      "torus:3x3x3",
                                      "hypercube:4",
                                      "fat-tree:k=3,n=3",
                                      "clos:m=3,n=2,r=5",
                                      "dragonfly:a=4,p=1,h=2",
                                      "dragonfly:a=3,p=2,h=1"};

/// Calls @p change with each route of each switch.
template <typename Change>
void
ChangeRoutes(Topology& topology, const Change& change)
{
    for (SwitchShape& one : topology.switches)
    {
        std::vector<Route> routes = one.table.All();
        std::for_each(routes.begin(), routes.end(), change);
        one.table = RouteTable(routes);
    }
}

/// A connected graph of @p count switches with a host each, drawn from @p seed.
Topology
Drawn(std::uint32_t seed, std::uint32_t count)
{
    std::mt19937 draw(seed);
    Topology topology;
    topology.name = "drawn";
    topology.hosts = count;
    topology.switches.resize(count);
    const auto plug = [&topology](std::uint32_t a, std::uint32_t b) {
        topology.cables.push_back(
            {{true, a, topology.switches[a].ports++}, {true, b, topology.switches[b].ports++}});
    };
    for (std::uint32_t one = 0; one < count; ++one)
    {
        topology.cables.push_back({{false, one, 0}, {true, one, topology.switches[one].ports++}});
    }
    for (std::uint32_t one = 1; one < count; ++one)
    {
        plug(one, draw() % one);
    }
    for (std::uint32_t extra = 0; extra < count; ++extra)
    {
        const std::uint32_t a = draw() % count;
        plug(a, (a + 1 + draw() % (count - 1)) % count);
    }
    return topology;
}

std::string
RefusalOf(const std::string& text)
{
    try
    {
        Parsed(text);
        return "";
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(RoutingTest)

BOOST_AUTO_TEST_CASE(TheOwnRoutesOfEveryFamilyCannotDeadlock)
{
    for (const std::string& shape : SHAPES)
    {
        const Topology topology = Parsed(shape);
        BOOST_TEST(ChannelGraph(topology).Cycle().empty(), shape);
    }
}

BOOST_AUTO_TEST_CASE(UpDownCannotDeadlockOnAnyGraphAndOneLane)
{
    for (const std::string& shape : SHAPES)
    {
        const Topology topology = Parsed(shape + ",routing=up-down");
        BOOST_TEST(topology.lanes == 1U);
        CheckGraph(topology);
        BOOST_TEST(ChannelGraph(topology).Cycle().empty(), shape);
    }
    for (std::uint32_t seed = 0; seed < 50; ++seed)
    {
        const Topology drawn = Drawn(seed, 3 + seed % 12);
        for (const std::uint32_t root : {0U, CentreOf(drawn)})
        {
            const Topology topology = RouteUpDown(drawn, root);
            CheckGraph(topology);
            BOOST_TEST(ChannelGraph(topology).Cycle().empty(), "seed " << seed);
        }
    }
}

BOOST_AUTO_TEST_CASE(ShortestPathsAreShortest)
{
    for (const std::string& shape : SHAPES)
    {
        const Topology topology = Parsed(shape + ",routing=shortest-path,deadlock=allow");
        BOOST_TEST(EveryRouteIsShortest(topology), shape);
    }
    for (std::uint32_t seed = 0; seed < 20; ++seed)
    {
        BOOST_TEST(EveryRouteIsShortest(RouteShortestPath(Drawn(seed, 9))), "seed " << seed);
    }
}

BOOST_AUTO_TEST_CASE(ShortestPathsOnARingOfSixWaitInACircle)
{
    const Topology bad = Parsed("ring:6,routing=shortest-path,deadlock=allow");
    const std::vector<WireLane> cycle = ChannelGraph(bad).Cycle();
    BOOST_TEST(cycle.size() == 6U);
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        BOOST_TEST(cycle[i].toSwitch == cycle[(i + 1) % cycle.size()].fromSwitch);
        BOOST_TEST(cycle[i].lane == 0);
    }
}

BOOST_AUTO_TEST_CASE(RoutesThatCanDeadlockAreRefusedWithTheirCycle)
{
    BOOST_TEST(RefusalOf("ring:5,routing=shortest-path") ==
               "--topology = ring:5,routing=shortest-path: routing=shortest-path can deadlock on a "
               "lossless fabric: packets wait in a cycle for s0.1 -> s1 lane 0, s1.1 -> s2 lane "
               "0, s2.1 -> s3 lane 0, s3.1 -> s4 lane 0, s4.1 -> s0 lane 0; routing=up-down "
               "cannot deadlock, deadlock=allow accepts the risk");
    BOOST_TEST(RefusalOf("torus:4x4,routing=adaptive") != "");
    BOOST_TEST(RefusalOf("hypercube:3,routing=ecmp") != "");
    BOOST_TEST(RefusalOf("ring:3,routing=shortest-path") == ""); // nobody goes two cables
}

BOOST_AUTO_TEST_CASE(TheDatelineNeedsItsSecondLane)
{
    for (const std::string shape : {"ring:8", "torus:5x4"})
    {
        Topology topology = Parsed(shape);
        BOOST_TEST(topology.lanes == 2U);
        ChangeRoutes(topology, [](Route& route) { route.lane = 0; });
        BOOST_TEST(!ChannelGraph(topology).Cycle().empty(), shape);
    }
    BOOST_TEST(Parsed("mesh:4x4").lanes == 1U);
    BOOST_TEST(Parsed("ring:2").lanes == 1U);
}

BOOST_AUTO_TEST_CASE(ADragonflyNeedsItsSecondLane)
{
    Topology topology = Parsed("dragonfly:a=4,p=1,h=2");
    BOOST_TEST(topology.lanes == 2U);
    ChangeRoutes(topology, [](Route& route) { route.lane = 0; });
    BOOST_TEST(!ChannelGraph(topology).Cycle().empty());
}

BOOST_AUTO_TEST_CASE(DimensionOrderGoesTheShorterWayRoundAndSharesTheLongest)
{
    const Topology ring = Parsed("ring:8");
    BOOST_TEST(ring.Hops(0, 3) == 4U);
    BOOST_TEST(ring.Hops(0, 5) == 4U);
    std::uint32_t ups = 0; // of the eight ways to the opposite switch
    for (std::uint32_t from = 0; from < 8; ++from)
    {
        ups += ring.switches[from].table.To((from + 4) % 8).port == 1 ? 1 : 0;
    }
    BOOST_TEST(ups == 4U);
}

BOOST_AUTO_TEST_CASE(AChoiceOnAFatTreeIsAnyWayUpAndTheOneWayDown)
{
    for (const auto& [routing, selection] :
         {std::pair{"ecmp", PortSelection::FLOW_HASH}, {"adaptive", PortSelection::ADAPTIVE}})
    {
        const Topology topology = Parsed(std::string("fat-tree:k=4,n=3,routing=") + routing);
        const RouteTable& leaf = topology.switches[0].table;
        BOOST_TEST((leaf.selection == selection));
        BOOST_TEST(leaf.choices.size() == 1U);
        BOOST_TEST(leaf.choices[0] == (std::vector<std::uint16_t>{4, 5, 6, 7}));
        BOOST_TEST(leaf.To(63).choice == 1);
        BOOST_TEST(leaf.To(3).choice == 0);
        BOOST_TEST(ChannelGraph(topology).Cycle().empty());
    }
}

BOOST_AUTO_TEST_CASE(RoutesMayBeSetInAnyOrder)
{
    Topology topology;
    topology.hosts = 200;
    topology.switches.resize(2);
    RouteFiller filler(topology);
    for (std::uint32_t i = 0; i < topology.hosts; ++i)
    {
        const std::uint32_t host = i * 77 % topology.hosts; // has no factor in common with 200
        filler.Set(1, host, {static_cast<std::uint16_t>(host)});
    }
    const std::vector<RouteTable> tables = filler.Tables();
    BOOST_TEST(!tables[0].Has(199));
    BOOST_TEST(tables[1].To(0).port == 0U);
    BOOST_TEST(tables[1].To(199).port == 199U);
}

BOOST_AUTO_TEST_CASE(EveryPairOfALaneAndAChoiceIsADependency)
{
    const Topology topology = Parsed("fat-tree:k=4,n=3,routing=adaptive");
    const ChannelGraph graph(topology);
    BOOST_TEST(graph.ChannelCount() == 4U * 64); // all cables between switches, both ways
    // at each of 16 switches in the middle: from 4 below to 4 above or 3 beside, from above to
    // below
    BOOST_TEST(graph.DependencyCount() == 16U * (4 * (4 + 3) + 4 * 4) + 16U * 4 * 3);
}

BOOST_AUTO_TEST_CASE(ChannelsAndDependenciesOfAChainAreCounted)
{
    const Topology topology = Parsed("chain:4");
    const ChannelGraph graph(topology);
    BOOST_TEST(graph.ChannelCount() == 6U);    // three cables, both ways
    BOOST_TEST(graph.DependencyCount() == 4U); // at the two switches inside, both ways
}

BOOST_AUTO_TEST_CASE(ASwitchThatKnowsNoWayIsRefused)
{
    Topology topology = Parsed("chain:3");
    topology.switches[1].table = RouteTable(std::vector<Route>{{0}, {1}, {}});
    BOOST_CHECK_THROW(RequireNoDeadlock(topology), ConfigError);
}

BOOST_AUTO_TEST_CASE(AGraphInTwoPartsHasNoRoutes)
{
    Topology topology = Drawn(1, 4);
    topology.cables.resize(4); // the hosts' own
    BOOST_CHECK_THROW(RouteShortestPath(topology), ConfigError);
    BOOST_CHECK_THROW(RouteUpDown(topology, 0), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
