/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Peer-to-peer connections: both sides request, and the side with the smaller address pairs.

#include "via-peer-matcher.h"

#include "ns3/via-connect-body.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace via
{

namespace
{

/// Is this side's request sent to the other side?
bool
Travels(const NetAddress& local, const NetAddress& remote)
{
    return !(local < remote);
}

} // namespace

void
PeerMatcher::Request(VirtualInterface& vi,
                     const NetAddress& local,
                     const NetAddress& remote,
                     NodeId peer,
                     Ps deadline,
                     Moment at)
{
    PeerAttempt attempt;
    attempt.connection = m_nic.GetViConnections().NewConnection();
    attempt.local = local;
    attempt.remote = remote;
    attempt.peer = peer;
    attempt.deadline = deadline;
    m_attempts[vi.id] = attempt;
    vi.state = ViState::CONNECT_PENDING;
    if (!(remote < local))
    {
        if (TakeParked(vi, {local, remote}, at))
        {
            return;
        }
        m_waiting.insert({{local, remote}, vi.id});
    }
    if (Travels(local, remote))
    {
        Packet* packet = m_nic.NewControl(PacketKind::PEER_REQUEST, attempt.connection);
        packet->sourceVi = vi.id;
        packet->destination = peer;
        ConnectBodyWriter body(*packet);
        body.Put(vi.attributes);
        body.Put(local);
        body.Put(remote);
        body.Put(deadline);
        m_nic.SendControl(packet, at);
    }
}

void
PeerMatcher::RequestNobody(const VirtualInterface& vi, Moment at)
{
    PeerAttempt& attempt = m_attempts[vi.id] = {};
    attempt.result = ConnectResult::NOT_REACHABLE;
    attempt.ended = at;
}

PeerAttempt*
PeerMatcher::Look(VirtualInterface& vi, Ps now)
{
    const auto found = m_attempts.find(vi.id);
    if (found == m_attempts.end())
    {
        return nullptr;
    }
    PeerAttempt& attempt = found->second;
    if (attempt.result == ConnectResult::PENDING && now >= attempt.deadline)
    {
        TimeOut(vi, attempt, {attempt.deadline, 0});
    }
    return &attempt;
}

void
PeerMatcher::TimeOut(VirtualInterface& vi, PeerAttempt& attempt, Moment at)
{
    StopWaiting(vi.id, attempt);
    attempt.result = ConnectResult::TIMED_OUT;
    attempt.ended = at;
    vi.state = ViState::IDLE;
}

void
PeerMatcher::TimeOutSent(NodeId peer, Moment at)
{
    for (auto& [vi, attempt] : m_attempts)
    {
        if ((peer == ANY_PEER || attempt.peer == peer) && Pending(vi, at.at) != nullptr &&
            Travels(attempt.local, attempt.remote))
        {
            TimeOut(*m_nic.FindVi(vi), attempt, at);
            Wake(attempt, at);
        }
    }
}

void
PeerMatcher::OnPeerGone(NodeId peer, Moment at)
{
    TimeOutSent(peer, at);
    for (auto it = m_parked.begin(); it != m_parked.end();)
    {
        it = it->second.node == peer ? m_parked.erase(it) : std::next(it);
    }
}

void
PeerMatcher::OnReset(Moment at)
{
    // what others have sent stays: the accept tells them that the channel is another one now
    TimeOutSent(ANY_PEER, at);
}

void
PeerMatcher::Wake(const PeerAttempt& attempt, Moment at)
{
    for (Waiter* waiter : attempt.waiters)
    {
        waiter->OnReady(at);
    }
}

void
PeerMatcher::Take(ViId vi, const Waiter* waiter)
{
    PeerAttempt& attempt = m_attempts.at(vi);
    std::vector<Waiter*>& waiters = attempt.waiters;
    waiters.erase(std::remove(waiters.begin(), waiters.end(), waiter), waiters.end());
    attempt.isTaken = true;
    if (waiters.empty())
    {
        m_attempts.erase(vi);
    }
}

void
PeerMatcher::Forget(ViId vi)
{
    m_attempts.erase(vi);
}

void
PeerMatcher::Cancel(ViId vi, Moment at)
{
    const auto found = m_attempts.find(vi);
    if (found == m_attempts.end())
    {
        return;
    }
    const PeerAttempt attempt = found->second;
    m_attempts.erase(found);
    if (attempt.result == ConnectResult::PENDING)
    {
        StopWaiting(vi, attempt);
        if (Travels(attempt.local, attempt.remote))
        {
            Packet* packet = m_nic.NewControl(PacketKind::PEER_CANCEL, attempt.connection);
            packet->destination = attempt.peer;
            m_nic.SendControl(packet, at);
        }
    }
    Wake(attempt, at);
}

void
PeerMatcher::StopWaiting(ViId vi, const PeerAttempt& attempt)
{
    const auto range = m_waiting.equal_range({attempt.local, attempt.remote});
    for (auto it = range.first; it != range.second; ++it)
    {
        if (it->second == vi)
        {
            m_waiting.erase(it);
            return;
        }
    }
}

PeerAttempt*
PeerMatcher::Pending(ViId vi, Ps at)
{
    const auto found = m_attempts.find(vi);
    const bool pending = found != m_attempts.end() &&
                         found->second.result == ConnectResult::PENDING &&
                         at <= found->second.deadline;
    return pending ? &found->second : nullptr;
}

bool
PeerMatcher::IsAlive(const Parked& request, Ps at)
{
    if (request.node != m_nic.GetHost().Id())
    {
        return at <= request.deadline;
    }
    // a request of this NIC: another VI may have taken it meanwhile
    const PeerAttempt* asked = Pending(request.vi, at);
    return asked != nullptr && asked->connection == request.connection;
}

bool
PeerMatcher::TakeParked(VirtualInterface& vi, const Pair& pair, Moment at)
{
    auto range = m_parked.equal_range(pair);
    while (range.first != range.second)
    {
        const Parked request = range.first->second;
        range.first = m_parked.erase(range.first);
        if (IsAlive(request, at.at))
        {
            PairUp(vi, request, at);
            return true;
        }
    }
    return false;
}

void
PeerMatcher::OnRequest(const Packet& packet, Moment at)
{
    ConnectBodyReader body(packet);
    Parked request{packet.source, packet.sourceVi, packet.connection, 0, body.Attributes()};
    const NetAddress theirs = body.Address();
    const Pair pair{body.Address(), theirs};
    request.deadline = body.Time();
    if (!IsAlive(request, at.at))
    {
        return;
    }
    const bool own = packet.source == m_nic.GetHost().Id();
    const auto range = m_waiting.equal_range(pair);
    for (auto it = range.first; it != range.second; ++it)
    {
        const ViId vi = it->second;
        if ((!own || vi != request.vi) && Pending(vi, at.at) != nullptr)
        {
            m_waiting.erase(it);
            PairUp(*m_nic.FindVi(vi), request, at);
            return;
        }
    }
    auto parked = m_parked.equal_range(pair);
    while (parked.first != parked.second) // repeated requests must not pile up
    {
        parked.first = IsAlive(parked.first->second, at.at) ? std::next(parked.first)
                                                            : m_parked.erase(parked.first);
    }
    m_parked.insert({pair, request});
}

void
PeerMatcher::PairUp(VirtualInterface& vi, const Parked& request, Moment at)
{
    if (request.node == m_nic.GetHost().Id())
    {
        StopWaiting(request.vi, m_attempts[request.vi]); // it is paired now
    }
    Packet* packet = m_nic.NewControl(PacketKind::PEER_ACCEPT, request.connection);
    packet->sourceVi = vi.id;
    packet->destination = request.node;
    packet->destinationVi = request.vi;
    ConnectBodyWriter(*packet).Put(vi.attributes);
    m_nic.SendControl(packet, at);
    Conclude(vi,
             m_attempts[vi.id],
             request.attributes,
             request.node,
             request.vi,
             request.connection,
             at);
}

void
PeerMatcher::OnAccept(const Packet& packet, Moment at)
{
    PeerAttempt* attempt = Pending(packet.destinationVi, at.at);
    if (attempt == nullptr || attempt->connection != packet.connection)
    {
        m_nic.GetViConnections().Refuse(packet, at); // we gave up
        return;
    }
    Conclude(*m_nic.FindVi(packet.destinationVi),
             *attempt,
             ConnectBodyReader(packet).Attributes(),
             packet.source,
             packet.sourceVi,
             packet.connection,
             at);
}

void
PeerMatcher::Conclude(VirtualInterface& vi,
                      PeerAttempt& attempt,
                      const ViAttributes& theirs,
                      NodeId node,
                      ViId peerVi,
                      ConnectionId connection,
                      Moment at)
{
    vi.state = ViState::IDLE;
    attempt.result = Compare(vi.attributes, theirs);
    attempt.ended = at;
    attempt.peerAttributes = theirs;
    if (attempt.result == ConnectResult::ACCEPTED)
    {
        m_nic.GetViConnections().Connect(vi, node, peerVi, connection);
    }
    Wake(attempt, at);
}

void
PeerMatcher::OnCancel(const Packet& packet)
{
    for (auto it = m_parked.begin(); it != m_parked.end(); ++it)
    {
        if (it->second.connection == packet.connection)
        {
            m_parked.erase(it);
            return;
        }
    }
}

} // namespace via
} // namespace ns3
