/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Classes of traffic: the engines ask them, whoever has registered them.

#include "../support/via-test-cluster-bench.h"

#include "ns3/via-card-traffic.h"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr PacketKind KIND = PacketKind::BARRIER; // none of the workloads here uses it
constexpr Ps WORK = 3'000;                       // of a card, before a packet leaves or is received

/// Notes what it is asked.
class Diarist final : public TrafficClass
{
  public:
    explicit Diarist(bool isDatagram = false)
        : m_isDatagram(isDatagram)
    {
    }

    bool IsDatagram() const override
    {
        return m_isDatagram;
    }

    void BeginSend(Nic&, Packet&, Piece&, CardTask& engine) override
    {
        began = engine.At().at;
        notes += "begin-send ";
        engine.Follow({began + WORK, 0});
    }

    void OnLeft(const Packet&, Ps at) override
    {
        left = at;
        notes += "left ";
    }

    void BeginReceive(Nic&, const Packet&, CardTask& engine) override
    {
        notes += "begin-receive ";
        engine.Follow({engine.At().at + WORK, 0});
    }

    std::uint32_t BytesToPlace(const Nic&, const Cell&) const override
    {
        return 16;
    }

    void OnReceived(Nic&, Packet& packet, Moment at) override
    {
        received = at.at;
        placed = packet.placed;
        status = packet.status;
        notes += "received ";
    }

    bool OnCrash() override
    {
        notes += "crash ";
        return m_isDatagram;
    }

    void OnReturn() override
    {
        notes += "return ";
    }

    std::string notes;
    Ps began{0};
    Ps left{0};
    Ps received{0};
    std::uint32_t placed{0};
    std::uint32_t status{0};

  private:
    bool m_isDatagram;
};

/// Host 0 of two sends a packet of KIND and @p bytes to host 1 while they play ping-pong.
class TrafficBench : public AgendaTarget
{
  public:
    TrafficBench()
    {
        cluster.AddWorkload("ping-pong", {{"rounds", "3"}});
    }

    void Run(std::uint32_t bytes)
    {
        m_bytes = bytes;
        cluster.HostAt(0).Schedule(5'000'000, Nic::TIMER_PORT, this, 0);
        cluster.Run();
    }

    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        Packet* packet = cluster.NicAt(0).NewControl(KIND, 0);
        packet->destination = 1;
        packet->status = 77;
        packet->length = m_bytes;
        packet->bytes.resize(m_bytes);
        cluster.NicAt(0).SendControl(packet, {cluster.HostAt(0).Now(), 0});
    }

    void Register(std::uint32_t host, TrafficClass& traffic)
    {
        cluster.NicAt(host).GetTraffic().Register(KIND, traffic);
    }

    Cluster cluster{ClusterConfig()};

  private:
    std::uint32_t m_bytes{0};
};

} // namespace

BOOST_AUTO_TEST_SUITE(TrafficClassTest)

BOOST_FIXTURE_TEST_CASE(TheEnginesAskTheClassOfAPacket, TrafficBench)
{
    Diarist sender;
    Diarist receiver;
    Register(0, sender);
    Register(1, receiver);
    Run(20);
    BOOST_TEST(sender.notes == "begin-send left ");
    BOOST_TEST(receiver.notes == "begin-receive received ");
    BOOST_TEST(sender.left > sender.began + WORK);
    BOOST_TEST(receiver.received > sender.left + WORK);
    BOOST_TEST(receiver.status == 77U);
    BOOST_TEST(receiver.placed == 0U); // it is handled as a whole
}

BOOST_FIXTURE_TEST_CASE(ADatagramIsPlacedCellByCell, TrafficBench)
{
    Diarist sender(true);
    Diarist receiver(true);
    Register(0, sender);
    Register(1, receiver);
    Run(200);
    BOOST_TEST(receiver.notes == "begin-receive received ");
    BOOST_TEST(receiver.placed == 5U); // 200 bytes and a header in cells of 48
}

BOOST_FIXTURE_TEST_CASE(WhatACardDoesNotKnowIsDiscarded, TrafficBench)
{
    Diarist sender;
    Register(0, sender);
    Run(20);
    BOOST_TEST(sender.notes == "begin-send left ");
    BOOST_TEST(cluster.NicAt(1).Receiver().MessagesDropped() == 0U);
}

BOOST_AUTO_TEST_CASE(ARegisteredClassReplacesThatOfAllCards)
{
    Traffic traffic;
    Diarist ours;
    BOOST_TEST(traffic.IsPlain());
    traffic.Register(PacketKind::RESPONSE, ours);
    BOOST_TEST(&traffic.Of(PacketKind::RESPONSE) == &ours);
    BOOST_TEST(&traffic.Of(PacketKind::DISCONNECT) == &CardTraffic(PacketKind::DISCONNECT));
    traffic.Unregister(PacketKind::RESPONSE);
    BOOST_TEST(&traffic.Of(PacketKind::RESPONSE) == &CardTraffic(PacketKind::RESPONSE));
    BOOST_TEST(traffic.IsPlain());
}

BOOST_AUTO_TEST_CASE(RegisteredClassesHearOfCrashes)
{
    Traffic traffic;
    Diarist idle;
    Diarist busy(true);
    traffic.Register(PacketKind::BARRIER, idle);
    BOOST_TEST(!traffic.OnCrash());
    traffic.Register(PacketKind::DATAGRAM, busy);
    BOOST_TEST(traffic.OnCrash()); // one has work when the machine is up again
    traffic.OnReturn();
    BOOST_TEST(idle.notes == "crash crash return ");
    BOOST_TEST(busy.notes == "crash return ");
}

BOOST_AUTO_TEST_SUITE_END()
