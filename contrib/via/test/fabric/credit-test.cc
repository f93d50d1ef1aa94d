/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Credits: none is lost or made, cells leave no earlier than their room is known to be free.

#include "ns3/via-credit.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

namespace
{
constexpr Ps CELL = 100;
} // namespace

BOOST_AUTO_TEST_SUITE(CreditTest)

BOOST_AUTO_TEST_CASE(WhileThereIsRoomCellsLeaveAtOnce)
{
    CreditLoop loop(4);
    BOOST_TEST(loop.Capacity() == 4U);
    BOOST_TEST(loop.Take(3, 50, CELL) == 50);
    BOOST_TEST(loop.Take(1, 60, CELL) == 60);
    BOOST_TEST(loop.Out() == 4U);
}

BOOST_AUTO_TEST_CASE(WithoutKnownCreditsNothingIsTaken)
{
    CreditLoop loop(4);
    loop.Take(3, 0, CELL);
    BOOST_TEST(loop.KnownBy(PS_NEVER) == 1U);
    BOOST_TEST(loop.Take(2, 0, CELL) == PS_NEVER);
    BOOST_TEST(loop.Out() == 3U);
    BOOST_TEST(loop.Take(1, 0, CELL) == 0);
}

BOOST_AUTO_TEST_CASE(ACreditThatComesHomeLaterIsWaitedFor)
{
    CreditLoop loop(2);
    loop.Take(2, 0, CELL);
    loop.Return(1, 700, 0);
    BOOST_TEST(loop.Take(1, 300, CELL) == 700);
    loop.Return(1, 800, 0);
    BOOST_TEST(loop.Take(1, 900, CELL) == 900);
}

BOOST_AUTO_TEST_CASE(OnlyTheCellThatLacksItsCreditWaits)
{
    CreditLoop loop(3);
    loop.Take(3, 0, CELL);
    loop.Return(3, 1'000, 10); // home at 1000, 1010, 1020
    BOOST_TEST(loop.Take(1, 0, CELL) == 1'000);
    BOOST_TEST(loop.Take(2, 0, CELL) == 1'010);
    BOOST_TEST(loop.Out() == 3U);
}

BOOST_AUTO_TEST_CASE(ABatchLeavesSoThatItsLastCellHasItsCreditInTime)
{
    CreditLoop loop(4);
    loop.Take(4, 0, CELL);
    loop.Return(4, 1'000, 300); // home at 1000, 1300, 1600, 1900: slower than cells leave
    BOOST_TEST(loop.Take(4, 0, CELL) == 1'900 - 3 * CELL);
}

BOOST_AUTO_TEST_CASE(CreditsInHandAreUsedBeforeThoseOnTheWay)
{
    CreditLoop loop(4);
    loop.Take(2, 0, CELL);
    loop.Return(2, 500, 0);
    // two at once, the third leaves two cells after the start and needs the credit of 500 then
    BOOST_TEST(loop.Take(3, 100, CELL) == 300);
}

BOOST_AUTO_TEST_CASE(BatchesComeHomeInTheOrderOfTime)
{
    CreditLoop loop(4);
    loop.Take(4, 0, CELL);
    loop.Return(1, 900, 0);
    loop.Return(3, 500, 0);
    BOOST_TEST(loop.Take(1, 0, CELL) == 500);
    BOOST_TEST(loop.KnownBy(899) == 2U);
    BOOST_TEST(loop.KnownBy(900) == 3U);
    BOOST_TEST(loop.Take(3, 0, CELL) == 900 - 2 * CELL);
}

BOOST_AUTO_TEST_CASE(CreditsAreConstantOverAnyHistory)
{
    CreditLoop loop(8); // the loop itself aborts when here + coming + out is not its capacity
    std::uint64_t random = 5;
    Ps now = 0;
    for (int i = 0; i < 2'000; ++i)
    {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto cells = static_cast<std::uint32_t>(1 + (random >> 61));
        now += static_cast<Ps>(random >> 56);
        const Ps start = loop.Take(cells, now, CELL);
        BOOST_REQUIRE(start >= now);
        if (start == PS_NEVER || loop.Out() > 5)
        {
            loop.Return(loop.Out(), now + 500, 20);
        }
        BOOST_REQUIRE(loop.Out() <= loop.Capacity());
    }
    loop.Return(loop.Out(), now, 0);
    BOOST_TEST(loop.Out() == 0U);
    BOOST_TEST(loop.KnownBy(PS_NEVER) == 8U);
}

BOOST_AUTO_TEST_SUITE_END()
