/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A machine crashes: its IP stack ends with it, and what its peers over UDP and TCP see.

#include "support/via-test-ip-bench.h"
#include "support/via-test-kernel-bench.h"

#include "ns3/arp-cache.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6.h"
#include "ns3/via-fault-driver.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint16_t PORT = 9;
constexpr Ps CRASH = 100 * PS_PER_MS; // ns-3 asks for an address up to 10 ms late
constexpr Ps RETURN = 200 * PS_PER_MS;

FaultPlan
Crash(Ps until = RETURN)
{
    PlannedFault crash;
    crash.kind = FaultKind::NODE_CRASH;
    crash.where = "n1";
    crash.when = {CRASH, until};
    FaultPlan plan;
    plan.faults = {crash};
    return plan;
}

/// Node 1 crashes; node 0 may send it a datagram each 10 ms.
struct CrashBench : IpBench
{
    explicit CrashBench(Ps until = RETURN, bool arp = true)
    {
        ip.SetDeviceAttribute("Arp", BooleanValue(arp));
        via.SetFaults(Crash(until));
        Install();
        receiver = SocketAt(1, UDP, PORT);
        receiver->SetRecvCallback(MakeCallback(&CrashBench::Receive, this));
        sender = SocketAt(0, UDP);
    }

    void At(Ps when, std::uint32_t node, std::function<void()> what)
    {
        Simulator::ScheduleWithContext(nodes.Get(node)->GetId(), PicoSeconds(when), what);
    }

    void SendInTurn(std::uint32_t count)
    {
        for (std::uint32_t i = 0; i < count; ++i)
        {
            At(i * 10 * PS_PER_MS, 0, [this] {
                sender->SendTo(Create<ns3::Packet>(100), 0, AddressAt(1, PORT));
            });
        }
    }

    void Receive(Ptr<Socket> socket)
    {
        while (socket->Recv() != nullptr)
        {
            arrivals.push_back(Simulator::Now().GetTimeStep());
        }
    }

    /// Node 1 takes TCP connections, and counts what they bring.
    void Listen()
    {
        listener = SocketAt(1, TCP, PORT);
        listener->Listen();
        const auto none = MakeNullCallback<bool, Ptr<Socket>, const Address&>();
        listener->SetAcceptCallback(none, MakeCallback(&CrashBench::Accept, this));
    }

    void Accept(Ptr<Socket> socket, const Address&)
    {
        const auto none = MakeNullCallback<void, Ptr<Socket>>();
        socket->SetCloseCallbacks(none, MakeCallback(&CrashBench::OnBroken, this));
        socket->SetRecvCallback(MakeCallback(&CrashBench::Count, this));
    }

    void OnBroken(Ptr<Socket>)
    {
        broken.push_back(Simulator::Now().GetTimeStep());
    }

    void Count(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            bytes += packet->GetSize();
        }
    }

    /// Has @p node the hardware address of @p other?
    bool Knows(std::uint32_t node, std::uint32_t other) const
    {
        const auto ipv4 = nodes.Get(node)->GetObject<Ipv4L3Protocol>();
        const auto cache = ipv4->GetInterface(1)->GetArpCache();
        ArpCache::Entry* entry = cache->Lookup(interfaces.GetAddress(other));
        return entry != nullptr && entry->IsAlive();
    }

    Ptr<Socket> sender;
    Ptr<Socket> receiver;
    Ptr<Socket> listener;
    std::vector<Ps> arrivals;
    std::vector<Ps> broken; ///< when connections of node 1 were
    std::uint32_t bytes{0};
};

std::size_t
CountIn(const std::vector<Ps>& instants, Ps from, Ps until)
{
    return static_cast<std::size_t>(std::count_if(instants.begin(), instants.end(), [=](Ps at) {
        return from <= at && at < until;
    }));
}

void
Increase(std::uint32_t* count, Ptr<const ns3::Packet>)
{
    ++*count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ip_crash)

BOOST_FIXTURE_TEST_CASE(ACrashedMachineHasNoInterfaces, CrashBench)
{
    const auto ipv4 = nodes.Get(1)->GetObject<Ipv4>();
    Ipv6AddressHelper(Ipv6Address("2001:db8::"), Ipv6Prefix(64)).Assign(devices);
    const auto ipv6 = nodes.Get(1)->GetObject<Ipv6>();
    std::uint32_t changes = 0;
    const auto count = [&changes] { ++changes; };
    devices.Get(1)->AddLinkChangeCallback(Callback<void>(count));
    At(CRASH + 1, 0, [&] {
        BOOST_TEST(!ipv4->IsUp(1));
        BOOST_TEST(!ipv6->IsUp(1));
        BOOST_TEST(ipv4->IsUp(0)); // the loopback
        BOOST_TEST(!devices.Get(1)->IsLinkUp());
        BOOST_TEST(changes == 1U);
    });
    At(RETURN + 1, 0, [&] {
        BOOST_TEST(ipv4->IsUp(1));
        BOOST_TEST(ipv6->IsUp(1));
        BOOST_TEST(ipv6->GetNAddresses(1) == 2U);
        BOOST_TEST(devices.Get(1)->IsLinkUp());
        BOOST_TEST(changes == 2U);
    });
    Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(DatagramsReachItBeforeAndAfterButNotMeanwhile, CrashBench)
{
    SendInTurn(30);
    Simulator::Run();
    BOOST_TEST(CountIn(arrivals, 0, CRASH) == 10U);
    BOOST_TEST(CountIn(arrivals, CRASH, RETURN) == 0U);
    BOOST_TEST(CountIn(arrivals, RETURN, PS_NEVER) == 10U);
    // cells of 100 bytes and their headers
    BOOST_TEST(via.GetCluster().Faults()->Total().lost == 10 * 3U);
}

BOOST_AUTO_TEST_CASE(WithoutAReturnItIsGoneForGood)
{
    CrashBench bench(PS_NEVER);
    bench.SendInTurn(30);
    Simulator::Run();
    BOOST_TEST(CountIn(bench.arrivals, 0, CRASH) == 10U);
    BOOST_TEST(CountIn(bench.arrivals, CRASH, PS_NEVER) == 0U);
    BOOST_TEST(!bench.devices.Get(1)->IsLinkUp());
}

BOOST_FIXTURE_TEST_CASE(WhatTheKernelHoldsIsLostAndCounted, CrashBench)
{
    std::uint32_t lost = 0;
    devices.Get(1)->TraceConnectWithoutContext("PhyRxDrop", MakeBoundCallback(&Increase, &lost));
    At(0, 0, [this] { sender->SendTo(Create<ns3::Packet>(100), 0, AddressAt(1, PORT)); });
    for (std::uint32_t i = 0; i < 40; ++i) // the last are in the ring at the instant of the crash
    {
        At(CRASH - 400 * PS_PER_US + i * 10 * PS_PER_US, 0, [this] {
            sender->SendTo(Create<ns3::Packet>(100), 0, AddressAt(1, PORT));
        });
    }
    Simulator::Run();
    BOOST_TEST(lost > 0U);
    BOOST_TEST(CountIn(arrivals, CRASH, PS_NEVER) == 0U);
    BOOST_TEST(arrivals.size() + lost <= 41U);
}

BOOST_FIXTURE_TEST_CASE(WhatItSendsMeanwhileIsRefusedAndWhatWaitsIsLost, CrashBench)
{
    std::uint32_t refused = 0;
    std::uint32_t unsent = 0;
    const auto device = DeviceAt(1);
    device->TraceConnectWithoutContext("MacTxDrop", MakeBoundCallback(&Increase, &refused));
    device->GetQueue()->TraceConnectWithoutContext("Drop", MakeBoundCallback(&Increase, &unsent));
    device->TraceConnectWithoutContext("PhyTxDrop", MakeBoundCallback(&Increase, &unsent));
    const auto raw = [device] {
        return device->Send(Create<ns3::Packet>(100), device->GetBroadcast(), 0x88B5);
    };
    At(CRASH - PS_PER_US, 1, [raw] {
        for (int i = 0; i < 5; ++i)
        {
            BOOST_TEST(raw());
        }
    });
    At(CRASH + PS_PER_US, 1, [raw] { BOOST_TEST(!raw()); });
    Simulator::Run();
    BOOST_TEST(refused == 1U);
    BOOST_TEST(unsent == 5U);
}

BOOST_FIXTURE_TEST_CASE(NeighboursAreForgotten, CrashBench)
{
    At(0, 1, [this] { receiver->SendTo(Create<ns3::Packet>(100), 0, AddressAt(0, PORT)); });
    SendInTurn(2);
    At(50 * PS_PER_MS, 0, [this] { BOOST_TEST(Knows(1, 0)); });
    At(RETURN + PS_PER_US, 0, [this] {
        BOOST_TEST(!Knows(1, 0));
        BOOST_TEST(Knows(0, 1)); // nobody has told it
    });
    Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(ATcpConnectionEndsAndItsOwnerIsTold, CrashBench)
{
    Listen();
    const auto client = SocketAt(0, TCP);
    At(0, 0, [&] { client->Connect(AddressAt(1, PORT)); });
    At(50 * PS_PER_MS, 0, [&] { client->Send(Create<ns3::Packet>(1000)); });
    At(150 * PS_PER_MS, 0, [&] { client->Send(Create<ns3::Packet>(1000)); }); // nobody hears it
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    BOOST_TEST(bytes == 1000U);
    BOOST_REQUIRE(broken.size() == 1U);
    BOOST_TEST(broken[0] == CRASH);
}

BOOST_FIXTURE_TEST_CASE(WhatListensIsThereAgain, CrashBench)
{
    Listen();
    const auto client = SocketAt(0, TCP);
    At(RETURN + PS_PER_MS, 0, [&] {
        client->Connect(AddressAt(1, PORT));
        client->Send(Create<ns3::Packet>(1000));
    });
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    BOOST_TEST(bytes == 1000U);
}

BOOST_AUTO_TEST_CASE(AProgramThatStartsAgainHasItsPortAgain)
{
    for (const Carrier carrier : {Carrier::UDP, Carrier::TCP})
    {
        ClusterConfig config;
        config.stop = PS_PER_SECOND;
        config.plan = Crash();
        config.plan.faults[0].restart = true;
        KernelBench bench(config, carrier);
        std::vector<Ps> received;
        bench.Add(1, [&received](KernelProgram& server) {
            for (;;)
            {
                if (server.Receive().from.port == 0)
                {
                    return;
                }
                received.push_back(server.process.Clock().at);
            }
        });
        const auto send = [](KernelProgram& client) { client.Send(1, 100); };
        bench.Add(0, send);
        bench.GetCluster().AddProcess(
            0,
            [&bench, send, carrier] {
                const auto socket = bench.GetCluster().Ip().MakeSocket(carrier, 0, 7001);
                KernelProgram program{*FiberThread::Current(), *socket};
                send(program);
                return 0;
            },
            RETURN + PS_PER_MS);
        const RunReport report = bench.Run();
        BOOST_TEST(report.processes.size() == 4U); // the killed one, and the one in its place
        BOOST_TEST(CountIn(received, 0, CRASH) == 1U);
        BOOST_TEST(CountIn(received, CRASH, RETURN) == 0U);
        BOOST_TEST(CountIn(received, RETURN, PS_NEVER) == 1U);
    }
}

BOOST_AUTO_TEST_CASE(TheSameCrashHasTheSameDigest)
{
    std::vector<std::string> digests;
    for (int i = 0; i < 2; ++i)
    {
        CrashBench bench(RETURN, false); // ns-3 draws when it asks for addresses
        bench.SendInTurn(30);
        Simulator::Run();
        digests.push_back(bench.via.GetReport().digest);
    }
    BOOST_TEST(digests[0] == digests[1]);
}

BOOST_AUTO_TEST_SUITE_END()
