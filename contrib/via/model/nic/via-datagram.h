/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The listener that takes datagrams from a card for the host's IP stack.

#ifndef VIA_DATAGRAM_H
#define VIA_DATAGRAM_H

#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

/// A card's view of its driver. All moments may lie ahead of the agenda.
class DatagramListener
{
  public:
    virtual ~DatagramListener() = default;

    /**
     * @brief A datagram is in the driver's ring.
     * @param packet the listener holds it (PacketPool::Hold) if it needs it after the call
     * @param at when its last byte is in host memory
     * @param handled true: an interrupt handler of the kernel already runs and takes it next
     */
    virtual void OnDatagram(Packet& packet, Moment at, bool handled) = 0;

    /// Cells of @p packet were lost, so the rest of it is useless.
    virtual void OnDatagramDamaged(const Packet& packet, Moment at) = 0;

    /// The last bit of @p packet leaves the card at @p at.
    virtual void OnDatagramLeft(const Packet& packet, Ps at) = 0;

    /// The machine crashes: the kernel and the stack lose all their state.
    virtual void OnCrash() = 0;

    /// The machine is up again.
    virtual void OnReturn() = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_DATAGRAM_H
