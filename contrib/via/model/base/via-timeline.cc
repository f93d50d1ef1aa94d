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

void
Timeline::Drop(Ps past)
{
    while (!m_busy.IsEmpty() && m_busy.Front().end <= past)
    {
        m_busy.Pop();
    }
}

ClockDomain::Window
Timeline::ReserveBetween(const ClockDomain& clock, ClockDomain::Window wanted, Cycles n, Ps past)
{
    Drop(past);
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
    else if (next > 0 && m_busy.At(next - 1).end == wanted.start)
    {
        m_busy.At(next - 1).end = wanted.end;
    }
    else
    {
        m_busy.Insert(next, wanted);
    }
    m_last = std::max(m_last, wanted.end);
    return wanted;
}

} // namespace via
} // namespace ns3
