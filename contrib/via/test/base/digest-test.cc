/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Digests: whatever changes changes them, and they are the same everywhere.

#include "ns3/via-digest.h"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(DigestTest)

BOOST_AUTO_TEST_CASE(TheSameHistoryGivesTheSameDigest)
{
    Digest a;
    Digest b;
    for (std::uint64_t i = 0; i < 100; ++i)
    {
        a.Mix(i, i * i);
        b.Mix(i, i * i);
    }
    BOOST_TEST(a.Hex() == b.Hex());
    BOOST_TEST(a.Count() == 100U);
}

BOOST_AUTO_TEST_CASE(ADigestIs32HexadecimalDigits)
{
    Digest digest;
    digest.Mix(1, 2);
    BOOST_TEST(digest.Hex().size() == 32U);
    BOOST_TEST(digest.Hex().find_first_not_of("0123456789abcdef") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(EveryBitCounts)
{
    std::set<std::string> seen;
    for (int bit = 0; bit < 64; ++bit)
    {
        Digest a;
        a.Mix(std::uint64_t{1} << bit, 0);
        a.Mix(0, 0);
        Digest b;
        b.Mix(0, std::uint64_t{1} << bit);
        b.Mix(0, 0);
        seen.insert(a.Hex());
        seen.insert(b.Hex());
    }
    BOOST_TEST(seen.size() == 128U);
}

BOOST_AUTO_TEST_CASE(TheOrderInWhichSpansAreComputedDoesNotCount)
{
    Digest a;
    a.Mix(1, 2);
    a.Mix(3, 4);
    Digest b;
    b.Mix(3, 4);
    b.Mix(1, 2);
    BOOST_TEST(a.Hex() == b.Hex());
}

BOOST_AUTO_TEST_CASE(WhichValuesBelongTogetherCounts)
{
    Digest a;
    a.Mix(1, 2);
    a.Mix(3, 4);
    Digest exchanged;
    exchanged.Mix(1, 4);
    exchanged.Mix(3, 2);
    Digest turned;
    turned.Mix(2, 1);
    turned.Mix(4, 3);
    BOOST_TEST((std::set<std::string>{a.Hex(), exchanged.Hex(), turned.Hex()}.size()) == 3U);
}

BOOST_AUTO_TEST_CASE(HowOftenNothingHappenedCounts)
{
    Digest none;
    Digest once;
    once.Mix(0, 0);
    Digest twice = once;
    twice.Mix(0, 0);
    BOOST_TEST((std::set<std::string>{none.Hex(), once.Hex(), twice.Hex()}.size()) == 3U);
}

BOOST_AUTO_TEST_CASE(WhoseDigestItIsCountsInTheSum)
{
    Digest one;
    one.Mix(5, 6);
    Digest other;
    other.Mix(7, 8);
    Digest a;
    a.Combine(0, one);
    a.Combine(1, other);
    Digest b;
    b.Combine(0, other);
    b.Combine(1, one);
    BOOST_TEST(a.Hex() != b.Hex());
}

BOOST_AUTO_TEST_CASE(AKnownHistoryHasOneDigestOnEveryMachine)
{
    Digest digest;
    for (std::uint64_t i = 0; i < 1'000; ++i)
    {
        digest.Mix(i * 0x123456789abcdefULL, ~i);
    }
    BOOST_TEST(digest.Hex() == "c454c826348bfb6fd63f91e86aedce45");
}

BOOST_AUTO_TEST_SUITE_END()
