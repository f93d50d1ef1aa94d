/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the wires of a product cost, and how they are kept from overrunning the receiver.

#ifndef VIA_LINK_COSTS_H
#define VIA_LINK_COSTS_H

#include "ns3/via-provider-profile.h"
#include "ns3/via-time.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace via
{

/// What keeps a sender from overrunning the buffer at the other end of its wire.
enum class FlowControl : std::uint8_t
{
    CREDITS,     ///< it counts the room that is left
    STOP_AND_GO, ///< control symbols on the way back, at two marks of the buffer
    PAUSE,       ///< frames on the way back, at two marks of the buffer, for a time
    NONE,        ///< nothing: what finds no room is dropped
};

/// What a link of a product costs, read from its profile.
struct LinkCosts
{
    Frequency byteClock{1, 1};      ///< one data byte per cycle, line code paid
    std::uint32_t cellBytes{0};     ///< on the wire
    std::uint32_t cellPayload{0};   ///< of which payload
    bool packets{false};            ///< a packet's last cell ends with its content
    std::uint32_t minPayload{0};    ///< but not before that much payload
    std::uint32_t messageHeader{0}; ///< payload bytes that a packet's header takes
    std::uint32_t wires{1};         ///< side by side, one for each port of a NIC
    std::uint32_t credits{0};       ///< cells of receive buffer at the end of each wire and lane
    std::uint32_t creditBytes{0};   ///< of a credit, control symbol or pause frame on the way back
    std::uint32_t lanes{1};         ///< virtual lanes
    FlowControl flow{FlowControl::CREDITS};
    std::uint32_t stopMark{0};  ///< stop-and-go, pause: that many cells in a buffer stop the sender
    std::uint32_t goMark{0};    ///< and so few let it go on
    Ps pauseTime{0};            ///< pause: how long a frame holds the sender, if no other follows
    std::uint64_t bitErrors{0}; ///< wrong bits in 10^15
    std::uint32_t routeBytes{0}; ///< at the head of a packet for each switch ahead
    Ps flight{0};                ///< propagation over the cable
    Ps resync{0};                ///< between two searches for lost credits

    /// Reads the keys `link.*`, and `nic.ports`, of @p profile.
    static LinkCosts From(const ProviderProfile& profile);

    /**
     * @brief By how many bytes a packet's last cell is shorter than the others.
     * @param length of its payload
     * @param cells that carry it
     */
    std::uint32_t Shortfall(std::uint32_t length, std::uint32_t cells) const;

    /// Bytes of a payload of @p length bytes that travel before cell @p cell of its packet.
    std::uint32_t PayloadBefore(std::uint32_t cell, std::uint32_t length) const
    {
        return std::min(std::max(cell * cellPayload, messageHeader) - messageHeader, length);
    }

    /// Does the sender need more than one loop of credits?
    bool NeedsLanes() const
    {
        return lanes > 1 || flow != FlowControl::CREDITS || routeBytes > 0;
    }

    /// May the fabric lose cells by design?
    bool IsLossy() const
    {
        return flow == FlowControl::NONE || bitErrors > 0;
    }

    /// Bytes of the shortest cell that there can be.
    std::uint32_t ShortestCell() const
    {
        const std::uint32_t payload = packets ? std::max(minPayload, 1U) : cellPayload;
        return cellBytes - cellPayload + payload;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_COSTS_H
