/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messages whose last cell has got its time on the wire, until that time has come.

#ifndef VIA_DEPARTURES_H
#define VIA_DEPARTURES_H

#include "ns3/via-packet.h"
#include "ns3/via-ring.h"

namespace ns3
{
namespace via
{

class Nic;

/// A message that leaves.
struct Departure
{
    Moment left; ///< its last bit
    std::uint64_t item{0};
    ViId vi{0};
    PacketKind kind{PacketKind::SEND};
    std::uint32_t length{0};
};

/**
 * @brief Has the NIC complete sends when their last bit leaves.
 *
 * The wire knows long before, but the bus must not be asked for the status write before others
 * have asked who need it earlier.
 */
class Departures
{
  public:
    explicit Departures(Nic& nic)
        : m_nic(nic)
    {
    }

    /// A message got its time. Messages of a NIC leave one after the other.
    void Push(const Departure& departure)
    {
        m_departures.Push(departure);
    }

    /// When the next one has left; PS_NEVER if there is none.
    Ps NextAt() const
    {
        return m_departures.IsEmpty() ? PS_NEVER : m_departures.At(0).left.at;
    }

    /// The next one has left.
    void PlanStep();

  private:
    Nic& m_nic;
    Ring<Departure, 2> m_departures;
};

} // namespace via
} // namespace ns3

#endif // VIA_DEPARTURES_H
