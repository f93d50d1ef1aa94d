/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Packets that overtake each other on adaptive routes: order, and the room of those that wait.

#include "../support/via-test-two-modes.h"

#include "ns3/via-pair-order.h"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Counts the credits that reach the wire.
struct CountingWire final : InPort
{
    void ReturnCredits(std::uint32_t cells, Ps) override
    {
        credits += cells;
    }

    std::uint32_t credits{0};
};

/// Records the packets that reach the card.
struct RecordingCard final : AgendaTarget
{
    void OnAgenda(std::uint32_t, std::uint64_t data) override
    {
        const auto& cell = *reinterpret_cast<const Cell*>(data);
        orders.push_back(cell.packet->order);
        roomGiven.push_back(cell.roomGiven);
    }

    std::vector<std::uint32_t> orders;
    std::vector<bool> roomGiven;
};

/// A host that gets packets of one cell.
struct OrderBench
{
    OrderBench()
    {
        order.Plug(nullptr, &wire);
    }

    void Arrive(NodeId source, std::uint32_t number)
    {
        Packet* packet = world.packets.NewPacket();
        packet->source = source;
        packet->cells = 1;
        packet->order = number;
        order.OnAgenda(0, reinterpret_cast<std::uint64_t>(world.packets.NewCell(packet, 0)));
    }

    World world;
    Component host{world, 0, "n0"};
    RecordingCard card;
    CountingWire wire;
    PairOrder order{host, card};
};

} // namespace

BOOST_AUTO_TEST_SUITE(PairOrderTest)

BOOST_FIXTURE_TEST_CASE(APacketWaitsForTheOneBeforeIt, OrderBench)
{
    Arrive(1, 2);
    BOOST_TEST(order.CellsWaiting() == 1U);
    Arrive(1, 1);
    BOOST_TEST((card.orders == std::vector<std::uint32_t>{1, 2}));
    BOOST_TEST(order.PacketsHeld() == 1U);
}

BOOST_FIXTURE_TEST_CASE(PacketsOfOtherHostsDoNotWait, OrderBench)
{
    Arrive(1, 2);
    Arrive(2, 1);
    BOOST_TEST((card.orders == std::vector<std::uint32_t>{1}));
}

BOOST_FIXTURE_TEST_CASE(APacketThatWaitsGivesItsRoomBackAtOnceAndSaysSo, OrderBench)
{
    Arrive(1, 2);
    BOOST_TEST(wire.credits == 1U);
    Arrive(1, 1);
    BOOST_TEST(wire.credits == 1U);
    BOOST_TEST((card.roomGiven == std::vector<bool>{false, true})); // the card gives back the first
}

BOOST_AUTO_TEST_CASE(ManyWaitingPacketsDoNotTakeTheRoomOfTheMissingOne)
{
    ClusterConfig config = Config("fat-tree:k=4,n=2,routing=adaptive", 12, 848);
    config.profile = "servernet1";
    config.overrides["link.cable_length_mm"] = "100";
    Cluster cluster(config);
    cluster.AddWorkload("ricart-agrawala", {{"rounds", "3"}, {"size", "4096"}});
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

// Room that the card gives back later than a packet is released was taken for that of the packet.
BOOST_AUTO_TEST_CASE(TheRoomOfOthersDoesNotDependOnWhatWasPlannedBefore)
{
    ClusterConfig config = Config("fat-tree:k=4,n=2,routing=adaptive", 12, 94374);
    config.stop = 200'000 * PS_PER_US;
    BOOST_TEST(RunBothModes(config,
                            "gossip",
                            {{"rounds", "4"}, {"size", "20000"}, {"transport", "kernel-udp"}})
                   .AreEqual());
}

BOOST_AUTO_TEST_SUITE_END()
