/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Clocks: edges from integers, fractional periods, phases from a seed.

#include "ns3/via-clock-domain.h"
#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

using namespace ns3::via;

namespace
{
constexpr Frequency CPU{300'000'000, 1}; // a period of 10000/3 ps
constexpr Frequency PCI{100'000'000, 3}; // a period of 30000 ps
} // namespace

BOOST_AUTO_TEST_SUITE(ClockDomainTest)

BOOST_AUTO_TEST_CASE(AClockByDefaultHasAnEdgeEachPicosecond)
{
    const ClockDomain clock;
    BOOST_TEST(clock.EdgeAtOrAfter(12345) == 12345);
    BOOST_TEST(clock.Span(Cycles(7)) == 7);
    BOOST_TEST(clock.Hz() == 1'000'000'000'000U);
}

BOOST_AUTO_TEST_CASE(AFractionOfAHertzGivesAWholePeriod)
{
    const ClockDomain clock(PCI);
    BOOST_TEST(clock.EdgeAtOrAfter(1) == 30'000);
    BOOST_TEST(clock.Span(Cycles(1'000'001)) == 30'000'030'000);
    BOOST_TEST(clock.Hz() == 33'333'333U);
}

BOOST_AUTO_TEST_CASE(EdgesOfAFractionalPeriodAreRoundedDownOneByOne)
{
    const ClockDomain clock(CPU);
    BOOST_TEST(clock.EdgeAtOrAfter(1) == 3'333);
    BOOST_TEST(clock.EdgeAtOrAfter(3'334) == 6'666);
    BOOST_TEST(clock.EdgeAtOrAfter(6'667) == 10'000);
    BOOST_TEST(ClockDomain::PeriodOf(CPU) == 3'334);
}

BOOST_AUTO_TEST_CASE(AnEdgeIsItsOwnNextEdge)
{
    for (const Frequency f : {CPU, PCI, Frequency{62'500'000, 1}, Frequency{999'999'937, 7}})
    {
        const ClockDomain clock(f, 11);
        for (Ps t = 0; t < 300'000; t += 997)
        {
            const Ps edge = clock.EdgeAtOrAfter(t);
            BOOST_REQUIRE(edge >= t);
            BOOST_REQUIRE(clock.EdgeAtOrAfter(edge) == edge);
        }
    }
}

BOOST_AUTO_TEST_CASE(ADivisorDividesAsTheProcessorDoes)
{
    constexpr std::uint64_t most = Divisor::LIMIT - 1;
    for (const std::uint64_t by :
         {1ULL, 2ULL, 3ULL, 7ULL, 9ULL, 20'000ULL, 999'999'937ULL, 1ULL << 40})
    {
        const Divisor divisor(by);
        for (std::uint64_t n = 1; n < Divisor::LIMIT / 5; n = 5 * n + 2)
        {
            BOOST_REQUIRE(divisor.Quotient(n) == n / by);
        }
        for (const std::uint64_t n : {std::uint64_t{0}, by - 1, by, by + 1, most / by * by, most})
        {
            BOOST_REQUIRE(divisor.Quotient(n) == n / by);
            BOOST_REQUIRE(divisor.Quotient(n == 0 ? 0 : n - 1) == (n == 0 ? 0 : n - 1) / by);
        }
    }
}

BOOST_AUTO_TEST_CASE(AnHourIsWhereItWouldBeWith128Bits)
{
    const ClockDomain clock(CPU, 17); // products beyond 63 bits
    constexpr Ps hours = Ps{2'000} * 3'600 * PS_PER_SECOND;
    BOOST_TEST(clock.EdgeAtOrAfter(hours) - clock.EdgeAtOrAfter(0) - hours < 3'334);
    BOOST_TEST(clock.After(17, Cycles(hours / 10'000 * 3)) == hours + 17);
}

BOOST_AUTO_TEST_CASE(ATrillionCyclesDoNotDrift)
{
    const ClockDomain clock(CPU);
    BOOST_TEST(clock.Span(Cycles(1'000'000'000'000)) == 3'333'333'333'333'333);
    BOOST_TEST(clock.Span(Cycles(999'999'999'999)) == 3'333'333'333'330'000);
    BOOST_TEST(clock.After(10'000, Cycles(999'999'999'999)) == 3'333'333'333'340'000);
}

BOOST_AUTO_TEST_CASE(ManyShortStretchesAreOneLongOne)
{
    const ClockDomain clock(CPU, 17);
    Ps at = clock.EdgeAtOrAfter(0);
    const Ps start = at;
    for (int i = 0; i < 1'000; ++i)
    {
        at = clock.Run(at, Cycles(7)).end;
    }
    BOOST_TEST(at == clock.After(start, Cycles(7'000)));
}

BOOST_AUTO_TEST_CASE(EdgesAreExactWhereSixtyFourBitsAreNotEnough)
{
    const ClockDomain clock(CPU);
    for (const Ps t :
         {6'100'000'000'000'000'000, 6'200'000'000'000'000'001, 9'000'000'000'000'000'000})
    {
        const Ps edge = clock.EdgeAtOrAfter(t);
        BOOST_TEST(edge >= t);
        BOOST_TEST(edge - t < 3'334);
        BOOST_TEST(clock.After(edge, Cycles(3)) == edge + 10'000);
    }
}

BOOST_AUTO_TEST_CASE(APhaseShiftsEveryEdge)
{
    const ClockDomain clock(PCI, 29'999);
    BOOST_TEST(clock.EdgeAtOrAfter(0) == 29'999);
    BOOST_TEST(clock.EdgeAtOrAfter(29'999) == 29'999);
    BOOST_TEST(clock.EdgeAtOrAfter(30'000) == 59'999);
    BOOST_TEST(clock.Span(Cycles(2)) == 60'000);
}

BOOST_AUTO_TEST_CASE(WorkBeginsAndEndsAtEdges)
{
    const ClockDomain clock(PCI, 100);
    const ClockDomain::Window window = clock.Run(30'101, Cycles(3));
    BOOST_TEST(window.start == 60'100);
    BOOST_TEST(window.end == 150'100);
}

BOOST_AUTO_TEST_CASE(CyclesAddUpAndMultiply)
{
    BOOST_TEST((Cycles(2) + Cycles(3)).count == 5U);
    BOOST_TEST((Cycles(2) * 3).count == 6U);
    BOOST_TEST((Cycles() == Cycles(0)));
}

BOOST_AUTO_TEST_CASE(AClockThatStandsStillOrRunsTooFastIsRefused)
{
    BOOST_CHECK_THROW(ClockDomain(Frequency{0, 1}), ConfigError);
    BOOST_CHECK_THROW(ClockDomain(Frequency{1, 0}), ConfigError);
    BOOST_CHECK_THROW(ClockDomain(Frequency{1'000'000'000'001, 1}), ConfigError);
    BOOST_CHECK_NO_THROW(ClockDomain(Frequency{1'000'000'000'000, 1}));
}

BOOST_AUTO_TEST_CASE(AClockThatSlowsDownEndsTheCycleThatHasBegunAndGoesOnWithLongerOnes)
{
    const ClockDomain full(PCI);
    const ClockDomain::Speeds speeds(full, PCI, {{100'000, 3, 1}, {250'000, 1, 1}});
    const ClockDomain clock = full.With(speeds);
    const std::vector<Ps> edges{0, 30'000, 60'000, 90'000, 120'000, 210'000, 300'000, 330'000};
    for (std::size_t i = 1; i < edges.size(); ++i)
    {
        BOOST_TEST(clock.EdgeAtOrAfter(edges[i - 1] + 1) == edges[i]);
        BOOST_TEST(clock.After(0, Cycles(i)) == edges[i]);
        BOOST_TEST(clock.Before(edges[i], Cycles(i)) == 0);
        BOOST_TEST(clock.Between(0, edges[i]).count == i);
        BOOST_TEST(clock.Run(1, Cycles(i)).end == (i + 1 < edges.size() ? edges[i + 1] : 360'000));
    }
    BOOST_TEST(clock.Span(Cycles(5)) == 150'000); // at full speed
    BOOST_TEST(clock.Hz() == full.Hz());
}

BOOST_AUTO_TEST_CASE(OfTwoChangesAtOneEdgeTheLaterHolds)
{
    const ClockDomain full(PCI, 7);
    const ClockDomain::Speeds speeds(full, PCI, {{0, 9, 1}, {1, 5, 2}, {7, 2, 1}, {8, 3, 1}});
    const ClockDomain clock = full.With(speeds);
    BOOST_TEST(clock.EdgeAtOrAfter(0) == 7);
    BOOST_TEST(clock.EdgeAtOrAfter(8) == 60'007);
    BOOST_TEST(clock.EdgeAtOrAfter(60'008) == 150'007);
}

BOOST_AUTO_TEST_CASE(EachEdgeOfAClockThatChangesIsItsOwnNextEdge)
{
    const ClockDomain full(CPU, 11);
    std::vector<SpeedChange> changes;
    for (std::uint32_t i = 0; i < 50; ++i)
    {
        changes.push_back({i * 41'003, 1 + i % 7, 1 + i % 3});
    }
    const ClockDomain::Speeds speeds(full, CPU, changes);
    const ClockDomain clock = full.With(speeds);
    for (std::uint64_t n = 1; n < 2'000; ++n)
    {
        const Ps edge = clock.After(11, Cycles(n));
        BOOST_REQUIRE(edge > clock.After(11, Cycles(n - 1)));
        BOOST_REQUIRE(clock.EdgeAtOrAfter(edge) == edge);
        BOOST_REQUIRE(clock.Between(11, edge).count == n);
    }
}

BOOST_AUTO_TEST_CASE(OnlyWholePicosecondsTakeTheSameTimeFromAnyEdge)
{
    const ClockDomain clock(CPU, 1'234);
    BOOST_TEST(clock.SpanFromAnyEdge(Cycles(60)) == 200'000);
    BOOST_TEST(clock.SpanFromAnyEdge(Cycles(61)) == 0);
    const ClockDomain::Speeds speeds(clock, CPU, {{5'000, 1, 2}});
    BOOST_TEST(clock.With(speeds).SpanFromAnyEdge(Cycles(60)) == 0);
    for (Ps edge = clock.EdgeAtOrAfter(0); edge < PS_PER_US; edge = clock.After(edge, Cycles(1)))
    {
        BOOST_REQUIRE(clock.After(edge, Cycles(60)) == edge + 200'000);
    }
}

BOOST_AUTO_TEST_CASE(PhasesAreSeededAndWithinOnePeriod)
{
    std::set<Ps> phases;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
    {
        for (std::uint32_t component = 0; component < 10; ++component)
        {
            const Ps phase = SeededPhase(PCI, seed, component, 0);
            BOOST_REQUIRE((phase >= 0 && phase < 30'000));
            BOOST_REQUIRE(phase == SeededPhase(PCI, seed, component, 0));
            phases.insert(phase);
        }
    }
    BOOST_TEST(phases.size() > 95U);
    BOOST_TEST(SeededPhase(PCI, 1, 2, 0) != SeededPhase(PCI, 1, 2, 1));
}

BOOST_AUTO_TEST_SUITE_END()
