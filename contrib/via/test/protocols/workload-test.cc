/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Workloads: what they measure, and which parameters are refused.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-profile-bench.h"

#include "ns3/via-link.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What adding a workload to two nodes of a star is refused with.
std::string
Refusal(const std::string& workload, const Parameters& parameters, std::uint32_t nodes = 2)
{
    Cluster cluster(Config("star", nodes));
    return RefusalOf([&] { cluster.AddWorkload(workload, parameters); });
}

double
Mean(const std::vector<Ps>& samples)
{
    double sum = 0;
    for (const Ps sample : samples)
    {
        sum += static_cast<double>(sample);
    }
    return sum / static_cast<double>(samples.size());
}

/// Bytes per second of a stream of messages of @p size bytes.
double
Bandwidth(std::uint64_t size, std::uint64_t messages)
{
    const WorkloadRun run =
        RunWorkload(Config("star", 2),
                    "stream",
                    {{"size", std::to_string(size)}, {"messages", std::to_string(messages)}});
    return static_cast<double>(size * messages) /
           (static_cast<double>(run.samples.at(0)) / PS_PER_SECOND);
}

/// What the cells of messages of @p size bytes leave of the wire, in bytes per second.
double
CellLimit(std::uint64_t size)
{
    const LinkCosts link = LinkCosts::From(ProviderProfile::Load(CARD));
    const std::uint64_t cells =
        (size + link.messageHeader + link.cellPayload - 1) / link.cellPayload;
    const double bytesPerSecond =
        static_cast<double>(link.byteClock.num) / static_cast<double>(link.byteClock.den);
    return bytesPerSecond * static_cast<double>(size) / static_cast<double>(cells * link.cellBytes);
}

} // namespace

BOOST_AUTO_TEST_SUITE(WorkloadTest)

BOOST_AUTO_TEST_CASE(TheNamesOfAllWorkloadsAreKnown)
{
    const std::vector<std::string> names = WorkloadNames();
    BOOST_TEST(std::is_sorted(names.begin(), names.end()));
    const std::string refusal = Refusal("ping", {});
    BOOST_TEST(refusal.find("workload = ping: one of all-gather, ") == 0U);
    for (const std::string name : {"all-to-all", "barrier", "ping-pong", "stream"})
    {
        BOOST_TEST(std::count(names.begin(), names.end(), name) == 1);
        BOOST_TEST(refusal.find(name) != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(ANumberOutOfRangeOrNoNumberIsRefused)
{
    BOOST_TEST(Refusal("ping-pong", {{"size", "65537"}}) ==
               "ping-pong size = 65537: a whole number from 0 to 65536");
    for (const std::string text : {"", "-1", "4 bytes", "0x10", "1e3", "99999999999999999999"})
    {
        BOOST_TEST(Refusal("ping-pong", {{"size", text}}).find("ping-pong size = " + text) == 0U);
    }
    Refusal("ping-pong", {{"rounds", "0"}});
    Refusal("barrier", {{"size", "7"}});
    Refusal("barrier", {{"rounds", "0"}});
    Refusal("stream", {{"window", "1"}});
    Refusal("stream", {{"window", "1025"}});
    Refusal("stream", {{"messages", "0"}});
    Refusal("all-to-all", {{"size", "65537"}});
    Refusal("all-to-all", {{"rounds", "0"}});
}

BOOST_AUTO_TEST_CASE(AParameterThatNobodyAskedForIsRefused)
{
    for (const std::string& name : WorkloadNames())
    {
        BOOST_TEST(Refusal(name, {{"colour", "red"}})
                       .find("parameter of " + name + " = colour: must be one of ") == 0U);
    }
}

BOOST_AUTO_TEST_CASE(AWorkloadIsJudgedWithoutBeingMade)
{
    NicLimits limits;
    limits.transferBytes = 65536;
    limits.queueDepth = 64;
    for (const std::string& name : WorkloadNames())
    {
        BOOST_TEST(!JudgeWorkload(name, {}, 8, limits).empty());
        BOOST_CHECK_THROW(JudgeWorkload(name, {{"colour", "red"}}, 8, limits), ConfigError);
        BOOST_CHECK_THROW(JudgeWorkload(name, {}, 1, limits), ConfigError);
    }
    const auto window = JudgeWorkload("stream", {}, 8, limits).at("window");
    BOOST_TEST(window.normal == "16");
    BOOST_TEST(window.least == 2U);
    BOOST_TEST(window.most == limits.queueDepth);
    BOOST_CHECK_THROW(JudgeWorkload("barrier", {{"transport", "pigeon"}}, 8, limits), ConfigError);
    BOOST_CHECK_THROW(JudgeWorkload("stream", {{"window", "65"}}, 8, limits), ConfigError);
}

BOOST_AUTO_TEST_CASE(EveryWorkloadNeedsTwoNodes)
{
    for (const std::string& name : WorkloadNames())
    {
        BOOST_TEST(Refusal(name, {}, 1).find("nodes = 1: ") == 0U);
    }
}

BOOST_AUTO_TEST_CASE(AnAcceptedParameterIsUsed)
{
    const WorkloadRun run =
        RunWorkload(Recorded("star", 2), "ping-pong", {{"size", "77"}, {"rounds", "3"}});
    BOOST_TEST(run.samples.size() == 3U);
    BOOST_TEST(run.messages.size() == 6U);
    BOOST_TEST(run.messages[0].bytes == 77U);
}

BOOST_AUTO_TEST_CASE(OneWayLatencyOfFourBytesIsThatOfThePublishedTestBed)
{
    std::vector<Ps> samples;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
    {
        const WorkloadRun run =
            RunWorkload(Config("star", 2, seed), "ping-pong", {{"rounds", "20"}});
        samples.insert(samples.end(), run.samples.begin(), run.samples.end());
    }
    const double oneWay = Mean(samples) / 2 / PS_PER_US;
    BOOST_TEST(oneWay > 8.0 * 0.95);
    BOOST_TEST(oneWay < 8.0 * 1.05);
}

BOOST_AUTO_TEST_CASE(PeakBandwidthIsThePublishedOneAndBelowWhatTheCellsAllow)
{
    for (const std::uint64_t size : {32768U, 65536U})
    {
        const double bandwidth = Bandwidth(size, 60);
        BOOST_TEST(bandwidth > 110e6 * 0.95);
        BOOST_TEST(bandwidth < 110e6 * 1.05);
        BOOST_TEST(bandwidth < CellLimit(size));
    }
}

BOOST_AUTO_TEST_CASE(BandwidthNeverExceedsTheCells)
{
    for (const std::uint64_t size : {1U, 24U, 25U, 100U, 1000U, 4096U})
    {
        BOOST_TEST(Bandwidth(size, 50) < CellLimit(size));
    }
}

BOOST_AUTO_TEST_CASE(ABarrierTakesAMessagePerNodeAndStep)
{
    for (const auto& [nodes, steps] : {std::pair{2U, 1U}, {5U, 3U}, {8U, 3U}, {9U, 4U}})
    {
        const WorkloadRun run = RunWorkload(Config("star", nodes), "barrier", {{"rounds", "4"}});
        BOOST_TEST(run.report.messages == 4 * nodes * steps);
        BOOST_TEST(run.samples.size() == 4U);
        BOOST_TEST(*std::min_element(run.samples.begin(), run.samples.end()) > 0);
    }
}

BOOST_AUTO_TEST_CASE(AnAllToAllTakesAMessagePerPairAndRound)
{
    for (const std::string size : {"16", "17", "4096"})
    {
        const WorkloadRun run =
            RunWorkload(Config("star", 5), "all-to-all", {{"rounds", "3"}, {"size", size}});
        BOOST_TEST(run.report.messages == 3U * 5U * 4U);
        BOOST_TEST(run.samples.size() == 3U);
    }
}

BOOST_AUTO_TEST_CASE(LargerMessagesTakeLonger)
{
    Ps last = 0;
    for (const std::string size : {"4", "73", "400", "4096", "65536"})
    {
        const WorkloadRun run =
            RunWorkload(Config("star", 2), "ping-pong", {{"rounds", "1"}, {"size", size}});
        BOOST_TEST(run.samples.at(0) > last);
        last = run.samples.at(0);
    }
}

BOOST_AUTO_TEST_CASE(AProcessThatBlocksInItsSocketSparesSelect)
{
    for (const std::string transport : {"kernel-udp", "kernel-tcp"})
    {
        const WorkloadRun blocks =
            RunWorkload(Config("star", 2),
                        "socket-ping-pong",
                        {{"size", "24"}, {"rounds", "10"}, {"transport", transport}});
        const WorkloadRun selects =
            RunWorkload(Config("star", 2),
                        "request-reply",
                        {{"size", "24"}, {"rounds", "10"}, {"transport", transport}});
        BOOST_TEST(blocks.samples.size() == 10U);
        BOOST_TEST(blocks.samples.back() < selects.samples.back(), transport);
        BOOST_TEST(blocks.samples.back() > selects.samples.back() * 8 / 10, transport);
    }
}

BOOST_AUTO_TEST_CASE(AStreamOverSocketsIsReadInOrder)
{
    const WorkloadRun run =
        RunWorkload(Config("star", 2), "socket-stream", {{"size", "5000"}, {"messages", "20"}});
    BOOST_TEST(run.samples.size() == 20U);
    BOOST_TEST(std::is_sorted(run.samples.begin(), run.samples.end()));
}

BOOST_AUTO_TEST_CASE(WorkloadsOfSocketsRefuseWhatTheyCannotDo)
{
    BOOST_TEST(Refusal("socket-stream", {{"transport", "via-send"}}).find("kernel-tcp") !=
               std::string::npos);
    const Parameters tooLong = {{"transport", "kernel-udp"}, {"size", "65508"}};
    BOOST_TEST(Refusal("socket-ping-pong", tooLong).find("65507") != std::string::npos);
    BOOST_TEST(
        Refusal("socket-ping-pong", {{"window", "4"}}).find("one of rounds, size, transport") !=
        std::string::npos);
    BOOST_TEST(Refusal("socket-stream", {}, 1).find("needs at least 2") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
