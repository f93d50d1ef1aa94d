/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// IP over a small cluster: nodes, stacks, addresses and devices for tests.

#ifndef VIA_TEST_IP_BENCH_H
#define VIA_TEST_IP_BENCH_H

#include "ns3/boolean.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/via-helper.h"
#include "ns3/via-ip-helper.h"
#include "ns3/via-nic-object.h"

namespace ns3
{
namespace via
{
namespace test
{

/// Nodes of one cluster with VIA NICs that carry IP; a fixture.
class IpBench
{
  public:
    explicit IpBench(std::uint32_t count = 2)
    {
        nodes.Create(count);
    }

    ~IpBench()
    {
        Simulator::Destroy();
    }

    /// Installs everything; call it after configuring @p via and @p ip.
    void Install()
    {
        via.Install(nodes);
        InternetStackHelper stack;
        stack.Install(nodes);
        devices = ip.Install(nodes);
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.0.0");
        interfaces = addresses.Assign(devices);
    }

    Ptr<ViaIpDevice> DeviceAt(std::uint32_t i) const
    {
        return DynamicCast<ViaIpDevice>(devices.Get(i));
    }

    Host& HostAt(std::uint32_t i) const
    {
        return via.GetCluster().HostAt(i);
    }

    /// A bound socket of node @p i.
    Ptr<Socket> SocketAt(std::uint32_t i, const char* factory, std::uint16_t port = 0) const
    {
        const auto socket = Socket::CreateSocket(nodes.Get(i), TypeId::LookupByName(factory));
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        return socket;
    }

    Address AddressAt(std::uint32_t i, std::uint16_t port) const
    {
        return InetSocketAddress(interfaces.GetAddress(i), port);
    }

    NodeContainer nodes;
    NetDeviceContainer devices;
    Ipv4InterfaceContainer interfaces;
    ViaHelper via;
    ViaIpHelper ip;
};

inline constexpr const char* UDP = "ns3::UdpSocketFactory";
inline constexpr const char* TCP = "ns3::TcpSocketFactory";

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_IP_BENCH_H
