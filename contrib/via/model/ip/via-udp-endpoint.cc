/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A UDP socket of a simulated kernel. Nothing here blocks.

#include "via-udp-endpoint.h"

#include "ns3/callback.h"
#include "ns3/icmpv4.h"
#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/via-udp-kernel-socket.h"

#include <cerrno>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

void
CloseSocket(Ptr<Socket> socket)
{
    socket->Close();
}

} // namespace

UdpEndpoint::UdpEndpoint(Ptr<ViaIpDevice> device)
    : DatagramEndpoint(device),
      m_socket(
          Socket::CreateSocket(device->GetNode(), TypeId::LookupByName("ns3::UdpSocketFactory")))
{
    m_socket->SetAttribute("RcvBufSize", UintegerValue(device->GetKernel()->Costs().udpBuffer));
    m_socket->SetRecvCallback(MakeCallback(&UdpEndpoint::OnReceive, this));
    m_socket->SetAttribute("IcmpCallback", CallbackValue(MakeCallback(&UdpEndpoint::OnIcmp, this)));
    m_socket->SetAllowBroadcast(true); // ns-3 takes the own address for a broadcast on the loopback
}

UdpEndpoint::~UdpEndpoint()
{
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetAttribute("IcmpCallback", CallbackValue());
    if (const Ptr<Node> node = m_device->GetNode()) // else Simulator::Destroy has disposed of it
    {
        Simulator::ScheduleWithContext(node->GetId(), Time(0), &CloseSocket, m_socket);
    }
}

int
UdpEndpoint::Bind(const KernelPeer& at)
{
    if (m_bound)
    {
        return EINVAL;
    }
    const int failed = at.port == 0 && at.address == Ipv4Address::GetAny()
                           ? m_socket->Bind()
                           : m_socket->Bind(InetSocketAddress(at.address, at.port));
    if (failed != 0)
    {
        return EADDRINUSE;
    }
    m_bound = true;
    m_device->GetKernel()->Own(Local().port);
    return 0;
}

int
UdpEndpoint::Connect(const KernelPeer& to)
{
    if (!m_bound)
    {
        Bind({Ipv4Address::GetAny(), 0});
    }
    m_peer = to;
    m_connected = true;
    return 0; // the ns-3 socket stays unconnected: each datagram names its receiver
}

int
UdpEndpoint::Send(const KernelPeer& to, const void* bytes, std::size_t count)
{
    if (count > UdpKernelSocket::MOST_BYTES)
    {
        return EMSGSIZE;
    }
    if (to.address.IsBroadcast())
    {
        return EACCES; // SO_BROADCAST has no effect
    }
    if (to.address.IsMulticast())
    {
        return ENETUNREACH; // no host has a group; ns-3 fails on those of the local network
    }
    if (!m_bound)
    {
        Bind({Ipv4Address::GetAny(), 0});
    }
    const auto packet = Create<ns3::Packet>(static_cast<const std::uint8_t*>(bytes),
                                            static_cast<std::uint32_t>(count));
    const int sent = m_socket->SendTo(packet, 0, InetSocketAddress(to.address, to.port));
    return sent < 0 ? ENETUNREACH : 0;
}

void
UdpEndpoint::OnReceive(Ptr<Socket>)
{
    Address from;
    while (const Ptr<ns3::Packet> packet = m_socket->RecvFrom(from))
    {
        const InetSocketAddress sender = InetSocketAddress::ConvertFrom(from);
        const KernelPeer peer{sender.GetIpv4(), sender.GetPort()};
        const std::size_t most = m_device->GetKernel()->Costs().udpBuffer;
        if (!Wants(peer) || m_waitingBytes + packet->GetSize() > most)
        {
            continue; // lost, as in a full buffer
        }
        KernelMessage message{peer, {}};
        message.bytes.resize(packet->GetSize());
        packet->CopyData(message.bytes.data(), packet->GetSize());
        Queue(std::move(message));
    }
}

void
UdpEndpoint::OnIcmp(Ipv4Address from,
                    std::uint8_t,
                    std::uint8_t type,
                    std::uint8_t code,
                    std::uint32_t)
{
    const bool isPort = type == Icmpv4Header::ICMPV4_DEST_UNREACH &&
                        code == Icmpv4DestinationUnreachable::ICMPV4_PORT_UNREACHABLE;
    if (isPort && m_connected && from == m_peer.address) // as Linux: others never hear of it
    {
        Refuse();
    }
}

KernelPeer
UdpEndpoint::Local() const
{
    if (!m_bound)
    {
        return {Ipv4Address::GetAny(), 0};
    }
    Address own;
    m_socket->GetSockName(own);
    const InetSocketAddress inet = InetSocketAddress::ConvertFrom(own);
    return {inet.GetIpv4(), inet.GetPort()};
}

} // namespace via
} // namespace ns3
