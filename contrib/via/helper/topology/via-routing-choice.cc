/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routing by name, and the rejection of routes that can deadlock.

#include "ns3/via-channel-graph.h"
#include "ns3/via-error.h"
#include "ns3/via-routing.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{

Topology
Rerouted(Topology topology, const std::string& routing)
{
    if (routing == topology.routing || topology.switches.empty())
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
    throw ConfigError("--topology",
                      topology.name,
                      "routing is one of " + topology.routing +
                          " (its own), shortest-path, up-down, ecmp, adaptive");
}

} // namespace

Topology
WithRouting(Topology topology, const std::string& routing, bool mayDeadlock)
{
    topology = Rerouted(std::move(topology), routing);
    if (!mayDeadlock)
    {
        RequireNoDeadlock(topology);
    }
    return topology;
}

} // namespace via
} // namespace ns3
