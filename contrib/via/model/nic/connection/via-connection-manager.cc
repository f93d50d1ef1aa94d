/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Client-server connections: the kernel agent's side of the NIC.

#include "via-connection-manager.h"

#include "ns3/abort.h"
#include "ns3/via-connect-body.h"
#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

ConnectionManager::ConnectionManager(Nic& nic)
    : m_nic(nic),
      m_peers(nic)
{
}

// ---- server

ConnectionManager::WaiterId
ConnectionManager::Listen(std::uint32_t owner,
                          const NetAddress& local,
                          Ps deadline,
                          Waiter* process)
{
    m_waiters[++m_lastWaiter] = {owner, local, deadline, process, 0};
    return m_lastWaiter;
}

ConnectionManager::RequestId
ConnectionManager::EndListen(WaiterId waiter)
{
    const auto found = m_waiters.find(waiter);
    if (found == m_waiters.end())
    {
        return 0; // its NIC handle was closed
    }
    const RequestId request = found->second.request;
    m_waiters.erase(found);
    return request;
}

const ConnectRequest*
ConnectionManager::FindRequest(RequestId request) const
{
    const auto found = m_requests.find(request);
    return found == m_requests.end() ? nullptr : &found->second;
}

void
ConnectionManager::Accept(RequestId request, VirtualInterface& vi, Moment at)
{
    const auto found = m_requests.find(request);
    const ConnectRequest& asked = found->second;
    m_nic.GetViConnections().Connect(vi, asked.clientNode, asked.clientVi, asked.connection);
    Answer(PacketKind::CONNECT_ACCEPT, asked, &vi, at);
    m_requests.erase(found);
}

void
ConnectionManager::Reject(RequestId request, Moment at)
{
    const auto found = m_requests.find(request);
    if (found != m_requests.end())
    {
        Answer(PacketKind::CONNECT_REJECT, found->second, nullptr, at);
        m_requests.erase(found);
    }
}

void
ConnectionManager::Answer(PacketKind kind,
                          const ConnectRequest& request,
                          VirtualInterface* vi,
                          Moment at)
{
    Packet* packet = m_nic.NewControl(kind, request.connection);
    packet->destination = request.clientNode;
    packet->destinationVi = request.clientVi;
    if (vi != nullptr)
    {
        packet->sourceVi = vi->id;
        ConnectBodyWriter(*packet).Put(vi->attributes);
    }
    m_nic.SendControl(packet, at);
}

// ---- client

ConnectionId
ConnectionManager::Request(VirtualInterface& vi,
                           const NetAddress& local,
                           NodeId server,
                           const NetAddress& remote,
                           Ps deadline,
                           Waiter* process,
                           Moment at)
{
    const ConnectionId attempt = m_nic.GetViConnections().NewConnection();
    m_attempts[attempt] = {vi.id, process, deadline, ConnectResult::PENDING, {}, server};
    vi.state = ViState::CONNECT_PENDING;
    Packet* packet = m_nic.NewControl(PacketKind::CONNECT_REQUEST, attempt);
    packet->sourceVi = vi.id;
    packet->destination = server;
    ConnectBodyWriter body(*packet);
    body.Put(vi.attributes);
    body.Put(local);
    body.Put(remote);
    m_nic.SendControl(packet, at);
    return attempt;
}

ConnectAttempt
ConnectionManager::End(ConnectionId attempt)
{
    const auto found = m_attempts.find(attempt);
    if (found == m_attempts.end())
    {
        return {0, nullptr, PS_NEVER, ConnectResult::CANCELLED, {}, 0}; // removed with its VI
    }
    const ConnectAttempt ended = found->second;
    m_attempts.erase(found);
    if (ended.result == ConnectResult::PENDING)
    {
        m_nic.FindVi(ended.vi)->state = ViState::IDLE;
    }
    return ended;
}

// ---- both

void
ConnectionManager::Cancel(ViId vi, Moment at)
{
    m_peers.Cancel(vi, at);
    for (auto& [number, attempt] : m_attempts)
    {
        if (attempt.vi == vi && attempt.result == ConnectResult::PENDING)
        {
            attempt.result = ConnectResult::CANCELLED;
            attempt.process->OnReady(at);
        }
    }
}

void
ConnectionManager::Forget(ViId vi)
{
    m_peers.Forget(vi);
    for (auto it = m_attempts.begin(); it != m_attempts.end();)
    {
        it = it->second.vi == vi ? m_attempts.erase(it) : std::next(it);
    }
}

void
ConnectionManager::CloseAll(std::uint32_t owner, Moment at)
{
    for (auto it = m_waiters.begin(); it != m_waiters.end();)
    {
        const auto waiter = it++;
        if (waiter->second.owner == owner)
        {
            Waiter* process = waiter->second.process;
            m_waiters.erase(waiter);
            process->OnReady(at);
        }
    }
    for (auto it = m_requests.begin(); it != m_requests.end();)
    {
        const auto request = it++;
        if (request->second.owner == owner)
        {
            Reject(request->first, at);
        }
    }
}

// ---- NIC

void
ConnectionManager::OnPeerGone(NodeId peer, Moment at)
{
    m_peers.OnPeerGone(peer, at);
    for (auto& [number, attempt] : m_attempts)
    {
        if (attempt.server == peer && attempt.result == ConnectResult::PENDING)
        {
            TimeOut(attempt, at);
        }
    }
}

void
ConnectionManager::OnReset(Moment at)
{
    m_peers.OnReset(at);
    for (auto& [number, attempt] : m_attempts)
    {
        if (attempt.result == ConnectResult::PENDING)
        {
            TimeOut(attempt, at);
        }
    }
}

void
ConnectionManager::TimeOut(ConnectAttempt& attempt, Moment at)
{
    attempt.result = ConnectResult::TIMED_OUT;
    m_nic.FindVi(attempt.vi)->state = ViState::IDLE;
    attempt.process->OnReady(at);
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
    case PacketKind::PEER_REQUEST:
        m_peers.OnRequest(packet, at);
        break;
    case PacketKind::PEER_ACCEPT:
        m_peers.OnAccept(packet, at);
        break;
    case PacketKind::PEER_CANCEL:
        m_peers.OnCancel(packet);
        break;
    case PacketKind::DISCONNECT:
        OnDisconnect(packet, at);
        break;
    default:
        NS_ABORT_MSG("a " << PacketKindName(packet.kind) << " is not a connection packet");
    }
}

void
ConnectionManager::OnRequest(const Packet& packet, Moment at)
{
    ConnectBodyReader body(packet);
    ConnectRequest request{packet.source, packet.sourceVi, packet.connection, {}, {}, 0};
    request.clientAttributes = body.Attributes();
    request.clientAddress = body.Address();
    const NetAddress remote = body.Address();
    const auto found = std::find_if(m_waiters.begin(), m_waiters.end(), [&](const auto& entry) {
        const ConnectWaiter& waiter = entry.second;
        return waiter.request == 0 && at.at <= waiter.deadline && waiter.local == remote;
    });
    if (found == m_waiters.end())
    {
        Answer(PacketKind::CONNECT_NO_MATCH, request, nullptr, at);
        return;
    }
    ConnectWaiter& waiter = found->second;
    request.owner = waiter.owner;
    waiter.request = ++m_lastRequest;
    m_requests[waiter.request] = request;
    waiter.process->OnReady(at);
}

void
ConnectionManager::OnAnswer(const Packet& packet, Moment at)
{
    const auto found = m_attempts.find(packet.connection);
    const bool accepted = packet.kind == PacketKind::CONNECT_ACCEPT;
    if (found == m_attempts.end() || found->second.result != ConnectResult::PENDING ||
        at.at > found->second.deadline)
    {
        if (accepted) // we gave up: the server must not assume a connection
        {
            m_nic.GetViConnections().Refuse(packet, at);
        }
        return;
    }
    ConnectAttempt& attempt = found->second;
    VirtualInterface& vi = *m_nic.FindVi(attempt.vi);
    vi.state = ViState::IDLE;
    if (accepted)
    {
        attempt.peerAttributes = ConnectBodyReader(packet).Attributes();
        attempt.result = ConnectResult::ACCEPTED;
        m_nic.GetViConnections().Connect(vi, packet.source, packet.sourceVi, packet.connection);
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
    if (vi != nullptr && vi->state == ViState::CONNECTED && vi->connection == packet.connection)
    {
        m_nic.GetViConnections().Break(*vi, at, false);
    }
}

} // namespace via
} // namespace ns3
