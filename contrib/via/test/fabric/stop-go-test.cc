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

/// @p cells arrive, the first at @p first, each further one @p spacing ps later.
void
Send(StopGo& gate, std::uint32_t cells, Ps first, Ps spacing = 0)
{
    for (std::uint32_t i = 0; i < cells; ++i)
    {
        gate.Sent(first + i * spacing);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(StopGoTest)

BOOST_AUTO_TEST_CASE(TheCellThatMeetsTheMarkStopsTheSender)
{
    StopGo gate(Ten());
    Send(gate, 6, 1'000, 100);
    BOOST_TEST(!gate.IsStopped(1'499));
    BOOST_TEST(gate.IsStopped(1'500));
    BOOST_TEST(gate.Stops() == 1U);
    BOOST_TEST(gate.PeakFill() == 6U);
}

BOOST_AUTO_TEST_CASE(ItGoesOnWhenTheBufferHasDrainedToTheLowerMark)
{
    StopGo gate(Ten());
    Send(gate, 6, 1'000);
    BOOST_TEST(gate.IsStopped(1'000));
    BOOST_TEST(gate.GoesAt() == PS_NEVER);
    gate.Freed(2, 2'000);
    BOOST_TEST(gate.GoesAt() == PS_NEVER);
    gate.Freed(3, 3'000);
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
        Send(foreseen, cells, 1'000, spacing);
        Send(seen, cells, 1'000, spacing);
        const Ps stop = 1'000 + 5 * spacing;
        BOOST_REQUIRE(foreseen.IsStopped(stop) && seen.IsStopped(stop));
        Ps at = stop + 1;
        Ps goes = PS_NEVER;
        for (std::uint64_t i = 0; i < Scramble(seed + 1) % cells; ++i)
        {
            at += static_cast<Ps>(Scramble(seed ^ i << 20) % 1'000);
            foreseen.Freed(1, at);
            seen.Freed(1, at);
            goes = goes == PS_NEVER && !seen.IsStopped(at) ? at : goes;
        }
        BOOST_TEST(foreseen.GoesAt() == goes, "seed " << seed);
    }
}

BOOST_AUTO_TEST_CASE(WhatLeavesMakesRoomForWhatArrivesAtTheSameInstant)
{
    StopGo gate(Ten());
    Send(gate, 5, 1'000);
    gate.Freed(1, 2'000);
    Send(gate, 1, 2'000);
    BOOST_TEST(!gate.IsStopped(2'000));
    BOOST_TEST(gate.PeakFill() == 5U);
}

BOOST_AUTO_TEST_CASE(OutstandingCountsWhatIsOnTheWay)
{
    StopGo gate(Ten());
    Send(gate, 4, 1'000);
    Send(gate, 3, 9'000);
    BOOST_TEST(!gate.IsStopped(1'000));
    BOOST_TEST(gate.Outstanding() == 7U);
}

BOOST_AUTO_TEST_CASE(APauseFrameIsRepeatedForAsLongAsItHasToHold)
{
    StopGo gate(Ten(1'000));
    Send(gate, 6, 1'000);
    gate.Freed(6, 5'000);
    BOOST_TEST(!gate.IsStopped(5'000));
    BOOST_TEST(gate.Stops() == 1U + 8U); // each half of 1,000 ps in 4,000
}

BOOST_AUTO_TEST_CASE(OccupancyFollowsAnnouncedDepartures)
{
    Occupancy room;
    for (int i = 0; i < 3; ++i)
    {
        room.Enter();
    }
    room.Leave(1'000);
    room.Leave(1'100);
    room.Leave(900); // by another output
    BOOST_TEST(room.At(899) == 3U);
    BOOST_TEST(room.At(900) == 2U);
    BOOST_TEST(room.At(1'099) == 1U);
    BOOST_TEST(room.At(1'100) == 0U);
    BOOST_TEST(room.Peak() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
