/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process that make, bind and connect sockets.

#include "ns3/via-control-endpoint.h"
#include "ns3/via-pipe.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-socket-address.h"
#include "ns3/via-system-calls.h"
#include "ns3/via-tcp-endpoint.h"
#include "ns3/via-udp-endpoint.h"

#include <algorithm>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_BACKLOG = 4096; // net.core.somaxconn of Linux

} // namespace

std::shared_ptr<SocketDescriptor>
SystemCalls::SocketAt(int number, std::int64_t& error) const
{
    const auto descriptor = m_table.At(number);
    auto socket = std::dynamic_pointer_cast<SocketDescriptor>(descriptor);
    error = descriptor == nullptr ? -EBADF : socket == nullptr ? -ENOTSOCK : 0;
    return socket;
}

std::int64_t
SystemCalls::Socket(int family, int type, int protocol)
{
    const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (!HasSockets() || (family != AF_INET && family != AF_INET6))
    {
        return -EAFNOSUPPORT;
    }
    const bool isTcp = kind == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP);
    const bool isUdp = kind == SOCK_DGRAM && (protocol == 0 || protocol == IPPROTO_UDP);
    if (!isTcp && !isUdp)
    {
        return kind == SOCK_STREAM || kind == SOCK_DGRAM ? -EPROTONOSUPPORT : -ESOCKTNOSUPPORT;
    }
    const auto& control = m_host.control;
    if (control == nullptr)
    {
        Charge();
    }
    std::shared_ptr<SocketDescriptor> made;
    InKernel([&] {
        const auto& device = Gate().Device();
        if (isTcp)
        {
            StreamSocketDescriptor::Ends ends{std::make_unique<TcpEndpoint>(device), nullptr};
            if (control != nullptr)
            {
                ends.control = std::make_unique<ControlStream>(device, control);
            }
            made = std::make_shared<StreamSocketDescriptor>(Gate(), std::move(ends));
        }
        else
        {
            DatagramSocketDescriptor::Ends ends{std::make_unique<UdpEndpoint>(device), nullptr};
            if (control != nullptr)
            {
                ends.control = std::make_unique<ControlDatagrams>(device, control);
            }
            made = std::make_shared<DatagramSocketDescriptor>(Gate(), std::move(ends));
        }
    });
    if (made == nullptr)
    {
        return -EINTR; // the process is ending
    }
    made->family = family;
    made->nonBlocking = (type & SOCK_NONBLOCK) != 0;
    made->callsOwed = control == nullptr ? 0 : 1;
    return m_table.Add(std::move(made), 0, (type & SOCK_CLOEXEC) != 0);
}

bool
SystemCalls::IsOwnAddress(Ipv4Address address) const
{
    const NodeId node = m_host.process->GetHost().Id();
    return address == Ipv4Address::GetLoopback() || address == IpNetwork::AddressOf(node) ||
           (m_host.control != nullptr && address == ControlNetwork::AddressOf(node));
}

void
SystemCalls::ChooseNetwork(SocketDescriptor& socket, Ipv4Address address)
{
    if (socket.IsOnBoth())
    {
        InKernel([&] { socket.Choose(address); });
    }
}

std::int64_t
SystemCalls::Bind(int number, const void* address, std::size_t bytes)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    KernelPeer at;
    if (const int wrong =
            ReadSocketAddress(ProgramMemory::ReadBytes(address, bytes), socket->family, at))
    {
        return -wrong;
    }
    if (at.address != Ipv4Address::GetAny() && !IsOwnAddress(at.address))
    {
        return -EADDRNOTAVAIL;
    }
    ChooseNetwork(*socket, at.address);
    Charge(*socket);
    int failed = EINTR;
    InKernel([&] { failed = socket->Bind(at); });
    return -failed;
}

std::int64_t
SystemCalls::Listen(int number, int backlog)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    auto* const stream = dynamic_cast<StreamSocketDescriptor*>(socket.get());
    if (stream == nullptr)
    {
        return -EOPNOTSUPP;
    }
    const auto most = std::min(static_cast<std::uint32_t>(backlog), MOST_BACKLOG); // -1: that
    Charge(*socket);
    int failed = EINTR;
    InKernel([&] { failed = stream->Listen(most); });
    return -failed;
}

std::int64_t
SystemCalls::Accept(int number, void* address, std::uint32_t* bytes, int flags)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    auto* const listener = dynamic_cast<StreamSocketDescriptor*>(socket.get());
    if (listener == nullptr || !listener->Endpoint().IsListening())
    {
        return listener == nullptr ? -EOPNOTSUPP : -EINVAL;
    }
    Charge(*socket);
    std::unique_ptr<StreamEndpoint> accepted;
    const std::int64_t result =
        Repeat(socket,
               POLLIN,
               !socket->nonBlocking,
               After(socket->receiveLimit),
               [&]() -> std::int64_t {
                   bool listens = true;
                   const bool ran = InKernel([&] {
                       listens =
                           listener->Endpoint().IsListening(); // until another thread shuts it down
                       accepted = listens ? listener->Accept() : nullptr;
                   });
                   return accepted != nullptr ? 0 : !listens ? -EINVAL : ran ? -EAGAIN : -EINTR;
               });
    PayOwed(*socket);
    if (result < 0)
    {
        return result;
    }
    StreamSocketDescriptor::Ends ends;
    (accepted->IsFree() ? ends.control : ends.wire) = std::move(accepted);
    auto made = std::make_shared<StreamSocketDescriptor>(Gate(), std::move(ends));
    made->family = socket->family;
    made->nonBlocking = (flags & SOCK_NONBLOCK) != 0;
    made->options = socket->options;
    made->receiveLimit = socket->receiveLimit;
    made->sendLimit = socket->sendLimit;
    made->resetsAtClose = socket->resetsAtClose;
    StoreSocketAddress(WriteSocketAddress(made->Peer(), made->family), address, bytes);
    const int added = m_table.Add(made, 0, (flags & SOCK_CLOEXEC) != 0);
    if (added < 0)
    {
        Look(); // its peer hears of it from now on
        made->Close();
    }
    return added;
}

std::int64_t
SystemCalls::Connect(int number, const void* address, std::size_t bytes)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    const std::string given = ProgramMemory::ReadBytes(address, bytes);
    if (IsUnspecifiedAddress(given))
    {
        return Dissolve(*socket);
    }
    KernelPeer to;
    if (const int wrong = ReadSocketAddress(given, socket->family, to))
    {
        return -wrong;
    }
    if (to.address == Ipv4Address::GetAny())
    {
        to.address = Ipv4Address::GetLoopback(); // as Linux
    }
    ChooseNetwork(*socket, to.address);
    Charge(*socket);
    int failed = EINTR;
    InKernel([&] { failed = socket->Connect(to); });
    auto* const stream = dynamic_cast<StreamSocketDescriptor*>(socket.get());
    if (stream == nullptr)
    {
        return -failed;
    }
    if (failed == EISCONN && std::exchange(stream->connectsLater, false))
    {
        return -stream->Endpoint().TakeError(); // it is told once, as by Linux
    }
    const bool joins = failed == EALREADY && !socket->nonBlocking; // waits for the one before
    if (failed != 0 && !joins)
    {
        return -failed;
    }
    if (socket->nonBlocking && stream->Endpoint().IsConnecting())
    {
        stream->connectsLater = true;
        return -EINPROGRESS;
    }
    const std::int64_t result =
        Repeat(socket, POLLOUT, true, After(socket->sendLimit), [&]() -> std::int64_t {
            return stream->Endpoint().IsConnecting() ? -EAGAIN : -stream->Endpoint().TakeError();
        });
    stream->connectsLater = result == -EAGAIN || result == -EINTR;
    return result != -EAGAIN ? result : joins ? -EALREADY : -EINPROGRESS;
}

std::int64_t
SystemCalls::Dissolve(SocketDescriptor& socket)
{
    auto* const datagrams = dynamic_cast<DatagramSocketDescriptor*>(&socket);
    if (datagrams == nullptr)
    {
        return -EAFNOSUPPORT; // a stream ends when it is closed
    }
    Charge(socket);
    InKernel([&] { datagrams->Dissolve(); });
    return 0;
}

std::int64_t
SystemCalls::ShutDown(int number, int how)
{
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
    {
        return -EINVAL;
    }
    const bool reads = how != SHUT_WR;
    const bool writes = how != SHUT_RD;
    const auto pair = std::dynamic_pointer_cast<PipeEnd>(m_table.At(number));
    if (pair != nullptr && pair->IsSocket())
    {
        Charge();
        pair->ShutDown(reads, writes);
        return 0;
    }
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    Charge(*socket);
    int failed = EINTR;
    InKernel([&] { failed = socket->ShutDown(reads, writes); });
    return -failed;
}

std::int64_t
SystemCalls::Name(int number, bool peer, void* address, std::uint32_t* bytes)
{
    const auto* const pair = dynamic_cast<PipeEnd*>(m_table.At(number).get());
    if (pair != nullptr && pair->IsSocket())
    {
        const sa_family_t family = AF_UNIX; // it has no name: this is all
        StoreSocketAddress({reinterpret_cast<const char*>(&family), sizeof(family)},
                           address,
                           bytes);
        return 0;
    }
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    if (peer && !socket->IsConnected())
    {
        return -ENOTCONN;
    }
    KernelPeer named = peer ? socket->Peer() : socket->Local();
    if (!peer && named.address == Ipv4Address::GetAny() && socket->IsConnected())
    {
        const bool isLocal = socket->Peer().address == Ipv4Address::GetLoopback();
        named.address =
            isLocal ? socket->Peer().address : IpNetwork::AddressOf(m_host.process->GetHost().Id());
    }
    StoreSocketAddress(WriteSocketAddress(named, socket->family), address, bytes);
    return 0;
}

} // namespace via
} // namespace ns3
