/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cluster as one Ethernet segment: its hosts and their addresses.

#include "via-ip-channel.h"

#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/node.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-net-address.h"

namespace ns3
{
namespace via
{

NS_OBJECT_ENSURE_REGISTERED(ViaIpChannel);

TypeId
ViaIpChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::via::ViaIpChannel")
                            .SetParent<ns3::Channel>()
                            .SetGroupName("Via")
                            .AddConstructor<ViaIpChannel>();
    return tid;
}

ViaIpChannel::ViaIpChannel() = default;

ViaIpChannel::~ViaIpChannel() = default;

void
ViaIpChannel::Attach(Ptr<ViaIpDevice> device, NodeId node)
{
    m_devices.push_back(device);
    m_hosts.push_back(node);
    NoteHere(node);
}

void
ViaIpChannel::AttachFar(NodeId node, Ipv4Address address)
{
    m_far[address] = node;
    NoteHere(node);
}

void
ViaIpChannel::NoteHere(NodeId node)
{
    if (m_isHere.size() <= node)
    {
        m_isHere.resize(node + 1);
    }
    m_isHere[node] = true;
}

std::size_t
ViaIpChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
ViaIpChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

Mac48Address
ViaIpChannel::AddressOf(NodeId node)
{
    Mac48Address address;
    address.CopyFrom(reinterpret_cast<const std::uint8_t*>(HostAddressOf(node).data()));
    return address;
}

std::optional<NodeId>
ViaIpChannel::HostOf(Mac48Address address) const
{
    std::string bytes(6, '\0');
    address.CopyTo(reinterpret_cast<std::uint8_t*>(bytes.data()));
    NodeId node = 0;
    if (!NodeOfAddress(bytes, node) || node >= m_isHere.size() || !m_isHere[node])
    {
        return std::nullopt;
    }
    return node;
}

std::optional<NodeId>
ViaIpChannel::HostOf(Ipv4Address address)
{
    if (m_ipv4.count(address) == 0)
    {
        LearnAll();
    }
    const auto found = m_ipv4.find(address);
    return found == m_ipv4.end() ? std::nullopt : std::optional<NodeId>(found->second);
}

std::optional<NodeId>
ViaIpChannel::HostOf(Ipv6Address address)
{
    if (m_ipv6.count(address) == 0)
    {
        LearnAll();
    }
    const auto found = m_ipv6.find(address);
    return found == m_ipv6.end() ? std::nullopt : std::optional<NodeId>(found->second);
}

void
ViaIpChannel::LearnAll()
{
    m_ipv4 = m_far;
    m_ipv6.clear();
    for (std::size_t i = 0; i < m_devices.size(); ++i)
    {
        const Ptr<Node> node = m_devices[i]->GetNode();
        const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        const std::int32_t v4 = ipv4 ? ipv4->GetInterfaceForDevice(m_devices[i]) : -1;
        for (std::uint32_t a = 0; v4 >= 0 && a < ipv4->GetNAddresses(v4); ++a)
        {
            m_ipv4[ipv4->GetAddress(v4, a).GetLocal()] = m_hosts[i];
        }
        const Ptr<Ipv6> ipv6 = node->GetObject<Ipv6>();
        const std::int32_t v6 = ipv6 ? ipv6->GetInterfaceForDevice(m_devices[i]) : -1;
        for (std::uint32_t a = 0; v6 >= 0 && a < ipv6->GetNAddresses(v6); ++a)
        {
            m_ipv6[ipv6->GetAddress(v6, a).GetAddress()] = m_hosts[i];
        }
    }
}

void
ViaIpChannel::DoDispose()
{
    m_devices.clear();
    m_hosts.clear();
    ns3::Channel::DoDispose();
}

} // namespace via
} // namespace ns3
