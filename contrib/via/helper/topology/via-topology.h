/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology: hosts, switches, cables, and the routes of each switch.

#ifndef VIA_TOPOLOGY_H
#define VIA_TOPOLOGY_H

#include "ns3/via-provider-profile.h"
#include "ns3/via-route.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// One end of a cable: a NIC of a host (port is the number of the card), or a port of a switch.
struct Endpoint
{
    static constexpr std::uint32_t NOWHERE = UINT32_MAX;

    bool isSwitch{false};
    std::uint32_t index{NOWHERE}; ///< of the host or switch; NOWHERE: no cable
    std::uint32_t port{0};
};

/// What both wires of a cable have in place of the profile's; 0: as the profile says.
struct WireSpec
{
    std::uint32_t lengthMm{0};  ///< of the cable, in place of link.cable_length_mm
    std::uint32_t latencyNs{0}; ///< flight time, in place of a length
    std::uint32_t rateMbitS{0}; ///< data rate of each parallel wire after the line code, 10^6 bit/s
    std::uint32_t wires{0};     ///< parallel wires, in place of nic.ports
    std::uint32_t cells{0};     ///< room at the receiver, in place of link.credits

    /// An attribute of a cable in files and in Python.
    struct Attribute
    {
        const char* name;
        std::uint32_t WireSpec::*field;
        std::uint32_t most; ///< the least is 1, or 0 for the profile's
    };

    /// All attributes.
    static const std::vector<Attribute>& Attributes();

    /// Whether the cable sends otherwise than the profile says; its flight time does not count.
    bool SendsOtherwise() const
    {
        return rateMbitS != 0 || wires != 0 || cells != 0;
    }
};

/**
 * @brief Checks the limits of a cable's attributes.
 * @param whose the cable, in errors
 * @throws ConfigError naming @p topology, the attribute, its value and the limit
 */
void CheckWire(const WireSpec& wire, const std::string& whose, const std::string& topology);

/// A full-duplex cable.
struct Cable
{
    Endpoint a;
    Endpoint b;
    WireSpec wire{};
};

/// A switch of a topology.
struct SwitchShape
{
    std::uint32_t ports{0};
    RouteTable table;

    /// Position in its family: coordinates in a grid, (level, place) in a tree, (group, router) in
    /// a dragonfly; empty in other families.
    std::vector<std::uint32_t> place;
};

struct Adjacency;

/**
 * @brief A graph: hosts 0 .. hosts-1, switches, cables, and a route per switch and destination.
 * Routes form a path of cables to each host: one path between two hosts, unless the tables leave a
 * choice.
 */
struct Topology
{
    std::string name; ///< as on the command line, e.g. "star" or "fat-tree:k=4,n=3"
    std::uint32_t hosts{0};
    std::vector<SwitchShape> switches;
    std::vector<Cable> cables;
    std::string family;         ///< how to draw it: "star", "grid", "ring", "tree", ...
    std::string routing;        ///< name of the routing, e.g. "dimension-order"
    std::uint32_t lanes{1};     ///< virtual lanes that the routes need on each wire
    std::uint32_t rails{1};     ///< identical planes; card r of each host is on plane r
    std::uint64_t bisection{0}; ///< fewest cables between two halves of the hosts; 0: unknown

    /// Number of switches on the path from host @p from to host @p to.
    std::uint32_t Hops(std::uint32_t from, std::uint32_t to) const;

    /// May two packets from one host to another take different paths?
    bool MayOvertake() const;

    /// The least room that a cable asks for, in cells; UINT32_MAX: none does.
    std::uint32_t LeastRoom() const;

    /// Number of switches of one plane; the switches of plane r start at r * PlaneSize().
    std::uint32_t PlaneSize() const
    {
        return static_cast<std::uint32_t>(switches.size()) / rails;
    }

    /// Calls @p visit with each port by which a packet leaves a switch on its way from switch @p
    /// from to host @p to; where tables leave a choice, with the first.
    void ForEachHop(const Adjacency& graph,
                    std::uint32_t from,
                    std::uint32_t to,
                    const std::function<void(const Endpoint& out)>& visit) const;

    /// Number of switches, @p from included, from switch @p from to host @p to; also of cables.
    std::uint32_t HopsFromSwitch(const Adjacency& graph,
                                 std::uint32_t from,
                                 std::uint32_t to) const;

    /// As Hops above, for repeated calls: @p graph is the Adjacency of this topology.
    std::uint32_t Hops(const Adjacency& graph, std::uint32_t from, std::uint32_t to) const;
};

/// The other end of each cable, by index, then by port. For hosts, that of the first card.
struct Adjacency
{
    explicit Adjacency(const Topology& topology);

    std::vector<std::vector<Endpoint>> switches;
    std::vector<Endpoint> hosts; ///< the switch port or host at the other end of each host's cable
};

/**
 * @brief Counts the switches that a packet has yet to pass, by the switch where it arrives, then by
 * its destination host. The switch where it arrives counts.
 * @throws ConfigError if a path has more than 255
 */
std::vector<std::shared_ptr<const std::vector<std::uint8_t>>> SwitchesAhead(
    const Topology& topology,
    const Adjacency& graph);

/// Largest number of hosts: those of the largest fat tree of three levels.
constexpr std::uint32_t MOST_HOSTS = 64 * 64 * 64;

/// Largest number of planes.
constexpr std::uint32_t MOST_RAILS = 8;

/**
 * @brief Gives each host @p rails cards, each on its own plane. Planes are copies of @p topology,
 * which has one. The switches of a plane follow those of the previous plane.
 * @throws ConfigError if @p rails exceeds MOST_RAILS, or the topology already has several planes
 */
Topology WithRails(Topology topology, std::uint32_t rails);

/**
 * @brief Builds the topology that @p text names, "FAMILY[:SHAPE][,option=value]...". The page
 * "Topologies" lists all families and options.
 *
 * @param hosts number of hosts to connect, from host 0 on; the cables of the others are left out.
 * 0: as many as fit, if the text determines it.
 * @throws ConfigError naming --topology, the text and what is allowed; also for routes on which
 * packets may wait for each other in a cycle, unless `deadlock=allow` is among the options
 */
Topology ParseTopology(const std::string& text,
                       std::uint32_t hosts,
                       const ProviderProfile& profile);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_H
