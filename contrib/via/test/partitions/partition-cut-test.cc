/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Several partitions: a graph is cut where few cables are.

#include "../support/via-test-cluster-bench.h"

#include "ns3/via-partition-cut.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

Topology
Graph(const std::string& name, std::uint32_t nodes)
{
    return ParseTopology(name, nodes, ProviderProfile::Load("giganet-clan1000"));
}

/// The same cables; switch i has number 5 i modulo the count, which 5 does not divide.
Topology
Scrambled(Topology graph)
{
    const auto count = static_cast<std::uint32_t>(graph.switches.size());
    for (Cable& cable : graph.cables)
    {
        for (Endpoint* end : {&cable.a, &cable.b})
        {
            end->index = end->isSwitch ? end->index * 5 % count : end->index;
        }
    }
    return graph;
}

std::uint32_t
MostHosts(const PartitionPlan& plan)
{
    std::vector<std::uint32_t> loads(plan.partitions, 0);
    for (const std::uint32_t partition : plan.hosts)
    {
        ++loads[partition];
    }
    return *std::max_element(loads.begin(), loads.end());
}

/// The most that one has.
std::size_t
HostsOfOneSwitch(const Topology& graph)
{
    std::vector<std::size_t> hosts(graph.switches.size(), 0);
    for (const Endpoint& end : Adjacency(graph).hosts)
    {
        hosts[end.index] += end.isSwitch ? 1 : 0;
    }
    return *std::max_element(hosts.begin(), hosts.end());
}

} // namespace

BOOST_AUTO_TEST_SUITE(PartitionCutTest)

/// By construction the fewest are known; a quarter more may be cut.
BOOST_AUTO_TEST_CASE(NumbersOfSwitchesHardlyMatter)
{
    for (const auto& [name, nodes, partitions, least] : {std::tuple{"torus:4x4", 16U, 2U, 8U},
                                                         {"torus:8x8", 64U, 2U, 16U},
                                                         {"ring", 12U, 3U, 3U},
                                                         {"mesh:8x2", 16U, 4U, 6U}})
    {
        const Topology graph = Scrambled(Graph(name, nodes));
        BOOST_TEST_CONTEXT(name)
        {
            BOOST_TEST(DivideBySwitch(graph, partitions).CountCuts(graph) > least * 5 / 4);
            BOOST_TEST(DivideByCut(graph, partitions).CountCuts(graph) <= least * 5 / 4);
        }
    }
}

BOOST_AUTO_TEST_CASE(NoMoreCablesAreCutThanBySwitch)
{
    for (const auto& [name, nodes] : {std::pair{"fat-tree:k=4,n=3", 64U},
                                      {"fat-tree:k=2,n=4", 16U},
                                      {"hypercube:4", 16U},
                                      {"torus:3x3x3", 27U},
                                      {"chain", 7U},
                                      {"star", 8U}})
    {
        const Topology graph = Graph(name, nodes);
        for (std::uint32_t partitions = 1; partitions <= 6; ++partitions)
        {
            const PartitionPlan plain = DivideBySwitch(graph, partitions);
            const PartitionPlan cut = DivideByCut(graph, partitions);
            BOOST_TEST_CONTEXT(name << " on " << partitions)
            {
                BOOST_TEST(cut.CountCuts(graph) <= plain.CountCuts(graph));
                BOOST_TEST(MostHosts(cut) <= MostHosts(plain) + HostsOfOneSwitch(graph));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(HostsOfOneSwitchAreDealtOutByNumberHereToo)
{
    const Topology graph = Graph("star", 8);
    const std::vector<std::uint32_t> expected{0, 0, 0, 0, 1, 1, 1, 1};
    BOOST_TEST(DivideByCut(graph, 2).hosts == expected);
}

BOOST_AUTO_TEST_CASE(WithoutSwitchesThereIsNothingToCut)
{
    const Topology graph = Graph("back-to-back", 2);
    const std::vector<std::uint32_t> expected{0, 1};
    BOOST_TEST(DivideByCut(graph, 2).hosts == expected);
    BOOST_TEST(DivideByCut(graph, 1).CountCuts(graph) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
