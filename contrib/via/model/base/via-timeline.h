/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The reservations of a resource that serves one user at a time: a bus, a wire, an engine.

#ifndef VIA_TIMELINE_H
#define VIA_TIMELINE_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-ring.h"

#include <algorithm>

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
     * @param now intervals that ended before it may be dropped. It may be later than @p earliest:
     * then those that ended before @p earliest may
     * @return the first window of @p n free cycles that begins at or after @p earliest
     */
    ClockDomain::Window Reserve(const ClockDomain& clock, Ps earliest, Cycles n, Ps now)
    {
        const ClockDomain::Window wanted = clock.Run(earliest, n);
        if (wanted.start < m_last)
        {
            return ReserveBetween(clock, wanted, n, std::min(now, earliest));
        }
        // the common case: no conflict
        if (wanted.start > m_last || m_busy.IsEmpty())
        {
            if (m_busy.IsFull())
            {
                Drop(std::min(now, earliest)); // what nobody noticed is planned late
            }
            m_busy.Push(wanted);
        }
        else
        {
            m_busy.Back().end = wanted.end;
        }
        m_last = wanted.end;
        return wanted;
    }

    /// The end of the latest reservation; 0 if there was none.
    Ps FreeFrom() const
    {
        return m_last;
    }

  private:
    /// Reserves the first free @p n cycles from those of @p wanted on, before others that are
    /// reserved already. @param past see Drop
    ClockDomain::Window ReserveBetween(const ClockDomain& clock,
                                       ClockDomain::Window wanted,
                                       Cycles n,
                                       Ps past);
    /// Drops intervals that ended by @p past.
    void Drop(Ps past);

    InlineRing<ClockDomain::Window, 4> m_busy; ///< sorted; most reservations continue an interval
    Ps m_last{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TIMELINE_H
