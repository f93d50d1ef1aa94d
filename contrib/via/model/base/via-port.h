/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The interface between a NIC and the fabric; neither depends on anything else of the other.

#ifndef VIA_PORT_H
#define VIA_PORT_H

#include "ns3/via-agenda.h"
#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

/// Notified when a cell that was handed to a port has a departure time.
class DepartureListener
{
  public:
    virtual ~DepartureListener() = default;

    /**
     * @brief The cell has the wire and its credit.
     * @param cell with its times at the receiver; `departed` is when the last bit leaves.
     * May be called from within Transmit, and before simulated time reaches the departure.
     */
    virtual void OnDeparture(const Cell& cell) = 0;
};

/// The sending end of a wire.
class OutPort
{
  public:
    virtual ~OutPort() = default;

    /**
     * @brief Sends the cell as soon as it is ready, the wire is free and the receiver has room.
     * Cells leave in call order.
     */
    virtual void Transmit(Cell* cell, DepartureListener* listener) = 0;

    /// Number of payload-carrying cells for a packet with @p bytes of payload.
    virtual std::uint32_t CellsFor(std::uint32_t bytes) const = 0;
};

/// A receiver that may be told of cells as soon as their arrival is known.
class EarlyReceiver
{
  public:
    virtual ~EarlyReceiver() = default;

    /// @p cell arrives at `first`, after those that were foreseen before it.
    virtual void Foresee(Cell& cell) = 0;

    /// Bytes that it reads for each cell.
    static constexpr std::size_t HOT_BYTES = 1600;

    /// The first of HOT_BYTES bytes.
    virtual const void* HotBytes() const = 0;

    /// @p cell will be foreseen soon: @p hint is NEXT or NOW (see AgendaTarget::Prefetch). Its
    /// HotBytes() have been prefetched.
    virtual void Prefetch(Hint hint, const Cell& cell) const = 0;
};

/// The receiving end of a wire, as used by the consumer of its cells.
class InPort
{
  public:
    virtual ~InPort() = default;

    /// Room for @p cells is free again, since @p at.
    virtual void ReturnCredits(std::uint32_t cells, Ps at) = 0;

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
