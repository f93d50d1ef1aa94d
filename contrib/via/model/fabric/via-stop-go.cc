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
StopGo::Sent(std::uint32_t cells, Ps first, Ps spacing)
{
    m_arrivals.Push({cells, first, spacing});
    m_coming += cells;
}

void
StopGo::Freed(std::uint32_t cells, Ps first, Ps spacing)
{
    // packets for several outputs may leave in another order than they arrived
    std::uint32_t place = m_leaving.Size();
    while (place > 0 && m_leaving.At(place - 1).at > first)
    {
        --place;
    }
    m_leaving.Insert(place, {cells, first, spacing});
    m_going += cells;
}

void
StopGo::TakeOne(Batches& batches)
{
    Batch& batch = batches.Front();
    batch.at += batch.spacing;
    if (--batch.cells == 0)
    {
        batches.Pop();
    }
}

void
StopGo::Arrive(Ps at)
{
    TakeOne(m_arrivals);
    --m_coming;
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
    TakeOne(m_leaving);
    --m_going;
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
        const Ps arrives = m_arrivals.IsEmpty() ? PS_NEVER : m_arrivals.Front().at;
        // departures make room for arrivals at the same instant
        const bool leaves = !m_leaving.IsEmpty() && m_leaving.Front().at <= arrives && m_fill > 0;
        const Ps at = leaves ? m_leaving.Front().at : arrives;
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
    if (m_fill > m_marks.go + m_going)
    {
        return PS_NEVER; // as most often
    }
    Cursor arrivals(m_arrivals);
    Cursor leaving(m_leaving);
    std::uint32_t fill = m_fill;
    bool isStopped = m_stopped;
    while (leaving.At() != PS_NEVER)
    {
        const Ps next = leaving.At();
        bool leaves = fill > 0 && next <= arrivals.At(); // in the order of IsStopped
        while ((leaves ? leaving.At() : arrivals.At()) <= next)
        {
            leaves ? leaving.Take() : arrivals.Take();
            fill = leaves ? fill - 1 : fill + 1;
            isStopped = isStopped ? fill > m_marks.go : fill >= m_marks.stop;
            leaves = fill > 0 && leaving.At() <= arrivals.At();
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
