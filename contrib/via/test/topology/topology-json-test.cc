/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as JSON: it comes back whole, and numbers that lead out of it are refused.

#include "../support/via-test-graph.h"
#include "../support/via-test-refusal.h"

#include "ns3/via-topology-json.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Whether the ring of four with @p value at @p where is refused with @p said.
bool
RefusesRing(const std::string& where, const nlohmann::json& value, const std::string& said)
{
    auto json = nlohmann::json::parse(TopologyToJson(Parsed("ring", 4)));
    json[nlohmann::json::json_pointer(where)] = value;
    return Refuses([&json] { TopologyFromJson(json.dump()); }, said);
}

} // namespace

BOOST_AUTO_TEST_SUITE(TopologyJsonTest)

BOOST_AUTO_TEST_CASE(ATopologyComesBackWhole)
{
    for (const char* text : {"star",
                             "torus:3x3,rails=2",
                             "fat-tree:k=4,n=2,routing=adaptive",
                             "fat-tree:k=2,n=3,routing=ecmp",
                             "dragonfly:a=2,p=2,h=1"})
    {
        Topology topology = Parsed(text, 8);
        topology.cables[1].wire = {0, 250, 4000, 0, 64};
        const std::string json = TopologyToJson(topology);
        const Topology back = TopologyFromJson(json);
        BOOST_TEST(TopologyToJson(back) == json);
        BOOST_TEST(back.name == topology.name);
        BOOST_TEST(back.cables[1].wire.rateMbitS == 4000U);
        BOOST_TEST((back.switches[0].table.All() == topology.switches[0].table.All()));
        BOOST_TEST(back.MayOvertake() == topology.MayOvertake());
    }
}

BOOST_AUTO_TEST_CASE(NumbersThatLeadOutOfItAreRefused)
{
    BOOST_TEST(RefusesRing("/cables/0/1", 9, "graph = host 9: a whole number from 0 to 3"));
    BOOST_TEST(RefusesRing("/cables/0/2", 9, "graph = card 9: a whole number from 0 to 0"));
    BOOST_TEST(RefusesRing("/cables/0/5", 9, "graph = port 9: a whole number from 0 to 2"));
    BOOST_TEST(RefusesRing("/switches/0/routes/0/1", 9, "graph = port of a route 9: a whole"));
    BOOST_TEST(RefusesRing("/switches/0/routes/0/0",
                           9,
                           "hosts with one route 9: a whole number from 1 to 4"));
    BOOST_TEST(
        RefusesRing("/switches/0/routes/0/2", 9, "graph = lane 9: a whole number from 0 to 1"));
    BOOST_TEST(
        RefusesRing("/switches/0/routes/0/3", 1, "graph = choice 1: a whole number from 0 to 0"));
    BOOST_TEST(
        RefusesRing("/switches/0/selection", 3, "graph = selection 3: a whole number from 0 to 2"));
    BOOST_TEST(RefusesRing("/switches/0/routes/0/1", 65536, "graph = port of a route 65536: a"));
    BOOST_TEST(RefusesRing("/lanes", -1, "graph = lanes -1: a whole number from 1 to 16"));
    BOOST_TEST(RefusesRing("/rails", 9, "graph = rails 9: a whole number from 1 to 8"));
    BOOST_TEST(RefusesRing("/cables/0/7", 2'000'000'000, "latency_ns"));
}

BOOST_AUTO_TEST_CASE(WhatIsMissingIsNamed)
{
    BOOST_TEST(Refuses([] { TopologyFromJson("{}"); }, "'name' not found"));
    BOOST_TEST(Refuses([] { TopologyFromJson("{"); }, "graph = given"));
    BOOST_TEST(RefusesRing("/hosts", "four", "graph = hosts \"four\": a whole number from 1"));
    BOOST_TEST(RefusesRing("/switches/0/routes", nlohmann::json::array(), "0 routes of a switch"));
}

BOOST_AUTO_TEST_SUITE_END()
