/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Client-server connections: the kernel agent's side of the NIC.

#include "via-connection-manager.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t HOST_ADDRESS_BYTES = 6;

/// Attributes as they travel in control packets.
struct WireAttributes
{
    std::uint64_t maxTransfer;
    std::uint64_t qos;
    std::uint16_t reliability;
    std::uint8_t rdmaWrite;
    std::uint8_t rdmaRead;
    std::uint8_t padding[4];
};

WireAttributes
Pack(const ViAttributes& attributes)
{
    return {attributes.maxTransfer,
            attributes.qos,
            static_cast<std::uint16_t>(attributes.reliability),
            static_cast<std::uint8_t>(attributes.rdmaWrite),
            static_cast<std::uint8_t>(attributes.rdmaRead),
            {}};
}

ViAttributes
Unpack(const WireAttributes& wire)
{
    return {static_cast<Reliability>(wire.reliability),
            wire.maxTransfer,
            wire.qos,
            0,
            wire.rdmaWrite != 0,
            wire.rdmaRead != 0};
}

/// Appends a length byte and the bytes of @p text.
void
Append(std::vector<std::uint8_t>& body, const std::string& text)
{
    body.push_back(static_cast<std::uint8_t>(text.size()));
    body.insert(body.end(), text.begin(), text.end());
}

/// The inverse of Append; @p at moves on.
std::string
Extract(const std::vector<std::uint8_t>& body, std::size_t& at)
{
    const std::size_t size = body[at++];
    const std::string text(body.begin() + static_cast<std::ptrdiff_t>(at),
                           body.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
    return text;
}

} // namespace

std::string
HostAddressOf(NodeId node)
{
    std::string bytes(HOST_ADDRESS_BYTES, '\0');
    bytes[0] = 2; // locally administered
    bytes[2] = static_cast<char>(node >> 24);
    bytes[3] = static_cast<char>(node >> 16);
    bytes[4] = static_cast<char>(node >> 8);
    bytes[5] = static_cast<char>(node);
    return bytes;
}

bool
NodeOfAddress(const std::string& bytes, NodeId& node)
{
    if (bytes.size() != HOST_ADDRESS_BYTES || bytes[0] != 2 || bytes[1] != 0)
    {
        return false;
    }
    node = 0;
    for (std::size_t i = 2; i < HOST_ADDRESS_BYTES; ++i)
    {
        node = node << 8 | static_cast<std::uint8_t>(bytes[i]);
    }
    return true;
}

ConnectionManager::ConnectionManager(Nic& nic)
    : m_nic(nic)
{
}

void
ConnectionManager::AddWaiter(ConnectWaiter* waiter)
{
    m_waiters.push_back(waiter);
}

void
ConnectionManager::RemoveWaiter(ConnectWaiter* waiter)
{
    m_waiters.erase(std::find(m_waiters.begin(), m_waiters.end(), waiter));
}

const ConnectRequest*
ConnectionManager::FindRequest(std::uint32_t request) const
{
    return request < m_open.size() && m_open[request] ? &m_requests[request] : nullptr;
}

void
ConnectionManager::Accept(std::uint32_t request, VirtualInterface& vi, Moment at)
{
    m_open[request] = false;
    m_nic.Connect(vi, m_requests[request].clientNode, m_requests[request].clientVi);
    Answer(PacketKind::CONNECT_ACCEPT, m_requests[request], &vi, at);
}

void
ConnectionManager::Reject(std::uint32_t request, Moment at)
{
    m_open[request] = false;
    Answer(PacketKind::CONNECT_REJECT, m_requests[request], nullptr, at);
}

void
ConnectionManager::Answer(PacketKind kind,
                          const ConnectRequest& request,
                          VirtualInterface* vi,
                          Moment at)
{
    Packet* packet = m_nic.GetHost().GetWorld().packets.NewPacket();
    packet->kind = kind;
    packet->source = m_nic.GetHost().Id();
    packet->destination = request.clientNode;
    packet->destinationVi = request.clientVi;
    if (vi != nullptr)
    {
        packet->sourceVi = vi->id;
        const WireAttributes wire = Pack(vi->attributes);
        packet->bytes.resize(sizeof(wire));
        std::memcpy(packet->bytes.data(), &wire, sizeof(wire));
        packet->length = sizeof(wire);
    }
    m_nic.SendControl(packet, at);
}

void
ConnectionManager::Request(ConnectAttempt* attempt,
                           VirtualInterface& vi,
                           const NetAddress& local,
                           NodeId server,
                           const NetAddress& remote,
                           Moment at)
{
    m_attempts.push_back(attempt);
    vi.state = ViState::CONNECT_PENDING;
    Packet* packet = m_nic.GetHost().GetWorld().packets.NewPacket();
    packet->kind = PacketKind::CONNECT_REQUEST;
    packet->source = m_nic.GetHost().Id();
    packet->sourceVi = vi.id;
    packet->destination = server;
    const WireAttributes wire = Pack(vi.attributes);
    packet->bytes.resize(sizeof(wire));
    std::memcpy(packet->bytes.data(), &wire, sizeof(wire));
    for (const std::string* text :
         {&local.host, &local.discriminator, &remote.host, &remote.discriminator})
    {
        Append(packet->bytes, *text);
    }
    packet->length = static_cast<std::uint32_t>(packet->bytes.size());
    m_nic.SendControl(packet, at);
}

void
ConnectionManager::Forget(ConnectAttempt* attempt)
{
    m_attempts.erase(std::find(m_attempts.begin(), m_attempts.end(), attempt));
}

void
ConnectionManager::OnControl(const Packet& packet, Moment at)
{
    switch (packet.kind)
    {
    case PacketKind::CONNECT_REQUEST:
        OnRequest(packet, at);
        break;
    case PacketKind::CONNECT_ACCEPT:
    case PacketKind::CONNECT_REJECT:
    case PacketKind::CONNECT_NO_MATCH:
        OnAnswer(packet, at);
        break;
    case PacketKind::DISCONNECT:
        OnDisconnect(packet, at);
        break;
    default:
        NS_ABORT_MSG("a " << PacketKindName(packet.kind) << " is no business of connections");
    }
}

void
ConnectionManager::OnRequest(const Packet& packet, Moment at)
{
    WireAttributes wire;
    std::memcpy(&wire, packet.bytes.data(), sizeof(wire));
    std::size_t offset = sizeof(wire);
    ConnectRequest request{packet.source, packet.sourceVi, {}, Unpack(wire)};
    request.clientAddress.host = Extract(packet.bytes, offset);
    request.clientAddress.discriminator = Extract(packet.bytes, offset);
    NetAddress remote;
    remote.host = Extract(packet.bytes, offset);
    remote.discriminator = Extract(packet.bytes, offset);
    const auto found =
        std::find_if(m_waiters.begin(), m_waiters.end(), [&](const ConnectWaiter* waiter) {
            return !waiter->matched && at.at <= waiter->deadline && waiter->local == remote;
        });
    if (found == m_waiters.end())
    {
        Answer(PacketKind::CONNECT_NO_MATCH, request, nullptr, at);
        return;
    }
    (*found)->matched = true;
    (*found)->request = static_cast<std::uint32_t>(m_requests.size());
    m_requests.push_back(request);
    m_open.push_back(true);
    (*found)->process->OnReady(at);
}

void
ConnectionManager::OnAnswer(const Packet& packet, Moment at)
{
    const auto found =
        std::find_if(m_attempts.begin(), m_attempts.end(), [&](const ConnectAttempt* attempt) {
            return attempt->vi == packet.destinationVi && at.at <= attempt->deadline;
        });
    const bool accepted = packet.kind == PacketKind::CONNECT_ACCEPT;
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (found == m_attempts.end() || vi == nullptr || vi->state != ViState::CONNECT_PENDING)
    {
        if (accepted) // we gave up: the server must not believe in a connection
        {
            Packet* refusal = m_nic.GetHost().GetWorld().packets.NewPacket();
            refusal->kind = PacketKind::DISCONNECT;
            refusal->source = m_nic.GetHost().Id();
            refusal->sourceVi = packet.destinationVi;
            refusal->destination = packet.source;
            refusal->destinationVi = packet.sourceVi;
            m_nic.SendControl(refusal, at);
        }
        return;
    }
    ConnectAttempt& attempt = **found;
    vi->state = ViState::IDLE;
    if (accepted)
    {
        WireAttributes wire;
        std::memcpy(&wire, packet.bytes.data(), sizeof(wire));
        attempt.peerAttributes = Unpack(wire);
        attempt.result = ConnectResult::ACCEPTED;
        m_nic.Connect(*vi, packet.source, packet.sourceVi);
    }
    else
    {
        attempt.result = packet.kind == PacketKind::CONNECT_REJECT ? ConnectResult::REJECTED
                                                                   : ConnectResult::NO_MATCH;
    }
    attempt.process->OnReady(at);
}

void
ConnectionManager::OnDisconnect(const Packet& packet, Moment at)
{
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (vi != nullptr && vi->state == ViState::CONNECTED && vi->peerNode == packet.source &&
        vi->peerVi == packet.sourceVi)
    {
        m_nic.Break(*vi, at, false);
    }
}

} // namespace via
} // namespace ns3
