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
    void Enter()
    {
        ++m_cells;
        m_peak = std::max(m_peak, m_cells);
    }

    /// A cell leaves at @p at.
    void Leave(Ps at)
    {
        std::uint32_t place = m_leaving.Size();
        while (place > 0 && m_leaving.At(place - 1) > at) // of another output
        {
            --place;
        }
        m_leaving.Insert(place, at);
    }

    /// Cells in the buffer at @p now, which must not be earlier than in the previous call.
    std::uint32_t At(Ps now)
    {
        for (; !m_leaving.IsEmpty() && m_leaving.Front() <= now; m_leaving.Pop())
        {
            --m_cells;
        }
        return m_cells;
    }

    /// The maximum occupancy observed at any call.
    std::uint32_t Peak() const
    {
        return m_peak;
    }

  private:
    std::uint32_t m_cells{0};
    std::uint32_t m_peak{0};
    Ring<Ps> m_leaving; ///< when cells leave, sorted
};

} // namespace via
} // namespace ns3

#endif // VIA_OCCUPANCY_H
