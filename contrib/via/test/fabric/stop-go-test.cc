/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stop and go: when the marks are met, what the sender hears, and what a pause costs.

#include "ns3/via-occupancy.h"
#include "ns3/via-scramble.h"
#include "ns3/via-stop-go.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

namespace
{

/// A buffer of ten: stop at 6, go at 3.
StopGo::Marks
Ten(Ps pause = 0)
{
    return {10, 6, 3, pause};
}

} // namespace

BOOST_AUTO_TEST_SUITE(StopGoTest)

BOOST_AUTO_TEST_CASE(TheCellThatMeetsTheMarkStopsTheSender)
{
    StopGo gate(Ten());
    gate.Sent(6, 1'000, 100);
    BOOST_TEST(!gate.IsStopped(1'499));
    BOOST_TEST(gate.IsStopped(1'500));
    BOOST_TEST(gate.Stops() == 1U);
    BOOST_TEST(gate.PeakFill() == 6U);
}

BOOST_AUTO_TEST_CASE(ItGoesOnWhenTheBufferHasDrainedToTheLowerMark)
{
    StopGo gate(Ten());
    gate.Sent(6, 1'000, 0);
    BOOST_TEST(gate.IsStopped(1'000));
    BOOST_TEST(gate.GoesAt() == PS_NEVER);
    gate.Freed(2, 2'000, 50);
    BOOST_TEST(gate.GoesAt() == PS_NEVER);
    gate.Freed(3, 3'000, 50);
    BOOST_TEST(gate.GoesAt() == 3'000);
    BOOST_TEST(gate.IsStopped(2'999));
    BOOST_TEST(!gate.IsStopped(3'000));
}

BOOST_AUTO_TEST_CASE(TheGoIsForeseenForAnyDepartures)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed)
    {
        StopGo foreseen(Ten());
        StopGo seen(Ten());
        const auto cells = static_cast<std::uint32_t>(6 + seed % 5);
        const Ps spacing = static_cast<Ps>(Scramble(seed) % 2'000); // some arrive after the stop
        foreseen.Sent(cells, 1'000, spacing);
        seen.Sent(cells, 1'000, spacing);
        const Ps stop = 1'000 + 5 * spacing;
        BOOST_REQUIRE(foreseen.IsStopped(stop) && seen.IsStopped(stop));
        Ps at = stop + 1;
        Ps goes = PS_NEVER;
        for (std::uint64_t i = 0; i < Scramble(seed + 1) % cells; ++i)
        {
            at += static_cast<Ps>(Scramble(seed ^ i << 20) % 1'000);
            foreseen.Freed(1, at, 0);
            seen.Freed(1, at, 0);
            goes = goes == PS_NEVER && !seen.IsStopped(at) ? at : goes;
        }
        BOOST_TEST(foreseen.GoesAt() == goes, "seed " << seed);
    }
}

BOOST_AUTO_TEST_CASE(WhatLeavesMakesRoomForWhatArrivesAtTheSameInstant)
{
    StopGo gate(Ten());
    gate.Sent(5, 1'000, 0);
    gate.Freed(1, 2'000, 0);
    gate.Sent(1, 2'000, 0);
    BOOST_TEST(!gate.IsStopped(2'000));
    BOOST_TEST(gate.PeakFill() == 5U);
}

BOOST_AUTO_TEST_CASE(OutstandingCountsWhatIsOnTheWay)
{
    StopGo gate(Ten());
    gate.Sent(4, 1'000, 0);
    gate.Sent(3, 9'000, 0);
    BOOST_TEST(!gate.IsStopped(1'000));
    BOOST_TEST(gate.Outstanding() == 7U);
}

BOOST_AUTO_TEST_CASE(APauseFrameIsRepeatedForAsLongAsItHasToHold)
{
    StopGo gate(Ten(1'000));
    gate.Sent(6, 1'000, 0);
    gate.Freed(6, 5'000, 0);
    BOOST_TEST(!gate.IsStopped(5'000));
    BOOST_TEST(gate.Stops() == 1U + 8U); // each half of 1,000 ps in 4,000
}

BOOST_AUTO_TEST_CASE(OccupancyFollowsAnnouncedDepartures)
{
    Occupancy room;
    room.Enter(5);
    room.Leave(3, 1'000, 100);
    room.Leave(2, 900, 0); // by another output
    BOOST_TEST(room.At(899) == 5U);
    BOOST_TEST(room.At(900) == 3U);
    BOOST_TEST(room.At(1'100) == 1U);
    BOOST_TEST(room.At(1'200) == 0U);
    BOOST_TEST(room.Peak() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()
