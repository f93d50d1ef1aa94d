/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a process as descriptors: over TCP and over UDP.

#include "via-socket.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/stat.h>
#include <utility>

namespace ns3
{
namespace via
{

unsigned
SocketDescriptor::Kind() const
{
    return S_IFSOCK;
}

// ---- TCP

TcpSocketDescriptor::TcpSocketDescriptor(KernelGate& gate, std::unique_ptr<TcpEndpoint> endpoint)
    : SocketDescriptor(gate),
      m_endpoint(std::move(endpoint))
{
    m_endpoint->SetListener([this] { Notify(); });
}

short
TcpSocketDescriptor::Ready()
{
    if (m_endpoint == nullptr)
    {
        return POLLNVAL;
    }
    const TcpEndpoint& end = *m_endpoint;
    if (end.IsListening())
    {
        return end.HasWaiting() ? POLLIN : 0;
    }
    if (end.IsConnecting())
    {
        return 0;
    }
    if (!end.IsConnected())
    {
        return POLLOUT | POLLHUP | (end.Error() != 0 ? POLLERR | POLLIN : 0);
    }
    short ready = 0;
    ready |= end.Available() > 0 || end.IsAtEnd() || m_readsEnded ? POLLIN : 0;
    ready |= end.IsAtEnd() ? POLLRDHUP : 0;
    ready |= end.Room() > 0 || end.HasFailed() || end.HasSentEnd() ? POLLOUT : 0;
    ready |= end.Error() != 0 ? POLLERR : 0;
    ready |= end.HasFailed() || (end.IsAtEnd() && end.HasSentEnd()) ? POLLHUP : 0;
    return ready;
}

std::size_t
TcpSocketDescriptor::Available()
{
    return m_endpoint->Available();
}

void
TcpSocketDescriptor::KeepError(int error)
{
    if (error != EAGAIN && error != EINTR && error != EPIPE)
    {
        m_endpoint->KeepError(error);
    }
}

void
TcpSocketDescriptor::Close()
{
    TcpEndpoint::Close(std::move(m_endpoint), resetsAtClose);
}

int
TcpSocketDescriptor::Bind(const KernelPeer& at)
{
    return m_endpoint->Bind(at);
}

int
TcpSocketDescriptor::Connect(const KernelPeer& to)
{
    return m_endpoint->Connect(to);
}

int
TcpSocketDescriptor::ShutDown(bool reads, bool writes)
{
    if (!m_endpoint->IsConnected())
    {
        return ENOTCONN;
    }
    m_readsEnded |= reads;
    if (writes)
    {
        m_endpoint->EndSending();
    }
    Notify();
    return 0;
}

KernelPeer
TcpSocketDescriptor::Local() const
{
    return m_endpoint->Local();
}

const KernelPeer&
TcpSocketDescriptor::Peer() const
{
    return m_endpoint->Peer();
}

bool
TcpSocketDescriptor::IsConnected() const
{
    return m_endpoint->IsConnected() && !m_endpoint->HasFailed();
}

std::int64_t
TcpSocketDescriptor::Send(const void* bytes, std::size_t count, const KernelPeer*)
{
    TcpEndpoint& end = *m_endpoint;
    if (const int error = end.TakeError())
    {
        return -error;
    }
    if (end.IsConnecting())
    {
        return -EAGAIN;
    }
    if (end.HasSentEnd() || (end.IsConnected() && end.HasFailed()))
    {
        return -EPIPE;
    }
    if (!end.IsConnected())
    {
        return -ENOTCONN;
    }
    const std::size_t taken = end.Send(bytes, count);
    return taken == 0 && count > 0 ? -EAGAIN : static_cast<std::int64_t>(taken);
}

std::vector<std::uint8_t>
TcpSocketDescriptor::Receive(std::size_t most, bool peeks, KernelPeer& from, std::int64_t& result)
{
    TcpEndpoint& end = *m_endpoint;
    std::vector<std::uint8_t> bytes;
    from = end.Peer();
    if (end.Available() > 0 && !m_readsEnded)
    {
        bytes = end.Receive(most, peeks);
        result = static_cast<std::int64_t>(bytes.size());
    }
    else if (const int error = end.TakeError())
    {
        result = -error;
    }
    else if (end.IsListening() || (!end.IsConnected() && !end.IsConnecting()))
    {
        result = end.IsAtEnd() ? 0 : -ENOTCONN;
    }
    else
    {
        result = end.IsAtEnd() || m_readsEnded || most == 0 ? 0 : -EAGAIN;
    }
    return bytes;
}

// ---- UDP

UdpSocketDescriptor::UdpSocketDescriptor(KernelGate& gate, std::unique_ptr<UdpEndpoint> endpoint)
    : SocketDescriptor(gate),
      m_endpoint(std::move(endpoint))
{
    m_endpoint->SetListener([this] { Notify(); });
}

short
UdpSocketDescriptor::Ready()
{
    if (m_endpoint == nullptr)
    {
        return POLLNVAL;
    }
    return static_cast<short>(POLLOUT | (m_endpoint->HasWaiting() || m_readsEnded ? POLLIN : 0));
}

std::size_t
UdpSocketDescriptor::Available()
{
    return m_endpoint->HasWaiting() ? m_endpoint->Front().bytes.size() : 0;
}

void
UdpSocketDescriptor::Close()
{
    m_endpoint.reset();
}

int
UdpSocketDescriptor::Bind(const KernelPeer& at)
{
    return m_endpoint->Bind(at);
}

int
UdpSocketDescriptor::Connect(const KernelPeer& to)
{
    return m_endpoint->Connect(to);
}

int
UdpSocketDescriptor::ShutDown(bool reads, bool)
{
    m_readsEnded |= reads;
    Notify();
    return m_endpoint->IsConnected() ? 0 : ENOTCONN;
}

KernelPeer
UdpSocketDescriptor::Local() const
{
    return m_endpoint->Local();
}

const KernelPeer&
UdpSocketDescriptor::Peer() const
{
    return m_endpoint->Peer();
}

bool
UdpSocketDescriptor::IsConnected() const
{
    return m_endpoint->IsConnected();
}

std::int64_t
UdpSocketDescriptor::Send(const void* bytes, std::size_t count, const KernelPeer* to)
{
    if (to == nullptr && !m_endpoint->IsConnected())
    {
        return -EDESTADDRREQ;
    }
    const int error = m_endpoint->Send(to == nullptr ? m_endpoint->Peer() : *to, bytes, count);
    return error != 0 ? -error : static_cast<std::int64_t>(count);
}

std::vector<std::uint8_t>
UdpSocketDescriptor::Receive(std::size_t most, bool peeks, KernelPeer& from, std::int64_t& result)
{
    if (!m_endpoint->HasWaiting())
    {
        result = m_readsEnded ? 0 : -EAGAIN;
        return {};
    }
    const KernelMessage& message = m_endpoint->Front();
    from = message.from;
    result = static_cast<std::int64_t>(message.bytes.size()); // more than the bytes if it is cut
    std::vector<std::uint8_t> bytes(
        message.bytes.begin(),
        message.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(most, message.bytes.size())));
    if (!peeks)
    {
        m_endpoint->Pop();
    }
    return bytes;
}

} // namespace via
} // namespace ns3
