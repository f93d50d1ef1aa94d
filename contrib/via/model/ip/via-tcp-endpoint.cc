/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A TCP socket of a simulated kernel: a stream of bytes, or a listener. Nothing here blocks.

#include "via-tcp-endpoint.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/via-ip-outage.h"
#include "ns3/via-tcp-closing.h"
#include "ns3/via-tcp-window.h"

#include <algorithm>
#include <cerrno>

namespace ns3
{
namespace via
{

namespace
{

KernelPeer
PeerAt(const Address& address)
{
    const InetSocketAddress inet = InetSocketAddress::ConvertFrom(address);
    return {inet.GetIpv4(), inet.GetPort()};
}

/// ns-3 3.37 leaves a connection that it gives up in its state, with timers but without addresses.
void
EndGivenUp(Ptr<Socket> socket)
{
    EndTcpSocket(socket);
}

/// How long a closed connection may go without an acknowledgement: R2 of RFC 1122, 4.2.3.5.
constexpr int ORPHAN_SECONDS = 100;

/// ns-3 repeats the last segment of a closed connection for ever.
void
EndSilentOrphan(Ptr<Socket> socket, std::uint32_t room)
{
    if (!AwaitsTcpAcknowledgement(socket))
    {
        return;
    }
    const std::uint32_t now = socket->GetTxAvailable();
    if (now == room)
    {
        EndTcpSocket(socket);
        return;
    }
    Simulator::Schedule(Seconds(ORPHAN_SECONDS), &EndSilentOrphan, socket, now);
}

/// Its data still leave, then its end.
void
CloseOrphan(const Ptr<Socket>& socket)
{
    CloseTcp(socket);
    Simulator::Schedule(Seconds(ORPHAN_SECONDS),
                        &EndSilentOrphan,
                        socket,
                        socket->GetTxAvailable());
}

} // namespace

TcpEndpoint::TcpEndpoint(Ptr<ViaIpDevice> device)
    : StreamEndpoint(device),
      m_socket(
          Socket::CreateSocket(device->GetNode(), TypeId::LookupByName("ns3::TcpSocketFactory")))
{
    SetUpTcp(m_socket, *device);
}

TcpEndpoint::TcpEndpoint(Ptr<ViaIpDevice> device, Ptr<Socket> accepted, const Address& from)
    : StreamEndpoint(device),
      m_socket(accepted),
      m_bound(true)
{
    m_peer = PeerAt(from);
    m_connected = true;
    KeepInsideTcpWindow(m_socket);
    Watch();
}

TcpEndpoint::~TcpEndpoint()
{
    Forget();
}

void
TcpEndpoint::Watch()
{
    m_watched = true;
    m_socket->SetRecvCallback(MakeCallback(&TcpEndpoint::OnReceive, this));
    m_socket->SetSendCallback(MakeCallback(&TcpEndpoint::OnRoom, this));
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeCallback(&TcpEndpoint::OnGivenUp, this));
    m_socket->TraceConnectWithoutContext("State", MakeCallback(&TcpEndpoint::OnState, this));
    m_socket->TraceConnectWithoutContext("Rx", MakeCallback(&TcpEndpoint::OnSegment, this));
}

void
TcpEndpoint::Forget()
{
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                MakeNullCallback<void, Ptr<Socket>, const Address&>());
    if (m_listener != nullptr)
    {
        m_listener->owner = nullptr;
    }
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(), MakeCallback(&EndGivenUp));
    if (std::exchange(m_watched, false))
    {
        m_socket->TraceDisconnectWithoutContext("State", MakeCallback(&TcpEndpoint::OnState, this));
        m_socket->TraceDisconnectWithoutContext("Rx", MakeCallback(&TcpEndpoint::OnSegment, this));
    }
}

int
TcpEndpoint::Bind(const KernelPeer& at)
{
    if (m_bound)
    {
        return EINVAL;
    }
    if (!BindTcp(m_socket, at.address, at.port))
    {
        return EADDRINUSE;
    }
    m_bound = true;
    m_wanted = at;
    m_device->GetKernel()->Own(Local().port); // the program pays for its calls
    return 0;
}

int
TcpEndpoint::Listen(std::uint32_t backlog)
{
    if (m_connecting || m_connected)
    {
        return EINVAL;
    }
    if (!m_bound)
    {
        Bind({Ipv4Address::GetAny(), 0});
    }
    m_backlog = backlog;
    if (!m_listens)
    {
        m_socket->Listen();
        m_listener = Create<Listener>(this);
        m_socket->SetAcceptCallback(MakeBoundCallback(&TcpEndpoint::HasRoom, m_listener),
                                    MakeBoundCallback(&TcpEndpoint::OnAccept, m_listener));
        m_listens = true;
    }
    return 0;
}

void
TcpEndpoint::StopListening()
{
    const KernelPeer at = Local();
    CloseWaiting();
    Forget();
    m_socket->Close(); // for good, in ns-3
    m_listener = nullptr;
    m_listens = false;
    Renew(at);
}

void
TcpEndpoint::Renew(const KernelPeer& at)
{
    BooleanValue noDelay;
    m_socket->GetAttribute("TcpNoDelay", noDelay);
    m_socket =
        Socket::CreateSocket(m_device->GetNode(), TypeId::LookupByName("ns3::TcpSocketFactory"));
    SetUpTcp(m_socket, *m_device);
    m_socket->SetAttribute("TcpNoDelay", noDelay);
    m_bound = false;
    Bind(at);
}

int
TcpEndpoint::Connect(const KernelPeer& to)
{
    if (m_listens)
    {
        return EOPNOTSUPP;
    }
    if (m_connecting || m_connected)
    {
        return m_connected ? EISCONN : EALREADY;
    }
    if (to.address.IsMulticast())
    {
        return ENETUNREACH;
    }
    if (m_failed && m_error != 0) // of a connection that nobody waited for
    {
        return TakeError();
    }
    if (m_failed) // refused before
    {
        Forget();
        EndTcpSocket(m_socket);
        m_failed = m_atEnd = false;
        Renew(m_wanted);
    }
    if (!m_bound)
    {
        Bind({Ipv4Address::GetAny(), 0});
    }
    if (!MayConnectTcp(m_socket, to))
    {
        return EADDRNOTAVAIL;
    }
    m_peer = to;
    m_error = 0;
    Watch();
    m_socket->SetConnectCallback(MakeCallback(&TcpEndpoint::OnConnected, this),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_connecting = true;
    if (m_socket->Connect(InetSocketAddress(to.address, to.port)) != 0)
    {
        m_connecting = false;
        return ENETUNREACH;
    }
    return 0;
}

std::size_t
TcpEndpoint::Send(const void* bytes, std::size_t count)
{
    return Room() == 0 ? 0 : SendTcp(m_socket, static_cast<const std::uint8_t*>(bytes), count);
}

std::vector<std::uint8_t>
TcpEndpoint::Receive(std::size_t most, bool peeks)
{
    const std::size_t have = m_peeked.size();
    const std::uint32_t before = m_socket->GetRxAvailable();
    const std::size_t wanted = std::min<std::size_t>(before, most > have ? most - have : 0);
    if (wanted > 0)
    {
        const auto packet = m_socket->Recv(static_cast<std::uint32_t>(wanted), 0);
        const std::uint32_t got = packet == nullptr ? 0 : packet->GetSize();
        m_peeked.resize(have + got);
        if (got > 0)
        {
            packet->CopyData(m_peeked.data() + have, got);
        }
        if (TcpWindowWasShut(*m_device, before) && !m_failed)
        {
            AnnounceTcpWindow(m_socket, *m_device);
        }
    }
    const auto end =
        m_peeked.begin() + static_cast<std::ptrdiff_t>(std::min(most, m_peeked.size()));
    std::vector<std::uint8_t> bytes(m_peeked.begin(), end);
    if (!peeks)
    {
        m_peeked.erase(m_peeked.begin(), end);
    }
    return bytes;
}

void
TcpEndpoint::EndSending()
{
    if (!std::exchange(m_endSent, true))
    {
        EndTcpSending(m_socket);
    }
}

void
TcpEndpoint::CloseWaiting()
{
    for (const auto& waiting : m_waiting)
    {
        ResetTcp(static_cast<TcpEndpoint&>(*waiting).m_socket);
        EndTcpSocket(static_cast<TcpEndpoint&>(*waiting).m_socket);
    }
    m_waiting.clear();
}

void
TcpEndpoint::End(bool resets)
{
    CloseWaiting();
    Forget();
    if (m_failed || m_device->HasCrashed())
    {
        EndTcpSocket(m_socket);
        return;
    }
    if ((resets || Available() > 0) && m_connected && !m_atEnd)
    {
        ResetTcp(m_socket);
        EndTcpSocket(m_socket);
        return;
    }
    CloseOrphan(m_socket);
    if (m_connected && !m_atEnd)
    {
        RefuseTcpData(m_socket);
    }
}

bool
TcpEndpoint::HasRoom(Ptr<Listener> listener, Ptr<Socket>, const Address&)
{
    const TcpEndpoint* endpoint = listener->owner;
    return endpoint != nullptr && endpoint->m_waiting.size() <= endpoint->m_backlog; // as Linux
}

void
TcpEndpoint::OnAccept(Ptr<Listener> listener, Ptr<Socket> socket, const Address& from)
{
    TcpEndpoint* endpoint = listener->owner;
    if (endpoint == nullptr) // it was closed while the connection was being set up
    {
        Simulator::ScheduleNow(&ResetAndEndTcp, socket);
        return;
    }
    endpoint->m_waiting.push_back(
        std::unique_ptr<TcpEndpoint>(new TcpEndpoint(endpoint->m_device, socket, from)));
    endpoint->Changed();
}

void
TcpEndpoint::OnConnected(Ptr<Socket>)
{
    m_connecting = false;
    m_connected = true;
    Changed();
}

void
TcpEndpoint::OnReceive(Ptr<Socket>)
{
    Changed();
}

void
TcpEndpoint::OnRoom(Ptr<Socket>, std::uint32_t)
{
    Changed();
}

void
TcpEndpoint::OnSegment(Ptr<const ns3::Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>)
{
    if ((header.GetFlags() & TcpHeader::RST) == 0 || m_failed)
    {
        return;
    }
    Fail(m_connecting ? ECONNREFUSED : m_atEnd ? EPIPE : ECONNRESET); // as Linux
    if (std::exchange(m_connecting, false))
    {
        // ns-3 would go on asking: it takes a reset before the connection for an old one
        Simulator::ScheduleNow(&EndTcpSocket, m_socket);
    }
    Changed();
}

void
TcpEndpoint::OnGivenUp(Ptr<Socket> socket)
{
    if (!m_failed)
    {
        Fail(ETIMEDOUT);
    }
    EndTcpSocket(socket);
    Changed();
}

void
TcpEndpoint::OnState(TcpSocket::TcpStates_t before, TcpSocket::TcpStates_t now)
{
    switch (now)
    {
    case TcpSocket::CLOSE_WAIT:
    case TcpSocket::CLOSING:
    case TcpSocket::TIME_WAIT:
        m_atEnd = true;
        break;
    case TcpSocket::CLOSED:
        if (!m_atEnd)
        {
            Fail(ETIMEDOUT);
        }
        m_connecting = false;
        m_atEnd = true;
        break;
    default:
        return;
    }
    if (before != now)
    {
        Changed();
    }
}

std::size_t
TcpEndpoint::Available() const
{
    return m_peeked.size() + m_socket->GetRxAvailable();
}

std::size_t
TcpEndpoint::Room() const
{
    return m_connected && !m_endSent && !m_failed ? m_socket->GetTxAvailable() : 0;
}

KernelPeer
TcpEndpoint::Local() const
{
    if (!m_bound)
    {
        return {Ipv4Address::GetAny(), 0};
    }
    Address own;
    m_socket->GetSockName(own);
    return PeerAt(own);
}

void
TcpEndpoint::SetNoDelay(bool isSet)
{
    m_socket->SetAttribute("TcpNoDelay", BooleanValue(isSet));
}

} // namespace via
} // namespace ns3
