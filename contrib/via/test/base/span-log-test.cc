/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The log of spans gives back what it was given, in less room, and finds paths in it.

#include "ns3/via-span-log.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3::via;

namespace
{

using Random = std::mt19937_64;

Span
Stretch(Ps start, Ps end, SpanId parent)
{
    return {start, end, 0, 0, parent, 0, Stage::BLOCKED, Engine::CPU};
}

/// A number of any size: as many have 3 bits as have 60.
std::uint64_t
AnyNumber(Random& random)
{
    const std::uint64_t number = random();
    return number >> random() % 64;
}

/// Any span, as unlike others as its fields allow.
Span
AnySpan(Random& random, SpanId id)
{
    constexpr std::uint64_t never = PS_NEVER;
    const auto start = static_cast<Ps>(AnyNumber(random) & never);
    const auto length = static_cast<Ps>(AnyNumber(random) % (never - start + 1));
    return {start,
            start + length,
            AnyNumber(random),
            AnyNumber(random),
            static_cast<SpanId>(random() % id),
            static_cast<std::uint32_t>(AnyNumber(random)),
            static_cast<Stage>(random() % STAGE_COUNT),
            static_cast<Engine>(random() % (static_cast<int>(Engine::PROGRAM) + 1))};
}

auto
Fields(const Span& span)
{
    return std::tie(span.start,
                    span.end,
                    span.hz,
                    span.cycles,
                    span.parent,
                    span.component,
                    span.stage,
                    span.engine);
}

/// Whether a log of @p spans gives back all of them.
bool
IsKept(const std::vector<Span>& spans)
{
    SpanLog log;
    log.Enable();
    SpanId last = 0;
    for (const Span& span : spans)
    {
        BOOST_TEST_REQUIRE(log.Add(span) == ++last);
    }
    const std::vector<Span> kept = log.Unpack();
    return std::equal(spans.begin(),
                      spans.end(),
                      kept.begin(),
                      kept.end(),
                      [](const Span& a, const Span& b) { return Fields(a) == Fields(b); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(SpanLogTest)

BOOST_AUTO_TEST_CASE(ALogThatIsOffKeepsNothing)
{
    SpanLog log;
    BOOST_TEST(!log.IsEnabled());
    BOOST_TEST(log.Unpack().empty());
}

BOOST_AUTO_TEST_CASE(AnySpansAreGivenBack)
{
    Random random(1);
    std::vector<Span> spans;
    for (SpanId id = 1; id <= 20'000; ++id) // more than a chunk
    {
        spans.push_back(AnySpan(random, id));
    }
    BOOST_TEST(IsKept(spans));
}

BOOST_AUTO_TEST_CASE(SpansLikeTheirNeighboursAreGivenBack)
{
    Random random(2);
    std::vector<Span> spans(1);
    for (SpanId id = 1; id < 100'000; ++id)
    {
        Span span = spans.back();
        const Span other = AnySpan(random, id);
        span.start = span.end;
        span.end += static_cast<Ps>(random() % 1000);
        span.parent = id;
        (random() % 4 == 0 ? span.component : span.parent) = other.parent;
        span.stage = random() % 4 == 0 ? other.stage : span.stage;
        spans.push_back(span);
    }
    BOOST_TEST(IsKept(spans));
}

BOOST_AUTO_TEST_CASE(TheLargestAndTheSmallestNumbersAreGivenBack)
{
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
    const Span least{0, 0, 0, 0, 0, 0, Stage::COMPUTE, Engine::CPU};
    const Span large{0, PS_NEVER, most, most, last, last, Stage::COMPUTE, Engine::CPU};
    const Span late{PS_NEVER, PS_NEVER, 1, most / 2 + 1, 1, 1, Stage::COMPUTE, Engine::PROGRAM};
    BOOST_TEST(IsKept({least, large, least, late, large, late, least}));
}

BOOST_AUTO_TEST_CASE(AWaitForTheEdgeIsASpanOfItsOwnBetweenParentAndSpan)
{
    SpanLog log;
    log.Enable();
    const SpanId parent = log.Add(Stretch(0, 10, 0));
    const Span work{15, 20, 1, 2, parent, 7, Stage::DEMUX, Engine::NIC_RECEIVE};
    BOOST_TEST(log.Add(work, 10) == 3U);
    const std::vector<Span> spans = log.Unpack();
    const Span edge{10, 15, 0, 0, parent, 7, Stage::ALIGN, Engine::NIC_RECEIVE};
    BOOST_REQUIRE(spans.size() == 3U);
    BOOST_TEST((Fields(spans[1]) == Fields(edge)));
    BOOST_TEST(spans[2].parent == 2U);
    BOOST_TEST((spans[2].start == 15 && spans[2].end == 20));
}

BOOST_AUTO_TEST_CASE(WhoBeginsBeforeItsCauseEndsWaitsForNothing)
{
    SpanLog log;
    log.Enable();
    BOOST_TEST(log.Add(Stretch(5, 9, 0), 6) == 1U);
    BOOST_TEST(log.Unpack()[0].start == 5);
}

BOOST_AUTO_TEST_CASE(ALogThatIsMovedTakesItsSpansAlong)
{
    SpanLog log;
    log.Enable();
    log.Add(Stretch(0, 10, 0));
    const SpanLog other = std::move(log);
    BOOST_TEST(other.Unpack().size() == 1U);
    BOOST_TEST(!log.IsEnabled());
}

BOOST_AUTO_TEST_CASE(APathRunsFromTheRootToItsLastSpan)
{
    const std::vector<Span> spans = {Stretch(0, 10, 0),
                                     Stretch(10, 30, 1),
                                     Stretch(10, 99, 1), // a side branch
                                     Stretch(30, 40, 2)};
    const std::vector<Span> path = PathTo(spans, 4, 0);
    BOOST_REQUIRE(path.size() == 3U);
    BOOST_TEST(path[0].end == 10);
    BOOST_TEST(path[1].end == 30);
    BOOST_TEST(path[2].end == 40);
}

BOOST_AUTO_TEST_CASE(APathStopsWhereItsStoryBegins)
{
    const std::vector<Span> spans = {Stretch(0, 10, 0), Stretch(10, 30, 1)};
    BOOST_TEST(PathTo(spans, 2, 10).size() == 1U);
    BOOST_TEST(PathTo(spans, 2, 9).size() == 2U);
    BOOST_TEST(PathTo(spans, 2, 30).empty());
    BOOST_TEST(PathTo(spans, 0, 0).empty());
}

BOOST_AUTO_TEST_CASE(SpansOfSeveralLogsHaveNumbersOfOneRun)
{
    SpanLog first;
    SpanLog second;
    first.Enable(0, 2);
    second.Enable(1, 2);
    const SpanId sent = first.Add(Stretch(0, 10, 0));
    const SpanId received = second.Add(Stretch(12, 20, sent), 10); // with a wait for its edge
    BOOST_TEST(sent == 1U);
    BOOST_TEST(received == 4U);
    SpanLog restored;
    restored.Restore(second.Pack());
    const std::vector<Span> spans = restored.Unpack();
    BOOST_TEST_REQUIRE(spans.size() == 2U);
    BOOST_TEST(spans[0].parent == sent);
    BOOST_TEST(spans[1].parent == 2U);
    const SpanNumbers numbers({first.Count(), restored.Count()});
    BOOST_TEST(numbers.Of(sent) == 1U);
    BOOST_TEST(numbers.Of(spans[1].parent) == 2U);
    BOOST_TEST(numbers.Of(received) == 3U);
    BOOST_TEST(numbers.Of(0) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
