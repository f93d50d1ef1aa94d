/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How a switch finds the way: for each host an output port, or several to choose from.

#ifndef VIA_ROUTE_H
#define VIA_ROUTE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Where a switch sends the packets for one host.
struct Route
{
    static constexpr std::uint16_t NONE = UINT16_MAX;

    std::uint16_t port{NONE}; ///< output port; NONE: there is no way
    std::uint8_t lane{0};     ///< virtual lane on the wire behind it
    std::uint8_t choice{0};   ///< which of RouteTable::choices; 0: there is only `port`
};

/// Which of several equally good ports a packet takes.
enum class PortSelection : std::uint8_t
{
    FIRST,     ///< `port`, always
    FLOW_HASH, ///< one for each pair of hosts, by a hash of the two
    ADAPTIVE,  ///< the one with the least to send; packets may overtake each other
};

/// The routes of one switch.
struct RouteTable
{
    std::vector<Route> routes; ///< by destination host

    /// Sets of output ports; a route with choice c may take any port of choices[c - 1].
    std::vector<std::vector<std::uint16_t>> choices;
    PortSelection selection{PortSelection::FIRST};

    /// May two packets for a host leave by different ports?
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
