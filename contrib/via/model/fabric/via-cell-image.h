/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cell and its packet as plain numbers, for transport to another partition.

#ifndef VIA_CELL_IMAGE_H
#define VIA_CELL_IMAGE_H

#include "ns3/via-packet.h"

#include <cstdint>
#include <type_traits>

namespace ns3
{
namespace via
{

/// A cell and its packet in transport form: numbers only. Its payload follows.
struct CellImage
{
    std::uint64_t serial; ///< of the packet at the sender
    std::uint64_t oldest; ///< packets of lower serials that came before send no more; 0: not told
    std::uint64_t sequence;
    std::uint64_t acknowledges;
    std::uint64_t item;
    std::uint64_t connection;
    std::uint64_t remoteAddress;
    Ps born;
    Ps ready;
    Ps first;
    Ps last;
    Ps departed;
    SpanId firstCause;
    SpanId lastCause;
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
    std::uint32_t step;
    std::uint32_t frame;
    std::uint32_t packetAttempt;
    std::uint32_t era;
    std::uint32_t order;
    std::uint32_t bytes; ///< in the whole packet
    std::uint32_t from;  ///< the first byte that travels with this cell
    std::uint32_t index;
    std::uint32_t attempt;
    std::uint8_t kind;
    std::uint8_t hasImmediate;
    std::uint8_t reliable;
    std::uint8_t ends;
    std::uint8_t resent;
    std::uint8_t dropped;
    std::uint8_t lane;
    std::uint8_t lost;
    std::uint8_t absent;
    std::uint8_t vanished;

    /// Sets everything except `from` and `oldest`, which the carrier sets.
    static CellImage Of(const Cell& cell);

    void CopyTo(Packet& packet) const;
    void CopyTo(Cell& cell) const;
};

static_assert(std::is_trivially_copyable_v<CellImage>, "it travels as bytes");

} // namespace via
} // namespace ns3

#endif // VIA_CELL_IMAGE_H
