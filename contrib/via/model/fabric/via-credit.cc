/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Credit flow control of one link: the sender's view of the receiver's cell buffer.

#include "via-credit.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

CreditLoop::CreditLoop(std::uint32_t capacity)
    : m_capacity(capacity),
      m_available(capacity)
{
}

void
CreditLoop::Return(std::uint32_t cells, Ps at, Ps spacing)
{
    NS_ABORT_MSG_IF(cells > m_out, "more credits return than were out");
    m_out -= cells;
    m_returning += cells;
    m_home.Push({cells, at, spacing});
    for (std::uint32_t place = m_home.Size() - 1; place > 0 && m_home.At(place - 1).at > at;
         --place)
    {
        std::swap(m_home.At(place), m_home.At(place - 1));
    }
    Check();
}

std::uint32_t
CreditLoop::KnownBy(Ps instant) const
{
    std::uint32_t known = m_available;
    for (std::uint32_t i = 0; i < m_home.Size() && m_home.At(i).at <= instant; ++i)
    {
        const CreditReturn& home = m_home.At(i);
        known += home.Last() <= instant
                     ? home.cells
                     : static_cast<std::uint32_t>((instant - home.at) / home.spacing) + 1;
    }
    return known;
}

std::uint32_t
CreditLoop::HomeBy(Ps now)
{
    while (!m_home.IsEmpty() && m_home.Front().at <= now)
    {
        CreditReturn& home = m_home.Front();
        const bool all = home.spacing == 0 || home.Last() <= now;
        const std::uint32_t here =
            all ? home.cells : static_cast<std::uint32_t>((now - home.at) / home.spacing) + 1;
        m_available += here;
        m_returning -= here;
        home.cells -= here;
        home.at += static_cast<Ps>(here) * home.spacing;
        if (all)
        {
            m_home.Pop();
        }
    }
    Check();
    return m_available;
}

Ps
CreditLoop::NextHome(Ps instant) const
{
    for (std::uint32_t i = 0; i < m_home.Size(); ++i)
    {
        const CreditReturn& home = m_home.At(i);
        if (home.Last() > instant)
        {
            return home.at > instant
                       ? home.at
                       : home.at + ((instant - home.at) / home.spacing + 1) * home.spacing;
        }
    }
    return PS_NEVER;
}

Ps
CreditLoop::TakeAndCount(std::uint32_t cells, Ps earliest, Ps cellTime)
{
    if (cells > m_available + m_returning)
    {
        return PS_NEVER;
    }
    Ps start = earliest;
    std::uint32_t taken = std::min(cells, m_available);
    m_available -= taken;
    while (taken < cells)
    {
        CreditReturn& home = m_home.Front();
        const std::uint32_t n = std::min(cells - taken, home.cells);
        // cell taken+i leaves at start + (taken+i) * cellTime and needs credit i of this batch;
        // both are linear in i, so only the first and the last one matter
        const Ps firstNeed = home.at - static_cast<Ps>(taken) * cellTime;
        const Ps lastNeed = firstNeed + static_cast<Ps>(n - 1) * (home.spacing - cellTime);
        start = std::max({start, firstNeed, lastNeed});
        home.cells -= n;
        home.at += static_cast<Ps>(n) * home.spacing;
        taken += n;
        m_returning -= n;
        if (home.cells == 0)
        {
            m_home.Pop();
        }
    }
    m_out += cells;
    while (!m_home.IsEmpty() && m_home.Front().Last() <= start)
    {
        m_available += m_home.Front().cells;
        m_returning -= m_home.Front().cells;
        m_home.Pop();
    }
    Check();
    return start;
}

void
CreditLoop::Check() const
{
    NS_ABORT_MSG_IF(m_available + m_returning + m_out != m_capacity,
                    "credits lost or duplicated: " << m_available << " available + " << m_returning
                                                   << " returning + " << m_out << " out is not "
                                                   << m_capacity);
}

} // namespace via
} // namespace ns3
