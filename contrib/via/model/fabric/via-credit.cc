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
CreditLoop::Return(std::uint32_t cells, Ps at)
{
    NS_ABORT_MSG_IF(cells > m_out, "more credits return than were out");
    m_out -= cells;
    m_returning += cells;
    m_home.Push({at, cells});
    for (std::uint32_t place = m_home.Size() - 1; place > 0 && m_home.At(place - 1).at > at;
         --place)
    {
        std::swap(m_home.At(place), m_home.At(place - 1));
    }
    Check();
}

/// The credits that return first are available.
void
CreditLoop::CountFirst()
{
    m_available += m_home.Front().cells;
    m_returning -= m_home.Front().cells;
    m_home.Pop();
}

std::uint32_t
CreditLoop::HomeBy(Ps now)
{
    while (!m_home.IsEmpty() && m_home.Front().at <= now)
    {
        CountFirst();
    }
    Check();
    return m_available;
}

Ps
CreditLoop::NextHome(Ps instant) const
{
    for (std::uint32_t i = 0; i < m_home.Size(); ++i)
    {
        if (m_home.At(i).at > instant)
        {
            return m_home.At(i).at;
        }
    }
    return PS_NEVER;
}

Ps
CreditLoop::TakeAndCount(Ps earliest)
{
    if (IsEmpty())
    {
        return PS_NEVER;
    }
    const Ps start = m_available > 0 ? earliest : std::max(earliest, m_home.Front().at);
    while (!m_home.IsEmpty() && m_home.Front().at <= start)
    {
        CountFirst();
    }
    --m_available;
    ++m_out;
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
