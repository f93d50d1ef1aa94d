/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies from files: GraphML, and lists of edges as CSV.

#ifndef VIA_TOPOLOGY_FILE_H
#define VIA_TOPOLOGY_FILE_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// One cable of a graph from outside.
struct GraphEdge
{
    static constexpr std::uint32_t ANY = UINT32_MAX;

    std::string a; ///< a name among the hosts or switches
    std::string b;
    std::uint32_t portA{ANY}; ///< of a switch; ANY: its first free one
    std::uint32_t portB{ANY};
    std::uint32_t lengthMm{0}; ///< 0: the profile's
};

/// A graph from outside: what has a name, in the order of its numbers.
struct GraphDescription
{
    std::vector<std::string> hosts;
    std::vector<std::string> switches;
    std::vector<GraphEdge> edges;
};

/**
 * @brief Reads a .graphml or .csv file, see the page "Topologies" for both formats.
 * @throws ConfigError naming --topology, the file and what is wrong
 */
GraphDescription ReadGraph(const std::string& path);

/// @param source names it in errors
GraphDescription ReadGraphMl(std::istream& input, const std::string& source);
GraphDescription ReadEdgeList(std::istream& input, const std::string& source);

/**
 * @brief The graph with up*, down* routes from its centre.
 * @param hosts the first so many are plugged in
 * @param name of the topology
 * @throws ConfigError an unknown name, a host without a cable or with several, a port taken twice,
 * a part that is out of reach
 */
Topology FromGraph(const GraphDescription& graph, std::uint32_t hosts, const std::string& name);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_FILE_H
