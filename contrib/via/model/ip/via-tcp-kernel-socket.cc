/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket for simulated processes over TCP: records on connections that it opens as needed.

#include "via-tcp-kernel-socket.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/via-tcp-closing.h"
#include "ns3/via-tcp-window.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace via
{

namespace
{

std::uint32_t
Word(const std::uint8_t* at)
{
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
           at[3];
}

} // namespace

TcpKernelSocket::TcpKernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port)
    : KernelSocket(device, port)
{
    Listen();
}

TcpKernelSocket::~TcpKernelSocket()
{
    const auto forget = [this](Ptr<Socket> socket) {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
        socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                   MakeNullCallback<void, Ptr<Socket>>());
        socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                  MakeNullCallback<void, Ptr<Socket>>());
        socket->TraceDisconnectWithoutContext("Rx",
                                              MakeCallback(&TcpKernelSocket::OnSegment, this));
    };
    for (const Stream& stream : m_streams)
    {
        forget(stream.socket);
    }
    m_listener->owner = nullptr;
    if (m_device->HasCrashed()) // else ns-3 sends the rest
    {
        for (const Stream& stream : m_streams)
        {
            EndTcpSocket(stream.socket);
        }
        EndTcpSocket(m_listening);
    }
}

void
TcpKernelSocket::Listen()
{
    m_listener = Create<TcpListener<TcpKernelSocket>>(this);
    m_listening = NewSocket("ns3::TcpSocketFactory");
    SetUpTcp(m_listening, *m_device);
    m_listening->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    m_listening->Listen();
    m_listening->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                   MakeBoundCallback(&TcpKernelSocket::OnAccept, m_listener));
}

void
TcpKernelSocket::Watch(Ptr<Socket> socket, Ipv4Address peer)
{
    m_streams.push_back({socket, peer, {}, {}, false, false});
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              MakeCallback(&TcpKernelSocket::OnLost, this));
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&TcpKernelSocket::OnSegment, this));
    socket->SetRecvCallback(MakeCallback(&TcpKernelSocket::OnReceive, this));
    socket->SetSendCallback(MakeCallback(&TcpKernelSocket::OnRoom, this));
}

void
TcpKernelSocket::OnAccept(Ptr<TcpListener<TcpKernelSocket>> listener,
                          Ptr<Socket> socket,
                          const Address& from)
{
    if (listener->owner == nullptr) // it ended while the connection was being set up
    {
        Simulator::ScheduleNow(&ResetAndEndTcp, socket);
        return;
    }
    KeepInsideTcpWindow(socket);
    listener->owner->Watch(socket, InetSocketAddress::ConvertFrom(from).GetIpv4());
}

void
TcpKernelSocket::OnConnected(Ptr<Socket> socket)
{
    m_connected = socket;
    for (Stream& stream : m_streams)
    {
        stream.connects = stream.connects && stream.socket != socket;
    }
    Wake(Event::CONNECTION);
}

void
TcpKernelSocket::OnLost(Ptr<Socket> socket)
{
    for (Stream& stream : m_streams)
    {
        stream.isLost = stream.isLost || stream.socket == socket;
    }
    for (auto peer = m_byPeer.begin(); peer != m_byPeer.end();)
    {
        peer = peer->second == socket ? m_byPeer.erase(peer) : std::next(peer);
    }
    Wake(Event::CONNECTION);
    Wake(Event::ROOM);
}

void
TcpKernelSocket::OnSegment(Ptr<const ns3::Packet>,
                           const TcpHeader& header,
                           Ptr<const TcpSocketBase> socket)
{
    if ((header.GetFlags() & TcpHeader::RST) == 0)
    {
        return;
    }
    for (const Stream& stream : m_streams)
    {
        if (stream.socket == socket && !stream.isLost)
        {
            if (stream.connects) // ns-3 would go on asking: it takes the reset for an old one
            {
                Simulator::ScheduleNow(&EndTcpSocket, stream.socket);
            }
            OnLost(stream.socket);
            return;
        }
    }
}

bool
TcpKernelSocket::SendsOn(const Ptr<Socket>& socket, const KernelPeer& to) const
{
    const auto found = m_byPeer.find(to);
    return found != m_byPeer.end() && found->second == socket;
}

void
TcpKernelSocket::Connect(Process& process, const KernelPeer& to)
{
    if (m_byPeer.count(to) != 0)
    {
        return;
    }
    process.Spend(Stage::SYSTEM_CALL, process.GetHost().Costs().systemCall);
    const Ptr<Socket> socket = NewSocket("ns3::TcpSocketFactory");
    SetUpTcp(socket, *m_device);
    Watch(socket, to.address);
    m_streams.back().connects = true;
    socket->SetConnectCallback(MakeCallback(&TcpKernelSocket::OnConnected, this),
                               MakeCallback(&TcpKernelSocket::OnLost, this));
    socket->Bind();
    Address own;
    socket->GetSockName(own);
    m_device->GetKernel()->Own(InetSocketAddress::ConvertFrom(own).GetPort());
    m_byPeer[to] = socket;
    InKernel(process, [socket, &to] { socket->Connect(InetSocketAddress(to.address, to.port)); });
    if (m_connected != socket && SendsOn(socket, to))
    {
        Sleep(process, Event::CONNECTION, "waits for a connection");
    }
}

void
TcpKernelSocket::Send(Process& process,
                      const KernelPeer& to,
                      const std::uint8_t* bytes,
                      std::uint32_t length)
{
    Connect(process, to);
    const auto known = m_byPeer.find(to);
    if (known == m_byPeer.end())
    {
        return; // no connection could be made
    }
    const Ptr<Socket> socket = known->second;
    process.Spend(Stage::SYSTEM_CALL, process.GetHost().Costs().systemCall);
    PayCall(process, true, length);
    std::vector<std::uint8_t> record(HEADER + length);
    for (std::size_t i = 0; i < 4; ++i)
    {
        record[i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
    }
    record[4] = static_cast<std::uint8_t>(m_port >> 8);
    record[5] = static_cast<std::uint8_t>(m_port);
    std::copy(bytes, bytes + length, record.begin() + HEADER);
    for (std::size_t sent = 0; sent < record.size() && SendsOn(socket, to);)
    {
        std::uint32_t taken = 0;
        std::uint64_t rooms = 0;
        InKernel(process, [&] {
            rooms = m_rooms;
            taken = SendTcp(socket, record.data() + sent, record.size() - sent);
        });
        sent += taken;
        // space may have been made, or the connection lost, before the call returns
        if (taken == 0 && rooms == m_rooms && SendsOn(socket, to) &&
            !Sleep(process, Event::ROOM, "waits for space in a socket"))
        {
            return;
        }
    }
}

void
TcpKernelSocket::OnRoom(Ptr<Socket>, std::uint32_t)
{
    ++m_rooms;
    Wake(Event::ROOM);
}

void
TcpKernelSocket::OnReceive(Ptr<Socket> socket)
{
    const Moment arrived = OnData();
    for (Stream& stream : m_streams)
    {
        if (stream.socket == socket)
        {
            stream.arrived = arrived;
        }
    }
    if (m_discards)
    {
        ThrowAway(socket);
    }
}

void
TcpKernelSocket::Discard()
{
    m_discards = true;
    for (const Stream& stream : m_streams)
    {
        ThrowAway(stream.socket);
    }
}

void
TcpKernelSocket::ThrowAway(const Ptr<Socket>& socket)
{
    const std::uint32_t available = socket->GetRxAvailable();
    if (available > 0)
    {
        socket->Recv(available, 0);
        if (TcpWindowWasShut(*m_device, available))
        {
            AnnounceTcpWindow(socket, *m_device); // its peer would ask for it forever
        }
    }
}

bool
TcpKernelSocket::HasData() const
{
    return std::any_of(m_streams.begin(), m_streams.end(), [](const Stream& stream) {
        return stream.socket->GetRxAvailable() > 0;
    });
}

void
TcpKernelSocket::Read(Process& process)
{
    for (std::size_t tried = 0; tried < m_streams.size(); ++tried)
    {
        Stream& stream = m_streams[m_next];
        m_next = (m_next + 1) % m_streams.size();
        const std::uint32_t available = stream.socket->GetRxAvailable();
        if (available == 0)
        {
            continue;
        }
        FollowArrival(process, stream.arrived);
        PayCall(process, false, available);
        const Ptr<ns3::Packet> read = stream.socket->Recv(available, 0);
        if (read == nullptr)
        {
            return; // discarded meanwhile
        }
        const std::size_t before = stream.bytes.size();
        stream.bytes.resize(before + read->GetSize());
        read->CopyData(stream.bytes.data() + before, read->GetSize());
        TakeRecords(stream);
        if (TcpWindowWasShut(*m_device, available))
        {
            const Ptr<Socket> open = stream.socket;
            InKernel(process, [this, open] { AnnounceTcpWindow(open, *m_device); });
        }
        return;
    }
}

void
TcpKernelSocket::TakeRecords(Stream& stream)
{
    std::size_t at = 0;
    while (stream.bytes.size() - at >= HEADER)
    {
        const std::uint8_t* header = stream.bytes.data() + at;
        const std::size_t end = at + HEADER + Word(header);
        if (stream.bytes.size() < end)
        {
            break;
        }
        const auto port = static_cast<std::uint16_t>(header[4] << 8 | header[5]);
        const KernelPeer peer{stream.peer, port};
        if (!stream.isLost)
        {
            m_byPeer.emplace(peer, stream.socket);
        }
        KernelMessage message{peer, {}};
        message.bytes.assign(stream.bytes.begin() + static_cast<std::ptrdiff_t>(at + HEADER),
                             stream.bytes.begin() + static_cast<std::ptrdiff_t>(end));
        at = end;
        Queue(std::move(message));
    }
    stream.bytes.erase(stream.bytes.begin(),
                       stream.bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

} // namespace via
} // namespace ns3
