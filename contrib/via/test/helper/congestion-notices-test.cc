/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// CongestionNotices on congestion: sources that fill an output hear of it and let others pass.

#include "../support/via-test-cluster-bench.h"
#include "support/via-test-vipl-bench.h"

#include "ns3/via-congestion-pause.h"
#include "ns3/via-error.h"
#include "ns3/via-traffic-run.h"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Three tenths of all packets are for one host, on the fabric of a product with feedback or
/// without.
TrafficReport
HotSpot(const std::string& feedback)
{
    TrafficConfig config;
    config.topology = "fat-tree:k=4,n=2";
    config.nodes = 16;
    config.plan.pattern = TrafficPattern::HOT_SPOT;
    config.plan.hotShare = 300'000;
    config.plan.load = 400'000;
    config.plan.slots = 6'000;
    config.overrides["switch.feedback"] = feedback;
    if (feedback == "source")
    {
        config.overrides["switch.feedback_mark"] = "64";
    }
    return TrafficRun(config).Run();
}

ClusterConfig
Crowd(const std::string& mark)
{
    ClusterConfig config = Config("star", 6);
    config.overrides["switch.feedback_mark"] = mark;
    config.overrides["nic.feedback_pause"] = "20000";
    return config;
}

constexpr Ps LONG_WAY = PS_PER_MS;

/// Hosts 0 to 2 are at switch 0, 3 to 5 at switch 1; a light takes LONG_WAY between the switches.
Topology
LongTrunk()
{
    Topology topology =
        ParseTopology("chain:2,hosts=3", 6, ProviderProfile::Load("giganet-clan1000"));
    for (Cable& cable : topology.cables)
    {
        const bool isTrunk = cable.a.isSwitch && cable.b.isSwitch;
        cable.wire.latencyNs = isTrunk ? LONG_WAY / PS_PER_NS : 0;
    }
    return topology;
}

/// A notice of switch 1 takes the trunk to host 0 only.
void
CheckOnLongTrunk(const CongestionNotices& notices)
{
    BOOST_TEST(notices.Delay(1, 3) < PS_PER_US);
    BOOST_TEST(notices.Delay(1, 0) > LONG_WAY + notices.Delay(0, 0));
    BOOST_TEST(notices.Delay(1, 0) < LONG_WAY + notices.Delay(0, 0) + PS_PER_US);
}

} // namespace

BOOST_AUTO_TEST_SUITE(FeedbackTest)

BOOST_AUTO_TEST_CASE(ANoticeTakesTheTimeOfEachWireOnItsWay)
{
    ClusterConfig config = Crowd("4");
    config.graph = std::make_shared<Topology>(LongTrunk());
    CheckOnLongTrunk(*Cluster(config).GetFabric().GetCongestionNotices());
}

BOOST_AUTO_TEST_CASE(ANoticeOfRawTrafficTakesTheTimeOfEachWireToo)
{
    TrafficConfig config;
    config.nodes = 6;
    CheckOnLongTrunk(*TrafficRun(config, LongTrunk()).GetCongestionNotices());
}

BOOST_AUTO_TEST_CASE(SourcesThatAreToldLetTheTreeOfFullBuffersDrain)
{
    const TrafficReport saturated = HotSpot("none");
    const TrafficReport controlled = HotSpot("source");
    BOOST_TEST(saturated.notices == 0U);
    BOOST_TEST(controlled.notices > 0U);
    BOOST_TEST(controlled.sent == controlled.delivered);
    BOOST_TEST(controlled.disordered == 0U);
    BOOST_TEST(controlled.throughput > saturated.throughput);
}

BOOST_AUTO_TEST_CASE(CardsThatAreToldWaitAndEveryMessageArrives)
{
    std::set<Ps> ends;
    for (const std::string mark : {"4", "1000000"})
    {
        Cluster cluster(Crowd(mark));
        cluster.AddWorkload("reduce", {{"size", "9000"}, {"rounds", "5"}});
        const RunReport report = cluster.Run();
        BOOST_TEST((report.exit == RunExit::SUCCESS));
        BOOST_TEST((cluster.GetFabric().NoticesSent() > 0) == (mark == "4"));
        ends.insert(report.end);
    }
    BOOST_TEST(ends.size() == 2U);
}

BOOST_AUTO_TEST_CASE(MessagesThatWaitGoWithTheirConnection)
{
    Cluster cluster(Crowd("1000000"));
    CongestionPause pause(cluster.NicAt(0));
    Party ends[2];
    cluster.AddProcess(1, [&ends] {
        ends[1].Open({});
        ends[1].Listen(ends[1].vi);
        Pause(PS_PER_SECOND);
        return 0;
    });
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        BOOST_TEST(ends[0].Connect(ends[0].vi, 1) == VIP_SUCCESS);
        pause.OnAgenda(0, 1); // the path to host 1 is full
        ends[0].Send(ends[0].Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(pause.Held() == 1U);
        VipDisconnect(ends[0].vi);
        BOOST_TEST(pause.Held() == 0U);
        Pause(PS_PER_SECOND); // the doorbell that rings again finds nothing
        return 0;
    });
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AProductWithoutItTellsNobodyAndNeedsNoKeysForIt)
{
    ClusterConfig config = Config("star", 2);
    config.profile = "gm-lanai9-200";
    BOOST_CHECK_NO_THROW(Cluster{config});
    config.overrides["switch.feedback_mark"] = "8";
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
