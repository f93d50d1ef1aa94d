/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A calendar queue: future work in the order of time.

#ifndef VIA_CALENDAR_QUEUE_H
#define VIA_CALENDAR_QUEUE_H

#include "ns3/via-index-set.h"
#include "ns3/via-time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Items of an array in the order (time, tie, sequence).
 * @tparam Item has `Ps at`, `std::uint64_t tie`, `std::uint64_t sequence`, which the queue reads,
 * and `std::uint32_t later`, which belongs to the queue while the item is in it
 *
 *     today: sorted    the other days of this year: a list each    later years: one list
 *
 * A day is a short stretch of time. Only its items are sorted, and only when it begins, so an item
 * costs about the same whatever their number. The length of a day follows the density of items.
 * After R. Brown, "Calendar queues", CACM 31 (10), 1988.
 */
template <class Item>
class CalendarQueue
{
  public:
    /// @param items the array; it may grow
    explicit CalendarQueue(std::vector<Item>& items)
        : m_items(items),
          m_days(DAYS, NONE),
          m_filled(DAYS)
    {
    }

    /// Sets how many items a day shall have, in place of 2 to 8: sorting two is cheaper than
    /// sorting ten, but After() tells only of today's.
    /// @param few a day with fewer on average is too short
    /// @param many a day with more on average is too long
    void SetDay(std::size_t few, std::size_t many)
    {
        m_few = few;
        m_many = many;
    }

    bool IsEmpty() const
    {
        return m_next == m_today.size();
    }

    /// The index of the first item; there must be one.
    std::uint32_t First() const
    {
        return m_today[m_next].slot;
    }

    /// The time of the first item.
    Ps FirstAt() const
    {
        return m_today[m_next].at;
    }

    /// The index of the item @p i places after the first, if it is one of today's; otherwise NONE.
    std::uint32_t After(std::uint32_t i) const
    {
        return m_next + i < m_today.size() ? m_today[m_next + i].slot : NONE;
    }

    /// Calls @p visit with the indices of the next day that has items, if it is in this year.
    template <class Visit>
    void ForNextDay(Visit visit) const
    {
        const std::uint32_t day = NextFilled();
        for (std::uint32_t i = day == NONE ? NONE : m_days[day]; i != NONE; i = m_items[i].later)
        {
            visit(i);
        }
    }

    /// Adds the item at index @p slot, which is not earlier than the last one removed. Its sequence
    /// is larger than those of all before.
    void Insert(std::uint32_t slot)
    {
        const Ps day = m_items[slot].at >> m_shift;
        if (IsEmpty())
        {
            m_today.push_back(EntryOf(slot));
            m_day = day;
            m_yearEnd = (day | (DAYS - 1)) + 1;
        }
        else if (day <= m_day)
        {
            InsertToday(EntryOf(slot));
        }
        else
        {
            ++m_notToday;
            PutAside(slot, day);
        }
    }

    /// Removes the first item. @return whether a new day has begun
    bool Pop()
    {
        if (++m_next < m_today.size())
        {
            return false;
        }
        EndToday();
        return m_notToday > 0 && BeginNextDay();
    }

    /// Removes the items with an index that is @p obsolete.
    template <class Predicate>
    void Purge(Predicate obsolete)
    {
        Gather();
        std::uint32_t* link = &m_later;
        while (*link != NONE)
        {
            const std::uint32_t slot = *link;
            const std::uint32_t next = m_items[slot].later;
            if (obsolete(slot))
            {
                *link = next;
                --m_notToday;
            }
            else
            {
                link = &m_items[slot].later;
            }
        }
        if (m_notToday > 0)
        {
            BeginNextDay();
        }
    }

    static constexpr std::uint32_t NONE = IndexSet::NONE;

  private:
    // these numbers were chosen by measurement
    static constexpr std::uint32_t DAYS = 4096;    ///< of a year
    static constexpr int FIRST_SHIFT = 16;         ///< a day of 66 ns
    static constexpr int MOST_SHIFT = 40;          ///< a day of 1.1 s
    static constexpr std::uint32_t CHECK = 64;     ///< days between two looks at the average
    static constexpr std::size_t CROWDED = 128;    ///< items that are too many today
    static constexpr std::ptrdiff_t BY_STEPS = 24; ///< up to so many, a place is searched in steps

    /// A time and what decides at equal times, as one number: comparisons are unpredictable, and
    /// this one has no branch.
    __extension__ using Order = unsigned __int128;

    /// One of today's items.
    struct Entry
    {
        Ps at;
        std::uint64_t tie;
        std::uint64_t sequence;
        std::uint32_t slot;

        Order GetOrder() const
        {
            return static_cast<Order>(static_cast<std::uint64_t>(at)) << 64 | tie;
        }
    };

    static bool IsBefore(const Entry& a, const Entry& b)
    {
        const Order first = a.GetOrder();
        const Order second = b.GetOrder();
        return first < second || (first == second && a.sequence < b.sequence);
    }

    Entry EntryOf(std::uint32_t slot) const
    {
        const Item& item = m_items[slot];
        return {item.at, item.tie, item.sequence, slot};
    }

    void InsertToday(const Entry& entry);

    /// Puts the item at @p slot into the list of @p day.
    void PutAside(std::uint32_t slot, Ps day)
    {
        const auto place = static_cast<std::uint32_t>(day % DAYS);
        if (day < m_yearEnd)
        {
            m_items[slot].later = std::exchange(m_days[place], slot);
            m_filled.Add(place);
        }
        else
        {
            m_items[slot].later = std::exchange(m_later, slot);
        }
    }

    /// The place in m_days of the next day with items, if it is in this year.
    std::uint32_t NextFilled() const
    {
        return m_day + 1 < m_yearEnd ? m_filled.Next(static_cast<std::uint32_t>((m_day + 1) % DAYS))
                                     : NONE;
    }

    void EndToday()
    {
        m_today.clear();
        m_next = 0;
        m_crowded = CROWDED;
    }

    bool BeginNextDay();
    void BeginYear();
    void SortToday();
    /// Makes days longer or shorter if they have few or many items.
    void Adapt();
    /// Makes days shorter if today has many items at different times.
    [[gnu::cold]] void Relieve();
    /// Moves all items to m_later.
    void Gather();

    std::vector<Item>& m_items;
    std::vector<Entry> m_today;        ///< sorted
    std::size_t m_next{0};             ///< the first item in m_today
    int m_shift{FIRST_SHIFT};          ///< a day is 2^m_shift ps
    Ps m_day{0};                       ///< the number of today; earlier items count as today's
    Ps m_yearEnd{DAYS};                ///< the first day of the next year
    std::vector<std::uint32_t> m_days; ///< of this year: the first item of each
    IndexSet m_filled;                 ///< days with items, after today
    std::uint32_t m_later{NONE};       ///< the first item of later years
    std::size_t m_few{2};              ///< see SetDay; chosen by measurement
    std::size_t m_many{8};
    std::size_t m_notToday{0};      ///< items of later days
    std::size_t m_crowded{CROWDED}; ///< items at which today is looked at again
    std::uint32_t m_daysSeen{0};    ///< since the last look at the average
    std::size_t m_itemsSeen{0};     ///< at the beginnings of these days
};

template <class Item>
void
CalendarQueue<Item>::InsertToday(const Entry& entry)
{
    if (m_today.size() == m_today.capacity() && m_next >= m_today.size() / 2)
    {
        m_today.erase(m_today.begin(), m_today.begin() + static_cast<std::ptrdiff_t>(m_next));
        m_next = 0;
    }
    const Order order = entry.GetOrder();
    m_today.push_back(entry);
    auto place = m_today.end() - 1;
    const auto next = m_today.begin() + static_cast<std::ptrdiff_t>(m_next);
    if (place - next > BY_STEPS)
    {
        const auto isBefore = [](Order one, const Entry& other) { return one < other.GetOrder(); };
        const auto later = std::upper_bound(next, place, order, isBefore);
        std::move_backward(later, place, m_today.end());
        place = later;
    }
    for (; place > next && order < (place - 1)->GetOrder(); --place)
    {
        *place = *(place - 1);
    }
    *place = entry;
    if (m_today.size() - m_next >= m_crowded)
    {
        Relieve();
    }
}

template <class Item>
bool
CalendarQueue<Item>::BeginNextDay()
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
    for (std::uint32_t slot = std::exchange(m_days[place], NONE); slot != NONE;
         slot = m_items[slot].later)
    {
        m_today.push_back(EntryOf(slot));
    }
    m_notToday -= m_today.size();
    m_itemsSeen += m_today.size();
    if (m_today.size() > 1)
    {
        std::reverse(m_today.begin(), m_today.end()); // what was inserted last is likely to be late
        SortToday();
    }
    return true;
}

template <class Item>
void
CalendarQueue<Item>::BeginYear()
{
    Ps first = PS_NEVER;
    for (std::uint32_t slot = m_later; slot != NONE; slot = m_items[slot].later)
    {
        first = std::min(first, m_items[slot].at);
    }
    m_yearEnd = ((first >> m_shift) | (DAYS - 1)) + 1;
    for (std::uint32_t slot = std::exchange(m_later, NONE); slot != NONE;)
    {
        const std::uint32_t next = m_items[slot].later;
        PutAside(slot, m_items[slot].at >> m_shift);
        slot = next;
    }
}

template <class Item>
void
CalendarQueue<Item>::SortToday()
{
    if (m_today.size() > static_cast<std::size_t>(BY_STEPS))
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

template <class Item>
void
CalendarQueue<Item>::Adapt()
{
    const std::size_t average = m_itemsSeen / CHECK;
    m_daysSeen = 0;
    m_itemsSeen = 0;
    if (average < m_few ? m_shift < MOST_SHIFT : average > m_many && m_shift > 0)
    {
        Gather();
        m_shift += average < m_few ? 1 : -1;
    }
}

template <class Item>
void
CalendarQueue<Item>::Relieve()
{
    const std::size_t size = m_today.size() - m_next;
    // the later half may have timers that are far away
    const Ps half = m_today[m_next + size / 2].at - m_today[m_next].at;
    const Ps length = half / static_cast<Ps>(size / 2 / m_few);
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

template <class Item>
void
CalendarQueue<Item>::Gather()
{
    m_yearEnd = 0; // all days are later; the next one begins a year
    for (std::uint32_t day = m_filled.Next(0); day != NONE; day = m_filled.Next(day + 1))
    {
        for (std::uint32_t slot = std::exchange(m_days[day], NONE); slot != NONE;)
        {
            const std::uint32_t next = m_items[slot].later;
            PutAside(slot, 0);
            slot = next;
        }
    }
    m_filled.Clear();
    for (; m_next < m_today.size(); ++m_next)
    {
        ++m_notToday;
        PutAside(m_today[m_next].slot, 0);
    }
    EndToday();
}

} // namespace via
} // namespace ns3

#endif // VIA_CALENDAR_QUEUE_H
