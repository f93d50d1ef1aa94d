/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routes computed from the graph alone, whatever its family.

#ifndef VIA_ROUTING_H
#define VIA_ROUTING_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Fills the tables of all switches of @p topology: a host's own switch sends to its port,
 * others do what @p next says.
 * @param next (from switch, to switch, destination host) -> Route
 */
template <typename Next>
void
FillRoutes(Topology& topology, Next next)
{
    const Adjacency graph(topology);
    for (std::uint32_t one = 0; one < topology.switches.size(); ++one)
    {
        std::vector<Route>& routes = topology.switches[one].table.routes;
        routes.resize(topology.hosts);
        for (std::uint32_t host = 0; host < topology.hosts; ++host)
        {
            const Endpoint& home = graph.hosts[host];
            routes[host] = home.index == one ? Route{static_cast<std::uint16_t>(home.port)}
                                             : next(one, home.index, host);
        }
    }
}

/**
 * @brief Source routes: tells each wire into a switch how many switches a packet for each host has
 * still to pass, for so much of its route is in its head.
 * @param linkFrom the wire that leaves an end of a cable
 * @throws ConfigError a way is longer than a route can be
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
            if (to.isSwitch)
            {
                linkFrom(from).SetSwitchesAhead(ahead[to.index]);
            }
        }
    }
}

/**
 * @brief Each switch sends to a neighbour that is nearer to the destination; of several, to number
 * (destination host modulo their count).
 * @throws ConfigError there is no way between two hosts
 */
Topology RouteShortestPath(Topology topology);

/**
 * @brief The same, and all neighbours that are nearer may be taken.
 * @param selection who takes which
 * @throws ConfigError there is no way, or a switch has more than 255 different sets of ports
 */
Topology RouteAnyShortest(Topology topology, PortSelection selection);

/**
 * @brief Up*, down*: switches are levelled by their distance from switch @p root, ties by number.
 * A packet goes down as soon as the destination is below, and never up again; so no cycle of
 * waiting can arise in any graph, on one lane.
 * @throws ConfigError there is no way between two hosts
 */
Topology RouteUpDown(Topology topology, std::uint32_t root);

/**
 * @brief The routes that @p routing names, in place of those that the topology has.
 * @param routing "shortest-path", "up-down", "ecmp", "adaptive", or the name of its own
 * @param mayDeadlock false: refuse routes on which packets can wait for each other in a cycle
 * @throws ConfigError naming --topology, its name and what is allowed
 */
Topology WithRouting(Topology topology, const std::string& routing, bool mayDeadlock);

/// The most cables between any two switches. @throws ConfigError it is in several parts
std::uint32_t DiameterOf(const Topology& topology);

/// The switch from which the farthest other one is nearest; of several, the first.
std::uint32_t CentreOf(const Topology& topology);

/// Cables from switch @p from to each other switch; UINT32_MAX: there is no way.
std::vector<std::uint32_t> Distances(const Adjacency& graph, std::uint32_t from);

} // namespace via
} // namespace ns3

#endif // VIA_ROUTING_H
