/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Where a NIC and the fabric meet; all that either knows of the other.

#ifndef VIA_PORT_H
#define VIA_PORT_H

#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

/// Told when a burst that was handed to a port has a departure time.
class DepartureListener
{
  public:
    virtual ~DepartureListener() = default;

    /**
     * @brief The burst has got the wire and all credits it needs.
     * @param burst its groups hold the times at the receiver, `departed` the last bit's leaving.
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
     * @brief Sends the burst's groups as soon as they are ready, the wire is free and the
     * receiver has room. Bursts leave in the order of these calls.
     */
    virtual void Transmit(Burst* burst, DepartureListener* listener) = 0;

    /// Cells of payload-carrying size that fit a packet of @p bytes payload.
    virtual std::uint32_t CellsFor(std::uint32_t bytes) const = 0;
};

/// The receiving end of a wire, seen from who consumes cells there.
class InPort
{
  public:
    virtual ~InPort() = default;

    /**
     * @brief Room for @p cells is free again.
     * @param at the first of them was freed then, and @p spacing ps after it the next, and so on
     */
    virtual void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) = 0;

    /// Who gets the credits of virtual lane @p lane.
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
