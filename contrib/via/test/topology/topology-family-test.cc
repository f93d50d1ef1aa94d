/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Families of topologies: closed forms for switches, cables, diameter, bisection; refusals.

#include "../support/via-test-graph.h"

#include "ns3/via-error.h"
#include "ns3/via-routing.h"
#include "ns3/via-topology-shapes.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What a family's formulas say of one of its members.
struct ClosedForm
{
    std::string text;
    std::uint32_t hosts;
    std::size_t switches;
    std::size_t trunks;
    std::uint32_t diameter;
    std::uint64_t bisection;
};

/// Mesh: n = product of sizes; trunks = sum over d of n (s_d - 1) / s_d; diameter = sum of s_d - 1.
/// Torus: n trunks per dimension of 3 and more; diameter = sum of floor(s_d / 2).
/// Hypercube: d 2^(d-1) trunks, diameter d. k-ary n-tree: (n-1) k^n trunks, diameter 2 (n-1).
/// Dragonfly: g a (a-1) / 2 + g (g-1) / 2 trunks, diameter 3.
const std::vector<ClosedForm> FORMS{
    {"chain:6", 6, 6, 5, 5, 1},
    {"ring:8", 8, 8, 8, 4, 2},
    {"ring:7", 7, 7, 7, 3, 0},
    {"mesh:4x4", 16, 16, 24, 6, 4},
    {"mesh:2x3x4", 24, 24, 12 + 16 + 18, 1 + 2 + 3, 6},
    {"mesh:4x2,hosts=3", 24, 8, 6 + 4, 4, 2},
    {"torus:4x4", 16, 16, 32, 4, 8},
    {"torus:5x3", 15, 15, 30, 3, 0},
    {"torus:4x2", 8, 8, 8 + 4, 3, 4},
    {"torus:8x8x4", 256, 256, 768, 10, 64},
    {"hypercube:1", 2, 2, 1, 1, 1},
    {"hypercube:4", 16, 16, 32, 4, 8},
    {"hypercube:10", 1024, 1024, 5120, 10, 512},
    {"fat-tree:k=2,n=3", 8, 12, 16, 4, 4},
    {"fat-tree:k=4,n=2", 16, 8, 16, 2, 8},
    {"clos:m=3,n=3,r=4", 12, 7, 12, 2, 6},
    {"clos:m=2,n=4,r=6", 24, 8, 12, 2, 6},
    {"dragonfly:a=4,p=2,h=2", 72, 36, 9 * 6 + 36, 3, 0},
    {"dragonfly:a=2,p=1,h=1,g=2", 4, 4, 2 + 1, 3, 0},
};

} // namespace

BOOST_AUTO_TEST_SUITE(TopologyFamilyTest)

BOOST_AUTO_TEST_CASE(EveryFamilyHasItsClosedForm)
{
    for (const ClosedForm& form : FORMS)
    {
        const Topology topology = Parsed(form.text);
        BOOST_TEST_CONTEXT(form.text)
        {
            BOOST_TEST(topology.hosts == form.hosts);
            BOOST_TEST(topology.switches.size() == form.switches);
            BOOST_TEST(Trunks(topology) == form.trunks);
            BOOST_TEST(topology.cables.size() == form.trunks + form.hosts);
            BOOST_TEST(DiameterOf(topology) == form.diameter);
            BOOST_TEST(topology.bisection == form.bisection);
        }
    }
}

BOOST_AUTO_TEST_CASE(AKnownBisectionIsTheLeastOfAllHalvings)
{
    for (const ClosedForm& form : FORMS)
    {
        const Topology topology = Parsed(form.text);
        if (topology.bisection != 0 && topology.switches.size() <= 16)
        {
            BOOST_TEST(BisectionByForce(topology) == form.bisection, form.text);
        }
    }
}

BOOST_AUTO_TEST_CASE(EveryFamilysOwnRoutesArriveByAShortestWay)
{
    for (const ClosedForm& form : FORMS)
    {
        if (form.hosts < 100)
        {
            const Topology topology = Parsed(form.text);
            CheckGraph(topology);
            BOOST_TEST((EveryRouteIsShortest(topology) || topology.family == "dragonfly"),
                       form.text);
        }
    }
}

BOOST_AUTO_TEST_CASE(ARingHasASwitchForEachNodeOrForSeveral)
{
    BOOST_TEST(Parsed("ring", 6).switches.size() == 6U);
    BOOST_TEST(Parsed("ring,hosts=4", 6).switches.size() == 2U);
    BOOST_TEST(Trunks(Parsed("ring", 2)) == 1U); // not two cables side by side
    BOOST_TEST(Trunks(Parsed("ring", 1)) == 0U);
    BOOST_TEST(Parsed("chain", 5).switches.size() == 5U);
    BOOST_CHECK_THROW(Parsed("ring"), ConfigError);
}

BOOST_AUTO_TEST_CASE(AbsentHostsLeaveTheSwitchesOfAGrid)
{
    const Topology topology = Parsed("torus:4x4", 5);
    BOOST_TEST(topology.switches.size() == 16U);
    BOOST_TEST(topology.cables.size() == 32U + 5U);
    BOOST_TEST(topology.bisection == 0U);
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(PlacesAreCoordinates)
{
    using Place = std::vector<std::uint32_t>;
    BOOST_TEST(Parsed("mesh:3x2").switches[4].place == (Place{1, 1}));
    BOOST_TEST(Parsed("hypercube:3").switches[6].place == (Place{0, 1, 1}));
    BOOST_TEST(Parsed("fat-tree:k=2,n=2").switches[3].place == (Place{1, 1}));
    BOOST_TEST(Parsed("clos:m=2,n=2,r=3").switches[4].place == (Place{1, 1}));
    BOOST_TEST(Parsed("dragonfly:a=4,p=2,h=2").switches[7].place == (Place{1, 3}));
}

BOOST_AUTO_TEST_CASE(AGridInTwosHasOnePortPerDimension)
{
    BOOST_TEST(Parsed("hypercube:6").switches[0].ports == 7U);
    BOOST_TEST(Parsed("torus:2x3").switches[0].ports == 1U + 1U + 2U);
}

BOOST_AUTO_TEST_CASE(ADragonflyVisitsThreeCablesBetweenRouters)
{
    const Topology topology = Parsed("dragonfly:a=4,p=2,h=2");
    for (std::uint32_t to = 0; to < topology.hosts; ++to)
    {
        const std::uint32_t most = to < 2 ? 1 : to < 8 ? 2 : 4;
        BOOST_TEST(topology.Hops(0, to) <= most);
    }
}

BOOST_AUTO_TEST_CASE(WhatIsNoMemberOfAFamilyIsRefused)
{
    for (const std::string text : {"mesh",
                                   "mesh:",
                                   "mesh:8x",
                                   "mesh:0x8",
                                   "mesh:8x8,hosts=0",
                                   "mesh:8x8,hosts=1025",
                                   "mesh:8x8,host=1",
                                   "mesh:8x8,hosts=1,hosts=1",
                                   "mesh:300x300",
                                   "mesh:99999x99999x99999x99999",
                                   "torus:8 x8",
                                   "ring:x",
                                   "ring:4x4",
                                   "ring:4,5",
                                   "hypercube:17",
                                   "hypercube:0",
                                   "hypercube:2x2",
                                   "clos:m=2,n=2",
                                   "clos:m=2,n=2,r=0",
                                   "dragonfly:a=4,p=2",
                                   "dragonfly:a=4,p=2,h=2,g=10",
                                   "star:8",
                                   "star,hosts=2",
                                   "crossbar:4",
                                   "fat-tree:k=4,n=2,hosts=2",
                                   "file:",
                                   "torus:4x4,routing=fastest",
                                   "torus:4x4,routing=",
                                   "torus:4x4,routing",
                                   "torus:4x4,rails=",
                                   "torus:4x4,deadlock=maybe"})
    {
        BOOST_CHECK_THROW(Parsed(text, 2), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(ARefusedShapeSaysHowItIsWritten)
{
    try
    {
        Parsed("hypercube:40", 2);
        BOOST_FAIL("nothing was refused");
    }
    catch (const ConfigError& error)
    {
        BOOST_TEST(
            std::string(error.what()) ==
            "--topology = hypercube:40: hypercube:D with D from 1 to 16[,hosts=1 to 1024 per "
            "switch]; each family also takes routing=, deadlock= and rails=");
    }
}

BOOST_AUTO_TEST_SUITE_END()
