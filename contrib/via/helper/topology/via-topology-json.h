/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as JSON: what several OS processes must agree on.

#ifndef VIA_TOPOLOGY_JSON_H
#define VIA_TOPOLOGY_JSON_H

#include "ns3/via-topology.h"

#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief Writes @p topology with its routes, so that nothing need be computed again.
 * @return an object: name, family, routing, hosts, lanes, rails, bisection; `switches`, each with
 * ports, place, selection (the number of a PortSelection), choices, and `routes`, runs of hosts
 * [count, port, lane, choice], 65535 for no port; `cables`, each [is a switch, index, port, the
 * same of the other end, attributes of the wire in the order of WireSpec::Attributes()]
 */
std::string TopologyToJson(const Topology& topology);

/**
 * @brief Reads what TopologyToJson wrote.
 * @throws ConfigError naming "graph" if a number leads out of the topology or a route is missing;
 * that routes arrive and cause no deadlock is not checked again
 */
Topology TopologyFromJson(const std::string& text);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_JSON_H
