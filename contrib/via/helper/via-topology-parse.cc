/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// From the text of --topology to the graph: its family, its routes, the proof that none deadlocks.

#include "ns3/via-channel-graph.h"
#include "ns3/via-routing.h"
#include "ns3/via-topology-families.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// The routes that @p routing names in place of the family's own.
Topology
Rerouted(Topology topology, const std::string& routing, const TopologyText& text)
{
    if (routing == topology.routing)
    {
        return topology;
    }
    if (routing == "shortest-path")
    {
        return RouteShortestPath(std::move(topology));
    }
    if (routing == "up-down")
    {
        const std::uint32_t root = CentreOf(topology);
        return RouteUpDown(std::move(topology), root);
    }
    if (routing == "ecmp")
    {
        return RouteAnyShortest(std::move(topology), PortSelection::FLOW_HASH);
    }
    if (routing == "adaptive")
    {
        return RouteAnyShortest(std::move(topology), PortSelection::ADAPTIVE);
    }
    text.Refuse("routing is one of " + topology.routing +
                " (its own), shortest-path, up-down, ecmp, adaptive");
}

} // namespace

Topology
ParseTopology(const std::string& text, std::uint32_t hosts, const ProviderProfile& profile)
{
    TopologyText pieces(text);
    const TopologyFamily& family = FamilyOf(pieces);
    const std::string routing = pieces.TakeWord("routing", "");
    const std::string deadlock = pieces.TakeWord("deadlock", "refuse");
    if (deadlock != "refuse" && deadlock != "allow")
    {
        pieces.Refuse("deadlock is one of refuse, allow");
    }
    Topology topology = family.build({pieces, hosts, profile, family.usage});
    pieces.ExpectNoMore(family.usage);
    topology.name = text;
    if (!routing.empty() && !topology.switches.empty())
    {
        topology = Rerouted(std::move(topology), routing, pieces);
    }
    if (deadlock == "refuse")
    {
        RequireNoDeadlock(topology);
    }
    return topology;
}

} // namespace via
} // namespace ns3
