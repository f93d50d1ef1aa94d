/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs of a product's wires, and their flow control.

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
    CREDITS,     ///< the sender counts the free room
    STOP_AND_GO, ///< control symbols on the reverse wire, at two marks of the buffer
    PAUSE,       ///< frames on the reverse wire, at two marks of the buffer, with a duration
    NONE,        ///< no flow control: cells that find no room are dropped
};

/// Costs of a product's link, read from its profile.
struct LinkCosts
{
    Frequency byteClock{1, 1};      ///< one data byte per cycle, after line code
    std::uint32_t cellBytes{0};     ///< on the wire
    std::uint32_t cellPayload{0};   ///< payload part of cellBytes
    bool packets{false};            ///< a packet's last cell ends with its content
    std::uint32_t minPayload{0};    ///< but carries at least this much payload
    std::uint32_t messageHeader{0}; ///< payload bytes used by a packet's header
    std::uint32_t wires{1};         ///< parallel wires, one for each port of a NIC
    std::uint32_t credits{0};       ///< cells of receive buffer at the end of each wire and lane
    std::uint32_t creditBytes{0};   ///< of a credit, control symbol or pause frame
    std::uint32_t lanes{1};         ///< virtual lanes
    FlowControl flow{FlowControl::CREDITS};
    std::uint32_t stopMark{0};  ///< stop-and-go, pause: this many cells in a buffer stop the sender
    std::uint32_t goMark{0};    ///< and this few let it continue
    Ps pauseTime{0};            ///< pause: how long a frame stops the sender unless another follows
    std::uint64_t bitErrors{0}; ///< wrong bits in 10^15
    std::uint32_t routeBytes{0}; ///< at the head of a packet, for each remaining switch
    Ps flight{0};                ///< propagation delay of the cable
    Ps resync{0};                ///< interval of searches for lost credits

    /// Reads the keys `link.*`, and `nic.ports`, of @p profile.
    static LinkCosts From(const ProviderProfile& profile);

    /**
     * @brief Number of bytes by which a packet's last cell is shorter than the others.
     * @param length of its payload
     * @param cells that carry it
     */
    std::uint32_t Shortfall(std::uint32_t length, std::uint32_t cells) const;

    /// Bytes of a @p length byte payload that travel before cell @p cell of its packet.
    std::uint32_t PayloadBefore(std::uint32_t cell, std::uint32_t length) const
    {
        return std::min(std::max(cell * cellPayload, messageHeader) - messageHeader, length);
    }

    /// Whether the sender needs more than one credit loop.
    bool NeedsLanes() const
    {
        return lanes > 1 || flow != FlowControl::CREDITS || routeBytes > 0;
    }

    /// Whether the fabric may lose cells by design.
    bool IsLossy() const
    {
        return flow == FlowControl::NONE || bitErrors > 0;
    }

    /// Size of the shortest possible cell in bytes.
    std::uint32_t ShortestCell() const
    {
        const std::uint32_t payload = packets ? std::max(minPayload, 1U) : cellPayload;
        return cellBytes - cellPayload + payload;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_COSTS_H
