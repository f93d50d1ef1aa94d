/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The calendar of something that serves one user at a time: a bus, a wire, an engine.

#include "via-timeline.h"

#include <algorithm>

namespace ns3
{
namespace via
{

ClockDomain::Window
Timeline::Reserve(const ClockDomain& clock, Ps earliest, Cycles n, Ps now)
{
    ClockDomain::Window wanted = clock.Run(earliest, n);
    if (wanted.start >= m_last) // the common case: nobody is in the way
    {
        Forget(now);
        m_busy.push_back(wanted);
        m_last = wanted.end;
        return wanted;
    }
    Forget(now);
    auto next = m_busy.begin();
    for (; next != m_busy.end() && next->start < wanted.end; ++next)
    {
        if (next->end > wanted.start)
        {
            wanted = clock.Run(next->end, n);
        }
    }
    m_busy.insert(next, wanted);
    m_last = std::max(m_last, wanted.end);
    return wanted;
}

void
Timeline::Forget(Ps now)
{
    std::size_t old = 0;
    while (old < m_busy.size() && m_busy[old].end <= now)
    {
        ++old;
    }
    if (old > 0)
    {
        m_busy.erase(m_busy.begin(), m_busy.begin() + static_cast<std::ptrdiff_t>(old));
    }
}

} // namespace via
} // namespace ns3
