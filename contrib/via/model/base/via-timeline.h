/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The reservations of a resource that serves one user at a time: a bus, a wire, an engine.

#ifndef VIA_TIMELINE_H
#define VIA_TIMELINE_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-ring.h"

namespace ns3
{
namespace via
{

/**
 * @brief Reserved intervals of one resource, from now into the near future.
 *
 * Reservations are served in call order; a later request may still use a gap that is long enough.
 * Invariant: intervals are sorted and do not overlap.
 */
class Timeline
{
  public:
    /**
     * @brief Reserves @p n consecutive cycles.
     * @param clock of the resource
     * @param earliest start of the reservation
     * @param n number of cycles
     * @param now intervals that ended before it are dropped. It may be later than @p earliest: then
     * those that ended before @p earliest are
     * @return the first window of @p n free cycles that begins at or after @p earliest
     */
    ClockDomain::Window Reserve(const ClockDomain& clock, Ps earliest, Cycles n, Ps now);

    /// The end of the latest reservation; 0 if there was none.
    Ps FreeFrom() const
    {
        return m_last;
    }

  private:
    /// Adds @p window before interval @p next, or after the last one.
    void Add(std::uint32_t next, ClockDomain::Window window)
    {
        if (next > 0 && m_busy.At(next - 1).end == window.start)
        {
            m_busy.At(next - 1).end = window.end;
        }
        else
        {
            m_busy.Insert(next, window);
        }
    }

    Ring<ClockDomain::Window, 4> m_busy; ///< sorted; most reservations continue an interval
    Ps m_last{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TIMELINE_H
