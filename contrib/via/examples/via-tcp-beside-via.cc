/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// TCP of ns-3's Internet stack beside a stream of VIA messages, both from node 0 to node 1.
//
//   +---- node 0 ------+          +--------+          +------ node 1 ----+
//   | TCP, bulk        |          |        |          |        TCP, sink |
//   | VIA, RDMA writes |          |        |          |      VIA, target |
//   | NIC ============ | -------- | switch | -------- | ============ NIC |
//   +------------------+          +--------+          +------------------+
//
// They share CPU, bus, card, wire and switch. Prints what each got and how busy the wire was.

#include "ns3/core-module.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/network-module.h"
#include "ns3/via-module.h"

#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <vipl.hpp>

using namespace ns3;
using namespace ns3::via;

namespace
{

constexpr vipl::Timeout TIMEOUT{1000};
constexpr std::uint16_t PORT = 5001;
constexpr std::uint32_t MESSAGE = 32768; // bytes of an RDMA write
constexpr std::uint32_t AHEAD = 4;       // of them that are posted at a time
constexpr Ps CONNECTED = 5 * PS_PER_MS;  // a connection of VIs takes 3 ms
constexpr std::uint32_t PIECE = 8192;    // bytes that TCP is given at a time

/// What the user chooses.
struct Options
{
    std::string profile{"giganet-clan1000"};
    std::string kernel;
    std::uint32_t milliseconds{30};
    bool tcp{true};
    bool via{true};
    std::string pcap;
};

/// The streams, and what they have brought by the end.
struct Streams
{
    /// Whether bytes that come at @p at count.
    bool Counts(Ps at) const
    {
        return at >= begin && at < end;
    }

    Ps begin{0}; ///< VIA is connected by then
    Ps end{0};
    std::uint64_t tcpBytes{0};
    std::uint64_t viaBytes{0};
    vipl::RemoteBuffer target{}; ///< of the RDMA writes; known before the connection is
};

/// One end of the VIA stream: a NIC, registered memory and a VI, which end in the other order.
struct Endpoint
{
    vipl::ViAttributes Attributes() const
    {
        vipl::ViAttributes attributes;
        attributes.tag = tag.Get();
        attributes.rdmaWrite = true;
        return attributes;
    }

    vipl::NetAddress Address(const std::string& host) const
    {
        return vipl::NameService(nic).HostByName(host).With("p");
    }

    vipl::Nic nic{"/dev/clanvi0"};
    vipl::ProtectionTag tag{nic};
    vipl::RegisteredMemory memory{nic, MESSAGE, {tag.Get(), true}};
    vipl::DescriptorPool descriptors{nic, tag, AHEAD};
    vipl::VirtualInterface vi{nic, Attributes()};
};

/// The process of node 1: waits for the sender's last message. @return its exit code
int
Target(Streams& streams)
{
    Endpoint end;
    end.nic.ErrorCallback([](auto&&...) {}); // the writer may leave first
    streams.target = end.memory.Remote();
    end.vi.PostRecv(end.descriptors.Take().Receive().Add(end.memory.Local(0, 4)));
    vipl::ConnectionRequest(end.nic, end.nic.Address().With("p"), TIMEOUT).Accept(end.vi);
    end.vi.RecvWait(TIMEOUT).Check();
    return 0;
}

void
Connect(Endpoint& end)
{
    std::error_code error = VIP_NO_MATCH;
    while (error == VIP_NO_MATCH) // nobody waits there yet
    {
        end.vi.ConnectRequest(end.Address("n0"), end.Address("n1"), TIMEOUT, error);
    }
    if (error)
    {
        throw std::system_error(error, "VipConnectRequest");
    }
}

/// The process of node 0: RDMA writes until the end, some of them posted ahead.
int
Writer(Streams& streams)
{
    Endpoint end;
    Connect(end);
    std::array<vipl::Descriptor, AHEAD> slots;
    for (vipl::Descriptor& slot : slots)
    {
        slot = end.descriptors.Take();
    }
    std::uint32_t posted = 0;
    for (std::uint32_t done = 0; done < posted || posted == 0;)
    {
        while (posted < done + AHEAD && ViplProcess::Running().Clock().at < streams.end)
        {
            vipl::Descriptor& slot = slots[posted++ % AHEAD];
            end.vi.PostSend(slot.RdmaWrite(streams.target).Add(end.memory.Local(0, MESSAGE)));
        }
        end.vi.SendWait(TIMEOUT).Check();
        streams.viaBytes += streams.Counts(ViplProcess::Running().Clock().at) ? MESSAGE : 0;
        ++done;
    }
    end.vi.PostSend(slots[0].Send().Add(end.memory.Local(0, 4)));
    end.vi.SendWait(TIMEOUT).Check();
    return 0;
}

/// TCP from node 0 to node 1, as much as it takes until the end.
class Bulk
{
  public:
    Bulk(const NodeContainer& nodes, Ipv4Address to, Streams& streams)
        : m_streams(streams),
          m_sink(Socket::CreateSocket(nodes.Get(1), TypeId::LookupByName("ns3::TcpSocketFactory"))),
          m_source(
              Socket::CreateSocket(nodes.Get(0), TypeId::LookupByName("ns3::TcpSocketFactory")))
    {
        m_sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_sink->Listen();
        m_sink->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&Bulk::OnAccept, this));
        m_source->Bind();
        m_source->SetSendCallback(MakeCallback(&Bulk::OnRoom, this));
        Simulator::ScheduleWithContext(nodes.Get(0)->GetId(), MicroSeconds(1), [this, to] {
            m_source->Connect(InetSocketAddress(to, PORT));
        });
    }

  private:
    static bool IsOver(const Streams& streams)
    {
        return Simulator::Now().GetTimeStep() >= streams.end;
    }

    void OnAccept(Ptr<Socket> socket, const Address&)
    {
        socket->SetRecvCallback(MakeCallback(&Bulk::OnReceive, this));
    }

    void OnReceive(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            const Ps now = Simulator::Now().GetTimeStep();
            m_streams.tcpBytes += m_streams.Counts(now) ? packet->GetSize() : 0;
        }
    }

    void OnRoom(Ptr<Socket> socket, std::uint32_t)
    {
        while (!IsOver(m_streams) && socket->GetTxAvailable() >= PIECE &&
               socket->Send(Create<ns3::Packet>(PIECE)) > 0)
        {
        }
    }

    Streams& m_streams;
    Ptr<Socket> m_sink;
    Ptr<Socket> m_source;
};

/// MB/s of @p bytes that counted.
double
Rate(const Streams& streams, std::uint64_t bytes)
{
    return static_cast<double>(bytes) /
           (static_cast<double>(streams.end - streams.begin) / PS_PER_US);
}

void
Print(ViaHelper& via, const Streams& streams, double busy)
{
    std::cout << "TCP " << Rate(streams, streams.tcpBytes) << " MB/s, VIA "
              << Rate(streams, streams.viaBytes) << " MB/s, both "
              << Rate(streams, streams.tcpBytes + streams.viaBytes) << " MB/s; wire busy "
              << 100 * busy << " %\n"
              << "digest " << via.GetReport().digest << "\n";
}

int
Simulate(const Options& options)
{
    Time::SetResolution(Time::PS);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false)); // they would not fit
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(65535));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(65535));
    NodeContainer nodes(2);
    ViaHelper via;
    via.SetProfile(options.profile);
    via.SetKernel(options.kernel);
    via.Install(nodes);
    InternetStackHelper().Install(nodes);
    ViaIpHelper ip;
    const NetDeviceContainer devices = ip.Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    if (!options.pcap.empty())
    {
        ip.EnablePcapAll(options.pcap);
    }
    Streams streams;
    streams.begin = CONNECTED;
    streams.end = static_cast<Ps>(options.milliseconds) * PS_PER_MS;
    std::optional<Bulk> bulk;
    if (options.tcp)
    {
        bulk.emplace(nodes, interfaces.GetAddress(1), streams);
    }
    if (options.via)
    {
        via.InstallProcess(nodes.Get(1), [&streams] { return Target(streams); });
        via.InstallProcess(nodes.Get(0), [&streams] { return Writer(streams); });
    }
    std::array<std::uint64_t, 2> cells{};
    const std::function<void(int)> count = [&via, &cells](int when) {
        cells[when] = via.GetCluster().GetFabric().Uplinks()[0]->CellsSent();
    };
    Simulator::Schedule(PicoSeconds(streams.begin), [count] { count(0); });
    Simulator::Schedule(PicoSeconds(streams.end), [count] { count(1); });
    Simulator::Stop(PicoSeconds(streams.end) + MilliSeconds(10));
    Simulator::Run();
    const Ps cell = via.GetCluster().GetFabric().Uplinks()[0]->CellTime();
    Print(via,
          streams,
          static_cast<double>(cells[1] - cells[0]) * static_cast<double>(cell) /
              static_cast<double>(streams.end - streams.begin));
    Simulator::Destroy();
    return 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("profile", "Product: a name or the path of a profile", options.profile);
    cmd.AddValue("kernel", "Kernel: a name or the path of a profile", options.kernel);
    cmd.AddValue("milliseconds", "How long both send", options.milliseconds);
    cmd.AddValue("tcp", "Whether there is TCP", options.tcp);
    cmd.AddValue("via", "Whether there is VIA", options.via);
    cmd.AddValue("pcap", "Prefix of capture files; empty: none", options.pcap);
    cmd.Parse(argc, argv);
    if (options.milliseconds <= 5 || options.milliseconds > 1000)
    {
        std::cerr
            << "--milliseconds is from 6 to 1000: VIA takes 3 to connect, and 5 do not count\n";
        return 2;
    }
    try
    {
        return Simulate(options);
    }
    catch (const ConfigError& error)
    {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
