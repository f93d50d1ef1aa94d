/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Timing wheels: the order of a sorted list, whatever the density of entries.

#include "ns3/via-scramble.h"
#include "ns3/via-timing-wheels.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

using namespace ns3::via;

namespace
{

struct Item
{
    Ps at;
    std::uint64_t tie;
    std::uint64_t sequence;
};

bool
IsBefore(const Item& a, const Item& b)
{
    return std::tie(a.at, a.tie, a.sequence) < std::tie(b.at, b.tie, b.sequence);
}

/// Timing wheels beside a sorted list: both must have the same first entry at any time.
class Twins
{
  public:
    explicit Twins(std::uint32_t few = 2, std::uint32_t many = 8)
    {
        m_wheels.SetDay(few, many);
    }

    void Insert(Ps at, std::uint64_t tie)
    {
        const Item item{at, tie, m_items.size()};
        m_list.insert(std::upper_bound(m_list.begin(), m_list.end(), item, IsBefore), item);
        m_items.push_back(item);
        m_wheels.Insert(static_cast<std::uint32_t>(item.sequence));
    }

    /// @return the time of the entry; fails if the two differ
    Ps Pop()
    {
        const Item first = m_list.front();
        BOOST_REQUIRE(m_wheels.First() == first.sequence);
        BOOST_REQUIRE(m_wheels.FirstAt() == first.at);
        m_list.erase(m_list.begin());
        m_wheels.Pop();
        BOOST_REQUIRE(m_wheels.IsEmpty() == m_list.empty());
        return first.at;
    }

    void PurgeOddTies()
    {
        const auto isOdd = [](const Item& item) { return item.tie % 2 == 1; };
        m_list.erase(std::remove_if(m_list.begin(), m_list.end(), isOdd), m_list.end());
        m_wheels.Purge([this, isOdd](std::uint32_t slot) { return isOdd(m_items[slot]); });
        BOOST_REQUIRE(m_wheels.IsEmpty() == m_list.empty());
    }

    std::size_t Size() const
    {
        return m_list.size();
    }

  private:
    std::vector<Item> m_items; ///< all of them; the sequence is the index
    TimingWheels<Item> m_wheels{m_items};
    std::vector<Item> m_list;
};

/// Inserts and removes about @p steps entries, each up to @p ahead ps after the last one removed.
void
TakeTurns(Twins& twins, std::uint64_t steps, std::uint64_t ahead, Ps& now)
{
    for (std::uint64_t i = 0; i < steps; ++i)
    {
        const std::uint64_t random = Scramble(i ^ ahead << 20);
        twins.Insert(now + static_cast<Ps>(random % ahead), random >> 60);
        if (random >> 40 & 1)
        {
            now = twins.Pop();
        }
        if (random >> 41 & 1 && twins.Size() > 0)
        {
            now = twins.Pop();
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(TimingWheelsTest)

BOOST_AUTO_TEST_CASE(EqualTimesGoByTieAndThenByInsertion)
{
    Twins twins;
    for (const std::uint64_t tie : {3, 1, 2, 1, 3, 2})
    {
        twins.Insert(10, tie);
    }
    while (twins.Size() > 0)
    {
        BOOST_TEST(twins.Pop() == 10);
    }
}

BOOST_AUTO_TEST_CASE(TheOrderIsThatOfASortedListAtAnyDensity)
{
    for (const std::uint64_t ahead : {1ULL, 100ULL, 10'000ULL, 1'000'000ULL, 1'000'000'000'000ULL})
    {
        for (const std::uint32_t few : {1, 2, 6, 24})
        {
            Twins twins(few, 4 * few);
            Ps now = 0;
            TakeTurns(twins, 5'000, ahead, now);
            while (twins.Size() > 0)
            {
                twins.Pop();
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(TheDensityMayChange)
{
    Twins twins;
    Ps now = 0;
    for (const std::uint64_t ahead : {1'000'000'000ULL, 1'000ULL, 1'000'000ULL, 10ULL})
    {
        TakeTurns(twins, 3'000, ahead, now);
    }
    while (twins.Size() > 0)
    {
        twins.Pop();
    }
}

BOOST_AUTO_TEST_CASE(ACrowdedDayIsDividedAlthoughSomeOfItsEntriesAreFarAway)
{
    Twins twins;
    twins.Insert(1, 0);
    for (Ps i = 0; i < 1'000; ++i) // all on the first day, then on many
    {
        twins.Insert(i % 10 == 0 ? i * 1'000'000'000 : (i * 7919) % 60'000, 0);
    }
    while (twins.Size() > 0)
    {
        twins.Pop();
    }
}

BOOST_AUTO_TEST_CASE(ACrowdBeforeTheFirstEntryMayEndInAnEarlierSlot)
{
    for (const Ps first : {1'024LL, 65'536LL, 1LL << 40}) // where slots of several wheels begin
    {
        Twins twins;
        twins.Insert(first, 0);
        twins.Insert(first + 5, 0);
        for (Ps i = 200; i-- > 0;)
        {
            twins.Insert(first - i * 7 % 200, 0);
        }
        while (twins.Size() > 0)
        {
            twins.Pop();
        }
    }
}

BOOST_AUTO_TEST_CASE(AnEmptyQueueBeginsAgainAtAnyTime)
{
    Twins twins;
    for (const Ps at : {5LL, 1'000'000'000'000LL, 1'000'000'000'001LL, 9'000'000'000'000'000LL})
    {
        twins.Insert(at, 0);
        BOOST_TEST(twins.Pop() == at);
    }
    twins.Insert(9'100'000'000'000'000, 0);
    twins.Insert(9'000'000'000'000'001, 0); // before the first one, but not before the last popped
    BOOST_TEST(twins.Pop() == 9'000'000'000'000'001);
}

BOOST_AUTO_TEST_CASE(WhatIsPurgedDoesNotComeAnyMore)
{
    Twins twins;
    Ps now = 0;
    TakeTurns(twins, 2'000, 10'000'000, now);
    twins.PurgeOddTies();
    TakeTurns(twins, 2'000, 10'000'000, now);
    while (twins.Size() > 0)
    {
        twins.Pop();
    }
    twins.PurgeOddTies(); // nothing is left
}

BOOST_AUTO_TEST_SUITE_END()
