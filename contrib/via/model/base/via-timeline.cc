/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The reservations of a resource that serves one user at a time: a bus, a wire, an engine.

#include "via-timeline.h"

#include <algorithm>

namespace ns3
{
namespace via
{

ClockDomain::Window
Timeline::Reserve(const ClockDomain& clock, Ps earliest, Cycles n, Ps now)
{
    const Ps past = std::min(now, earliest); // what nobody noticed is planned late
    while (!m_busy.IsEmpty() && m_busy.Front().end <= past)
    {
        m_busy.Pop();
    }
    ClockDomain::Window wanted = clock.Run(earliest, n);
    if (wanted.start >= m_last) // the common case: no conflict
    {
        m_last = wanted.end;
        Add(m_busy.Size(), wanted);
        return wanted;
    }
    std::uint32_t next = m_busy.Size(); // most requests are for a time near the end
    while (next > 0 && m_busy.At(next - 1).end > wanted.start)
    {
        --next;
    }
    for (; next < m_busy.Size() && m_busy.At(next).start < wanted.end; ++next)
    {
        if (m_busy.At(next).end > wanted.start)
        {
            wanted = clock.Run(m_busy.At(next).end, n);
        }
    }
    if (next < m_busy.Size() && m_busy.At(next).start == wanted.end)
    {
        m_busy.At(next).start = wanted.start;
    }
    else
    {
        Add(next, wanted);
    }
    m_last = std::max(m_last, wanted.end);
    return wanted;
}

} // namespace via
} // namespace ns3
