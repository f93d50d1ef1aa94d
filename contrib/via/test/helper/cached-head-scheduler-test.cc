/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The scheduler of fast runs: the order of ns-3's own, whatever comes and goes.

#include "ns3/map-scheduler.h"
#include "ns3/via-cached-head-scheduler.h"
#include "ns3/via-scramble.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

using namespace ns3;
using namespace ns3::via;

namespace
{

Scheduler::Event
At(std::uint64_t time, std::uint32_t number)
{
    return {nullptr, {time, number, 0}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(CachedHeadSchedulerTest)

BOOST_AUTO_TEST_CASE(OneEventComesAndGoes)
{
    CachedHeadScheduler scheduler;
    BOOST_TEST(scheduler.IsEmpty());
    scheduler.Insert(At(7, 1));
    BOOST_TEST(!scheduler.IsEmpty());
    BOOST_TEST(scheduler.PeekNext().key.m_ts == 7U);
    BOOST_TEST(scheduler.RemoveNext().key.m_uid == 1U);
    BOOST_TEST(scheduler.IsEmpty());
}

BOOST_AUTO_TEST_CASE(EventsOfOneInstantComeInTheOrderOfTheirNumbers)
{
    CachedHeadScheduler scheduler;
    for (const std::uint32_t number : {3U, 1U, 2U})
    {
        scheduler.Insert(At(5, number));
    }
    for (const std::uint32_t number : {1U, 2U, 3U})
    {
        BOOST_TEST(scheduler.RemoveNext().key.m_uid == number);
    }
}

BOOST_AUTO_TEST_CASE(TheOrderIsThatOfTheMapScheduler)
{
    CachedHeadScheduler ours;
    MapScheduler theirs;
    std::vector<Scheduler::Event> planned;
    for (std::uint32_t number = 1; number <= 2'000; ++number)
    {
        const std::uint64_t chance = Scramble(number);
        planned.push_back(At(number + chance % 50, number));
        ours.Insert(planned.back());
        theirs.Insert(planned.back());
        if (chance >> 20 & 1)
        {
            BOOST_REQUIRE(ours.PeekNext().key.m_uid == theirs.PeekNext().key.m_uid);
            const std::uint32_t gone = theirs.RemoveNext().key.m_uid;
            BOOST_REQUIRE(ours.RemoveNext().key.m_uid == gone);
            planned.erase(std::find_if(planned.begin(), planned.end(), [gone](const auto& event) {
                return event.key.m_uid == gone;
            }));
        }
        if ((chance >> 21 & 3) == 0 && !planned.empty())
        {
            const std::size_t which = (chance >> 32) % planned.size();
            ours.Remove(planned[which]);
            theirs.Remove(planned[which]);
            planned.erase(planned.begin() + static_cast<std::ptrdiff_t>(which));
        }
        BOOST_REQUIRE(ours.IsEmpty() == theirs.IsEmpty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
