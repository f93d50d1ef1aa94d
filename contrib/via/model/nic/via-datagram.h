/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Who takes the datagrams of a host's IP stack from its card.

#ifndef VIA_DATAGRAM_H
#define VIA_DATAGRAM_H

#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

/// The driver of a card, as far as the card knows it. All moments may lie ahead of the agenda.
class DatagramListener
{
  public:
    virtual ~DatagramListener() = default;

    /**
     * @brief A datagram lies in the driver's ring.
     * @param packet to be held (PacketPool::Hold) by who needs it for longer
     * @param at its last byte is in host memory then
     * @param handled true: an interrupt handler of the kernel runs already, and it is its turn
     */
    virtual void OnDatagram(Packet& packet, Moment at, bool handled) = 0;

    /// Cells of @p packet were lost, so that its rest was worth nothing.
    virtual void OnDatagramDamaged(const Packet& packet, Moment at) = 0;

    /// The last bit of @p packet leaves the card at @p at.
    virtual void OnDatagramLeft(const Packet& packet, Ps at) = 0;

    /// The machine crashes: kernel and stack are gone, with all that they held.
    virtual void OnCrash() = 0;

    /// The machine has come back.
    virtual void OnReturn() = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_DATAGRAM_H
