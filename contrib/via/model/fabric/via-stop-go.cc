/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Flow control by two marks of the receiver's buffer: Myrinet's stop and go, Ethernet's PAUSE.

#include "via-stop-go.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace via
{

StopGo::StopGo(const Marks& marks)
    : m_marks(marks)
{
}

void
StopGo::Sent(Ps at)
{
    m_arrivals.Push(at);
}

void
StopGo::Freed(std::uint32_t cells, Ps at)
{
    // packets for several outputs may leave in another order than they arrived
    std::uint32_t place = m_leaving.Size();
    while (place > 0 && m_leaving.At(place - 1) > at)
    {
        --place;
    }
    for (std::uint32_t i = 0; i < cells; ++i)
    {
        m_leaving.Insert(place, at);
    }
}

void
StopGo::Arrive(Ps at)
{
    m_arrivals.Pop();
    ++m_fill;
    NS_ABORT_MSG_IF(m_fill > m_marks.capacity,
                    "a buffer of " << m_marks.capacity << " cells overflows at " << at << " ps");
    m_peak = std::max(m_peak, m_fill);
    if (m_fill >= m_marks.stop && !m_stopped)
    {
        m_stopped = true;
        m_stoppedAt = at;
        ++m_stops;
    }
}

void
StopGo::Leave(Ps at)
{
    m_leaving.Pop();
    NS_ABORT_MSG_IF(m_fill == 0, "a cell leaves an empty buffer at " << at << " ps");
    --m_fill;
    if (m_stopped && m_fill <= m_marks.go)
    {
        m_stopped = false;
        // a pause frame is repeated at half of its time while the pause lasts
        m_stops += m_marks.pause == 0
                       ? 0
                       : static_cast<std::uint64_t>((at - m_stoppedAt) * 2 / m_marks.pause);
    }
}

bool
StopGo::IsStopped(Ps asOf)
{
    while (true)
    {
        const Ps arrives = m_arrivals.IsEmpty() ? PS_NEVER : m_arrivals.Front();
        // departures make room for arrivals at the same instant
        const bool leaves = !m_leaving.IsEmpty() && m_leaving.Front() <= arrives && m_fill > 0;
        const Ps at = leaves ? m_leaving.Front() : arrives;
        if (at > asOf || at == PS_NEVER)
        {
            return m_stopped;
        }
        leaves ? Leave(at) : Arrive(at);
    }
}

Ps
StopGo::GoesAt() const
{
    if (m_fill > m_marks.go + m_leaving.Size())
    {
        return PS_NEVER; // as most often
    }
    const auto timeOf = [](const Times& times, std::uint32_t i) {
        return i < times.Size() ? times.At(i) : PS_NEVER;
    };
    std::uint32_t arrived = 0;
    std::uint32_t left = 0;
    std::uint32_t fill = m_fill;
    bool isStopped = m_stopped;
    const auto leavesNext = [&] { // in the order of IsStopped
        return fill > 0 && timeOf(m_leaving, left) <= timeOf(m_arrivals, arrived);
    };
    while (left < m_leaving.Size())
    {
        const Ps next = m_leaving.At(left);
        bool leaves = leavesNext();
        while ((leaves ? timeOf(m_leaving, left) : timeOf(m_arrivals, arrived)) <= next)
        {
            ++(leaves ? left : arrived);
            fill = leaves ? fill - 1 : fill + 1;
            isStopped = isStopped ? fill > m_marks.go : fill >= m_marks.stop;
            leaves = leavesNext();
        }
        if (!isStopped)
        {
            return next;
        }
    }
    return PS_NEVER;
}

} // namespace via
} // namespace ns3
