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
    StopGo ahead(m_marks);
    ahead.m_fill = m_fill;
    ahead.m_coming = m_coming;
    ahead.m_stopped = m_stopped;
    for (std::uint32_t i = 0; i < m_arrivals.Size(); ++i)
    {
        ahead.m_arrivals.Push(m_arrivals.At(i));
    }
    for (std::uint32_t i = 0; i < m_leaving.Size(); ++i)
    {
        ahead.m_leaving.Push(m_leaving.At(i));
    }
    while (!ahead.m_leaving.IsEmpty())
    {
        const Ps next = ahead.m_leaving.Front().at;
        if (!ahead.IsStopped(next))
        {
            return next;
        }
    }
    return PS_NEVER;
}

} // namespace via
} // namespace ns3
