/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Credits: none is lost or made, cells leave no earlier than their room is known to be free.

#include "ns3/via-credit.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(CreditTest)

BOOST_AUTO_TEST_CASE(ACellWithACreditLeavesAtOnce)
{
    CreditLoop loop(2);
    BOOST_TEST(loop.Capacity() == 2U);
    BOOST_TEST(loop.Take(50) == 50);
    BOOST_TEST(loop.Take(60) == 60);
    BOOST_TEST(loop.Out() == 2U);
}

BOOST_AUTO_TEST_CASE(WithoutAKnownCreditNothingIsTaken)
{
    CreditLoop loop(1);
    BOOST_TEST(loop.HasOne());
    loop.Take(0);
    BOOST_TEST(!loop.HasOne());
    BOOST_TEST(loop.IsEmpty());
    BOOST_TEST(loop.Take(0) == PS_NEVER);
    BOOST_TEST(loop.Out() == 1U);
}

BOOST_AUTO_TEST_CASE(ACreditThatComesHomeLaterIsWaitedFor)
{
    CreditLoop loop(2);
    loop.Take(0);
    loop.Take(0);
    loop.Return(1, 700);
    BOOST_TEST(!loop.ReturnsBy(699));
    BOOST_TEST(loop.ReturnsBy(700));
    BOOST_TEST(loop.Take(300) == 700);
    loop.Return(1, 800);
    BOOST_TEST(loop.Take(900) == 900);
}

BOOST_AUTO_TEST_CASE(ACreditInHandIsUsedBeforeThoseOnTheWay)
{
    CreditLoop loop(2);
    loop.Take(0);
    loop.Return(1, 500);
    BOOST_TEST(loop.Take(100) == 100);
    BOOST_TEST(loop.Take(100) == 500);
}

BOOST_AUTO_TEST_CASE(CreditsComeHomeInTheOrderOfTime)
{
    CreditLoop loop(4);
    for (int i = 0; i < 4; ++i)
    {
        loop.Take(0);
    }
    loop.Return(1, 900);
    loop.Return(3, 500);
    BOOST_TEST(loop.NextHome() == 500);
    BOOST_TEST(loop.NextHome(500) == 900);
    BOOST_TEST(loop.Take(0) == 500);
    BOOST_TEST(loop.HomeBy(899) == 2U);
    BOOST_TEST(loop.HomeBy(900) == 3U);
    BOOST_TEST(loop.NextHome() == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(CreditsAreConstantOverAnyHistory)
{
    CreditLoop loop(8); // the loop itself aborts when here + coming + out is not its capacity
    std::uint64_t random = 5;
    Ps now = 0;
    for (int i = 0; i < 2'000; ++i)
    {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        now += static_cast<Ps>(random >> 56);
        const Ps start = loop.Take(now);
        BOOST_REQUIRE(start >= now);
        if (start == PS_NEVER || loop.Out() > 5 + (random >> 62))
        {
            loop.Return(loop.Out(), now + 500);
        }
        BOOST_REQUIRE(loop.Out() <= loop.Capacity());
    }
    loop.Return(loop.Out(), now);
    BOOST_TEST(loop.Out() == 0U);
    BOOST_TEST(loop.HomeBy(now + 500) == 8U);
}

BOOST_AUTO_TEST_SUITE_END()
