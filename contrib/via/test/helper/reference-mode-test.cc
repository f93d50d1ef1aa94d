/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Against the reference mode, with an event per cell and step, nothing comes out otherwise.

#include "../support/via-test-two-modes.h"

#include "ns3/via-link.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <tuple>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Of a wire: cells and bytes that have left, and the time that it was busy with them.
using Carried = std::tuple<std::uint64_t, std::uint64_t, Ps>;

/// What each wire of a cluster has carried when its streams end.
std::vector<Carried>
CarriedInStreams(const ClusterConfig& config)
{
    Cluster cluster(config);
    cluster.AddWorkload("stream", {{"messages", "400"}, {"size", "20000"}});
    cluster.Run();
    std::vector<Carried> carried;
    for (const Link* link : cluster.GetFabric().Links())
    {
        carried.emplace_back(link->CellsLeft(), link->BytesLeft(), link->BusyTime());
    }
    return carried;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ReferenceModeTest)

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualToThePicosecondForEverySize)
{
    for (const std::uint32_t size : {0U,
                                     1U,
                                     4U,
                                     24U,
                                     25U,
                                     72U,
                                     73U,
                                     360U,
                                     361U,
                                     383U,
                                     384U,
                                     385U,
                                     1000U,
                                     3000U,
                                     4096U,
                                     9999U,
                                     32768U,
                                     65536U})
    {
        const TwoModes both = RunBothModes(Config("star", 2),
                                           "ping-pong",
                                           {{"size", std::to_string(size)}, {"rounds", "3"}});
        BOOST_TEST(both.AreEqual(), size << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualInEveryTopology)
{
    for (const auto& [topology, nodes] :
         {std::pair{"back-to-back", 2U}, {"crossbar", 3U}, {"star", 40U}, {"fat-tree:k=2,n=3", 8U}})
    {
        const TwoModes both =
            RunBothModes(Config(topology, nodes), "ping-pong", {{"size", "2000"}, {"rounds", "4"}});
        BOOST_TEST(both.AreEqual(), topology);
    }
}

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualForManySeeds)
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
    {
        const std::string size = std::to_string(seed * seed * 3);
        const TwoModes both =
            RunBothModes(Config("star", 2, seed), "ping-pong", {{"size", size}, {"rounds", "2"}});
        BOOST_TEST(both.AreEqual(), "seed " << seed);
    }
}

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualWithFewCreditsAndSmallBuffers)
{
    for (const std::string credits : {"32", "40", "64"})
    {
        ClusterConfig config = Config("star", 2);
        config.overrides["link.credits"] = credits;
        config.overrides["nic.transmit_buffer"] = "768";
        const TwoModes both =
            RunBothModes(config, "ping-pong", {{"size", "9000"}, {"rounds", "2"}});
        BOOST_TEST(both.AreEqual(), credits << " credits");
    }
}

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualWithCellsLargerThanABusBurst)
{
    for (const auto& [payload, burst] : {std::pair{"1500", "384"}, {"512", "512"}, {"512", "64"}})
    {
        ClusterConfig config = Config("star", 2);
        config.overrides["link.cell_bytes"] = "1538";
        config.overrides["link.cell_payload"] = payload;
        config.overrides["nic.dma_burst"] = burst;
        for (const std::string size : {"4", "400", "512", "1476", "1477", "9000", "65536"})
        {
            const TwoModes both =
                RunBothModes(config, "ping-pong", {{"size", size}, {"rounds", "2"}});
            BOOST_TEST(both.AreEqual(), size << " bytes, " << payload);
        }
    }
}

BOOST_AUTO_TEST_CASE(TheCriticalPathOfOneMessageIsTheSameWork)
{
    const TwoModes both = RunBothModes(Recorded("star", 2), "ping-pong", {{"rounds", "2"}});
    BOOST_REQUIRE(both.fast.breakdown.size() == both.reference.breakdown.size());
    for (std::size_t i = 0; i < both.fast.breakdown.size(); ++i)
    {
        const BreakdownRow& a = both.fast.breakdown[i];
        const BreakdownRow& b = both.reference.breakdown[i];
        BOOST_TEST((a.message == b.message && a.stage == b.stage && a.owner == b.owner &&
                    a.cycles == b.cycles && a.start == b.start && a.end == b.end),
                   a.message << " " << a.stage);
    }
}

BOOST_AUTO_TEST_CASE(ReferenceModeTakesMoreEventsForTheSameMessages)
{
    const TwoModes both = RunBothModes(Config("star", 4), "all-to-all", {{"rounds", "2"}});
    BOOST_TEST(both.reference.report.events > both.fast.report.events);
    BOOST_TEST(both.reference.report.messages == both.fast.report.messages);
    BOOST_TEST(both.reference.cellsFromHosts == both.fast.cellsFromHosts);
}

BOOST_AUTO_TEST_CASE(MessagesThatDoNotMeetOnABusAreEqual)
{
    for (const std::string size : {"8", "400"})
    {
        for (const std::uint32_t nodes : {2U, 3U, 16U})
        {
            const TwoModes both =
                RunBothModes(Config("star", nodes), "barrier", {{"rounds", "5"}, {"size", size}});
            BOOST_TEST(both.AreEqual(), size << " bytes, " << nodes << " nodes");
        }
    }
}

BOOST_AUTO_TEST_CASE(AStreamIsEqual)
{
    for (const std::string size : {"4096", "32768"})
    {
        const TwoModes both =
            RunBothModes(Config("star", 2), "stream", {{"messages", "40"}, {"size", size}});
        BOOST_TEST(both.AreEqual(), size << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(TwoWaysOverOneBusAreEqual)
{
    for (const std::string size : {"4096", "32768"})
    {
        const TwoModes both =
            RunBothModes(Config("star", 8), "barrier", {{"rounds", "4"}, {"size", size}});
        BOOST_TEST(both.AreEqual(), size << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(ContendedRoundsAreEqual)
{
    for (const std::string size : {"16", "400", "4096", "32768"})
    {
        const TwoModes both =
            RunBothModes(Config("star", 8), "all-to-all", {{"rounds", "4"}, {"size", size}});
        BOOST_TEST(both.AreEqual(), size << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(ARunThatIsStoppedEndsThere)
{
    for (const std::uint32_t microseconds : {20U, 53U, 100U})
    {
        ClusterConfig config = Config("star", 4);
        config.stop = microseconds * PS_PER_US;
        const TwoModes both = RunBothModes(config, "all-to-all", {{"rounds", "20"}});
        BOOST_TEST(both.fast.report.end == config.stop);
        BOOST_TEST(both.reference.report.end == config.stop);
    }
}

BOOST_AUTO_TEST_CASE(NoMessageOfAStoppedRunEndsAfterTheStop)
{
    for (Ps stop = 100 * PS_PER_US; stop < 110 * PS_PER_US; stop += PS_PER_US / 4)
    {
        ClusterConfig config = Recorded("star", 4);
        config.stop = stop; // often while a program takes a message out of its queue
        const WorkloadRun run = RunWorkload(config, "barrier", {{"rounds", "20"}});
        for (const MessageRow& message : run.messages)
        {
            BOOST_TEST(message.end <= stop);
        }
    }
}

BOOST_AUTO_TEST_CASE(WiresOfAStoppedRunHaveCarriedWhatLeftUntilThen)
{
    for (const std::string& product : ProductNames())
    {
        ClusterConfig config = Config("star", 3);
        config.profile = product;
        config.stop = 130'031'337;
        const std::vector<Carried> fast = CarriedInStreams(config);
        config.reference = true;
        BOOST_TEST((fast == CarriedInStreams(config)), product);
        for (const auto& [cells, bytes, busy] : fast)
        {
            BOOST_TEST(busy <= config.stop, product);
        }
    }
}

BOOST_AUTO_TEST_CASE(ARunThatDeadlocksEndsWhereItsLastProcessBeganToWait)
{
    const TwoModes both = RunBothModes(Config("ring:5,routing=shortest-path,deadlock=allow", 5),
                                       "all-to-all",
                                       {{"rounds", "2"}, {"size", "60000"}});
    BOOST_TEST((both.fast.report.exit == RunExit::DEADLOCK));
    BOOST_TEST(both.fast.report.end == both.reference.report.end);
    Ps last = 0;
    for (const ProcessReport& process : both.fast.report.processes)
    {
        last = std::max(last, process.end);
    }
    BOOST_TEST(both.fast.report.end == last);
}

BOOST_AUTO_TEST_CASE(ContentionChangesTimesButNotWhatIsSent)
{
    const TwoModes both = RunBothModes(Recorded("star", 8), "all-to-all", {{"rounds", "3"}});
    BOOST_TEST(both.fast.messages.size() == both.reference.messages.size());
    BOOST_TEST(both.SameMessagesInTheSameOrder());
    BOOST_TEST(both.fast.cellsFromHosts == both.reference.cellsFromHosts);
}

BOOST_AUTO_TEST_SUITE_END()
