/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Several NICs for each host, each on a plane of its own.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-fault-bench.h"
#include "../support/via-test-graph.h"
#include "../support/via-test-vipl-bench.h"

#include "ns3/via-error.h"
#include "ns3/via-run-log.h"
#include "ns3/via-traffic-run.h"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t BYTES = 60'000;

/// Two processes with two connections, over the NICs of these names.
struct TwoConnections
{
    TwoConnections(const std::string& first, const std::string& second, const ClusterConfig& config)
        : devices{first, second}
    {
        Cluster cluster(config);
        cluster.AddProcess(0, [this] { return Client(); });
        cluster.AddProcess(1, [this] { return Server(); });
        BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
        for (const MessageRow& row : MessageRows(cluster.GetWorld().messages.Records()))
        {
            names.push_back(MessageName(row.sourceRank, row.vi, row.sequence));
        }
        cells = {cluster.GetFabric().Uplinks()[0]->CellsSent(),
                 cluster.GetFabric().Uplinks()[2]->CellsSent()};
    }

    void Open(std::array<Party, 2>& ends)
    {
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            Setup setup;
            setup.device = devices[i];
            ends[i].Open(setup);
        }
    }

    int Client()
    {
        Open(clients);
        for (std::size_t i = 0; i < clients.size(); ++i)
        {
            clients[i].Connect(clients[i].vi, 1, std::to_string(i));
            clients[i].Fill(0, BYTES, static_cast<int>(i));
        }
        Pause(PS_PER_MS);
        const Ps begin = Now();
        for (Party& one : clients)
        {
            one.Send(one.Make({one.At(0, BYTES)}));
        }
        for (Party& one : clients)
        {
            BOOST_TEST(one.Sent() == SENT);
        }
        span = Now() - begin;
        Pause(PS_PER_MS);
        return 0;
    }

    int Server()
    {
        Open(servers);
        for (std::size_t i = 0; i < servers.size(); ++i)
        {
            servers[i].Receive(servers[i].Make({servers[i].At(0, BYTES)}));
            servers[i].Listen(servers[i].vi, std::to_string(i));
        }
        for (std::size_t i = 0; i < servers.size(); ++i)
        {
            BOOST_TEST(servers[i].Received() == RECEIVED);
            BOOST_TEST(servers[i].Holds(0, BYTES, static_cast<int>(i)));
        }
        return 0;
    }

    std::array<std::string, 2> devices;
    std::array<Party, 2> clients;
    std::array<Party, 2> servers;
    std::vector<std::string> names; ///< of recorded messages
    Ps span{0};
    std::array<std::uint64_t, 2> cells{}; ///< from the client's host, by card
};

ClusterConfig
TwoRails(const std::string& buses)
{
    ClusterConfig config = Config("star,rails=2", 2);
    config.overrides["bus.count"] = buses;
    return config;
}

} // namespace

BOOST_AUTO_TEST_SUITE(RailsTest)

BOOST_AUTO_TEST_CASE(NicsOfAHostShareItsBusAndTwoBusesServeThemSideBySide)
{
    const TwoConnections oneNic("VINIC0", "VINIC0", TwoRails("2"));
    const TwoConnections oneBus("VINIC0", "VINIC1", TwoRails("1"));
    const TwoConnections twoBuses("VINIC0", "VINIC1", TwoRails("2"));
    BOOST_TEST(oneNic.cells[1] == 0U);
    BOOST_TEST(twoBuses.cells[0] == twoBuses.cells[1]);
    BOOST_TEST(twoBuses.span < oneNic.span * 6 / 10);
    BOOST_TEST(twoBuses.span < oneBus.span);
}

BOOST_AUTO_TEST_CASE(MessagesOfDifferentCardsHaveDifferentNames)
{
    ClusterConfig config = TwoRails("2");
    config.record = true;
    TwoConnections both("VINIC0", "VINIC1", config);
    std::sort(both.names.begin(), both.names.end());
    BOOST_TEST(both.names == (std::vector<std::string>{"0.0.0", "0.100000000.0"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ANicThatTheHostHasNotIsRefusedAndSoAreHandlesOfTheOther)
{
    const auto body = [] {
        VIP_NIC_HANDLE nics[3] = {};
        BOOST_TEST(VipOpenNic("VINIC2", &nics[2]) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipOpenNic("/dev/clanvi0", &nics[0]) == VIP_SUCCESS);
        BOOST_TEST(VipOpenNic("nic1", &nics[1]) == VIP_SUCCESS);
        VIP_PROTECTION_HANDLE tag = nullptr;
        BOOST_TEST(VipCreatePtag(nics[1], &tag) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyPtag(nics[0], tag) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDestroyPtag(nics[1], tag) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(nics[1]) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(nics[1]) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCloseNic(nics[0]) == VIP_SUCCESS);
    };
    BOOST_TEST((RunEach({body}, TwoRails("1")).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(ACableOfOneRailMayFailWhileTheOtherGoesOn)
{
    ClusterConfig config = TwoRails("1");
    config.plan = Planned({MakeFault(FaultKind::LINK_DOWN, "n0.0", PS_PER_SECOND, 1)}).plan;
    const TwoConnections pair("VINIC1", "VINIC1", config);
    BOOST_TEST(pair.cells[0] == 0U);
    BOOST_TEST(pair.cells[1] > 0U);
}

BOOST_AUTO_TEST_CASE(EachRailIsACopyOfThePlane)
{
    const Topology one = Parsed("fat-tree:k=2,n=3", 8);
    const Topology three = Parsed("fat-tree:k=2,n=3,rails=3", 8);
    BOOST_TEST(three.hosts == one.hosts);
    BOOST_TEST(three.rails == 3U);
    BOOST_TEST(three.PlaneSize() == one.switches.size());
    BOOST_TEST(three.switches.size() == 3 * one.switches.size());
    BOOST_TEST(three.cables.size() == 3 * one.cables.size());
    BOOST_TEST(three.bisection == 3 * one.bisection);
    BOOST_TEST(three.Hops(0, 7) == one.Hops(0, 7));
    std::set<std::uint32_t> cards;
    for (const Cable& cable : three.cables)
    {
        if (!cable.a.isSwitch && cable.a.index == 5)
        {
            cards.insert(cable.a.port);
        }
        if (!cable.b.isSwitch && cable.b.index == 5)
        {
            cards.insert(cable.b.port);
        }
    }
    BOOST_TEST(cards == std::set<std::uint32_t>({0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(AWrongNumberOfRailsIsRefused)
{
    for (const std::string rails : {"0", "9", "two", ""})
    {
        BOOST_CHECK_THROW(Parsed("star,rails=" + rails, 4), ConfigError);
    }
    BOOST_CHECK_THROW(WithRails(Parsed("star,rails=2", 4), 2), ConfigError);
    TrafficConfig traffic;
    traffic.topology = "star,rails=2";
    BOOST_CHECK_THROW(TrafficRun{traffic}, ConfigError);
}

BOOST_AUTO_TEST_CASE(WorkloadsUseTheFirstRailAndTakeTheTimeThatTheyTakeOnOne)
{
    std::set<Ps> ends;
    for (const std::string topology : {"star", "star,rails=2"})
    {
        Cluster cluster(Config(topology, 4));
        cluster.AddWorkload("all-to-all", {{"size", "3000"}, {"rounds", "2"}});
        const RunReport report = cluster.Run();
        BOOST_TEST((report.exit == RunExit::SUCCESS));
        ends.insert(report.end);
        for (std::size_t node = 4; node < cluster.GetFabric().Uplinks().size(); ++node)
        {
            BOOST_TEST(cluster.GetFabric().Uplinks()[node]->CellsSent() == 0U);
        }
    }
    BOOST_TEST(ends.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
