/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A calendar queue: future work in the order of time.

#include "via-calendar-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// A time and what decides at equal times, as one number: comparisons are unpredictable, and this
/// one has no branch.
__extension__ using Wide = unsigned __int128;

Wide
OrderOf(const CalendarQueue::Entry& entry)
{
    return static_cast<Wide>(static_cast<std::uint64_t>(entry.at)) << 64 | entry.tie;
}

} // namespace

CalendarQueue::CalendarQueue()
    : m_days(DAYS, NONE),
      m_filled(DAYS)
{
}

bool
CalendarQueue::IsBefore(const Entry& a, const Entry& b)
{
    const Wide first = OrderOf(a);
    const Wide second = OrderOf(b);
    return first < second || (first == second && a.sequence < b.sequence);
}

void
CalendarQueue::InsertLater(const Entry& entry, Ps day)
{
    std::uint32_t node = m_free;
    if (node == NONE)
    {
        node = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
    }
    else
    {
        m_free = m_nodes[node].next;
    }
    m_nodes[node].entry = entry;
    ++m_notToday;
    PutAside(node, day);
}

void
CalendarQueue::PutAside(std::uint32_t node, Ps day)
{
    const auto place = static_cast<std::uint32_t>(day % DAYS);
    if (day < m_yearEnd)
    {
        m_nodes[node].next = std::exchange(m_days[place], node);
        m_filled.Add(place);
    }
    else
    {
        m_nodes[node].next = std::exchange(m_later, node);
    }
}

void
CalendarQueue::Free(std::uint32_t node)
{
    m_nodes[node].next = std::exchange(m_free, node);
    --m_notToday;
}

void
CalendarQueue::InsertToday(const Entry& entry)
{
    if (m_today.size() == m_today.capacity() && m_next >= m_today.size() / 2)
    {
        m_today.erase(m_today.begin(), m_today.begin() + static_cast<std::ptrdiff_t>(m_next));
        m_next = 0;
    }
    const Wide order = OrderOf(entry);
    std::size_t place = m_today.size();
    m_today.push_back(entry);
    if (place - m_next > MANY)
    {
        const auto end = m_today.end() - 1;
        const auto later =
            std::upper_bound(m_today.begin() + static_cast<std::ptrdiff_t>(m_next),
                             end,
                             order,
                             [](Wide one, const Entry& other) { return one < OrderOf(other); });
        std::move_backward(later, end, m_today.end());
        place = static_cast<std::size_t>(later - m_today.begin());
    }
    for (; place > m_next && order < OrderOf(m_today[place - 1]); --place)
    {
        m_today[place] = m_today[place - 1];
    }
    m_today[place] = entry;
    if (m_today.size() - m_next >= m_crowded)
    {
        Relieve();
    }
}

bool
CalendarQueue::BeginNextDay()
{
    if (++m_daysSeen == CHECK)
    {
        Adapt();
    }
    std::uint32_t place = NextFilled();
    if (place == NONE)
    {
        BeginYear();
        place = m_filled.Next(0);
    }
    m_day = m_yearEnd - DAYS + place;
    m_filled.Remove(place);
    for (std::uint32_t node = std::exchange(m_days[place], NONE); node != NONE;)
    {
        m_today.push_back(m_nodes[node].entry);
        const std::uint32_t next = m_nodes[node].next;
        Free(std::exchange(node, next));
    }
    std::reverse(m_today.begin(), m_today.end()); // what was inserted last is likely to be late
    m_entriesSeen += m_today.size();
    SortToday();
    return true;
}

void
CalendarQueue::BeginYear()
{
    Ps first = PS_NEVER;
    for (std::uint32_t node = m_later; node != NONE; node = m_nodes[node].next)
    {
        first = std::min(first, m_nodes[node].entry.at);
    }
    m_yearEnd = ((first >> m_shift) | (DAYS - 1)) + 1;
    for (std::uint32_t node = std::exchange(m_later, NONE); node != NONE;)
    {
        const std::uint32_t next = m_nodes[node].next;
        PutAside(node, m_nodes[node].entry.at >> m_shift);
        node = next;
    }
}

void
CalendarQueue::SortToday()
{
    if (m_today.size() > MANY)
    {
        std::sort(m_today.begin(), m_today.end(), IsBefore);
        return;
    }
    for (std::size_t i = 1; i < m_today.size(); ++i)
    {
        const Entry entry = m_today[i];
        std::size_t place = i;
        for (; place > 0 && IsBefore(entry, m_today[place - 1]); --place)
        {
            m_today[place] = m_today[place - 1];
        }
        m_today[place] = entry;
    }
}

void
CalendarQueue::Adapt()
{
    const std::size_t average = m_entriesSeen / CHECK;
    m_daysSeen = 0;
    m_entriesSeen = 0;
    if (average < FEW ? m_shift < MOST_SHIFT : average > MANY && m_shift > 0)
    {
        Gather();
        m_shift += average < FEW ? 1 : -1;
    }
}

void
CalendarQueue::Relieve()
{
    const std::size_t size = m_today.size() - m_next;
    // the later half may have timers that are far away
    const Ps half = m_today[m_next + size / 2].at - m_today[m_next].at;
    const Ps length = half / static_cast<Ps>(size / 2 / FEW);
    m_crowded = 2 * size;
    if (length >> m_shift == 0 && length > 0)
    {
        Gather();
        while (length >> m_shift == 0)
        {
            --m_shift;
        }
        BeginNextDay();
    }
}

void
CalendarQueue::Gather()
{
    m_yearEnd = 0; // all days are later; the next one begins a year
    for (std::uint32_t day = m_filled.Next(0); day != NONE; day = m_filled.Next(day + 1))
    {
        for (std::uint32_t node = std::exchange(m_days[day], NONE); node != NONE;)
        {
            const std::uint32_t next = m_nodes[node].next;
            PutAside(node, 0);
            node = next;
        }
    }
    m_filled.Clear();
    for (; m_next < m_today.size(); ++m_next)
    {
        InsertLater(m_today[m_next], 0);
    }
    EndToday();
}

} // namespace via
} // namespace ns3
