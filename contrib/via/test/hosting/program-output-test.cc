/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Tests what the processes of a run print: everybody's lines in the order of simulated time.

#include "support/via-test-folders.h"
#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

/// What two processes on each of four nodes print, 40 times each.
SharedRun
Prints(bool reference, Ps stop = PS_NEVER)
{
    ClusterConfig config;
    config.nodes = 4;
    config.reference = reference;
    config.stop = stop;
    return RunOnEachNode(BuiltProgram("prints.c"), {}, 2, config);
}

/// The times, in ns, at which the lines of @p text were printed.
std::vector<long>
Times(const std::string& text)
{
    std::vector<long> times;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        if (Contains(line, " by "))
        {
            times.push_back(std::stol(line.substr(line[0] == 'u' ? 10 : 0)));
        }
    }
    return times;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ProgramOutputTest)

BOOST_AUTO_TEST_CASE(LinesOfAllProcessesAreInTheOrderOfTheirTimes)
{
    const std::vector<long> times = Times(Prints(false).out);
    BOOST_TEST(times.size() == 4U * 2U * 40U);
    BOOST_TEST(std::is_sorted(times.begin(), times.end()));
}

BOOST_AUTO_TEST_CASE(TheOracleGivesTheSameText)
{
    const SharedRun usual = Prints(false);
    const SharedRun oracle = Prints(true);
    BOOST_TEST(usual.report.digest == oracle.report.digest);
    BOOST_TEST(usual.out == oracle.out);
}

BOOST_AUTO_TEST_CASE(WhatIsPrintedAfterTheStopIsNotSeen)
{
    const Ps stop = 500 * PS_PER_US;
    const SharedRun usual = Prints(false, stop);
    BOOST_TEST(Times(usual.out).back() <= 500'000);
    BOOST_TEST(Times(usual.out).size() > 40U);
    BOOST_TEST(usual.out == Prints(true, stop).out);
}

BOOST_AUTO_TEST_CASE(AnUnfinishedLineWithAPrefixEndsWithItsProcess)
{
    const std::string text = RunOnNodes(BuiltProgram("prints.c"), {{"1"}, {"1"}});
    BOOST_TEST(Contains(text, "[n0.0] unfinished\n"));
    BOOST_TEST(Contains(text, "[n1.0] unfinished\n"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace test
} // namespace via
} // namespace ns3
