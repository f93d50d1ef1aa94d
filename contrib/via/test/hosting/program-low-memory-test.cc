/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs below 2 GiB.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include "ns3/via-error.h"
#include "ns3/via-sanitizer.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

SharedRun
RunLow(const std::string& program, std::uint32_t nodes, bool isLow = true)
{
    ClusterConfig config;
    config.nodes = nodes;
    config.lowMemory = isLow;
    return RunOnEachNode(BuiltProgram(program), {}, 1, config);
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_low_memory)

BOOST_AUTO_TEST_CASE(PointersOfAllKindsFitIn32Bits)
{
    const std::string line =
        "global 1, zero 1, table 1, small 1, large 1, stack 1, own 1, thread 1, "
        "thread-local 1, code 42, texts, heap ends 1\n";
    const SharedRun run = RunLow("low.c", 3);
    BOOST_TEST(run.out == line + line + line);
    BOOST_TEST(RunLow("low.c", 3).out == run.out); // places are given back
}

BOOST_AUTO_TEST_CASE(WithoutItPointersDoNotFit)
{
    BOOST_TEST(Contains(RunLow("low.c", 1, false).out, "stack is high, "));
}

BOOST_AUTO_TEST_CASE(ResultsAreThoseOfAnyAddress)
{
    BOOST_TEST(RunLow("names.c", 2).out == RunLow("names.c", 2, false).out);
    BOOST_TEST(RunLow("names.c", 2).report.digest == RunLow("names.c", 2, false).report.digest);
}

BOOST_AUTO_TEST_CASE(MoreProcessesThanThereIsRoomForAreRefused)
{
    BOOST_CHECK_EXCEPTION(RunLow("low.c", 30), ConfigError, [](const ConfigError& error) {
        return Contains(error.what(), "low_memory = 67108864 more bytes: there is no room left");
    });
}

BOOST_AUTO_TEST_CASE(AThreadWithoutRoomForItsStackIsNotStarted)
{
    BOOST_TEST(RunLow("many-threads.c", 1).out == "1 threads, 1\n");
}

BOOST_AUTO_TEST_SUITE_END()
