/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reliable, ordered delivery of cells between two NICs.

#include "via-transport.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

Transport::Transport(Nic& nic, const Shared<NicCosts>& costs)
    : m_nic(nic),
      m_costs(costs)
{
}

TransportChannel&
Transport::To(NodeId peer)
{
    auto place =
        std::lower_bound(m_byPeer.begin(),
                         m_byPeer.end(),
                         peer,
                         [](const auto& one, NodeId wanted) { return one.first < wanted; });
    if (place == m_byPeer.end() || place->first != peer)
    {
        place = m_byPeer.emplace(place, peer, Add(peer));
    }
    return At(place->second);
}

std::uint32_t
Transport::Add(NodeId peer)
{
    if (m_blocks.empty() || m_blocks.back().size() == m_blocks.back().capacity())
    {
        constexpr std::size_t least = 4;
        m_blocks.emplace_back().reserve(std::max(m_byPeer.size(), least));
    }
    m_blocks.back().emplace_back().peer = peer;
    std::size_t index = m_blocks.back().size() - 1;
    for (std::size_t i = 0; i + 1 < m_blocks.size(); ++i)
    {
        index += m_blocks[i].capacity();
    }
    return static_cast<std::uint32_t>(index);
}

TransportChannel&
Transport::At(std::uint32_t index)
{
    std::size_t place = index;
    auto block = m_blocks.begin();
    for (; place >= block->capacity(); ++block)
    {
        place -= block->capacity();
    }
    return (*block)[place];
}

TransportChannel&
Transport::From(const Packet& packet)
{
    return From(packet, m_nic.FindVi(packet.destinationVi));
}

TransportChannel&
Transport::From(const Packet& packet, const VirtualInterface* vi)
{
    // the VI usually knows its channel; if it has none or an old one, look it up
    return vi != nullptr && vi->channel != nullptr && vi->channel->peer == packet.source
               ? *vi->channel
               : To(packet.source);
}

void
Transport::Enter(TransportChannel& channel, Packet& packet, Moment at)
{
    const bool wasIdle = channel.unacknowledged == 0;
    packet.sequence = channel.next;
    packet.era = EraOf(channel);
    channel.next += packet.cells;
    SetUnacknowledged(channel, std::uint64_t{channel.unacknowledged} + packet.cells, at.at);
    if (!m_nic.GetHost().GetWorld().lossy)
    {
        return; // without losses the numbers suffice; no timer is needed
    }
    TransportRecovery& recovery = RecoveryOf(channel);
    if (wasIdle)
    {
        recovery.news = at.at;
        recovery.newsCause = at.cause;
        SetTimer(channel, at.at + m_costs->retransmitTimeout);
    }
    PacketPool::Hold(&packet);
    recovery.sent.Push(&packet);
}

void
Transport::SetTimer(TransportChannel& channel, Ps at)
{
    if (!std::exchange(RecoveryOf(channel).isTimed, true))
    {
        m_nic.GetHost().Schedule(at, Nic::TIMER_PORT, this, 0, channel.peer);
    }
}

void
Transport::OnAgenda(std::uint32_t, std::uint64_t data)
{
    TransportChannel& channel = To(static_cast<NodeId>(data));
    TransportRecovery& recovery = RecoveryOf(channel);
    recovery.isTimed = false;
    if (channel.unacknowledged == 0)
    {
        return;
    }
    const Ps now = m_nic.GetHost().Now();
    const Ps due = recovery.news + m_costs->retransmitTimeout;
    if (now < due)
    {
        SetTimer(channel, due);
        return;
    }
    const Moment late = m_nic.GetHost().Wait({recovery.news, recovery.newsCause},
                                             Stage::TIME_OUT,
                                             Engine::NIC_SEND,
                                             now);
    if (recovery.silent == m_costs->retransmitLimit)
    {
        GiveUp(channel, recovery.era + 1, late);
        return;
    }
    ++recovery.silent;
    recovery.news = now;
    recovery.newsCause = late.cause;
    Tell(PacketKind::ACKNOWLEDGE_REQUEST, channel, recovery.attempt, late);
    SetTimer(channel, now + m_costs->retransmitTimeout);
}

void
Transport::Tell(PacketKind kind, TransportChannel& channel, std::uint32_t attempt, Moment at)
{
    Packet* packet = m_nic.GetHost().GetWorld().packets.NewPacket();
    packet->kind = kind;
    packet->source = m_nic.GetHost().Id();
    packet->destination = channel.peer;
    packet->sequence = channel.next;
    packet->era = EraOf(channel);
    packet->attempt = attempt;
    Stamp(channel, *packet);
    ++m_told;
    m_nic.Sender().SendUrgent(packet, at);
}

// ---- sender

void
Transport::OnAcknowledged(TransportChannel& channel, std::uint64_t before, Moment at)
{
    if (channel.recovery != 0)
    {
        RecoveryOf(channel).silent = 0;
    }
    if (before <= channel.Acknowledged())
    {
        return;
    }
    NS_ABORT_MSG_IF(before > channel.next, "cells were acknowledged that were never sent");
    SetUnacknowledged(channel, channel.next - before, at.at);
    if (channel.recovery != 0)
    {
        HearNews(channel, at);
    }
}

void
Transport::SetUnacknowledged(TransportChannel& channel, std::uint64_t cells, Ps at)
{
    NS_ABORT_MSG_IF(cells > UINT32_MAX, "2^32 cells to host " << channel.peer << " are under way");
    const bool awaited = channel.unacknowledged >= m_costs->acknowledgeCells;
    channel.unacknowledged = static_cast<std::uint32_t>(cells);
    const bool awaits = channel.unacknowledged >= m_costs->acknowledgeCells;
    if (awaits != awaited)
    {
        const Host& host = m_nic.GetHost();
        InboundTraffic& inbound = host.GetWorld().inbound;
        awaits ? inbound.Add(host.Id(), at) : inbound.Remove(host.Id());
    }
}

void
Transport::HearNews(TransportChannel& channel, Moment at)
{
    TransportRecovery& recovery = RecoveryOf(channel);
    recovery.news = at.at;
    recovery.newsCause = at.cause;
    PacketPool& packets = m_nic.GetHost().GetWorld().packets;
    while (!recovery.sent.IsEmpty() &&
           recovery.sent.Front()->sequence + recovery.sent.Front()->cells <= channel.Acknowledged())
    {
        packets.Release(recovery.sent.Front());
        recovery.sent.Pop();
    }
    for (std::uint32_t place = 0; !recovery.parked.IsEmpty() && !IsFull(channel); ++place)
    {
        Doorbell again = recovery.parked.Front();
        recovery.parked.Pop();
        again.at = m_nic.GetHost().Wait(again.at, Stage::CREDIT_WAIT, Engine::NIC_SEND, at.at);
        m_nic.Sender().OnDoorbellAgain(again, place);
    }
}

void
Transport::OnPacket(const Packet& packet, Moment at)
{
    TransportChannel& channel = To(packet.source);
    if (packet.era != EraOf(channel) && !Hears(channel, packet.era, at))
    {
        return;
    }
    OnAcknowledged(channel, packet.acknowledges, at);
    if (packet.kind == PacketKind::NEGATIVE_ACKNOWLEDGE && packet.attempt == AttemptOf(channel))
    {
        GoBack(channel, at.at);
    }
    if (packet.kind == PacketKind::ACKNOWLEDGE_REQUEST)
    {
        const bool all = channel.expected >= packet.sequence;
        Tell(all ? PacketKind::ACKNOWLEDGE : PacketKind::NEGATIVE_ACKNOWLEDGE,
             channel,
             packet.attempt,
             at);
    }
}

void
Transport::GoBack(TransportChannel& channel, Ps at)
{
    if (channel.unacknowledged == 0)
    {
        return;
    }
    TransportRecovery& recovery = RecoveryOf(channel);
    NS_ABORT_MSG_IF(recovery.sent.IsEmpty(), "cells to be retransmitted are no longer stored");
    ++recovery.attempt;
    recovery.backFrom = at;
    const Packet& first = *recovery.sent.Front();
    const std::uint64_t acknowledged = channel.Acknowledged();
    const std::uint64_t into = acknowledged - std::min(acknowledged, first.sequence);
    recovery.back = first.sequence + into / m_costs->retransmitUnit * m_costs->retransmitUnit;
    if (!std::exchange(recovery.goesBack, true))
    {
        m_goingBack.Push(&channel);
    }
    m_nic.Sender().SendAgain();
}

Transport::Unit
Transport::NextUnit(TransportChannel& channel, const Packet* current, std::uint32_t sent, Ps at)
{
    TransportRecovery& recovery = RecoveryOf(channel);
    for (std::uint32_t i = 0; i < recovery.sent.Size(); ++i)
    {
        Packet* packet = recovery.sent.At(i);
        const std::uint32_t left = packet == current ? sent : packet->cells;
        if (recovery.back < packet->sequence + left)
        {
            const std::uint64_t from = std::max(recovery.back, packet->sequence);
            const auto firstCell = static_cast<std::uint32_t>(from - packet->sequence);
            const std::uint32_t cells = std::min(m_costs->retransmitUnit, left - firstCell);
            recovery.back = from + cells;
            m_cellsResent += m_nic.GetHost().IsInRun(at) ? cells : 0;
            return {packet, firstCell, cells};
        }
    }
    recovery.goesBack = false;
    m_goingBack.Pop();
    return {};
}

void
Transport::Begin(TransportChannel& channel, std::uint32_t era)
{
    World& world = m_nic.GetHost().GetWorld();
    TransportRecovery& recovery = RecoveryOf(channel);
    while (!recovery.sent.IsEmpty())
    {
        Packet* packet = recovery.sent.Front();
        recovery.sent.Pop();
        world.packets.Release(packet);
    }
    while (!recovery.parked.IsEmpty())
    {
        recovery.parked.Pop();
    }
    recovery.silent = 0;
    recovery.complained = 0;
    recovery.era = era;
    SetUnacknowledged(channel, 0, 0);
    channel.next = 0;
    channel.expected = 0;
    channel.untold = 0;
}

void
Transport::GiveUp(TransportChannel& channel, std::uint32_t era, Moment at)
{
    Begin(channel, era);
    m_nic.GetViConnections().OnPeerGone(channel.peer, at);
}

bool
Transport::Hears(TransportChannel& channel, std::uint32_t era, Moment at)
{
    if (era < EraOf(channel))
    {
        return false;
    }
    GiveUp(channel, era, at);
    return true;
}

void
Transport::Reset()
{
    for (Block& block : m_blocks)
    {
        for (TransportChannel& channel : block)
        {
            Begin(channel, EraOf(channel) + 1);
        }
    }
}

std::uint64_t
Transport::CellsOut() const
{
    std::uint64_t cells = 0;
    for (const Block& block : m_blocks)
    {
        for (const TransportChannel& channel : block)
        {
            cells += channel.unacknowledged;
        }
    }
    return cells;
}

// ---- receiver

bool
Transport::Admit(TransportChannel& channel, const Cell& cell, Moment at)
{
    if (AdmitNext(channel, cell))
    {
        return true;
    }
    if (cell.packet->era != EraOf(channel) && !Hears(channel, cell.packet->era, at))
    {
        return false;
    }
    if (AdmitNext(channel, cell)) // the first one of an era that was not known
    {
        return true;
    }
    const bool isOld = cell.packet->sequence + cell.index < channel.expected;
    // only a cell that arrived shows that an earlier one is missing
    const bool tells = !isOld && !(cell.lost && cell.absent);
    if (tells && cell.attempt + 1 > RecoveryOf(channel).complained)
    {
        RecoveryOf(channel).complained = cell.attempt + 1;
        Tell(PacketKind::NEGATIVE_ACKNOWLEDGE, channel, cell.attempt, at);
    }
    return false;
}

} // namespace via
} // namespace ns3
