/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a process as descriptors: streams and datagrams.

#include "via-socket.h"

#include "ns3/simulator.h"

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

Moment
SocketDescriptor::WakeUp()
{
    m_wokeFreely = m_wakesFreely;
    return m_wakesFreely ? Moment{Simulator::Now().GetTimeStep(), 0} : m_gate.WakeUp();
}

void
SocketDescriptor::NotifyFreely()
{
    m_wakesFreely = true;
    Notify();
    m_wakesFreely = false;
}

// ---- streams

StreamSocketDescriptor::StreamSocketDescriptor(KernelGate& gate, Ends ends)
    : SocketDescriptor(gate),
      m_ends(std::move(ends))
{
    if (m_ends.wire != nullptr)
    {
        m_ends.wire->SetListener([this] { Notify(); });
    }
    if (m_ends.control != nullptr)
    {
        m_ends.control->SetListener([this] { NotifyFreely(); });
    }
}

void
StreamSocketDescriptor::Choose(Ipv4Address address)
{
    if (auto left = m_ends.LeaveFor(address))
    {
        StreamEndpoint::Close(std::move(left), false);
    }
}

short
StreamSocketDescriptor::Ready()
{
    if (m_closed)
    {
        return POLLNVAL;
    }
    const StreamEndpoint& end = Endpoint();
    if (end.IsListening())
    {
        const bool hasControl = m_ends.control != nullptr && m_ends.control->HasWaiting();
        return end.HasWaiting() || hasControl ? POLLIN : 0;
    }
    if (end.IsConnecting())
    {
        return 0;
    }
    if (!end.IsConnected())
    {
        return POLLOUT | POLLHUP | (end.Error() != 0 ? POLLERR | POLLIN : 0);
    }
    const bool endsReads = end.IsAtEnd() || m_readsEnded;
    short ready = 0;
    ready |= end.Available() > 0 || endsReads ? POLLIN : 0;
    ready |= endsReads ? POLLRDHUP : 0;
    ready |= end.Room() > 0 || end.HasFailed() || end.HasSentEnd() ? POLLOUT : 0;
    ready |= end.Error() != 0 ? POLLERR : 0;
    ready |= end.HasFailed() || (endsReads && end.HasSentEnd()) ? POLLHUP : 0;
    return ready;
}

std::size_t
StreamSocketDescriptor::Available()
{
    return Endpoint().Available();
}

void
StreamSocketDescriptor::KeepError(int error)
{
    if (error != EAGAIN && error != EINTR && error != EPIPE)
    {
        Endpoint().KeepError(error);
    }
}

void
StreamSocketDescriptor::Close()
{
    m_closed = true;
    for (auto* const end : {&m_ends.wire, &m_ends.control})
    {
        if (*end != nullptr)
        {
            StreamEndpoint::Close(std::move(*end), resetsAtClose);
        }
    }
}

int
StreamSocketDescriptor::Bind(const KernelPeer& at)
{
    return m_ends.Bind(at);
}

int
StreamSocketDescriptor::Listen(std::uint32_t backlog)
{
    m_ends.BindTwo();
    const int failed = Endpoint().Listen(backlog);
    return failed != 0 || !m_ends.AreTwo() ? failed : m_ends.control->Listen(backlog);
}

std::unique_ptr<StreamEndpoint>
StreamSocketDescriptor::Accept()
{
    if (m_ends.control != nullptr && m_ends.control->HasWaiting())
    {
        return m_ends.control->Accept();
    }
    auto accepted = Endpoint().Accept();
    m_usesWire |= accepted != nullptr;
    return accepted;
}

int
StreamSocketDescriptor::Connect(const KernelPeer& to)
{
    return Endpoint().Connect(to);
}

int
StreamSocketDescriptor::ShutDown(bool reads, bool writes)
{
    if (Endpoint().IsListening())
    {
        return reads ? StopListening() : 0; // as Linux
    }
    if (!Endpoint().IsConnected())
    {
        return ENOTCONN;
    }
    m_readsEnded |= reads;
    if (writes)
    {
        Endpoint().EndSending();
    }
    Notify();
    return 0;
}

int
StreamSocketDescriptor::StopListening()
{
    for (const auto* const end : {&m_ends.wire, &m_ends.control})
    {
        if (*end != nullptr)
        {
            (*end)->StopListening();
        }
    }
    Notify(); // calls of Accept end
    return 0;
}

KernelPeer
StreamSocketDescriptor::Local() const
{
    return Endpoint().Local();
}

const KernelPeer&
StreamSocketDescriptor::Peer() const
{
    return Endpoint().Peer();
}

bool
StreamSocketDescriptor::IsConnected() const
{
    return Endpoint().IsConnected() && !Endpoint().HasFailed();
}

std::size_t
StreamSocketDescriptor::Fits(std::size_t count) const
{
    return std::min(count, Endpoint().Room());
}

std::int64_t
StreamSocketDescriptor::Send(const void* bytes, std::size_t count, const KernelPeer*)
{
    StreamEndpoint& end = Endpoint();
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
    m_roomLeft = end.Room();
    return taken == 0 && count > 0 ? -EAGAIN : static_cast<std::int64_t>(taken);
}

std::vector<std::uint8_t>
StreamSocketDescriptor::Receive(std::size_t most,
                                bool peeks,
                                KernelPeer& from,
                                std::int64_t& result)
{
    StreamEndpoint& end = Endpoint();
    std::vector<std::uint8_t> bytes;
    from = end.Peer();
    if (end.Available() > 0) // ended reads, too, take what arrives: as Linux
    {
        bytes = end.Receive(most, peeks);
        result = static_cast<std::int64_t>(bytes.size());
    }
    else if (const int error = end.HasPeerEnded() ? 0 : end.TakeError())
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

// ---- datagrams

DatagramSocketDescriptor::DatagramSocketDescriptor(KernelGate& gate, Ends ends)
    : SocketDescriptor(gate),
      m_ends(std::move(ends))
{
    if (m_ends.wire != nullptr)
    {
        m_ends.wire->SetListener([this] { Notify(); });
    }
    if (m_ends.control != nullptr)
    {
        m_ends.control->SetListener([this] { NotifyFreely(); });
    }
}

void
DatagramSocketDescriptor::Choose(Ipv4Address address)
{
    m_ends.LeaveFor(address);
}

DatagramEndpoint*
DatagramSocketDescriptor::Waiting() const
{
    for (const auto* const end : {&m_ends.control, &m_ends.wire})
    {
        if (*end != nullptr && (*end)->HasWaiting())
        {
            return end->get();
        }
    }
    return nullptr;
}

short
DatagramSocketDescriptor::Ready()
{
    if (m_closed)
    {
        return POLLNVAL;
    }
    short ready = POLLOUT;
    ready |= Waiting() != nullptr || m_readsEnded ? POLLIN : 0;
    ready |= m_readsEnded ? POLLRDHUP : 0;
    ready |= m_readsEnded && m_writesEnded ? POLLHUP : 0;
    ready |= m_ends.Main().Error() != 0 ? POLLERR : 0;
    return ready;
}

std::size_t
DatagramSocketDescriptor::Available()
{
    const DatagramEndpoint* const end = Waiting();
    return end == nullptr ? 0 : end->Front().bytes.size();
}

void
DatagramSocketDescriptor::Close()
{
    m_closed = true;
    m_ends = {};
}

int
DatagramSocketDescriptor::Bind(const KernelPeer& at)
{
    return m_ends.Bind(at);
}

int
DatagramSocketDescriptor::Connect(const KernelPeer& to)
{
    return m_ends.Main().Connect(to);
}

int
DatagramSocketDescriptor::ShutDown(bool reads, bool writes)
{
    m_readsEnded |= reads;
    m_writesEnded |= writes;
    Notify();
    return m_ends.Main().IsConnected() ? 0 : ENOTCONN;
}

KernelPeer
DatagramSocketDescriptor::Local() const
{
    return m_ends.Main().Local();
}

const KernelPeer&
DatagramSocketDescriptor::Peer() const
{
    return m_ends.Main().Peer();
}

bool
DatagramSocketDescriptor::IsConnected() const
{
    return m_ends.Main().IsConnected();
}

std::int64_t
DatagramSocketDescriptor::Send(const void* bytes, std::size_t count, const KernelPeer* to)
{
    if (to == nullptr && !IsConnected())
    {
        return -EDESTADDRREQ;
    }
    if (m_writesEnded)
    {
        return -EPIPE;
    }
    if (const int refused = TakeError())
    {
        return -refused;
    }
    const KernelPeer target = to == nullptr ? Peer() : *to;
    m_ends.BindTwo();
    DatagramEndpoint* const end =
        !m_ends.AreTwo()
            ? &m_ends.Main()
            : (ControlNetwork::Has(target.address) ? m_ends.control : m_ends.wire).get();
    const int error = end->Send(target, bytes, count);
    return error != 0 ? -error : static_cast<std::int64_t>(count);
}

std::vector<std::uint8_t>
DatagramSocketDescriptor::Receive(std::size_t most,
                                  bool peeks,
                                  KernelPeer& from,
                                  std::int64_t& result)
{
    DatagramEndpoint* const end = Waiting();
    if (const int refused = TakeError())
    {
        result = -refused;
        return {};
    }
    if (end == nullptr)
    {
        result = m_readsEnded ? 0 : -EAGAIN;
        return {};
    }
    m_usesWire |= end == m_ends.wire.get();
    const KernelMessage& message = end->Front();
    from = message.from;
    result = static_cast<std::int64_t>(message.bytes.size()); // more than the bytes if it is cut
    std::vector<std::uint8_t> bytes(
        message.bytes.begin(),
        message.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(most, message.bytes.size())));
    if (!peeks)
    {
        end->Pop();
    }
    return bytes;
}

} // namespace via
} // namespace ns3
