/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Spans of time, many of them: all that meet another are found, and few others are looked at.

#include "ns3/via-link-faults.h"
#include "ns3/via-span-index.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

using namespace ns3::via;

namespace
{

std::vector<std::uint32_t>
Meeting(SpanIndex& index, Ps begin, Ps end)
{
    std::vector<std::uint32_t> found;
    index.ForEachMeeting(begin, end, [&found](std::uint32_t number) { found.push_back(number); });
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(SpanIndexes)

BOOST_AUTO_TEST_CASE(AnEmptyIndexFindsNothing)
{
    SpanIndex index;
    BOOST_TEST(Meeting(index, 0, PS_NEVER).empty());
}

BOOST_AUTO_TEST_CASE(ASpanHoldsItsBeginningAndNotItsEnd)
{
    SpanIndex index;
    index.Add(10, 20);
    BOOST_TEST(Meeting(index, 19, 20).size() == 1);
    BOOST_TEST(Meeting(index, 20, 21).empty());
    BOOST_TEST(Meeting(index, 9, 10).empty());
    BOOST_TEST(Meeting(index, 10, 10).empty());
}

BOOST_AUTO_TEST_CASE(AllSpansAreFoundThatALookAtEachOneFinds)
{
    SpanIndex index;
    std::vector<TimeSpan> spans;
    std::uint64_t random = 1;
    const auto draw = [&random](std::uint64_t below) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return static_cast<Ps>((random >> 33) % below);
    };
    for (std::uint32_t i = 0; i < 300; ++i)
    {
        const Ps from = draw(1000);
        spans.push_back({from, i % 50 == 0 ? PS_NEVER : from + 1 + draw(40)});
        index.Add(spans.back().from, spans.back().until);
        const Ps begin = draw(1100);
        const Ps end = begin + draw(30);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t k = 0; k <= i; ++k)
        {
            if (spans[k].Meets(begin, end))
            {
                expected.push_back(k);
            }
        }
        BOOST_TEST(Meeting(index, begin, end) == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(ASearchAmongManyLooksAtFew)
{
    constexpr std::uint32_t COUNT = 1 << 16;
    SpanIndex index;
    for (std::uint32_t i = 0; i < COUNT; ++i)
    {
        index.Add(Ps{10} * i, Ps{10} * i + 5);
    }
    std::uint32_t found = 0;
    const auto count = [&found](std::uint32_t) { ++found; };
    BOOST_TEST(index.ForEachMeeting(10 * (COUNT / 3) + 6, 10 * (COUNT / 3) + 9, count) < 64);
    BOOST_TEST(found == 0);
    BOOST_TEST(index.ForEachMeeting(10 * (COUNT / 3), 10 * (COUNT / 3) + 1, count) < 64);
    BOOST_TEST(found == 1);
}

BOOST_AUTO_TEST_CASE(OfSeveralCutsTheFirstOfThePlanCountsTheCell)
{
    FaultLosses first;
    FaultLosses second;
    LinkFaults faults(1);
    faults.AddCut({50, 200}, false, &first);
    faults.AddCut({10, 300}, false, &second);
    BOOST_TEST((faults.FateOf({1, 64, 0, 1, 0, 60, 70}) == CellFate::CUT));
    BOOST_TEST((faults.FateOf({2, 64, 0, 1, 0, 20, 30}) == CellFate::CUT));
    BOOST_TEST(first.lost == 1);
    BOOST_TEST(second.lost == 1);
    BOOST_TEST(faults.NextReturn(200) == 300);
    BOOST_TEST(faults.NextReturn(300) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(ACutAfterTheStopOfTheRunCountsNoCell)
{
    FaultLosses toll;
    LinkFaults faults(1);
    faults.AddCut({51, 200}, false, &toll);
    BOOST_TEST((faults.FateOf({1, 64, 0, 1, 0, 40, 70}, 50) == CellFate::CUT));
    BOOST_TEST(toll.lost + faults.CellsLost() == 0);
    faults.FateOf({2, 64, 0, 1, 0, 40, 70}, 51);
    BOOST_TEST(toll.lost == 1);
}

BOOST_AUTO_TEST_CASE(WhatWaitsInAWipedBufferIsLostAfterTheCutToo)
{
    FaultLosses toll;
    LinkFaults faults(1);
    faults.AddCut({50, 60}, true, &toll);
    BOOST_TEST((faults.FateOf({1, 64, 0, 1, 49, 100, 110}) == CellFate::CUT));
    BOOST_TEST((faults.FateOf({2, 64, 0, 1, 50, 100, 110}) == CellFate::ARRIVES));
}

BOOST_AUTO_TEST_SUITE_END()
