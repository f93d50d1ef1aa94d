/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The calendar of something that serves one user at a time: a bus, a wire, an engine.

#ifndef VIA_TIMELINE_H
#define VIA_TIMELINE_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-ring.h"

namespace ns3
{
namespace via
{

/**
 * @brief Busy stretches of one resource, from now into the near future.
 *
 * Who reserves first is served first; a later request may still use a gap that is long enough.
 * Invariant: stretches are sorted, do not touch backwards in time and do not overlap.
 */
class Timeline
{
  public:
    /**
     * @brief Reserves @p n cycles in a row.
     * @param clock of the resource
     * @param earliest the user is ready from then on
     * @param n how many cycles
     * @param now what ended before this instant is forgotten; never later than any @p earliest
     * @return the first stretch of @p n free cycles that begins at or after @p earliest
     */
    ClockDomain::Window Reserve(const ClockDomain& clock, Ps earliest, Cycles n, Ps now);

    /// The end of the last reservation; 0 when there never was one.
    Ps FreeFrom() const
    {
        return m_last;
    }

  private:
    Ring<ClockDomain::Window, 8> m_busy;
    Ps m_last{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TIMELINE_H
