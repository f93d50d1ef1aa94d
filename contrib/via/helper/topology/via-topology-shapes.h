/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The families of topologies: pure functions that return a graph with its default routes.

#ifndef VIA_TOPOLOGY_SHAPES_H
#define VIA_TOPOLOGY_SHAPES_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Two hosts on one cable, no switch.
Topology BackToBack();

/// One ideal switch with a port for each of @p hosts hosts.
Topology Crossbar(std::uint32_t hosts);

/**
 * @brief Hosts around one switch of the product, or a tree of switches when it has too few ports.
 *
 * The switch is the smallest of the product's that has a port per host. If none has, the largest,
 * with P ports, forms the smallest (P/2)-ary n-tree that holds all hosts.
 * @param portCounts the product's switch sizes, ascending
 * @throw ConfigError if the largest has too few ports, and fewer than the 4 that a tree needs
 */
Topology Star(std::uint32_t hosts, const std::vector<std::uint64_t>& portCounts);

/// An n-dimensional grid of switches. One cable joins the two switches of a dimension of 2.
struct GridShape
{
    std::vector<std::uint32_t> sizes; ///< switches per dimension, at least 1 each
    bool wraps{false};                ///< a cable joins the ends of each row of 3 or more
    std::uint32_t hostsPerSwitch{1};

    std::uint64_t Switches() const;
};

/**
 * @brief Mesh, torus, chain, ring or hypercube. Switch 0 has the lowest coordinates; the first
 * dimension varies fastest. Host h is on switch h / hostsPerSwitch. Routes are in dimension order.
 *
 * Ports: first the hosts, then up and down for each dimension (one port for both in a dimension of
 * 2).
 * @param hosts at most Switches() * hostsPerSwitch
 */
Topology Grid(const GridShape& shape, std::uint32_t hosts);

/**
 * @brief A k-ary n-tree: k^n hosts, n levels of switches with 2k ports (k at the root level). The
 * route up is the destination modulo k per level, which spreads traffic to different hosts.
 * Switches that only absent hosts would use are left out.
 * @param hosts at most k^n
 */
Topology FatTree(std::uint32_t k, std::uint32_t n, std::uint32_t hosts);

/// A folded Clos network of three stages: leaves with hosts below and spines above.
struct ClosShape
{
    std::uint32_t spines{0};       ///< m; each is cabled to each leaf
    std::uint32_t hostsPerLeaf{0}; ///< n; rearrangeably nonblocking if m >= n
    std::uint32_t leaves{0};       ///< r
};

/**
 * @brief Leaves are switches 0 .. r-1, spines follow. The route up is the destination modulo m.
 * @param hosts at most n * r
 */
Topology Clos(const ClosShape& shape, std::uint32_t hosts);

/// Groups of routers. Cables join all routers of a group, and each pair of groups.
struct DragonflyShape
{
    std::uint32_t routers{0};        ///< a: routers per group
    std::uint32_t hostsPerRouter{0}; ///< p
    std::uint32_t globalPorts{0};    ///< h: cables from a router to other groups
    std::uint32_t groups{0};         ///< g: at most a * h + 1

    std::uint64_t Switches() const;
};

/**
 * @brief A dragonfly with one cable between each pair of groups. A group's cables are assigned in
 * the order of the other groups. Routes are minimal: local, global, local, the last on lane 1.
 *
 * Ports of a router: p hosts, a - 1 routers of its group, h other groups.
 * @param hosts at most p * a * g
 */
Topology Dragonfly(const DragonflyShape& shape, std::uint32_t hosts);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_SHAPES_H
