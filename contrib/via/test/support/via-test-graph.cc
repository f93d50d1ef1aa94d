/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Checks of topologies: valid graph, routes that arrive, bisection.

#include "via-test-graph.h"

#include "ns3/via-routing.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <tuple>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

/// Number of cables that a set of switches, one per bit, cuts; hosts join the cheaper side.
std::uint64_t
Cut(const Topology& topology, std::uint32_t side)
{
    std::uint64_t cut = 0;
    std::uint32_t inside = 0;
    for (const Cable& cable : topology.cables)
    {
        const auto isIn = [side](const Endpoint& end) { return (side >> end.index & 1) != 0; };
        if (cable.a.isSwitch)
        {
            cut += isIn(cable.a) != isIn(cable.b) ? 1 : 0;
        }
        else
        {
            inside += isIn(cable.b) ? 1 : 0;
        }
    }
    const std::uint32_t half = topology.hosts / 2; // hosts beyond it have their own cables cut
    return cut + (inside > half ? inside - half : half - inside);
}

} // namespace

Topology
Parsed(const std::string& text, std::uint32_t hosts)
{
    static const ProviderProfile profile = ProviderProfile::Load("giganet-clan1000");
    return ParseTopology(text, hosts, profile);
}

void
CheckGraph(const Topology& topology, std::uint32_t stride)
{
    for (std::uint32_t from = 0; from < topology.hosts; from += stride)
    {
        for (std::uint32_t to = 0; to < topology.hosts; to += stride)
        {
            BOOST_REQUIRE(topology.Hops(from, to) <= topology.switches.size());
        }
    }
    std::set<std::tuple<bool, std::uint32_t, std::uint32_t>> ends;
    for (const Cable& cable : topology.cables)
    {
        for (const Endpoint& end : {cable.a, cable.b})
        {
            BOOST_REQUIRE(ends.insert({end.isSwitch, end.index, end.port}).second);
            BOOST_REQUIRE((!end.isSwitch || end.port < topology.switches[end.index].ports));
        }
    }
}

std::size_t
Trunks(const Topology& topology)
{
    return static_cast<std::size_t>(
        std::count_if(topology.cables.begin(), topology.cables.end(), [](const Cable& cable) {
            return cable.a.isSwitch && cable.b.isSwitch;
        }));
}

bool
EveryRouteIsShortest(const Topology& topology)
{
    const Adjacency graph(topology);
    for (std::uint32_t to = 0; to < topology.hosts; ++to)
    {
        const std::vector<std::uint32_t> distances = Distances(graph, graph.hosts[to].index);
        for (std::uint32_t from = 0; from < topology.hosts; ++from)
        {
            if (topology.Hops(from, to) != distances[graph.hosts[from].index] + 1)
            {
                return false;
            }
        }
    }
    return true;
}

std::uint64_t
BisectionByForce(const Topology& topology)
{
    const auto switches = static_cast<std::uint32_t>(topology.switches.size());
    BOOST_REQUIRE(switches <= 20);
    std::uint64_t least = UINT64_MAX;
    for (std::uint32_t side = 0; side < std::uint32_t{1} << switches; ++side)
    {
        least = std::min(least, Cut(topology, side));
    }
    return least;
}

} // namespace test
} // namespace via
} // namespace ns3
