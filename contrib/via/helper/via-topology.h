/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as a value: hosts, switches, cables, and the routes of each switch.

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
    static constexpr std::uint32_t NOWHERE = UINT32_MAX;

    bool isSwitch{false};
    std::uint32_t index{NOWHERE}; ///< of the host or switch; NOWHERE: no cable
    std::uint32_t port{0};
};

/// A full-duplex cable.
struct Cable
{
    Endpoint a;
    Endpoint b;
    std::uint32_t lengthMm{0}; ///< mm; 0: as long as the profile's, link.cable_length_mm
};

/// A switch of a topology.
struct SwitchShape
{
    std::uint32_t ports{0};
    RouteTable table;

    /// Where it stands in its family: coordinates of a grid, (level, place) of a tree, (group,
    /// router) of a dragonfly; empty where there is no such order.
    std::vector<std::uint32_t> place;
};

struct Adjacency;

/**
 * @brief A graph as a value: hosts 0 .. hosts-1, switches, cables, and a route per switch and
 * destination. Every route is a path of cables to that host; between two hosts it is one path,
 * unless its tables leave a choice.
 */
struct Topology
{
    std::string name; ///< as on the command line, e.g. "star" or "fat-tree:k=4,n=3"
    std::uint32_t hosts{0};
    std::vector<SwitchShape> switches;
    std::vector<Cable> cables;
    std::string family;         ///< what draws it: "star", "grid", "ring", "tree", ...
    std::string routing;        ///< how its tables were made, e.g. "dimension-order"
    std::uint32_t lanes{1};     ///< virtual lanes that the routes need on each wire
    std::uint64_t bisection{0}; ///< fewest cables between two halves of all hosts; 0: not known

    /// Switches on the way from host @p from to host @p to.
    std::uint32_t Hops(std::uint32_t from, std::uint32_t to) const;

    /// May two packets from one host to another take different paths?
    bool MayOvertake() const;

    /// The same for who asks often: @p graph is that of this topology.
    std::uint32_t Hops(const Adjacency& graph, std::uint32_t from, std::uint32_t to) const;
};

/// Who is at the other end of each cable: by index, then by port.
struct Adjacency
{
    explicit Adjacency(const Topology& topology);

    std::vector<std::vector<Endpoint>> switches;
    std::vector<Endpoint> hosts; ///< the switch port, or host, that each host is plugged into
};

/**
 * @brief The topology that @p text names, "FAMILY[:SHAPE][,option=value]...", see the page
 * "Topologies" for all families and options.
 *
 * @param hosts how many are plugged in, from host 0 on; the others' cables are left out. 0: as
 * many as there is room for, if the text says it.
 * @throws ConfigError naming --topology, the text and what is allowed; also for routes on which
 * packets may wait for each other in a cycle, unless `deadlock=allow` is among the options
 */
Topology ParseTopology(const std::string& text,
                       std::uint32_t hosts,
                       const ProviderProfile& profile);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_H
