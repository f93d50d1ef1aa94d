/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ViaIpDevice: what ns-3's stack sends over it arrives, when, and what others see of it.

#include "support/via-test-ip-bench.h"

#include "ns3/ipv6-address-helper.h"
#include "ns3/mac48-address.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <boost/test/unit_test.hpp>
#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint16_t PORT = 9;

/// Sends one datagram from node 0 to node 1, whose arrival is noted.
struct OneDatagram : IpBench
{
    explicit OneDatagram(std::uint32_t count = 2)
        : IpBench(count)
    {
    }

    void Go(std::uint32_t bytes, Time at)
    {
        receiver = SocketAt(1, UDP, PORT);
        receiver->SetRecvCallback(MakeCallback(&OneDatagram::Receive, this));
        sender = SocketAt(0, UDP);
        Simulator::ScheduleWithContext(nodes.Get(0)->GetId(), at, [this, bytes] {
            sender->SendTo(Create<ns3::Packet>(bytes), 0, AddressAt(1, PORT));
        });
        Simulator::Run();
    }

    void Receive(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            received.push_back(packet->GetSize());
            arrived = Simulator::Now();
            last = DeviceAt(1)->Cause().cause;
        }
    }

    Ptr<Socket> sender;
    Ptr<Socket> receiver;
    std::vector<std::uint32_t> received;
    Time arrived;
    SpanId last{0};
};

void
Count(std::uint32_t* count, Ptr<const ns3::Packet>)
{
    ++*count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ip_device)

BOOST_FIXTURE_TEST_CASE(ADatagramsLatencyIsTheSumOfItsNamedStages, OneDatagram)
{
    via.EnableRecording();
    ip.SetDeviceAttribute("Arp", BooleanValue(false));
    Install();
    const Time at = MicroSeconds(100);
    Go(32, at);
    BOOST_REQUIRE(received.size() == 1);
    Ps now = at.GetTimeStep();
    std::map<std::string, Ps> stages;
    for (const Span& span : PathTo(via.GetCluster().GetWorld().spans.Unpack(), last, 0))
    {
        BOOST_TEST(span.start == now); // they tile its life
        now = span.end;
        stages[StageName(span.stage)] += span.end - span.start;
    }
    BOOST_TEST(now == arrived.GetTimeStep());
    for (const char* stage : {"system-call",
                              "socket",
                              "copy",
                              "protocol",
                              "checksum",
                              "driver",
                              "doorbell",
                              "doorbell-decode",
                              "ring-fetch",
                              "segment",
                              "payload-read",
                              "serialize",
                              "propagate",
                              "switch",
                              "demux",
                              "residual",
                              "payload-write",
                              "interrupt",
                              "soft-interrupt"})
    {
        BOOST_TEST(stages.count(stage) == 1, stage);
    }
    const ProviderProfile& profile = via.GetCluster().Profile();
    const Ps cycle = HostAt(0).CpuClock().Span(Cycles(1000)) / 1000;
    const std::uint64_t protocol = profile.Number("ip.send") + profile.Number("udp.send") +
                                   profile.Number("ip.receive") + profile.Number("udp.receive");
    BOOST_TEST(std::abs(stages["protocol"] - static_cast<Ps>(protocol) * cycle) < 4 * cycle);
}

BOOST_FIXTURE_TEST_CASE(OneCycleMoreInAKeyComesLaterByThatCycle, OneDatagram)
{
    via.SetProfileValue("ip.receive", "800"); // 300 more than linux-2.2: 1 us at 300 MHz
    ip.SetDeviceAttribute("Arp", BooleanValue(false));
    Install();
    Go(32, MicroSeconds(100));
    BOOST_TEST(via.GetCluster().Profile().Number("ip.receive") == 800);
    BOOST_TEST(received.size() == 1);
}

BOOST_FIXTURE_TEST_CASE(HostsAreFoundByArp, OneDatagram)
{
    Install();
    std::uint32_t frames = 0;
    devices.Get(1)->TraceConnectWithoutContext("MacRx", MakeBoundCallback(&Count, &frames));
    Go(32, MilliSeconds(1));
    BOOST_TEST(received.size() == 1);
    BOOST_TEST(frames == 2); // the question, and the datagram
    BOOST_TEST((arrived > MilliSeconds(1) + MicroSeconds(60)));
}

BOOST_AUTO_TEST_CASE(ABroadcastReachesEachOtherHostOnce)
{
    OneDatagram bench(5);
    bench.Install();
    std::vector<std::uint32_t> frames(5);
    for (std::uint32_t i = 0; i < 5; ++i)
    {
        bench.devices.Get(i)->TraceConnectWithoutContext("MacRx",
                                                         MakeBoundCallback(&Count, &frames[i]));
    }
    Simulator::ScheduleWithContext(0, MicroSeconds(1), [&bench] {
        const auto device = bench.devices.Get(2);
        device->Send(Create<ns3::Packet>(100), device->GetBroadcast(), 0x88B5);
    });
    Simulator::Run();
    BOOST_TEST(frames == (std::vector<std::uint32_t>{1, 1, 0, 1, 1}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(FragmentsArriveAsOneDatagram, OneDatagram)
{
    ip.SetDeviceAttribute("Arp", BooleanValue(false));
    Install();
    Go(20000, MicroSeconds(1));
    BOOST_REQUIRE(received.size() == 1);
    BOOST_TEST(received[0] == 20000);
}

BOOST_FIXTURE_TEST_CASE(Ipv6FindsItsNeighbours, OneDatagram)
{
    Install();
    Ipv6AddressHelper addresses;
    addresses.SetBase("2001:db8::", Ipv6Prefix(64));
    const Ipv6InterfaceContainer ipv6 = addresses.Assign(devices);
    const auto to = Inet6SocketAddress(ipv6.GetAddress(1, 1), PORT);
    receiver = Socket::CreateSocket(nodes.Get(1), TypeId::LookupByName(UDP));
    receiver->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), PORT));
    receiver->SetRecvCallback(
        MakeCallback(&OneDatagram::Receive, dynamic_cast<OneDatagram*>(this)));
    sender = Socket::CreateSocket(nodes.Get(0), TypeId::LookupByName(UDP));
    sender->Bind6();
    Simulator::ScheduleWithContext(0, Seconds(3), [this, to] { // addresses are usable by then
        sender->SendTo(Create<ns3::Packet>(64), 0, to);
    });
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    BOOST_TEST(received == std::vector<std::uint32_t>{64}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(TheAddressIsTheHostsInTheCluster, IpBench)
{
    Install();
    BOOST_TEST(Mac48Address::ConvertFrom(devices.Get(1)->GetAddress()) ==
               Mac48Address("02:00:00:00:00:01"));
    BOOST_TEST(devices.Get(0)->GetChannel() == devices.Get(1)->GetChannel());
    BOOST_TEST(devices.Get(0)->GetChannel()->GetNDevices() == 2);
    BOOST_TEST(devices.Get(0)->GetMtu() == 1500);
    BOOST_TEST(devices.Get(0)->IsBroadcast());
    BOOST_TEST(!devices.Get(0)->IsPointToPoint());
}

BOOST_FIXTURE_TEST_CASE(APacketBeyondTheMtuOrToNobodyIsDropped, IpBench)
{
    Install();
    std::uint32_t drops = 0;
    const auto device = devices.Get(0);
    device->TraceConnectWithoutContext("MacTxDrop", MakeBoundCallback(&Count, &drops));
    BOOST_TEST(!device->Send(Create<ns3::Packet>(1501), device->GetBroadcast(), 0x88B5));
    BOOST_TEST(!device->Send(Create<ns3::Packet>(100), Mac48Address("02:00:00:00:00:07"), 0x88B5));
    BOOST_TEST(drops == 2);
}

BOOST_FIXTURE_TEST_CASE(TheSameRunHasTheSameDigest, OneDatagram)
{
    ip.SetDeviceAttribute("Arp", BooleanValue(false));
    Install();
    Go(3000, MicroSeconds(1));
    const std::string first = via.GetReport().digest;
    Simulator::Destroy();
    OneDatagram again;
    again.ip.SetDeviceAttribute("Arp", BooleanValue(false));
    again.Install();
    again.Go(3000, MicroSeconds(1));
    BOOST_TEST(again.via.GetReport().digest == first);
}

BOOST_AUTO_TEST_CASE(EveryKindOfCardCarriesDatagrams)
{
    for (const char* profile : {"mvia-gnic2", "gm-lanai9-200", "berkeley-via-lanai4", "servernet1"})
    {
        for (const bool reference : {false, true})
        {
            OneDatagram bench;
            bench.via.SetProfile(profile);
            bench.via.SetReferenceMode(reference);
            bench.ip.SetDeviceAttribute("Arp", BooleanValue(false));
            bench.Install();
            bench.Go(5000, MicroSeconds(1));
            BOOST_TEST(bench.received.size() == 1, profile);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
