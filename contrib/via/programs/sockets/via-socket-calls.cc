/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on sockets.

#include "ns3/via-control-endpoint.h"
#include "ns3/via-pipe.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-socket-address.h"
#include "ns3/via-system-calls.h"
#include "ns3/via-tcp-endpoint.h"
#include "ns3/via-udp-endpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace ns3
{
namespace via
{

namespace
{

/// Options that are stored, and have no effect beside what the calls below say.
bool
IsKnown(int level, int name)
{
    static const std::vector<std::pair<int, int>> known = {
        {SOL_SOCKET, SO_REUSEADDR},
        {SOL_SOCKET, SO_REUSEPORT},
        {SOL_SOCKET, SO_KEEPALIVE},
        {SOL_SOCKET, SO_BROADCAST},
        {SOL_SOCKET, SO_RCVBUF},
        {SOL_SOCKET, SO_SNDBUF},
        {SOL_SOCKET, SO_LINGER},
        {SOL_SOCKET, SO_RCVTIMEO},
        {SOL_SOCKET, SO_SNDTIMEO},
        {SOL_SOCKET, SO_DONTROUTE},
        {SOL_SOCKET, SO_OOBINLINE},
        {SOL_SOCKET, SO_PRIORITY},
        {SOL_SOCKET, SO_RCVLOWAT},
        {SOL_SOCKET, SO_SNDLOWAT},
        {IPPROTO_TCP, TCP_NODELAY},
        {IPPROTO_TCP, TCP_CORK},
        {IPPROTO_TCP, TCP_QUICKACK},
        {IPPROTO_TCP, TCP_KEEPIDLE},
        {IPPROTO_TCP, TCP_KEEPINTVL},
        {IPPROTO_TCP, TCP_KEEPCNT},
        {IPPROTO_TCP, TCP_MAXSEG},
        {IPPROTO_TCP, TCP_USER_TIMEOUT},
        {IPPROTO_TCP, TCP_DEFER_ACCEPT},
        {IPPROTO_IP, IP_TOS},
        {IPPROTO_IP, IP_TTL},
        {IPPROTO_IPV6, IPV6_V6ONLY},
    };
    return std::find(known.begin(), known.end(), std::pair(level, name)) != known.end();
}

/// @return the value of an option of type @p T, with zeros if it is shorter
template <class T>
T
ValueOf(const std::string& bytes)
{
    T value{};
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
    return value;
}

Ps
ToPs(const timeval& value)
{
    return value.tv_sec * PS_PER_SECOND + value.tv_usec * PS_PER_US;
}

/// Stores an address for the program, cut to what it has room for.
void
StoreAddress(const std::string& address, void* to, std::uint32_t* bytes)
{
    if (to == nullptr || bytes == nullptr)
    {
        return;
    }
    const auto room = static_cast<std::size_t>(ProgramMemory::Read(bytes));
    ProgramMemory::WriteBytes(to, address.data(), std::min(room, address.size()));
    ProgramMemory::Write(bytes, static_cast<std::uint32_t>(address.size()));
}

} // namespace

KernelGate&
SystemCalls::Gate()
{
    if (m_gate == nullptr)
    {
        const NodeId node = m_host.process->GetHost().Id();
        m_gate = std::make_unique<KernelGate>(m_host.network().DeviceOf(node));
    }
    return *m_gate;
}

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
    socket->Choose(at.address);
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
    Charge(*socket);
    int failed = EINTR;
    InKernel([&] { failed = stream->Listen(static_cast<std::uint32_t>(std::max(backlog, 1))); });
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
        Repeat(socket, POLLIN, !socket->nonBlocking, socket->receiveLimit, [&]() -> std::int64_t {
            const bool ran = InKernel([&] { accepted = listener->Accept(); });
            return accepted != nullptr ? 0 : ran ? -EAGAIN : -EINTR;
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
    StoreAddress(WriteSocketAddress(made->Peer(), made->family), address, bytes);
    const int added = m_table.Add(made, 0, (flags & SOCK_CLOEXEC) != 0);
    if (added < 0)
    {
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
    KernelPeer to;
    if (const int wrong =
            ReadSocketAddress(ProgramMemory::ReadBytes(address, bytes), socket->family, to))
    {
        return -wrong;
    }
    if (to.address == Ipv4Address::GetAny())
    {
        to.address = Ipv4Address::GetLoopback(); // as Linux
    }
    socket->Choose(to.address);
    Charge(*socket);
    int failed = EINTR;
    InKernel([&] { failed = socket->Connect(to); });
    const auto* const stream = dynamic_cast<StreamSocketDescriptor*>(socket.get());
    if (failed != 0 || stream == nullptr)
    {
        return -failed;
    }
    if (socket->nonBlocking && stream->Endpoint().IsConnecting())
    {
        return -EINPROGRESS;
    }
    const std::int64_t result =
        Repeat(socket, POLLOUT, true, socket->sendLimit, [&]() -> std::int64_t {
            return stream->Endpoint().IsConnecting() ? -EAGAIN : -stream->Endpoint().TakeError();
        });
    return result == -EAGAIN ? -EINPROGRESS : result;
}

std::int64_t
SystemCalls::SendTo(const std::int64_t* a)
{
    const auto descriptor = m_table.At(static_cast<int>(a[0]));
    const auto socket = std::dynamic_pointer_cast<SocketDescriptor>(descriptor);
    const auto* const pair = dynamic_cast<PipeEnd*>(descriptor.get());
    if (socket == nullptr && (pair == nullptr || !pair->IsSocket()))
    {
        return descriptor == nullptr ? -EBADF : -ENOTSOCK;
    }
    KernelPeer to;
    const auto count = static_cast<std::size_t>(a[2]);
    const bool isNamed = socket != nullptr && a[4] != 0 && a[5] != 0;
    if (isNamed)
    {
        const std::string address = ProgramMemory::ReadBytes(reinterpret_cast<const void*>(a[4]),
                                                             static_cast<std::size_t>(a[5]));
        if (const int wrong = ReadSocketAddress(address, socket->family, to))
        {
            return -wrong;
        }
        socket->NoteTarget(to);
    }
    const std::string bytes = ProgramMemory::ReadBytes(reinterpret_cast<const void*>(a[1]), count);
    return Send(descriptor, bytes.data(), count, static_cast<int>(a[3]), isNamed ? &to : nullptr);
}

std::int64_t
SystemCalls::ReceiveFrom(const std::int64_t* a)
{
    const auto descriptor = m_table.At(static_cast<int>(a[0]));
    const auto socket = std::dynamic_pointer_cast<SocketDescriptor>(descriptor);
    const auto* const pair = dynamic_cast<PipeEnd*>(descriptor.get());
    if (socket == nullptr && (pair == nullptr || !pair->IsSocket()))
    {
        return descriptor == nullptr ? -EBADF : -ENOTSOCK;
    }
    const auto most = static_cast<std::size_t>(a[2]);
    const int flags = static_cast<int>(a[3]);
    auto* to = reinterpret_cast<char*>(a[1]);
    std::size_t done = 0;
    std::int64_t result = 0;
    KernelPeer from;
    do
    {
        const auto bytes = Receive(descriptor, most - done, flags, from, result);
        ProgramMemory::WriteBytes(to + done, bytes.data(), bytes.size());
        done += bytes.size();
    } while ((flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0 && result > 0 && done < most);
    if (result < 0 && done == 0)
    {
        return result;
    }
    if (socket != nullptr)
    {
        StoreAddress(WriteSocketAddress(from, socket->family),
                     reinterpret_cast<void*>(a[4]),
                     reinterpret_cast<std::uint32_t*>(a[5]));
    }
    const bool tellsLength = (flags & MSG_TRUNC) != 0 && result > static_cast<std::int64_t>(done);
    return tellsLength ? result : static_cast<std::int64_t>(done);
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
    StoreAddress(WriteSocketAddress(named, socket->family), address, bytes);
    return 0;
}

std::int64_t
SystemCalls::SetOption(int number, int level, int name, const void* value, std::uint32_t bytes)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return dynamic_cast<PipeEnd*>(m_table.At(number).get()) != nullptr ? 0 : error;
    }
    if (!IsKnown(level, name))
    {
        return -ENOPROTOOPT;
    }
    if (bytes < sizeof(int) || bytes > sizeof(linger) + sizeof(timeval))
    {
        return -EINVAL;
    }
    const std::string text = ProgramMemory::ReadBytes(value, bytes);
    socket->options[{level, name}] = text;
    if (level == SOL_SOCKET && name == SO_RCVTIMEO)
    {
        socket->receiveLimit = ToPs(ValueOf<timeval>(text));
    }
    else if (level == SOL_SOCKET && name == SO_SNDTIMEO)
    {
        socket->sendLimit = ToPs(ValueOf<timeval>(text));
    }
    else if (level == SOL_SOCKET && name == SO_LINGER)
    {
        const auto given = ValueOf<linger>(text);
        socket->resetsAtClose = given.l_onoff != 0 && given.l_linger == 0;
    }
    else if (level == IPPROTO_TCP && name == TCP_NODELAY)
    {
        if (const auto* stream = dynamic_cast<StreamSocketDescriptor*>(socket.get()))
        {
            stream->Endpoint().SetNoDelay(ValueOf<int>(text) != 0);
        }
    }
    return 0;
}

std::int64_t
SystemCalls::GetOption(int number, int level, int name, void* value, std::uint32_t* bytes)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return error;
    }
    const auto* const stream = dynamic_cast<StreamSocketDescriptor*>(socket.get());
    const auto& costs = Gate().Device()->GetKernel()->Costs();
    int number32 = 0;
    std::string found = socket->options[{level, name}];
    if (level == SOL_SOCKET && name == SO_ERROR)
    {
        number32 = stream == nullptr ? 0 : stream->Endpoint().TakeError();
    }
    else if (level == SOL_SOCKET && name == SO_TYPE)
    {
        number32 = stream == nullptr ? SOCK_DGRAM : SOCK_STREAM;
    }
    else if (level == SOL_SOCKET && name == SO_ACCEPTCONN)
    {
        number32 = stream != nullptr && stream->Endpoint().IsListening() ? 1 : 0;
    }
    else if (level == SOL_SOCKET && (name == SO_RCVBUF || name == SO_SNDBUF) && found.empty())
    {
        number32 = static_cast<int>(stream == nullptr   ? costs.udpBuffer
                                    : name == SO_RCVBUF ? costs.receiveBuffer
                                                        : costs.sendBuffer);
    }
    else if (level == IPPROTO_TCP && name == TCP_NODELAY && found.empty())
    {
        number32 = costs.noDelay ? 1 : 0;
    }
    else if (!IsKnown(level, name))
    {
        return -ENOPROTOOPT;
    }
    if (found.empty())
    {
        found.assign(reinterpret_cast<const char*>(&number32), sizeof(number32));
    }
    const auto room = static_cast<std::size_t>(ProgramMemory::Read(bytes));
    found.resize(std::min(room, std::max(found.size(), sizeof(int))));
    ProgramMemory::WriteBytes(value, found.data(), found.size());
    ProgramMemory::Write(bytes, static_cast<std::uint32_t>(found.size()));
    return 0;
}

std::int64_t
SystemCalls::Ioctl(int number, std::uint64_t request, std::int64_t argument)
{
    const auto descriptor = m_table.At(number);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    if (descriptor->RealFile() >= 0)
    {
        return ioctl(descriptor->RealFile(), request, argument) < 0 ? -errno : 0;
    }
    if (request == FIONBIO)
    {
        descriptor->nonBlocking = ProgramMemory::Read(reinterpret_cast<const int*>(argument)) != 0;
        return 0;
    }
    if (request == FIONREAD && m_host.process != nullptr)
    {
        Charge(*descriptor);
        Look();
        ProgramMemory::Write(reinterpret_cast<int*>(argument),
                             static_cast<int>(descriptor->Available()));
        return 0;
    }
    return AskInterfaces(request, argument);
}

} // namespace via
} // namespace ns3
