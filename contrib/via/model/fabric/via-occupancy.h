/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Occupancy of a buffer whose departures are announced ahead.

#ifndef VIA_OCCUPANCY_H
#define VIA_OCCUPANCY_H

#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace via
{

/// Counts cells in and out of a buffer.
class Occupancy
{
  public:
    /// @p cells enter.
    void Enter(std::uint32_t cells)
    {
        m_cells += cells;
        m_peak = std::max(m_peak, m_cells);
    }

    /// @p cells leave, the first at @p first, each further one @p spacing ps later.
    void Leave(std::uint32_t cells, Ps first, Ps spacing)
    {
        std::uint32_t place = m_leaving.Size();
        while (place > 0 && m_leaving.At(place - 1).first > first) // of another output
        {
            --place;
        }
        m_leaving.Insert(place, {cells, first, spacing});
    }

    /// Cells in the buffer at @p now, which must not be earlier than in the previous call.
    std::uint32_t At(Ps now)
    {
        while (!m_leaving.IsEmpty() && m_leaving.Front().first <= now)
        {
            Leaving& front = m_leaving.Front();
            const bool all = front.spacing == 0 ||
                             front.first + front.spacing * static_cast<Ps>(front.cells - 1) <= now;
            const std::uint32_t gone =
                all ? front.cells
                    : static_cast<std::uint32_t>((now - front.first) / front.spacing) + 1;
            m_cells -= gone;
            front.cells -= gone;
            front.first += front.spacing * static_cast<Ps>(gone);
            if (all)
            {
                m_leaving.Pop();
            }
        }
        return m_cells;
    }

    /// The maximum occupancy observed at any call.
    std::uint32_t Peak() const
    {
        return m_peak;
    }

  private:
    struct Leaving
    {
        std::uint32_t cells;
        Ps first;
        Ps spacing;
    };

    std::uint32_t m_cells{0};
    std::uint32_t m_peak{0};
    Ring<Leaving> m_leaving; ///< sorted by departure of the first cell
};

} // namespace via
} // namespace ns3

#endif // VIA_OCCUPANCY_H
