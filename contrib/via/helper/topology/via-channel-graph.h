/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The channel dependency graph: can packets on these routes wait for each other forever?

#ifndef VIA_CHANNEL_GRAPH_H
#define VIA_CHANNEL_GRAPH_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A virtual lane of a cable between switches, in one direction.
struct WireLane
{
    std::uint32_t fromSwitch{0};
    std::uint32_t port{0}; ///< of fromSwitch
    std::uint8_t lane{0};
    std::uint32_t toSwitch{0};

    /// e.g. "s0.3 -> s1 lane 0"
    std::string Name() const;
};

/**
 * @brief The channel dependency graph has an edge from channel a to channel b if a packet that
 * arrives over a may leave over b. Without a cycle a lossless fabric cannot deadlock.
 *
 * It contains only the paths of packets between the topology's hosts, including all choices of
 * adaptive routes. Kahn's algorithm removes channels that wait for no other; if any are left, they
 * contain a cycle.
 */
class ChannelGraph
{
  public:
    /// @throws ConfigError if a switch has no route for a packet that reaches it
    explicit ChannelGraph(const Topology& topology);
    explicit ChannelGraph(Topology&& topology) = delete; // would not outlive the call

    /// Number of channels that packets use.
    std::size_t ChannelCount() const;

    /// Number of edges.
    std::size_t DependencyCount() const;

    /// The channels of one cycle, in the order in which packets use them; empty: no cycle.
    std::vector<WireLane> Cycle() const;

    /// As above, among the channels for which @p counts is true.
    std::vector<WireLane> CycleOf(const std::function<bool(const WireLane&)>& counts) const;

  private:
    using Ids = std::vector<std::uint32_t>;

    std::uint32_t IdOf(std::uint32_t from, std::uint32_t port, std::uint8_t lane) const;
    Ids PortsOf(std::uint32_t one, const Route& route) const;
    void Follow(std::uint32_t destination, Ids& seenFor);
    const Route& RouteFrom(std::uint32_t one, std::uint32_t destination) const;
    void Note(std::uint32_t channel, const Route& route);
    std::vector<Ids> Followers() const;
    std::vector<WireLane> CycleIn(const std::vector<Ids>& followers) const;
    WireLane ChannelOf(std::uint32_t id) const;

    const Topology& m_topology;
    Adjacency m_graph;
    Ids m_firstOf;                           ///< by switch: id of its port 0, lane 0; then the end
    std::vector<bool> m_used;                ///< by channel
    std::vector<std::vector<Route>> m_after; ///< by channel: the next routes of its packets
};

/// The names of the channels, joined by commas.
std::string CycleText(const std::vector<WireLane>& cycle);

/// @throws ConfigError naming the routing and the channels of a cycle, if there is one
void RequireNoDeadlock(const Topology& topology);

} // namespace via
} // namespace ns3

#endif // VIA_CHANNEL_GRAPH_H
