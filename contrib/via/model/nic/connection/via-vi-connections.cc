/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How VIs connect and stop, and which notices they send.

#include "via-vi-connections.h"

#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

ConnectionManager&
ViConnections::Manager()
{
    if (m_manager == nullptr)
    {
        m_manager = std::make_unique<ConnectionManager>(m_nic);
    }
    return *m_manager;
}

ConnectionId
ViConnections::NewConnection()
{
    return ConnectionNumber(m_nic.GetHost().Id(), m_nic.Card(), ++m_lastConnection);
}

void
ViConnections::Connect(VirtualInterface& vi, NodeId peerNode, ViId peerVi, ConnectionId connection)
{
    vi.state = ViState::CONNECTED;
    vi.peerNode = peerNode;
    vi.peerVi = peerVi;
    vi.connection = connection;
    if (vi.Extras().readsOut > 0 || vi.Extras().fenced > 0)
    {
        vi.MakeExtras().readsOut = 0;
        vi.MakeExtras().fenced = 0;
    }
    vi.channel = &m_nic.GetTransport().To(peerNode);
}

void
ViConnections::Disconnect(VirtualInterface& vi, Moment at)
{
    const bool tell = vi.state == ViState::CONNECTED;
    if (m_manager != nullptr)
    {
        m_manager->Cancel(vi.id, at);
    }
    vi.state = ViState::IDLE;
    m_nic.Receiver().DropArrival(vi, at.at);
    if (tell)
    {
        TellPeer(vi, at);
    }
    m_nic.GetCompletions().Flush(vi, false, at);
    m_nic.GetCompletions().Flush(vi, true, at);
}

void
ViConnections::Break(VirtualInterface& vi, Moment at, bool tellPeer, AsyncCode code)
{
    if (vi.state != ViState::CONNECTED)
    {
        return;
    }
    vi.state = ViState::ERROR;
    vi.MakeExtras().brokenAt = at.at;
    const Arrival* arrival = vi.arrival;
    if (arrival != nullptr && arrival->isRdmaWrite && arrival->placed > 0 && !arrival->consumesItem)
    {
        m_nic.GetHandles().Raise(vi, AsyncCode::RDMA_WRITE_ABORT, at.at);
    }
    m_nic.Receiver().DropArrival(vi, at.at);
    if (tellPeer)
    {
        TellPeer(vi, at);
    }
    m_nic.GetCompletions().Flush(vi, false, at);
    m_nic.GetCompletions().Flush(vi, true, at);
    m_nic.GetHandles().Raise(vi, code, at.at);
}

void
ViConnections::Reset(Moment at)
{
    m_nic.GetTransport().Reset();
    if (m_manager != nullptr)
    {
        m_manager->OnReset(at);
    }
    // the other side would assume a connection, or pair a request, and never learn that it is over
    m_nic.Sender().Forget([](const Packet& packet) { return packet.EndsWithChannel(); });
    for (VirtualInterface* vi : m_nic.Vis().All())
    {
        Break(*vi, at, false, AsyncCode::CATASTROPHIC);
    }
}

void
ViConnections::TellPeer(const VirtualInterface& vi, Moment at)
{
    SendDisconnect(vi.connection, vi.id, vi.peerNode, vi.peerVi, at);
}

void
ViConnections::Refuse(const Packet& accept, Moment at)
{
    SendDisconnect(accept.connection, accept.destinationVi, accept.source, accept.sourceVi, at);
}

void
ViConnections::SendDisconnect(ConnectionId connection,
                              ViId from,
                              NodeId toNode,
                              ViId toVi,
                              Moment at)
{
    Packet* packet = m_nic.NewControl(PacketKind::DISCONNECT, connection);
    packet->sourceVi = from;
    packet->destination = toNode;
    packet->destinationVi = toVi;
    m_nic.SendControl(packet, at);
}

void
ViConnections::OnPeerGone(NodeId peer, Moment at)
{
    if (m_manager != nullptr)
    {
        m_manager->OnPeerGone(peer, at);
    }
    m_nic.Sender().Forget([peer](const Packet& packet) {
        return packet.EndsWithChannel() && packet.destination == peer;
    });
    for (VirtualInterface* vi : m_nic.Vis().All())
    {
        if (vi->state != ViState::CONNECTED || vi->peerNode != peer || !vi->IsReliable())
        {
            continue;
        }
        const WorkQueue& queue = std::as_const(*vi).SendQueue();
        const WorkItem* oldest = queue.items.Find(queue.completed);
        if (oldest != nullptr && IsBefore(queue.completed, queue.started) &&
            m_nic.Checks().IsValid(*vi, *oldest))
        {
            m_nic.GetCompletions().Finish(*vi,
                                          false,
                                          queue.completed,
                                          Descriptor::TRANSPORT_ERROR | oldest->descriptor->Did(),
                                          0,
                                          at);
        }
        Break(*vi, at, false);
    }
}

} // namespace via
} // namespace ns3
