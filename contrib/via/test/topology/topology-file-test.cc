/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies from files: what is read, and what is refused.

#include "../support/via-test-graph.h"

#include "ns3/via-error.h"
#include "ns3/via-topology-file.h"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const std::string HEAD = R"(<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="kind" attr.type="string"/>
<key id="d1" for="edge" attr.name="length_mm" attr.type="int"/>
<graph edgedefault="undirected">
)";
const std::string TAIL = "</graph></graphml>";

const std::string PAIR = R"(
<node id="red"><data key="d0">host</data></node>
<node id="blue"><data key="d0">host</data></node>
<node id="hub"><data key="d0">switch</data></node>
<edge source="red" target="hub" targetport="3"><data key="d1">500</data></edge>
<edge source="hub" target="blue"/>
)";

Topology
FromXml(const std::string& inside)
{
    std::istringstream text(HEAD + inside + TAIL);
    const GraphDescription graph = ReadGraphMl(text, "test.graphml");
    return FromGraph(graph, static_cast<std::uint32_t>(graph.hosts.size()), "file:test.graphml");
}

Topology
FromCsv(const std::string& lines, std::uint32_t hosts)
{
    std::istringstream text(lines);
    return FromGraph(ReadEdgeList(text, "test.csv"), hosts, "file:test.csv");
}

} // namespace

BOOST_AUTO_TEST_SUITE(TopologyFileTest)

BOOST_AUTO_TEST_CASE(GraphMlHasHostsSwitchesPortsAndLengths)
{
    const Topology topology = FromXml(PAIR);
    BOOST_TEST(topology.hosts == 2U);
    BOOST_TEST(topology.switches.size() == 1U);
    BOOST_TEST(topology.switches[0].ports == 4U);
    BOOST_TEST(topology.cables[0].b.port == 3U);
    BOOST_TEST(topology.cables[0].wire.lengthMm == 500U);
    BOOST_TEST(topology.cables[1].a.port == 0U); // the first free one
    BOOST_TEST(topology.cables[1].wire.lengthMm == 0U);
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(AGraphMlKeyMayHaveADefault)
{
    const std::string keys = "<key id='k' for='node' attr.name='kind'><default>host</default></key>"
                             "<key id='r' for='edge' attr.name='rate_mbit_s'>"
                             "<default>100</default></key>";
    const std::string nodes = "<node id='a'/><node id='b'/>"
                              "<node id='hub'><data key='k'>switch</data></node>";
    const std::string edges = "<edge source='a' target='hub'/>"
                              "<edge source='b' target='hub'><data key='r'>200</data></edge>";
    std::istringstream text("<graphml>" + keys + "<graph>" + nodes + edges + TAIL);
    const Topology topology = FromGraph(ReadGraphMl(text, "x"), 2, "x");
    BOOST_TEST(topology.cables[0].wire.rateMbitS == 100U);
    BOOST_TEST(topology.cables[1].wire.rateMbitS == 200U);
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(ADefaultForAllElementsIsThatOfThoseThatKnowIt)
{
    std::istringstream text("<graphml><key id='r' attr.name='rate_mbit_s'><default>100</default>"
                            "</key><graph><node id='n0'/><node id='s0'/>"
                            "<edge source='n0' target='s0'/>" +
                            std::string(TAIL));
    const Topology topology = FromGraph(ReadGraphMl(text, "x"), 1, "x");
    BOOST_TEST(topology.cables[0].wire.rateMbitS == 100U);
}

BOOST_AUTO_TEST_CASE(PartsOfGraphMlThatHaveNoMeaningAreRefused)
{
    for (const std::string rest : {"</graph><graph><node id='n5'/>",
                                   "</graph><hyperedge/><graph>",
                                   "<hyperedge><endpoint node='red'/></hyperedge>",
                                   "<node id='s1'><graph><node id='n5'/></graph></node>",
                                   "<node id='green'><data key='d0'>host</data></node>"
                                   "<edge source='green' target='hub' sourceport='7'/>"})
    {
        BOOST_CHECK_THROW(FromXml(PAIR + rest), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(AnEdgeListNamesPortsOrTakesFreeOnes)
{
    const Topology topology = FromCsv("a,b,length_mm\nn0,s0\nn1, s1.4\n\ns0.0,s1,12000\r\n", 2);
    BOOST_TEST(topology.switches[0].ports == 2U);
    BOOST_TEST(topology.cables[0].b.port == 1U); // 0 is asked for by name
    BOOST_TEST(topology.cables[2].wire.lengthMm == 12000U);
    BOOST_TEST(topology.Hops(0, 1) == 2U);
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(AnEdgeListHasColumnsForEachAttributeOfAWire)
{
    const Topology topology =
        FromCsv("a,b,cells,rate_mbit_s,wires,latency_ns\nn0,s0,64,4000,2,35\nn1,s0,,500\n", 2);
    const WireSpec& wire = topology.cables[0].wire;
    BOOST_TEST(wire.cells == 64U);
    BOOST_TEST(wire.rateMbitS == 4000U);
    BOOST_TEST(wire.wires == 2U);
    BOOST_TEST(wire.latencyNs == 35U);
    BOOST_TEST(topology.cables[1].wire.cells == 0U);
    BOOST_TEST(topology.cables[1].wire.rateMbitS == 500U);
}

BOOST_AUTO_TEST_CASE(AWireBeyondItsLimitsIsRefused)
{
    for (const std::string rest : {"rate_mbit_s\nn0,s0,1000001\n",
                                   "wires\nn0,s0,5\n",
                                   "cells\nn0,s0,65536\n",
                                   "rate\nn0,s0,1\n",
                                   "wires,wires\nn0,s0,1,1\n",
                                   "length_mm,latency_ns\nn0,s0,1,1\n"})
    {
        BOOST_CHECK_THROW(FromCsv("a,b," + rest + "n1,s0\n", 2), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(OnlyPresentHostsAreConnected)
{
    const Topology topology = FromCsv("a,b\nn0,s0\nn1,s0\nn2,s0\n", 2);
    BOOST_TEST(topology.cables.size() == 2U);
}

BOOST_AUTO_TEST_CASE(AGraphFromAFileIsRoutedUpAndDown)
{
    const Topology topology =
        FromCsv("a,b\nn0,s0\nn1,s1\nn2,s2\nn3,s3\ns0,s1\ns1,s2\ns2,s3\ns3,s0\n", 4);
    BOOST_TEST(topology.routing == "up-down");
    CheckGraph(topology);
}

BOOST_AUTO_TEST_CASE(WhatIsNoGraphMlIsRefused)
{
    for (const std::string& inside :
         {std::string("<node id='n0'>"), // not closed
          std::string("<node id='red'/>"),
          PAIR + "<edge source='red' target='green'/>",
          PAIR + "<edge source='red' target='hub'/>",
          PAIR + "<node id='red'><data key='d0'>host</data></node>",
          PAIR + "<node id='lone'><data key='d0'>host</data></node>",
          PAIR + "<edge source='hub' target='hub'/>",
          std::string("<node id='n0'/><node id='n1'/><node id='s0'/>"
                      "<edge source='n0' target='s0' targetport='1'/>"
                      "<edge source='n1' target='s0' targetport='1'/>"),
          std::string("<node id='n0'/><node id='s0'/>"
                      "<edge source='n0' target='s0'><data key='d1'>long</data></edge>")})
    {
        BOOST_CHECK_THROW(FromXml(inside), ConfigError);
    }
    std::istringstream other("<html/>");
    BOOST_CHECK_THROW(ReadGraphMl(other, "x"), ConfigError);
}

BOOST_AUTO_TEST_CASE(NestedElementsAreRefusedBeforeTheyAreParsed)
{
    std::string tags;
    for (int i = 0; i < 20'000; ++i)
    {
        tags += "<a>";
    }
    std::istringstream deep("<graphml>\n" + tags);
    BOOST_CHECK_EXCEPTION(ReadGraphMl(deep, "x.graphml"), ConfigError, [](const auto& error) {
        return std::string(error.what()) ==
               "--topology = file:x.graphml:2: nested more than 64 levels deep";
    });
}

BOOST_AUTO_TEST_CASE(WhatIsNoEdgeListIsRefused)
{
    for (const std::string lines : {"",
                                    "n0,s0\n",
                                    "a,b\nn0\n",
                                    "a,b\nn0,s0,3\n",
                                    "a,b\nn0,x0\n",
                                    "a,b\nn0,s\n",
                                    "a,b\nn0,s0.x\n",
                                    "a,b\nn0.7,s0\n",
                                    "a,b\nn1,s0\n",
                                    "a,b\nn0,s1\n",
                                    "a,b,length_mm\nn0,s0,far\n"})
    {
        BOOST_CHECK_THROW(FromCsv(lines, 1), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(AFileThatIsNotThereOrOfAnotherKindIsRefused)
{
    BOOST_CHECK_THROW(Parsed("file:/no/such/file.csv"), ConfigError);
    BOOST_CHECK_THROW(Parsed("file:/dev/null"), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
