/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Checks of topologies: valid graph, routes that arrive, bisection.

#ifndef VIA_TEST_GRAPH_H
#define VIA_TEST_GRAPH_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{
namespace test
{

/// Parses a topology for the default card.
Topology Parsed(const std::string& text, std::uint32_t hosts = 0);

/// Fails unless every port has at most one cable, and the routes of all pairs arrive.
void CheckGraph(const Topology& topology, std::uint32_t stride = 1);

/// Number of cables between switches.
std::size_t Trunks(const Topology& topology);

/// True if all routes are as short as the graph allows.
bool EveryRouteIsShortest(const Topology& topology);

/// Fewest cables between two halves of the hosts: tries all divisions of up to 20 switches.
std::uint64_t BisectionByForce(const Topology& topology);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_GRAPH_H
