/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routes computed from the graph alone, for any family.

#ifndef VIA_ROUTING_H
#define VIA_ROUTING_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Fills the tables of all switches of @p topology: the switch of a host routes to the host's
 * port, other switches use the route that @p next returns.
 * @param next (from switch, to switch, destination host) -> Route
 */
template <typename Next>
void
FillRoutes(Topology& topology, Next next)
{
    const Adjacency graph(topology);
    const auto pool = std::make_shared<RoutePool>();
    std::vector<Route> routes(topology.hosts);
    for (std::uint32_t one = 0; one < topology.switches.size(); ++one)
    {
        for (std::uint32_t host = 0; host < topology.hosts; ++host)
        {
            const Endpoint& home = graph.hosts[host];
            routes[host] = home.index == one ? Route{static_cast<std::uint16_t>(home.port)}
                                             : next(one, home.index, host);
        }
        topology.switches[one].table = RouteTable(routes, pool);
    }
}

/// Removes the wires of the ports of @p one that have no cable. @p ends: the other ends, by port
template <typename SWITCH>
void
DropWiresWithoutCable(SWITCH& one, const std::vector<Endpoint>& ends)
{
    for (std::uint32_t port = 0; port < ends.size(); ++port)
    {
        if (ends[port].index == Endpoint::NOWHERE)
        {
            one.DropWire(port);
        }
    }
}

/**
 * @brief Source routes: sets, on each wire into a switch, the number of switches that a packet to
 * each host has yet to pass. That much of the route is in its head.
 * @param linkFrom returns the wire that leaves an end of a cable; null: it is in another partition
 * @throws ConfigError if a path is longer than a route can be
 */
template <typename LinkFrom>
void
PutRoutesIntoHeads(const Topology& topology, const Adjacency& graph, LinkFrom linkFrom)
{
    const auto ahead = SwitchesAhead(topology, graph);
    for (const Cable& cable : topology.cables)
    {
        for (const auto& [from, to] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)})
        {
            const auto link = linkFrom(from);
            if (to.isSwitch && link != nullptr)
            {
                link->SetSwitchesAhead(ahead[to.index]);
            }
        }
    }
}

/**
 * @brief Each switch sends to a neighbour nearer to the destination; with several, to number
 * (destination host modulo their count).
 * @throws ConfigError if two hosts are not connected
 */
Topology RouteShortestPath(Topology topology);

/**
 * @brief As RouteShortestPath, but packets may take any nearer neighbour.
 * @param selection how a port is chosen
 * @throws ConfigError if two hosts are not connected, or a switch has more than 255 different sets
 * of ports
 */
Topology RouteAnyShortest(Topology topology, PortSelection selection);

/**
 * @brief Up*, down*: the level of a switch is its distance from switch @p root; numbers break ties.
 * A packet goes down as soon as the destination is below, and never up again, so packets cannot
 * wait in a cycle in any graph, on one lane.
 * @throws ConfigError if two hosts are not connected
 */
Topology RouteUpDown(Topology topology, std::uint32_t root);

/**
 * @brief Replaces the routes of a topology by those that @p routing names.
 * @param routing "shortest-path", "up-down", "ecmp", "adaptive", or the name of the topology's own
 * @param mayDeadlock false: reject routes on which packets can wait for each other in a cycle
 * @throws ConfigError naming --topology, the topology and what is allowed
 */
Topology WithRouting(Topology topology, const std::string& routing, bool mayDeadlock);

/// The largest distance between two switches, in cables. @throws ConfigError if it is not connected
std::uint32_t DiameterOf(const Topology& topology);

/// The switch with the smallest distance to its farthest switch; of several, the first.
std::uint32_t CentreOf(const Topology& topology);

/// Distance in cables from switch @p from to each switch; UINT32_MAX: not connected.
std::vector<std::uint32_t> Distances(const Adjacency& graph, std::uint32_t from);

} // namespace via
} // namespace ns3

#endif // VIA_ROUTING_H
