/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Copies of programs take the time of the host's profile.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include "ns3/via-clock-domain.h"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::int64_t ROUNDING = 200; ///< ns: a report of basic blocks may come in between

/// What the ways of copies.c took, in ns; the last is 1 if the bytes were right.
std::vector<std::int64_t>
Copied(std::uint64_t bytes)
{
    std::istringstream out(RunProgram(BuiltProgram("copies.c"), {std::to_string(bytes)}).out);
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 0; out >> number;)
    {
        numbers.push_back(number);
    }
    BOOST_REQUIRE(numbers.size() == 10U);
    return numbers;
}

/// ns that the profile says.
std::int64_t
Expected(std::uint64_t bytes)
{
    const ProviderProfile profile = ProviderProfile::Load(ClusterConfig().profile);
    const std::uint64_t line = profile.Number("cpu.line_bytes");
    const Cycles cycles = Cycles(profile.Number("cpu.copy_base")) +
                          Cycles(profile.Number("cpu.copy_line")) * ((bytes + line - 1) / line);
    return ClockDomain(profile.Clock("cpu.clock")).Span(cycles) / PS_PER_NS;
}

} // namespace

BOOST_AUTO_TEST_SUITE(CopyTest)

BOOST_AUTO_TEST_CASE(ACopyTakesTheTimeOfTheProfile)
{
    for (const std::uint64_t bytes : {100U, 4096U, 65536U})
    {
        const std::vector<std::int64_t> took = Copied(bytes);
        for (std::size_t way = 1; way <= 7; ++way)
        {
            BOOST_TEST(std::abs(took[way] - took[0] - Expected(bytes)) < ROUNDING,
                       "way " << way << ", " << bytes << " bytes: " << took[way] - took[0]);
        }
        BOOST_TEST(took[9] == 1);
    }
    BOOST_TEST(Expected(65536) > 350'000); // 64 KB at 180 MB/s
}

BOOST_AUTO_TEST_CASE(WhatTheCompilerCopiesInPlaceCostsNothing)
{
    const std::vector<std::int64_t> took = Copied(100);
    BOOST_TEST(std::abs(took[8] - took[0]) < ROUNDING);
}

BOOST_AUTO_TEST_CASE(WhatTheShimAndTheCLibraryCopyCostsNothing)
{
    // getenv, strdup, printf, qsort and their like copy inside, too
    const ProgramImage image(BuiltProgram("options.c"), ViplCount());
    Waiters waiters;
    TestProcess process(waiters, image, {"-a", "--size", "7", "operand"});
    waiters.Run();
    BOOST_TEST(process.Status().Ok());
    BOOST_TEST(process.copied == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
