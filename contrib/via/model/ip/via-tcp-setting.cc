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
#include "ns3/via-ip-outage.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t HEADERS = 40;      // of IPv4 and TCP without options
constexpr std::uint32_t WINDOW_UPDATE = 2; // segments: a smaller window counts as shut

/// What is no public call of ns-3's.
class TcpInside : public TcpSocketBase
{
  public:
    static void Reset(TcpSocketBase& socket)
    {
        (socket.*(&TcpInside::SendRST))();
    }

    /// In all other states the end was acknowledged. Unsent bytes leave it ESTABLISHED.
    static bool AwaitsAcknowledgement(const TcpSocketBase& socket)
    {
        const TcpStates_t state = socket.*(&TcpInside::m_state);
        return state != FIN_WAIT_2 && state != TIME_WAIT && state != CLOSED;
    }

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

    static void KeepInsideWindow(TcpSocketBase& socket)
    {
        (socket.*(&TcpInside::m_txBuffer))
            ->SetRWndCallback(MakeBoundCallback(&TcpInside::Window, &socket));
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

    static void ProbeIfShut(TcpSocketBase& socket)
    {
        EventId& probe = socket.*(&TcpInside::m_persistEvent);
        if ((socket.*(&TcpInside::m_rWnd)).Get() == 0 && probe.IsExpired() && HasUnsent(socket))
        {
            const Time after = socket.*(&TcpInside::m_persistTimeout);
            probe = Simulator::Schedule(after, &TcpInside::PersistTimeout, &socket);
        }
    }

    /// A segment has arrived, and is handled next.
    static void OnSegment(Ptr<const ns3::Packet>,
                          const TcpHeader& header,
                          Ptr<const TcpSocketBase> socket)
    {
        const bool isShut = ((*socket).*(&TcpInside::m_rWnd)).Get() == 0;
        if (isShut || header.GetWindowSize() == 0)
        {
            Simulator::ScheduleNow(&TcpInside::EndVainProbe, ConstCast<TcpSocketBase>(socket));
        }
    }

  private:
    static bool HasUnsent(const TcpSocketBase& socket)
    {
        const SequenceNumber32 next = (socket.*(&TcpInside::m_tcb))->m_nextTxSequence;
        return (socket.*(&TcpInside::m_txBuffer))->SizeFromSequence(next) > 0;
    }

    /// ns-3 probes a shut window also when there is nothing to send, and then reads a null pointer.
    /// What was sent before is repeated until it is acknowledged.
    static void EndVainProbe(Ptr<TcpSocketBase> socket)
    {
        EventId& probe = (*socket).*(&TcpInside::m_persistEvent);
        if (probe.IsExpired() || HasUnsent(*socket))
        {
            return;
        }
        probe.Cancel();
        EventId& repetition = (*socket).*(&TcpInside::m_retxEvent);
        const SequenceNumber32 sent = ((*socket).*(&TcpInside::m_tcb))->m_highTxMark;
        if (sent > ((*socket).*(&TcpInside::m_txBuffer))->HeadSequence() && repetition.IsExpired())
        {
            const Time after = ((*socket).*(&TcpInside::m_rto)).Get();
            repetition = Simulator::Schedule(after, &TcpInside::ReTxTimeout, PeekPointer(socket));
        }
    }

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

    /// The peer's window, or one byte less if what has been sent fills it to the byte.
    static std::uint32_t Window(TcpSocketBase* socket)
    {
        const TcpTxBuffer& buffer = *(socket->*(&TcpInside::m_txBuffer));
        const std::uint32_t sent = buffer.BytesInFlight() + buffer.GetSacked() + buffer.GetLost() -
                                   buffer.GetRetransmitsCount();
        const std::uint32_t window = (socket->*(&TcpInside::GetRWnd))();
        return window > 0 && sent == window ? window - 1 : window;
    }
};

} // namespace

void
SetUpTcp(const Ptr<Socket>& socket, const ViaIpDevice& device)
{
    const KernelCosts& costs = device.GetKernel()->Costs();
    socket->SetAttribute("SegmentSize", UintegerValue(device.GetMtu() - HEADERS));
    socket->SetAttribute("SndBufSize", UintegerValue(costs.sendBuffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(costs.receiveBuffer));
    socket->SetAttribute("InitialCwnd", UintegerValue(costs.initialWindow));
    socket->SetAttribute("DelAckCount", UintegerValue(costs.delayedAck));
    socket->SetAttribute("DelAckTimeout", TimeValue(MilliSeconds(costs.delayedAckMs)));
    socket->SetAttribute("MinRto", TimeValue(MilliSeconds(costs.minRtoMs)));
    socket->SetAttribute("TcpNoDelay", BooleanValue(costs.noDelay));
    // ns-3 would send segments of this size and the option's 12 bytes on top: two fragments each
    socket->SetAttribute("Timestamp", BooleanValue(false));
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&TcpInside::OnSegment));
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

void
KeepInsideTcpWindow(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        TcpInside::KeepInsideWindow(*tcp);
    }
}

bool
MayConnectTcp(const Ptr<Socket>& socket, const KernelPeer& to)
{
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    return tcp == nullptr || TcpInside::MayConnect(*tcp, to.address, to.port);
}

std::uint32_t
SendTcp(const Ptr<Socket>& socket, const std::uint8_t* bytes, std::size_t count)
{
    const auto part =
        static_cast<std::uint32_t>(std::min<std::size_t>(count, socket->GetTxAvailable()));
    const int taken = part == 0 ? 0 : socket->Send(Create<ns3::Packet>(bytes, part));
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (taken > 0 && tcp != nullptr)
    {
        TcpInside::ProbeIfShut(*tcp);
    }
    return static_cast<std::uint32_t>(std::max(taken, 0));
}

bool
TcpWindowWasShut(const ViaIpDevice& device, std::uint32_t before)
{
    const std::uint32_t buffer = device.GetKernel()->Costs().receiveBuffer;
    const std::uint32_t segment = device.GetMtu() - HEADERS;
    return buffer - std::min(buffer, before) < WINDOW_UPDATE * segment;
}

void
AnnounceTcpWindow(const Ptr<Socket>& socket, const ViaIpDevice& device)
{
    // ns-3 3.37 announces a larger window to the peer only when the buffer itself grows
    const std::uint32_t buffer = device.GetKernel()->Costs().receiveBuffer;
    socket->SetAttribute("RcvBufSize", UintegerValue(buffer - 1));
    socket->SetAttribute("RcvBufSize", UintegerValue(buffer));
}

bool
AwaitsTcpAcknowledgement(const Ptr<Socket>& socket)
{
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    return tcp != nullptr && TcpInside::AwaitsAcknowledgement(*tcp);
}

void
ResetTcp(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        TcpInside::Reset(*tcp);
    }
}

void
ResetAndEndTcp(Ptr<Socket> socket)
{
    ResetTcp(socket);
    EndTcpSocket(socket);
}

} // namespace via
} // namespace ns3
