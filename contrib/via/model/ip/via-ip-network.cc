/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// IP for cluster hosts that are not the user's ns-3 nodes: nodes, stacks and addresses.

#include "via-ip-network.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t SUBNET = 0x0A000000; // 10.0.0.0
constexpr std::uint32_t LOOPBACK = 0;        // interface that every stack begins with

} // namespace

Ipv4Address
IpNetwork::AddressOf(NodeId host)
{
    return Ipv4Address(SUBNET + host + 1);
}

IpNetwork::IpNetwork(const std::vector<Nic*>& nics,
                     const ProviderProfile& profile,
                     const std::function<bool(NodeId)>& isHere)
    : m_devices(nics.size())
{
    const Shared<KernelCosts> costs = KernelCosts::From(profile);
    const auto hosts = static_cast<std::uint32_t>(nics.size());
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    const auto channel = CreateObject<ViaIpChannel>();
    for (NodeId host = 0; host < hosts; ++host)
    {
        if (!isHere(host))
        {
            channel->AttachFar(host, AddressOf(host));
            continue;
        }
        const auto node = CreateObject<Node>(Simulator::GetSystemId());
        stack.Install(node);
        const auto device = CreateObject<ViaIpDevice>();
        device->SetQueue(CreateObject<DropTailQueue<ns3::Packet>>());
        device->Plug(ViaIpDevice::Setting::From(*nics[host], hosts, profile), costs, channel);
        device->SetArp(false);
        node->AddDevice(device);
        const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        const std::uint32_t interface = ipv4->AddInterface(device);
        ipv4->AddAddress(interface, {AddressOf(host), Ipv4Mask("255.0.0.0")});
        ipv4->SetUp(interface);
        // A packet to oneself takes an event of the loopback: ns-3 would deliver it inside of the
        // call that sends it, and a TCP socket may end while it still sends.
        ipv4->AddAddress(LOOPBACK, {AddressOf(host), Ipv4Mask::GetOnes()});
        m_devices[host] = device;
    }
}

} // namespace via
} // namespace ns3
