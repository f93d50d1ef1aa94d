/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What all TCP sockets of a simulated kernel have in common.

#include "via-tcp-setting.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"
#include "ns3/via-tcp-closing.h"
#include "ns3/via-tcp-window.h"

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t HEADERS = 40; // of IPv4 and TCP without options
constexpr std::uint32_t RETRIES = 15; // net.ipv4.tcp_retries2 of Linux 2.2 and later; ns-3: 6

/// What is no public call of ns-3's.
class TcpInside : public TcpSocketBase
{
  public:
    static bool Bind(TcpSocketBase& socket, const Ipv4Address& address, std::uint16_t port)
    {
        const Ptr<TcpL4Protocol> tcp = socket.*(&TcpInside::m_tcp);
        Ipv4EndPoint* const end =
            tcp->Allocate(nullptr, address, port, Ipv4Address::GetAny(), 0); // without a peer
        if (end == nullptr)
        {
            return false;
        }
        socket.*(&TcpInside::m_endPoint) = end;
        tcp->AddSocket(&socket);
        return (socket.*(&TcpInside::SetupCallback))() == 0;
    }

    static bool MayConnect(const TcpSocketBase& socket, const Ipv4Address& to, std::uint16_t port)
    {
        const Ptr<TcpL4Protocol> tcp = socket.*(&TcpInside::m_tcp);
        Ipv4EndPoint* const own = socket.*(&TcpInside::m_endPoint);
        if (own == nullptr)
        {
            return true; // after a connection that has failed: it gets another port
        }
        // ns-3 sends from there whatever the socket is bound to
        const Ipv4Address from = SourceOf(*socket.GetNode(), to);
        Ipv4EndPoint* const free = tcp->Allocate(nullptr, from, own->GetLocalPort(), to, port);
        if (free != nullptr)
        {
            tcp->DeAllocate(free);
        }
        return free != nullptr;
    }

  private:
    /// The address from which a host sends to @p to; any: there is no way.
    static Ipv4Address SourceOf(const Node& node, const Ipv4Address& to)
    {
        const auto ip = node.GetObject<Ipv4>();
        Ipv4Header header;
        header.SetDestination(to);
        SocketErrno error = ERROR_NOTERROR;
        const auto way = ip->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        return way == nullptr ? Ipv4Address::GetAny() : way->GetSource();
    }
};

} // namespace

std::uint32_t
TcpSegmentSize(const ViaIpDevice& device)
{
    return device.GetMtu() - HEADERS;
}

void
SetUpTcp(const Ptr<Socket>& socket, const ViaIpDevice& device)
{
    const KernelCosts& costs = device.GetKernel()->Costs();
    socket->SetAttribute("SegmentSize", UintegerValue(TcpSegmentSize(device)));
    socket->SetAttribute("SndBufSize", UintegerValue(costs.sendBuffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(costs.receiveBuffer));
    socket->SetAttribute("InitialCwnd", UintegerValue(costs.initialWindow));
    socket->SetAttribute("DelAckCount", UintegerValue(costs.delayedAck));
    socket->SetAttribute("DelAckTimeout", TimeValue(MilliSeconds(costs.delayedAckMs)));
    socket->SetAttribute("MinRto", TimeValue(MilliSeconds(costs.minRtoMs)));
    socket->SetAttribute("DataRetries", UintegerValue(RETRIES));
    socket->SetAttribute("TcpNoDelay", BooleanValue(costs.noDelay));
    // ns-3 would send segments of this size and the option's 12 bytes on top: two fragments each
    socket->SetAttribute("Timestamp", BooleanValue(false));
    MendTcpProbes(socket);
    MendTcpClosing(socket);
    KeepInsideTcpWindow(socket);
}

bool
BindTcp(const Ptr<Socket>& socket, const Ipv4Address& address, std::uint16_t port)
{
    const bool isAny = address == Ipv4Address::GetAny();
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (tcp != nullptr && !isAny && port != 0)
    {
        return TcpInside::Bind(*tcp, address, port);
    }
    return (isAny && port == 0 ? socket->Bind() : socket->Bind(InetSocketAddress(address, port))) ==
           0;
}

bool
MayConnectTcp(const Ptr<Socket>& socket, const KernelPeer& to)
{
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    return tcp == nullptr || TcpInside::MayConnect(*tcp, to.address, to.port);
}

} // namespace via
} // namespace ns3
