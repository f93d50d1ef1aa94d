/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A burst and its packet as plain numbers, for transport to another partition.

#ifndef VIA_BURST_IMAGE_H
#define VIA_BURST_IMAGE_H

#include "ns3/via-packet.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ns3
{
namespace via
{

/// The times of a group of cells, in transport form.
struct GroupImage
{
    Ps ready;
    Ps first;
    Ps last;
    std::uint32_t cells;
    SpanId firstCause;
    SpanId lastCause;
    std::uint32_t unused;
};

/// A burst and its packet in transport form: numbers only. The payload of its cells follows.
struct BurstImage
{
    std::uint64_t serial; ///< of the packet at the sender
    std::uint64_t oldest; ///< no cell of a lower serial follows, except of new packets
    std::uint64_t sequence;
    std::uint64_t acknowledges;
    std::uint64_t item;
    std::uint64_t connection;
    std::uint64_t remoteAddress;
    std::uint64_t lost;
    std::uint64_t absent;
    Ps headCell;
    Ps departed;
    std::uint32_t source;
    std::uint32_t destination;
    std::uint32_t sourceVi;
    std::uint32_t destinationVi;
    std::uint32_t length;
    std::uint32_t cells;
    std::uint32_t message;
    std::uint32_t immediate;
    std::uint32_t remoteHandle;
    std::uint32_t asked;
    std::uint32_t status;
    std::uint32_t packetAttempt;
    std::uint32_t era;
    std::uint32_t order;
    std::uint32_t bytes; ///< in the whole packet
    std::uint32_t from;  ///< the first byte that travels with this burst
    std::uint32_t firstCell;
    std::uint32_t groupCount;
    std::uint32_t vanished;
    std::uint32_t attempt;
    std::uint8_t kind;
    std::uint8_t hasImmediate;
    std::uint8_t reliable;
    std::uint8_t ends;
    std::uint8_t isSplit;
    std::uint8_t resent;
    std::uint8_t dropped;
    std::uint8_t lane;
    GroupImage groups[Burst::MAX_GROUPS];

    /// Bytes of the image that travel: those of the groups that exist.
    std::size_t Bytes() const
    {
        return offsetof(BurstImage, groups) + groupCount * sizeof(GroupImage);
    }

    /// Sets everything except `from` and `oldest`, which the carrier sets.
    static BurstImage Of(const Burst& burst);

    void CopyTo(Packet& packet) const;
    void CopyTo(Burst& burst) const;
};

static_assert(std::is_trivially_copyable_v<BurstImage>, "it travels as bytes");

} // namespace via
} // namespace ns3

#endif // VIA_BURST_IMAGE_H
