/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads topologies from files: GraphML, and edge lists as CSV.

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

/// A cable of a graph from a file.
struct GraphEdge
{
    static constexpr std::uint32_t ANY = UINT32_MAX;

    std::string a; ///< name of a host or switch
    std::string b;
    std::uint32_t portA{ANY}; ///< port of a switch; ANY: its first free one
    std::uint32_t portB{ANY};
    WireSpec wire{};
};

/// A graph from a file. The place of a name in its list is the number of the host or switch.
struct GraphDescription
{
    std::vector<std::string> hosts;
    std::vector<std::string> switches;
    std::vector<GraphEdge> edges;
};

/**
 * @brief Reads a .graphml or .csv file; the page "Topologies" describes both formats.
 * @throws ConfigError naming --topology, the file and what is wrong
 */
GraphDescription ReadGraph(const std::string& path);

/// @param source name of the input, for errors
GraphDescription ReadGraphMl(std::istream& input, const std::string& source);
GraphDescription ReadEdgeList(std::istream& input, const std::string& source);

/**
 * @brief Makes a topology of the graph, with up*, down* routes from its centre.
 * @param hosts number of hosts to connect, from the first
 * @param name of the topology
 * @throws ConfigError for an unknown name, a host without a cable or with several, a port used
 * twice, a wire beyond its limits, or an unreachable part
 */
Topology FromGraph(const GraphDescription& graph, std::uint32_t hosts, const std::string& name);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_FILE_H
