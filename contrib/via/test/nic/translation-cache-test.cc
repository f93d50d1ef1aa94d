/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The card's cache of translations: what it keeps, and what a miss costs a message.

#include "../support/via-test-variant.h"

#include "ns3/via-translation-cache.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Pages of region 0 that @p cache has lost among the first @p count.
std::vector<std::uint64_t>
Lost(TranslationCache& cache, std::uint64_t count)
{
    std::vector<std::uint64_t> lost;
    for (std::uint64_t page = 0; page < count; ++page)
    {
        if (!cache.Use({0, page}))
        {
            lost.push_back(page);
        }
    }
    return lost;
}

TranslationCache
Filled(Replacement replacement, std::uint64_t seed = 1)
{
    TranslationCache cache(4, 4, replacement, seed);
    for (std::uint64_t page = 0; page < 4; ++page)
    {
        cache.Enter({0, page});
    }
    cache.Use({0, 0});
    cache.Enter({0, 4});
    return cache;
}

} // namespace

BOOST_AUTO_TEST_SUITE(TranslationCacheTest)

BOOST_AUTO_TEST_CASE(LruKeepsWhatWasUsedAndFifoDoesNot)
{
    TranslationCache lru = Filled(Replacement::LRU);
    TranslationCache fifo = Filled(Replacement::FIFO);
    BOOST_TEST(Lost(lru, 5) == std::vector<std::uint64_t>{1});
    BOOST_TEST(Lost(fifo, 5) == std::vector<std::uint64_t>{0});
}

BOOST_AUTO_TEST_CASE(RandomReplacementDependsOnTheSeedOnly)
{
    TranslationCache once = Filled(Replacement::RANDOM, 7);
    TranslationCache again = Filled(Replacement::RANDOM, 7);
    const std::vector<std::uint64_t> lost = Lost(once, 5);
    BOOST_TEST(lost.size() == 1U);
    BOOST_TEST(lost == Lost(again, 5));
}

BOOST_AUTO_TEST_CASE(PagesOfOneSetPushEachOtherOut)
{
    TranslationCache cache(4, 1, Replacement::LRU, 1);
    cache.Enter({0, 1});
    cache.Enter({0, 5});
    BOOST_TEST(!cache.Use({0, 1}));
    BOOST_TEST(cache.Use({0, 5}));
}

BOOST_AUTO_TEST_CASE(ARegionThatIsGoneMakesRoom)
{
    TranslationCache cache(2, 2, Replacement::FIFO, 1);
    cache.Enter({3, 0});
    cache.Enter({4, 0});
    cache.Forget(3);
    cache.Enter({5, 0});
    BOOST_TEST(!cache.Use({3, 0}));
    BOOST_TEST(cache.Use({4, 0}));
    BOOST_TEST(cache.Use({5, 0}));
}

BOOST_AUTO_TEST_CASE(TheFirstMessageMissesAndTheSecondHits)
{
    const Variant card(CachedTable());
    const std::vector<BreakdownRow> first = PingPongRows(card, 4, 0);
    const std::vector<BreakdownRow> second = PingPongRows(card, 4, 1);
    BOOST_TEST(SumOf(first, "translation-miss").cycles == 2 * 11U); // at either end
    BOOST_TEST(SumOf(first, "translation-fetch").rows == 2U);
    BOOST_TEST(SumOf(second, "translation-miss").rows == 0U);
    BOOST_TEST(SumOf(second, "translation-hit").cycles == 2 * 3U);
}

BOOST_AUTO_TEST_CASE(EveryPageOfAMessageIsLookedUpAndPrefetchSparesMisses)
{
    const auto misses = [](const std::string& prefetch) {
        const Variant card(CachedTable() + Changes{{"nic.tlb_prefetch", prefetch}});
        ClusterConfig config = card.Recorded("star", 2);
        Cluster cluster(config);
        cluster.AddWorkload("ping-pong", {{"size", "20000"}, {"rounds", "1"}});
        cluster.Run();
        return cluster.NicAt(0).Translations();
    };
    const TranslationCounts one = misses("1");
    const TranslationCounts four = misses("4");
    BOOST_TEST(one.hits + one.misses == four.hits + four.misses);
    BOOST_TEST(one.hits + one.misses >= 10U); // five or six pages either way
    BOOST_TEST(four.misses < one.misses);
}

BOOST_AUTO_TEST_CASE(AReportCountsTheLookUpsOfAllCards)
{
    const Variant card(CachedTable());
    const auto report = [&card](const std::string& rounds) {
        return RunWorkload(card.Recorded("star", 2), "ping-pong", {{"rounds", rounds}}).report;
    };
    const RunReport once = report("1");
    const RunReport twice = report("2");
    BOOST_TEST(once.translationMisses > 0U);
    BOOST_TEST(twice.translationMisses == once.translationMisses);
    BOOST_TEST(twice.translationHits == once.translationHits + 4U); // two messages, two ends
    const RunReport none = RunWorkload(Recorded("star", 2), "ping-pong").report;
    BOOST_TEST(none.translationHits + none.translationMisses == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
