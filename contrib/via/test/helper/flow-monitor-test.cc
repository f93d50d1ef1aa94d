/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ViaFlowMonitor: its sums are those of the messages, and its file is FlowMonitor's.

#include "support/via-test-two-nodes.h"

#include "ns3/via-error.h"
#include "ns3/via-flow-monitor.h"
#include "ns3/via-nic-object.h"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Node 0 sends a message to node 1, which answers.
struct Monitored : TwoNodes
{
    Monitored()
    {
        via.EnableRecording();
        via.Install(nodes);
        via.InstallProcess(nodes.Get(0), Ask);
        via.InstallProcess(nodes.Get(1), Answer);
        monitor = CreateObject<ViaFlowMonitor>();
    }

    static int Ask()
    {
        Line line;
        line.Request();
        line.Send(40);
        return line.Receive() == VIP_SUCCESS ? 0 : 1;
    }

    static int Answer()
    {
        Line line;
        line.Accept();
        const bool came = line.Receive() == VIP_SUCCESS;
        line.Send(8);
        return came ? 0 : 1;
    }

    /// A message from rank 0 to rank 1 that took so long, as node 1's NIC would tell of it.
    void Tell(Ps posted, Ps delay, std::uint32_t bytes, bool dropped = false) const
    {
        MessageRecord record;
        record.origin.posted = posted;
        record.destinationRank = 1;
        record.bytes = bytes;
        record.dropped = dropped;
        record.end = posted + delay;
        nodes.Get(1)->GetObject<ViaNicObject>()->NoteMessage(record);
    }

    /// The flow from a rank to the other, added up from the table of messages.
    ViaFlow Expected(std::uint32_t from)
    {
        ViaFlow sum;
        for (const MessageRow& row : via.GetCluster().Messages())
        {
            if (row.sourceRank == from)
            {
                ++sum.messages;
                sum.bytes += row.bytes;
                sum.delaySum += row.end - row.posted;
                sum.delayMax = std::max(sum.delayMax, row.end - row.posted);
            }
        }
        return sum;
    }

    Ptr<ViaFlowMonitor> monitor;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(flow_monitor, Monitored)

BOOST_AUTO_TEST_CASE(FlowsAreTheSumsOfTheMessages)
{
    monitor->Install(nodes);
    Run();
    BOOST_REQUIRE(monitor->Flows().size() == 2);
    for (std::uint32_t rank = 0; rank < 2; ++rank)
    {
        const ViaFlow& flow = monitor->Flows().at({rank, 1 - rank});
        const ViaFlow sum = Expected(rank);
        BOOST_TEST(flow.messages == 1);
        BOOST_TEST(flow.messages == sum.messages);
        BOOST_TEST(flow.bytes == sum.bytes);
        BOOST_TEST(flow.delaySum == sum.delaySum);
        BOOST_TEST(flow.delayMax == sum.delayMax);
        BOOST_TEST(flow.delayMin <= flow.delayLast);
        BOOST_TEST(flow.dropped == 0);
    }
}

BOOST_AUTO_TEST_CASE(DelaysJitterAndDropsAddUp)
{
    monitor->SetAttribute("DelayBinWidth", TimeValue(NanoSeconds(100)));
    monitor->Install(nodes);
    Tell(2'000'000, 250'000, 10);
    Tell(1'000'000, 100'000, 20); // posted earlier, on another VI
    Tell(4'000'000, 299'999, 30);
    Tell(9'000'000, 1'000, 40, true);
    const ViaFlow& flow = monitor->Flows().at({0, 1});
    BOOST_TEST(flow.messages == 3);
    BOOST_TEST(flow.bytes == 60);
    BOOST_TEST(flow.dropped == 1);
    BOOST_TEST(flow.droppedBytes == 40);
    BOOST_TEST(flow.delaySum == 649'999);
    BOOST_TEST(flow.jitterSum == 150'000 + 199'999);
    BOOST_TEST(flow.delayMin == 100'000);
    BOOST_TEST(flow.delayMax == 299'999);
    BOOST_TEST(flow.delayLast == 299'999);
    BOOST_TEST(flow.firstPosted == 1'000'000);
    BOOST_TEST(flow.lastPosted == 9'000'000);
    BOOST_TEST(flow.firstEnd == 1'100'000);
    BOOST_TEST(flow.lastEnd == 4'299'999);
    const std::map<std::uint64_t, std::uint64_t> bins{{1, 1}, {2, 2}};
    BOOST_TEST((flow.bins == bins));
}

BOOST_AUTO_TEST_CASE(WarmUpDoesNotCount)
{
    monitor->SetAttribute("StartTime", TimeValue(Seconds(1)));
    monitor->Install(nodes);
    Run();
    BOOST_TEST(monitor->Flows().empty());
}

BOOST_AUTO_TEST_CASE(OneNodeCountsWhatComesToIt)
{
    monitor->Install(nodes.Get(1));
    Run();
    BOOST_REQUIRE(monitor->Flows().size() == 1);
    BOOST_TEST(monitor->Flows().begin()->first.second == 1);
}

BOOST_AUTO_TEST_CASE(TheFileHasFlowMonitorsElements)
{
    monitor->Install(nodes);
    Run();
    std::ostringstream xml;
    monitor->SerializeToXml(xml, true);
    const std::string text = xml.str();
    for (const char* part : {"<FlowStats>",
                             "flowId=\"2\"",
                             "rxBytes=\"40\"",
                             "lostPackets=\"0\"",
                             "<delayHistogram nBins=",
                             "sourceRank=\"1\" destinationRank=\"0\""})
    {
        BOOST_TEST(text.find(part) != std::string::npos, part);
    }
    const Ps sum = monitor->Flows().at({0, 1}).delaySum;
    BOOST_TEST(text.find("delaySum=\"+" + std::to_string(sum / PS_PER_NS) + ".") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(WhatCannotBeMonitoredIsRefused)
{
    const NodeContainer bare(1);
    BOOST_CHECK_THROW(monitor->Install(bare), ConfigError);
    monitor->SetAttribute("DelayBinWidth", TimeValue(Time(0)));
    BOOST_CHECK_THROW(monitor->Install(nodes), ConfigError);
    BOOST_CHECK_THROW(monitor->SerializeToXmlFile("/nowhere/flows.xml"), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
