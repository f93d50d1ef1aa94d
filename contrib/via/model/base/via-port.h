/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The interface between a NIC and the fabric; neither depends on anything else of the other.

#ifndef VIA_PORT_H
#define VIA_PORT_H

#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

/// Notified when a burst that was handed to a port has a departure time.
class DepartureListener
{
  public:
    virtual ~DepartureListener() = default;

    /**
     * @brief The burst has the wire and all credits it needs.
     * @param burst its groups hold the times at the receiver, `departed` is when
     * the last bit leaves.
     * May be called from within Transmit, and before simulated time reaches the departure.
     */
    virtual void OnDeparture(const Burst& burst) = 0;
};

/// The sending end of a wire.
class OutPort
{
  public:
    virtual ~OutPort() = default;

    /**
     * @brief Sends the burst's groups as soon as they are ready, the wire is free and the receiver
     * has room. Bursts leave in call order.
     */
    virtual void Transmit(Burst* burst, DepartureListener* listener) = 0;

    /// Number of payload-carrying cells for a packet with @p bytes of payload.
    virtual std::uint32_t CellsFor(std::uint32_t bytes) const = 0;
};

/// A receiver that may be told of bursts as soon as their arrival is known.
class EarlyReceiver
{
  public:
    virtual ~EarlyReceiver() = default;

    /// @p burst arrives at the time of its first cell, after those that were foreseen before it.
    virtual void Foresee(Burst& burst) = 0;
};

/// The receiving end of a wire, as used by the consumer of its cells.
class InPort
{
  public:
    virtual ~InPort() = default;

    /**
     * @brief Room for @p cells is free again.
     * @param at time when the first of them was freed; each further one follows @p spacing ps later
     */
    virtual void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) = 0;

    /// The end that gets the credits of virtual lane @p lane.
    virtual InPort* OfLane(std::uint32_t lane);
};

inline InPort*
InPort::OfLane(std::uint32_t)
{
    return this; // one lane
}

} // namespace via
} // namespace ns3

#endif // VIA_PORT_H
