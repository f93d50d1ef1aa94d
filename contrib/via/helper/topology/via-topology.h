/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as a value: hosts, switches, cables, and the routes of each switch.

#ifndef VIA_TOPOLOGY_H
#define VIA_TOPOLOGY_H

#include "ns3/via-provider-profile.h"
#include "ns3/via-route.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// One end of a cable: a NIC of a host (its port is the number of the card), or a port of a switch.
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
    std::uint32_t rails{1};     ///< planes: card r of each host is on plane r, all are alike
    std::uint64_t bisection{0}; ///< fewest cables between two halves of all hosts; 0: not known

    /// Switches on the way from host @p from to host @p to.
    std::uint32_t Hops(std::uint32_t from, std::uint32_t to) const;

    /// May two packets from one host to another take different paths?
    bool MayOvertake() const;

    /// Switches of one plane; those of plane r are from r times as many on.
    std::uint32_t PlaneSize() const
    {
        return static_cast<std::uint32_t>(switches.size()) / rails;
    }

    /// Switches on the way from switch @p from, itself included, to host @p to: cables, too.
    std::uint32_t HopsFromSwitch(const Adjacency& graph,
                                 std::uint32_t from,
                                 std::uint32_t to) const;

    /// The same for who asks often: @p graph is that of this topology.
    std::uint32_t Hops(const Adjacency& graph, std::uint32_t from, std::uint32_t to) const;
};

/// Who is at the other end of each cable: by index, then by port. Of hosts, the first card counts.
struct Adjacency
{
    explicit Adjacency(const Topology& topology);

    std::vector<std::vector<Endpoint>> switches;
    std::vector<Endpoint> hosts; ///< the switch port, or host, that each host is plugged into
};

/**
 * @brief What a packet has to pass: by switch where it arrives, then by host that it is for, the
 * number of switches, that one included.
 * @throws ConfigError there are more than 255 on some way
 */
std::vector<std::shared_ptr<const std::vector<std::uint8_t>>> SwitchesAhead(
    const Topology& topology,
    const Adjacency& graph);

/// The most planes that a topology can have.
constexpr std::uint32_t MOST_RAILS = 8;

/**
 * @brief Each host gets @p rails cards, each on a plane of its own: copies of @p topology, which
 * has one. The switches of a plane follow those of the one before.
 * @throws ConfigError more than MOST_RAILS, or it has several planes already
 */
Topology WithRails(Topology topology, std::uint32_t rails);

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
