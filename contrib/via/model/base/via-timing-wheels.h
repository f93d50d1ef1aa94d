/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A priority queue for times of any density.

#ifndef VIA_TIMING_WHEELS_H
#define VIA_TIMING_WHEELS_H

#include "ns3/via-time.h"

#include <algorithm>
#include <array>
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
 * @tparam Item has `Ps at`, `std::uint64_t tie` and `std::uint64_t sequence`
 *
 *     today: sorted    wheel 0: 64 slots of 16 ps    wheel 1: 64 slots of 1 ns    wheel 2: ...
 *
 * An item waits in the wheel of the highest bit in which its time differs from today's. Today is
 * the next filled slots with about as many items as SetDay asks for; a slot that has more is first
 * dealt out to the next finer wheel. So an item moves a few times at the most, and nothing depends
 * on how dense items are elsewhere. After G. Varghese and T. Lauck, "Hashed and hierarchical timing
 * wheels", SOSP 1987, and E. Denardo and B. Fox, Operations Research 27 (1), 1979 (slots that are
 * dealt out only if they are crowded).
 */
template <class Item>
class TimingWheels
{
  public:
    /// @param items the array; it may grow
    explicit TimingWheels(const std::vector<Item>& items)
        : m_items(items)
    {
    }

    /// Sets how many items a day shall have, in place of 8 to 48: sorting few is cheaper,
    /// but After() tells only of today's.
    /// @param few a day with fewer goes on with the next filled slot
    /// @param many a slot with more is dealt out
    void SetDay(std::uint32_t few, std::uint32_t many)
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
        return m_today[m_next].index;
    }

    /// The time of the first item; PS_NEVER if there is none.
    Ps FirstAt() const
    {
        return m_firstAt;
    }

    /// The index of the item @p i places after the first, if it is one of today's; otherwise NONE.
    std::uint32_t After(std::uint32_t i) const
    {
        return m_next + i < m_today.size() ? m_today[m_next + i].index : NONE;
    }

    /// Adds the item at @p index, which is not earlier than the last one removed. Its sequence is
    /// larger than those of all before.
    void Insert(std::uint32_t index)
    {
        const Item& item = m_items[index];
        Add({item.at, item.tie, index, NONE});
    }

    /// Removes the first item. @return whether a new day has begun
    bool Pop()
    {
        if (++m_next < m_today.size())
        {
            m_firstAt = m_today[m_next].at;
            return false;
        }
        EndToday();
        return m_filledWheels != 0 && BeginDay();
    }

    /// Removes the items with an index that is @p obsolete.
    template <class Predicate>
    void Purge(Predicate obsolete);

    static constexpr std::uint32_t NONE = UINT32_MAX;

  private:
    // these numbers were chosen by measurement
    static constexpr int SLOT_BITS = 6;            ///< slots of a wheel, as a power of two
    static constexpr int FINEST = 4;               ///< a slot of wheel 0 is 2^4 = 16 ps
    static constexpr std::size_t CROWDED = 128;    ///< items that are too many today
    static constexpr std::ptrdiff_t BY_STEPS = 24; ///< up to so many, a place is searched in steps
    static constexpr std::uint32_t BUNDLE = 8;     ///< entries of a bundle
    static constexpr std::uint32_t SLOTS = 1 << SLOT_BITS;
    static constexpr std::uint32_t WHEELS = (63 - FINEST + SLOT_BITS - 1) / SLOT_BITS;

    /// A time and what decides at equal times, as one number: comparisons are unpredictable, and
    /// this one has no branch.
    __extension__ using Order = unsigned __int128;

    /// What the order needs of an item: the items themselves are seldom in the cache.
    struct Entry
    {
        Ps at;
        std::uint64_t tie;
        std::uint32_t index;
        std::uint32_t link{NONE}; ///< of the first one of a bundle: see NewBundle

        Order GetOrder() const
        {
            return static_cast<Order>(static_cast<std::uint64_t>(at)) << 64 | tie;
        }
    };

    /// Entries of a slot in the order in which they were added: three cache lines.
    struct alignas(64) Bundle
    {
        std::array<Entry, BUNDLE> entries;
    };

    struct Slot
    {
        std::uint32_t last{NONE}; ///< bundle; it links to the first one, each to the next
        std::uint32_t count{0};   ///< of entries
    };

    struct Wheel
    {
        std::uint64_t filled{0}; ///< a bit for each slot
        std::array<Slot, SLOTS> slots;
    };

    static bool IsBefore(const Entry& a, const Entry& b)
    {
        return a.GetOrder() < b.GetOrder();
    }

    /// As IsBefore, and by sequence.
    template <class Iterator>
    void Sort(Iterator begin, Iterator end) const
    {
        std::sort(begin, end, [this](const Entry& a, const Entry& b) {
            return a.GetOrder() != b.GetOrder()
                       ? a.GetOrder() < b.GetOrder()
                       : m_items[a.index].sequence < m_items[b.index].sequence;
        });
    }

    /// Bits of a time below those that number the slots of @p wheel.
    static int ShiftOf(std::uint32_t wheel)
    {
        return FINEST + SLOT_BITS * static_cast<int>(wheel);
    }

    /// The last instant of the slot of @p wheel that contains @p at.
    static Ps LastOfSlot(std::uint32_t wheel, Ps at)
    {
        return at | ((Ps{1} << ShiftOf(wheel)) - 1);
    }

    void Add(const Entry& entry)
    {
        if (IsEmpty())
        {
            m_today.push_back(entry);
            m_lastOfToday = entry.at;
            m_firstAt = entry.at;
        }
        else if (entry.at <= m_lastOfToday)
        {
            AddToday(entry);
            m_firstAt = std::min(m_firstAt, entry.at);
        }
        else
        {
            PutAside(entry);
        }
    }

    /// Puts @p entry into the slot for its time.
    void PutAside(const Entry& entry)
    {
        const auto differs = static_cast<std::uint64_t>(entry.at ^ m_lastOfToday);
        const int bit = 63 - __builtin_clzll(differs | (std::uint64_t{1} << FINEST));
        PutInto(static_cast<std::uint32_t>(bit - FINEST) / SLOT_BITS, entry);
    }

    void PutInto(std::uint32_t wheel, const Entry& entry)
    {
        const auto at = static_cast<std::uint64_t>(entry.at);
        const auto place = static_cast<std::uint32_t>(at >> ShiftOf(wheel)) % SLOTS;
        Slot& slot = m_wheels[wheel].slots[place];
        const std::uint32_t position = slot.count++ % BUNDLE;
        if (position == 0)
        {
            m_filledWheels |= 1U << wheel;
            m_wheels[wheel].filled |= std::uint64_t{1} << place;
            slot.last = NewBundle(slot.last, entry);
            return;
        }
        m_bundles[slot.last].entries[position] = entry;
    }

    /// The link of a bundle.
    std::uint32_t& LinkOf(std::uint32_t bundle)
    {
        return m_bundles[bundle].entries.front().link;
    }

    /// Adds a bundle with @p first to the ring of bundles that ends with @p last, or to an empty
    /// one.
    std::uint32_t NewBundle(std::uint32_t last, const Entry& first)
    {
        std::uint32_t bundle = m_free;
        if (bundle == NONE)
        {
            bundle = static_cast<std::uint32_t>(m_bundles.size());
            m_bundles.emplace_back();
        }
        else
        {
            m_free = LinkOf(bundle);
        }
        m_bundles[bundle].entries.front() = first;
        LinkOf(bundle) = last == NONE ? bundle : std::exchange(LinkOf(last), bundle);
        return bundle;
    }

    /// Empties the slot at @p place of @p wheel. @p take is called with each entry, in the order in
    /// which they were added.
    template <class Take>
    void Empty(std::uint32_t wheel, std::uint32_t place, Take take)
    {
        const Slot slot = std::exchange(m_wheels[wheel].slots[place], Slot{});
        m_wheels[wheel].filled &= ~(std::uint64_t{1} << place);
        m_filledWheels &= ~(std::uint32_t{m_wheels[wheel].filled == 0} << wheel);
        std::uint32_t bundle = LinkOf(slot.last);
        for (std::uint32_t taken = 0; taken < slot.count; taken += BUNDLE)
        {
            const std::uint32_t end = std::min(slot.count - taken, BUNDLE);
            for (std::uint32_t i = 0; i < end; ++i)
            {
                take(Entry(m_bundles[bundle].entries[i])); // a copy: it may need more bundles
            }
            bundle = std::exchange(LinkOf(bundle), std::exchange(m_free, bundle));
        }
    }

    /// Empties all slots.
    template <class Take>
    void EmptyAll(Take take)
    {
        while (m_filledWheels != 0)
        {
            const auto wheel = static_cast<std::uint32_t>(__builtin_ctz(m_filledWheels));
            Empty(wheel, static_cast<std::uint32_t>(__builtin_ctzll(m_wheels[wheel].filled)), take);
        }
    }

    void EndToday()
    {
        m_today.clear();
        m_next = 0;
        m_firstAt = PS_NEVER;
        m_crowded = CROWDED;
    }

    void AddToday(const Entry& entry);
    bool BeginDay();
    void SortFrom(std::size_t first);
    /// Puts most of today's items aside if they are at different times.
    [[gnu::cold]] void Relieve();

    const std::vector<Item>& m_items;
    std::vector<Entry> m_today;      ///< sorted
    std::size_t m_next{0};           ///< the first item in m_today
    Ps m_firstAt{PS_NEVER};          ///< its time
    Ps m_lastOfToday{0};             ///< the last instant of today; earlier items count as today's
    std::uint32_t m_filledWheels{0}; ///< a bit for each wheel; all of a finer one is earlier
    std::uint32_t m_few{8};          ///< see SetDay; chosen by measurement
    std::uint32_t m_many{48};
    std::array<Wheel, WHEELS> m_wheels;
    std::vector<Bundle> m_bundles;
    std::uint32_t m_free{NONE};     ///< the first free bundle
    std::size_t m_crowded{CROWDED}; ///< items at which today is looked at again
};

template <class Item>
void
TimingWheels<Item>::AddToday(const Entry& entry)
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
TimingWheels<Item>::BeginDay()
{
    do
    {
        const auto wheel = static_cast<std::uint32_t>(__builtin_ctz(m_filledWheels));
        const auto place = static_cast<std::uint32_t>(__builtin_ctzll(m_wheels[wheel].filled));
        const std::size_t before = m_today.size();
        const std::uint32_t count = m_wheels[wheel].slots[place].count;
        if (before + count <= m_many || wheel == 0)
        {
            Empty(wheel, place, [this](const Entry& entry) { m_today.push_back(entry); });
            m_lastOfToday = LastOfSlot(wheel, m_today.back().at);
            SortFrom(before);
        }
        else
        {
            Empty(wheel, place, [this, wheel](const Entry& entry) { PutInto(wheel - 1, entry); });
        }
    } while (m_today.size() < m_few && m_filledWheels != 0);
    m_firstAt = m_today.front().at;
    return true;
}

template <class Item>
void
TimingWheels<Item>::SortFrom(std::size_t first)
{
    // a slot has its entries in the order of their sequence
    const auto begin = m_today.begin() + static_cast<std::ptrdiff_t>(first);
    if (m_today.end() - begin > BY_STEPS)
    {
        Sort(begin, m_today.end());
        return;
    }
    for (auto next = begin; next != m_today.end(); ++next)
    {
        const Entry entry = *next;
        auto place = next;
        for (; place != begin && IsBefore(entry, *(place - 1)); --place)
        {
            *place = *(place - 1);
        }
        *place = entry;
    }
}

template <class Item>
void
TimingWheels<Item>::Relieve()
{
    const Ps last = std::min(m_lastOfToday, LastOfSlot(0, m_today[m_next + m_few].at));
    const auto isBefore = [](Ps last, const Entry& entry) { return last < entry.at; };
    const auto next = m_today.begin() + static_cast<std::ptrdiff_t>(m_next);
    const auto aside = std::upper_bound(next, m_today.end(), last, isBefore);
    if (aside != m_today.end())
    {
        std::vector<Entry> later(aside, m_today.end());
        m_today.erase(aside, m_today.end());
        // their slots follow from the end of today, which is earlier now
        EmptyAll([&later](const Entry& entry) { later.push_back(entry); });
        m_lastOfToday = last;
        std::for_each(later.begin(), later.end(), [this](const Entry& entry) { PutAside(entry); });
    }
    m_crowded = std::max(CROWDED, 2 * (m_today.size() - m_next));
}

template <class Item>
template <class Predicate>
void
TimingWheels<Item>::Purge(Predicate obsolete)
{
    std::vector<Entry> kept;
    const auto keep = [&kept, &obsolete](const Entry& entry) {
        if (!obsolete(entry.index))
        {
            kept.push_back(entry);
        }
    };
    std::for_each(m_today.begin() + static_cast<std::ptrdiff_t>(m_next), m_today.end(), keep);
    EndToday();
    EmptyAll(keep);
    Sort(kept.begin(), kept.end());
    std::for_each(kept.begin(), kept.end(), [this](const Entry& entry) { Add(entry); });
}

} // namespace via
} // namespace ns3

#endif // VIA_TIMING_WHEELS_H
