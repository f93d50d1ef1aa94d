/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What tests ask of a topology: is it a graph, do all routes arrive, what does a halving cut.

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

/// The topology of this name on the usual card.
Topology Parsed(const std::string& text, std::uint32_t hosts = 0);

/// Fails unless every port has one cable at most, and every pair's route arrives.
void CheckGraph(const Topology& topology, std::uint32_t stride = 1);

/// Cables between two switches.
std::size_t Trunks(const Topology& topology);

/// True if all routes are as short as the graph allows.
bool EveryRouteIsShortest(const Topology& topology);

/// Fewest cables between two halves of the hosts: all halvings of up to 20 switches tried.
std::uint64_t BisectionByForce(const Topology& topology);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_GRAPH_H
