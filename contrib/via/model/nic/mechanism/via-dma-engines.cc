/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The DMA engines of a NIC: which engine starts a bus burst, and at what cost.

#include "via-dma-engines.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
DmaCalendar::Forget(Ps past)
{
    while (!m_busy.IsEmpty() && m_busy.Front().end <= past)
    {
        m_busy.Pop();
    }
}

Ps
DmaCalendar::FreeFrom(Ps from, Ps least) const
{
    for (std::uint32_t i = 0; i < m_busy.Size() && m_busy.At(i).start < from + least; ++i)
    {
        from = std::max(from, m_busy.At(i).end);
    }
    return from;
}

void
DmaCalendar::Occupy(Ps start, Ps end)
{
    std::uint32_t place = m_busy.Size();
    while (place > 0 && m_busy.At(place - 1).start > start)
    {
        --place;
    }
    m_busy.Insert(place, {start, end});
    m_last = std::max(m_last, end);
}

Ps
DmaEngines::Ask(Ps at, bool first)
{
    while (first && !m_begun.IsEmpty())
    {
        m_begun.Pop();
    }
    const Ps asked = m_begun.IsEmpty() ? PS_NEVER : m_begun.Front();
    m_begun.Push(at);
    if (m_begun.Size() > m_ahead)
    {
        m_begun.Pop();
    }
    return asked;
}

Moment
DmaEngines::Transfer(Moment from,
                     Stage stage,
                     Engine engine,
                     std::uint32_t bytes,
                     bool first,
                     bool write,
                     Ps asked)
{
    DmaCalendar& calendar = (*m_calendars)[m_shared || engine == Engine::NIC_SEND ? 0 : 1];
    const Cycles start = first || !m_chains ? m_start : Cycles(0);
    calendar.Forget(std::min(m_host.Now(), from.at)); // what nobody noticed is planned late
    Ps free = from.at;
    if (!calendar.IsFreeFrom(free))
    {
        const Ps least = m_processor.Clock().Span(start) + m_host.DataSpan(bytes);
        free = calendar.FreeFrom(free, least);
    }
    Moment at = m_host.Wait(from, Stage::ENGINE_WAIT, engine, free);
    at = m_processor.Work(at, Stage::DMA_START, engine, start);
    m_processor.UseMemory(at.at, bytes);
    at = write ? m_host.DmaWrite(at, stage, bytes, m_bus)
               : m_host.DmaRead(at, stage, bytes, m_bus, asked);
    calendar.Occupy(free, at.at);
    return at;
}

} // namespace via
} // namespace ns3
