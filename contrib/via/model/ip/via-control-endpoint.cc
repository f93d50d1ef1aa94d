/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets on the control network: streams and datagrams that arrive where they are sent.

#include "via-control-endpoint.h"

#include "ns3/via-udp-kernel-socket.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

NodeId
HostWith(const Ptr<ViaIpDevice>& device)
{
    return device->GetKernel()->GetNic().GetHost().Id();
}

} // namespace

// ---- streams

ControlStream::ControlStream(Ptr<ViaIpDevice> device, std::shared_ptr<ControlNetwork> network)
    : StreamEndpoint(device),
      m_network(std::move(network)),
      m_host(HostWith(device)),
      m_local{Ipv4Address::GetAny(), 0}
{
}

ControlStream::~ControlStream()
{
    Leave();
}

int
ControlStream::Bind(const KernelPeer& at)
{
    if (m_local.port != 0)
    {
        return EINVAL;
    }
    const std::uint16_t port = m_network->streams.Take(m_host, at.port, *this);
    m_ownsPort = port != 0;
    m_local = {at.address, port};
    return m_ownsPort ? 0 : EADDRINUSE;
}

int
ControlStream::Listen(std::uint32_t)
{
    if (m_connected)
    {
        return EINVAL;
    }
    m_listens = m_local.port != 0 || Bind({Ipv4Address::GetAny(), 0}) == 0;
    return m_listens ? 0 : EADDRINUSE;
}

void
ControlStream::StopListening()
{
    for (const auto& waiting : m_waiting)
    {
        static_cast<ControlStream&>(*waiting).End(false);
    }
    m_waiting.clear();
    m_listens = false;
}

int
ControlStream::Connect(const KernelPeer& to)
{
    if (m_listens || m_connected)
    {
        return m_listens ? EOPNOTSUPP : EISCONN;
    }
    const auto host = m_network->HostOf(to.address);
    ControlStream* const listener =
        host.has_value() ? m_network->streams.Find(*host, to.port) : nullptr;
    if (listener == nullptr || !listener->m_listens)
    {
        return host.has_value() ? ECONNREFUSED : EHOSTUNREACH;
    }
    if (m_local.port == 0 && Bind({Ipv4Address::GetAny(), 0}) != 0)
    {
        return EADDRNOTAVAIL;
    }
    m_local.address = ControlNetwork::AddressOf(m_host);
    auto accepted = std::make_unique<ControlStream>(listener->m_device, m_network);
    accepted->m_local = to;
    accepted->Join(*this);
    Join(*accepted);
    listener->m_waiting.push_back(std::move(accepted));
    listener->Changed();
    return 0;
}

void
ControlStream::Join(ControlStream& other)
{
    m_other = &other;
    m_peer = other.m_local;
    m_connected = true;
}

std::size_t
ControlStream::Send(const void* bytes, std::size_t count)
{
    const auto* const from = static_cast<const std::uint8_t*>(bytes);
    const std::size_t part = std::min(Room(), count);
    if (part > 0 && m_other == nullptr)
    {
        Fail(EPIPE); // the bytes are lost, and the next call tells it, as with TCP
    }
    else if (part > 0)
    {
        m_other->m_inbox.insert(m_other->m_inbox.end(), from, from + part);
        m_other->Changed();
    }
    return part;
}

std::vector<std::uint8_t>
ControlStream::Receive(std::size_t most, bool peeks)
{
    const auto end = m_inbox.begin() + static_cast<std::ptrdiff_t>(std::min(most, m_inbox.size()));
    std::vector<std::uint8_t> bytes(m_inbox.begin(), end);
    if (!peeks)
    {
        m_inbox.erase(m_inbox.begin(), end);
        if (m_other != nullptr)
        {
            m_other->Changed();
        }
    }
    return bytes;
}

void
ControlStream::EndSending()
{
    if (!std::exchange(m_endSent, true) && m_other != nullptr)
    {
        m_other->m_atEnd = true;
        m_other->Changed();
    }
}

std::size_t
ControlStream::Available() const
{
    return m_inbox.size();
}

std::size_t
ControlStream::Room() const
{
    const bool takes = m_connected && !m_endSent && !m_failed;
    return takes ? ROOM - (m_other == nullptr ? 0 : m_other->m_inbox.size()) : 0;
}

void
ControlStream::End(bool resets)
{
    StopListening();
    if (m_other != nullptr && (resets || !m_inbox.empty()))
    {
        m_other->Fail(ECONNRESET);
    }
    Leave();
}

void
ControlStream::Leave()
{
    if (std::exchange(m_ownsPort, false))
    {
        m_network->streams.Release(m_host, m_local.port);
    }
    if (ControlStream* const other = std::exchange(m_other, nullptr))
    {
        other->m_other = nullptr;
        other->m_atEnd = true;
        other->Changed();
    }
}

// ---- datagrams

ControlDatagrams::ControlDatagrams(Ptr<ViaIpDevice> device, std::shared_ptr<ControlNetwork> network)
    : DatagramEndpoint(device),
      m_network(std::move(network)),
      m_host(HostWith(device)),
      m_local{Ipv4Address::GetAny(), 0}
{
}

ControlDatagrams::~ControlDatagrams()
{
    if (m_local.port != 0)
    {
        m_network->datagrams.Release(m_host, m_local.port);
    }
}

int
ControlDatagrams::Bind(const KernelPeer& at)
{
    if (m_local.port != 0)
    {
        return EINVAL;
    }
    m_local = {at.address, m_network->datagrams.Take(m_host, at.port, *this)};
    return m_local.port != 0 ? 0 : EADDRINUSE;
}

int
ControlDatagrams::Connect(const KernelPeer& to)
{
    if (!m_network->HostOf(to.address).has_value())
    {
        return EHOSTUNREACH;
    }
    if (m_local.port == 0 && Bind({Ipv4Address::GetAny(), 0}) != 0)
    {
        return EADDRNOTAVAIL;
    }
    m_peer = to;
    m_connected = true;
    return 0;
}

KernelPeer
ControlDatagrams::Local() const
{
    return {m_connected ? ControlNetwork::AddressOf(m_host) : m_local.address, m_local.port};
}

int
ControlDatagrams::Send(const KernelPeer& to, const void* bytes, std::size_t count)
{
    const auto host = m_network->HostOf(to.address);
    if (!host.has_value() || count > UdpKernelSocket::MOST_BYTES)
    {
        return host.has_value() ? EMSGSIZE : EHOSTUNREACH;
    }
    if (m_local.port == 0 && Bind({Ipv4Address::GetAny(), 0}) != 0)
    {
        return EADDRNOTAVAIL;
    }
    const KernelPeer own{ControlNetwork::AddressOf(m_host), m_local.port};
    ControlDatagrams* const receiver = m_network->datagrams.Find(*host, to.port);
    if (receiver != nullptr && receiver->Wants(own))
    {
        const auto* const from = static_cast<const std::uint8_t*>(bytes);
        receiver->Queue({own, {from, from + count}});
    }
    else if (m_connected && Wants(to))
    {
        Refuse();
    }
    return 0;
}

} // namespace via
} // namespace ns3
