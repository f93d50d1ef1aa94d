/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routes of a switch: for each host an output port, or several to choose from.

#ifndef VIA_ROUTE_H
#define VIA_ROUTE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// The route of a switch to one host.
struct Route
{
    static constexpr std::uint16_t NONE = UINT16_MAX;

    std::uint16_t port{NONE}; ///< output port; NONE: no route
    std::uint8_t lane{0};     ///< virtual lane on the wire from that port
    std::uint8_t choice{0};   ///< index in RouteTable::choices plus 1; 0: only `port`
};

/// How a packet's port is selected among equally good ones.
enum class PortSelection : std::uint8_t
{
    FIRST,     ///< `port`, always
    FLOW_HASH, ///< one for each pair of hosts, by a hash of the pair
    ADAPTIVE,  ///< the one with the shortest backlog; packets may overtake each other
};

/// The routes of one switch.
struct RouteTable
{
    std::vector<Route> routes; ///< by destination host

    /// Sets of output ports; a route with choice c may take any port of choices[c - 1].
    std::vector<std::vector<std::uint16_t>> choices;
    PortSelection selection{PortSelection::FIRST};

    /// Whether two packets for one host may leave by different ports.
    bool HasChoices() const
    {
        return selection != PortSelection::FIRST && !choices.empty();
    }

    bool Has(std::uint32_t destination) const
    {
        return destination < routes.size() && routes[destination].port != Route::NONE;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_ROUTE_H
