/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Timelines: one user at a time, gaps are used, nothing overlaps.

#include "ns3/via-timeline.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

using namespace ns3::via;

namespace
{
const ClockDomain CLOCK(Frequency{100'000'000, 3}); // 30000 ps
} // namespace

BOOST_AUTO_TEST_SUITE(TimelineTest)

BOOST_AUTO_TEST_CASE(AnIdleResourceServesFromTheNextEdgeOn)
{
    Timeline line;
    BOOST_TEST(line.FreeFrom() == 0);
    const ClockDomain::Window window = line.Reserve(CLOCK, 1, Cycles(2), 0);
    BOOST_TEST(window.start == 30'000);
    BOOST_TEST(window.end == 90'000);
    BOOST_TEST(line.FreeFrom() == 90'000);
}

BOOST_AUTO_TEST_CASE(WhoComesWhileItIsBusyWaitsForTheEnd)
{
    Timeline line;
    line.Reserve(CLOCK, 0, Cycles(3), 0);
    const ClockDomain::Window second = line.Reserve(CLOCK, 45'000, Cycles(1), 45'000);
    BOOST_TEST(second.start == 90'000);
    BOOST_TEST(second.end == 120'000);
}

BOOST_AUTO_TEST_CASE(WhoFitsIntoAGapTakesIt)
{
    Timeline line;
    line.Reserve(CLOCK, 0, Cycles(1), 0);
    line.Reserve(CLOCK, 90'000, Cycles(1), 0);
    const ClockDomain::Window between = line.Reserve(CLOCK, 0, Cycles(2), 0);
    BOOST_TEST(between.start == 30'000);
    BOOST_TEST(between.end == 90'000);
    BOOST_TEST(line.FreeFrom() == 120'000);
}

BOOST_AUTO_TEST_CASE(WhoDoesNotFitIntoAGapGoesBehind)
{
    Timeline line;
    line.Reserve(CLOCK, 0, Cycles(1), 0);
    line.Reserve(CLOCK, 90'000, Cycles(1), 0);
    const ClockDomain::Window behind = line.Reserve(CLOCK, 0, Cycles(3), 0);
    BOOST_TEST(behind.start == 120'000);
}

BOOST_AUTO_TEST_CASE(AGapIsLostToWhoComesTooLateForIt)
{
    Timeline line;
    line.Reserve(CLOCK, 0, Cycles(1), 0);
    line.Reserve(CLOCK, 90'000, Cycles(1), 0);
    BOOST_TEST(line.Reserve(CLOCK, 30'001, Cycles(2), 30'001).start == 120'000);
    BOOST_TEST(line.Reserve(CLOCK, 30'001, Cycles(1), 30'001).start == 60'000);
}

BOOST_AUTO_TEST_CASE(WhatIsOverIsForgottenAndStillCounts)
{
    Timeline line;
    for (Ps at = 0; at < 3'000'000; at += 30'000)
    {
        BOOST_TEST(line.Reserve(CLOCK, at, Cycles(1), at).start == at);
    }
    BOOST_TEST(line.FreeFrom() == 3'000'000);
}

BOOST_AUTO_TEST_CASE(WhatIsPlannedLateStillWaitsForWhatWasBusyThen)
{
    Timeline line;
    line.Reserve(CLOCK, 0, Cycles(3), 0);
    BOOST_TEST(line.Reserve(CLOCK, 30'000, Cycles(1), 120'000).start == 90'000);
}

BOOST_AUTO_TEST_CASE(ReservationsInAnyOrderNeverOverlapAndNeverStartEarly)
{
    Timeline line;
    std::vector<ClockDomain::Window> windows;
    std::uint64_t random = 1;
    for (int i = 0; i < 500; ++i)
    {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const Ps earliest = static_cast<Ps>(random >> 33) % 9'000'000;
        const Cycles cycles(1 + (random >> 60));
        windows.push_back(line.Reserve(CLOCK, earliest, cycles, 0));
        BOOST_REQUIRE(windows.back().start >= earliest);
        BOOST_REQUIRE(windows.back().end - windows.back().start == CLOCK.Span(cycles));
    }
    std::sort(windows.begin(), windows.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    });
    for (std::size_t i = 1; i < windows.size(); ++i)
    {
        BOOST_REQUIRE(windows[i - 1].end <= windows[i].start);
    }
    BOOST_TEST(line.FreeFrom() == windows.back().end);
}

BOOST_AUTO_TEST_SUITE_END()
