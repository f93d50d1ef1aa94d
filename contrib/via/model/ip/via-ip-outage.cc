/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The effect of a machine's crash and return on its ns-3 IP stack.

#include "via-ip-outage.h"

#include "ns3/arp-cache.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/loopback-net-device.h"
#include "ns3/object-ptr-container.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// ns-3 cannot end a connection silently, but has the pieces to do it.
class TcpEnd : private TcpSocketBase
{
  public:
    /// @return whether the socket is connected or connecting
    static bool IsConnection(const TcpSocketBase& socket)
    {
        const TcpStates_t state = socket.*(&TcpEnd::m_state);
        return state != CLOSED && state != LISTEN;
    }

    static void Drop(TcpSocketBase& socket)
    {
        (socket.*(&TcpEnd::DeallocateEndPoint))();
        socket.*(&TcpEnd::m_state) = CLOSED;
    }

    static void Tell(TcpSocketBase& socket)
    {
        (socket.*(&TcpEnd::NotifyErrorClose))();
    }
};

bool
IsLoopback(const Ptr<NetDevice>& device)
{
    return DynamicCast<LoopbackNetDevice>(device) != nullptr;
}

void
EndConnections(const Ptr<Node>& node)
{
    const Ptr<TcpL4Protocol> tcp = node->GetObject<TcpL4Protocol>();
    if (tcp == nullptr)
    {
        return;
    }
    ObjectPtrContainerValue sockets;
    tcp->GetAttribute("SocketList", sockets);
    for (auto one = sockets.Begin(); one != sockets.End(); ++one)
    {
        const auto socket = DynamicCast<TcpSocketBase>(one->second);
        if (socket != nullptr && TcpEnd::IsConnection(*socket))
        {
            TcpEnd::Drop(*socket);
            TcpEnd::Tell(*socket);
        }
    }
}

} // namespace

void
EndTcpSocket(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        TcpEnd::Drop(*tcp);
    }
}

void
StackOutage::Begin(const Ptr<Node>& node)
{
    BeginIpv4(node);
    BeginIpv6(node);
    EndConnections(node);
}

void
StackOutage::BeginIpv4(const Ptr<Node>& node)
{
    const Ptr<Ipv4L3Protocol> ipv4 = node->GetObject<Ipv4L3Protocol>();
    for (std::uint32_t i = 0; ipv4 != nullptr && i < ipv4->GetNInterfaces(); ++i)
    {
        if (!ipv4->IsUp(i) || IsLoopback(ipv4->GetNetDevice(i)))
        {
            continue;
        }
        m_ipv4.push_back(i);
        ipv4->SetDown(i);
        if (const Ptr<ArpCache> neighbours = ipv4->GetInterface(i)->GetArpCache())
        {
            neighbours->Flush();
        }
    }
}

void
StackOutage::BeginIpv6(const Ptr<Node>& node)
{
    const Ptr<Ipv6> ipv6 = node->GetObject<Ipv6>();
    for (std::uint32_t i = 0; ipv6 != nullptr && i < ipv6->GetNInterfaces(); ++i)
    {
        if (!ipv6->IsUp(i) || IsLoopback(ipv6->GetNetDevice(i)))
        {
            continue;
        }
        std::vector<Ipv6InterfaceAddress>& addresses = m_ipv6[i];
        for (std::uint32_t k = 0; k < ipv6->GetNAddresses(i); ++k)
        {
            if (!ipv6->GetAddress(i, k).GetAddress().IsLinkLocal()) // ns-3 assigns it again
            {
                addresses.push_back(ipv6->GetAddress(i, k));
            }
        }
        ipv6->SetDown(i); // ns-3 drops addresses and neighbours with it
    }
}

void
StackOutage::End(const Ptr<Node>& node)
{
    for (const std::uint32_t i : std::exchange(m_ipv4, {}))
    {
        node->GetObject<Ipv4>()->SetUp(i);
    }
    for (const auto& [i, addresses] : std::exchange(m_ipv6, {}))
    {
        const Ptr<Ipv6> ipv6 = node->GetObject<Ipv6>();
        ipv6->SetUp(i);
        for (const Ipv6InterfaceAddress& address : addresses)
        {
            ipv6->AddAddress(i, address);
        }
    }
}

} // namespace via
} // namespace ns3
