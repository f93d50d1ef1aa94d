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
 * adaptive routes. Channels that lead to no cycle are removed by a search in depth. Edges are
 * stored as the routes that packets on a channel take next, one bit each: a switch has few
 * different ones.
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

    /// Hosts of a page of routes, one bit each.
    using HostSet = std::uint64_t;

    static_assert(RouteTable::PAGE == 64);

    /// The sets of one page of destinations, by switch.
    struct Walk
    {
        std::vector<HostSet> seen;    ///< packets to them arrive
        std::vector<HostSet> pending; ///< of them: those to follow
        Ids open;                     ///< switches with a pending set
    };

    std::uint32_t IdOf(std::uint32_t from, std::uint32_t port, std::uint8_t lane) const;
    template <typename Use>
    void ForEachPort(std::uint32_t one, const Route& route, Use use) const;
    void Visit(Walk& walk, std::uint32_t one, HostSet hosts) const;
    void Follow(std::uint32_t first, const Ids& homes, Walk& walk);
    void FollowFrom(std::uint32_t one, std::uint32_t destination, Walk& walk);
    const Route& RouteFrom(std::uint32_t one, std::uint32_t destination) const;
    std::uint32_t RouteCount(std::uint32_t one) const;
    void Note(std::uint32_t channel, std::uint32_t peer, const Route& route);
    Ids Followers(std::uint32_t id) const;
    std::vector<bool> Left(const std::vector<bool>& counted) const;
    std::vector<WireLane> CycleIn(const std::vector<bool>& counted) const;
    WireLane ChannelOf(std::uint32_t id) const;

    const Topology& m_topology;
    Adjacency m_graph;
    Ids m_firstOf;                    ///< by switch: id of its port 0, lane 0; then the end
    std::vector<std::size_t> m_after; ///< by channel: its place in m_routes; 0: no packet uses it
    std::vector<std::uint64_t> m_routes; ///< sets of next routes of packets, one bit each
};

/// The names of the channels, joined by commas.
std::string CycleText(const std::vector<WireLane>& cycle);

/// @throws ConfigError naming the routing and the channels of a cycle, if there is one
void RequireNoDeadlock(const Topology& topology);

} // namespace via
} // namespace ns3

#endif // VIA_CHANNEL_GRAPH_H
