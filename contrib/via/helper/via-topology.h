/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies: pure functions that return a graph with routes.

#ifndef VIA_TOPOLOGY_H
#define VIA_TOPOLOGY_H

#include "ns3/via-provider-profile.h"
#include "ns3/via-route.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// One end of a cable: the NIC of a host (port 0), or a port of a switch.
struct Endpoint
{
    bool isSwitch{false};
    std::uint32_t index{0};
    std::uint32_t port{0};
};

/// A full-duplex cable.
struct Cable
{
    Endpoint a;
    Endpoint b;
};

/// A switch of a topology.
struct SwitchShape
{
    std::uint32_t ports{0};
    RouteTable table;
};

/**
 * @brief A graph as a value: hosts 0 .. hosts-1, switches, cables, and a route per switch and
 * destination. Every route is a path of cables to that host; between two hosts it is one path.
 */
struct Topology
{
    std::string name; ///< as on the command line, e.g. "star" or "fat-tree:k=4,n=3"
    std::uint32_t hosts{0};
    std::vector<SwitchShape> switches;
    std::vector<Cable> cables;

    /// Switches on the way from host @p from to host @p to.
    std::uint32_t Hops(std::uint32_t from, std::uint32_t to) const;
};

/// Two hosts on one cable, no switch.
Topology BackToBack();

/// One ideal switch with a port for each of @p hosts hosts.
Topology Crossbar(std::uint32_t hosts);

/**
 * @brief A k-ary n-tree: k^n hosts, n levels of switches with 2k ports (k at the root level).
 * Routes up by destination modulo k per level, so that traffic to different hosts spreads.
 * Switches that only absent hosts would use are left out.
 * @param hosts at most k^n
 */
Topology FatTree(std::uint32_t k, std::uint32_t n, std::uint32_t hosts);

/**
 * @brief Hosts around one switch of the product, cascaded when it has too few ports.
 *
 * The rule: the smallest of the product's switches that has a port per host. If none has,
 * the largest, of P ports, forms the smallest (P/2)-ary n-tree that has room for all hosts.
 * @param portCounts the product's switch sizes, ascending
 * @throw ConfigError the largest has less than 4 ports, of which no tree is made, and no room
 */
Topology Star(std::uint32_t hosts, const std::vector<std::uint64_t>& portCounts);

/**
 * @brief The topology that @p text names: "star", "back-to-back", "crossbar" or
 * "fat-tree:k=K,n=N".
 * @throws ConfigError naming --topology, the text and what is allowed
 */
Topology ParseTopology(const std::string& text,
                       std::uint32_t hosts,
                       const ProviderProfile& profile);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_H
