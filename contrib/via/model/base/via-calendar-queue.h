/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A calendar queue: future work in the order of time.

#ifndef VIA_CALENDAR_QUEUE_H
#define VIA_CALENDAR_QUEUE_H

#include "ns3/via-index-set.h"
#include "ns3/via-time.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Entries in the order (time, tie, sequence).
 *
 *     today: sorted    the other days of this year: a list each    later years: one list
 *
 * A day is a short stretch of time. Only its entries are sorted, and only when it begins, so an
 * entry costs about the same whatever their number. The length of a day follows the density of
 * entries. After R. Brown, "Calendar queues", CACM 31 (10), 1988.
 */
class CalendarQueue
{
  public:
    struct Entry
    {
        Ps at;
        std::uint64_t tie;      ///< decides at equal times
        std::uint64_t sequence; ///< decides at equal ties; larger than those inserted before
        std::uint32_t slot;     ///< of use to the caller only
    };

    CalendarQueue();

    bool IsEmpty() const
    {
        return m_next == m_today.size();
    }

    /// The first entry; there must be one.
    const Entry& First() const
    {
        return m_today[m_next];
    }

    /// The entry @p i places after the first, if it is one of today's; otherwise null.
    const Entry* After(std::uint32_t i) const
    {
        return m_next + i < m_today.size() ? &m_today[m_next + i] : nullptr;
    }

    /// Calls @p visit with the slots of the next day that has entries, if it is in this year.
    template <class Visit>
    void ForNextDay(Visit visit) const
    {
        const std::uint32_t day = NextFilled();
        for (std::uint32_t i = day == NONE ? NONE : m_days[day]; i != NONE; i = m_nodes[i].next)
        {
            visit(m_nodes[i].entry.slot);
        }
    }

    /// Adds @p entry, which is not earlier than the last one removed.
    void Insert(const Entry& entry)
    {
        const Ps day = entry.at >> m_shift;
        if (IsEmpty())
        {
            m_today.push_back(entry);
            m_day = day;
            m_yearEnd = (day | (DAYS - 1)) + 1;
        }
        else if (day <= m_day)
        {
            InsertToday(entry);
        }
        else
        {
            InsertLater(entry, day);
        }
    }

    /// Removes the first entry. @return whether a new day has begun
    bool Pop()
    {
        if (++m_next < m_today.size())
        {
            return false;
        }
        EndToday();
        return m_notToday > 0 && BeginNextDay();
    }

    /// Removes the entries that are @p obsolete.
    template <class Predicate>
    void Purge(Predicate obsolete)
    {
        Gather();
        std::uint32_t* link = &m_later;
        while (*link != NONE)
        {
            Node& node = m_nodes[*link];
            if (obsolete(node.entry))
            {
                Free(std::exchange(*link, node.next));
            }
            else
            {
                link = &node.next;
            }
        }
        if (m_notToday > 0)
        {
            BeginNextDay();
        }
    }

  private:
    static constexpr std::uint32_t NONE = IndexSet::NONE;
    static constexpr std::uint32_t DAYS = 4096; ///< of a year
    static constexpr int FIRST_SHIFT = 16;      ///< a day of 66 ns
    static constexpr int MOST_SHIFT = 40;       ///< a day of 1.1 s
    // the numbers of days and entries were chosen by measurement
    /// A day with fewer entries on average is too short, one with more is too long.
    static constexpr std::size_t FEW = 6;
    static constexpr std::size_t MANY = 24;
    static constexpr std::uint32_t CHECK = 64;  ///< days between two looks at the average
    static constexpr std::size_t CROWDED = 128; ///< entries that are too many today

    /// An entry that is not today's.
    struct Node
    {
        Entry entry;
        std::uint32_t next; ///< of the same list, or NONE
    };

    static bool IsBefore(const Entry& a, const Entry& b);

    void InsertToday(const Entry& entry);
    void InsertLater(const Entry& entry, Ps day);
    /// Puts @p node into the list of @p day.
    void PutAside(std::uint32_t node, Ps day);
    void Free(std::uint32_t node);

    /// The place in m_days of the next day with entries, if it is in this year.
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
    /// Makes days longer or shorter if they have few or many entries.
    void Adapt();
    /// Makes days shorter if today has many entries at different times.
    [[gnu::cold]] void Relieve();
    /// Moves all entries to m_later.
    void Gather();

    std::vector<Entry> m_today;        ///< sorted
    std::size_t m_next{0};             ///< the first entry in m_today
    int m_shift{FIRST_SHIFT};          ///< a day is 2^m_shift ps
    Ps m_day{0};                       ///< the number of today; earlier entries count as today's
    Ps m_yearEnd{DAYS};                ///< the first day of the next year
    std::vector<std::uint32_t> m_days; ///< of this year: the first node of each
    IndexSet m_filled;                 ///< days with entries, after today
    std::uint32_t m_later{NONE};       ///< the first node of later years
    std::vector<Node> m_nodes;
    std::uint32_t m_free{NONE};     ///< the first free node
    std::size_t m_notToday{0};      ///< nodes in use
    std::size_t m_crowded{CROWDED}; ///< entries at which today is looked at again
    std::uint32_t m_daysSeen{0};    ///< since the last look at the average
    std::size_t m_entriesSeen{0};   ///< at the beginnings of these days
};

} // namespace via
} // namespace ns3

#endif // VIA_CALENDAR_QUEUE_H
