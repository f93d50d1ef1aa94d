/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The NIC's connections: how VIs connect and stop, and which notices they send.

#include "via-nic.h"

namespace ns3
{
namespace via
{

void
Nic::Connect(VirtualInterface& vi, NodeId peerNode, ViId peerVi, ConnectionId connection)
{
    vi.state = ViState::CONNECTED;
    vi.peerNode = peerNode;
    vi.peerVi = peerVi;
    vi.connection = connection;
    vi.sequence = 0;
    if (vi.Extras().readsOut > 0 || vi.Extras().fenced > 0)
    {
        vi.MakeExtras().readsOut = 0;
        vi.MakeExtras().fenced = 0;
    }
    vi.channel = &m_transport.To(peerNode);
}

void
Nic::Disconnect(VirtualInterface& vi, Moment at)
{
    const bool tell = vi.state == ViState::CONNECTED;
    if (m_connections != nullptr)
    {
        m_connections->Cancel(vi.id, at);
    }
    vi.state = ViState::IDLE;
    m_receive.DropArrival(vi, at.at);
    if (tell)
    {
        TellPeer(vi, at);
    }
    Flush(vi, false, at);
    Flush(vi, true, at);
}

void
Nic::Break(VirtualInterface& vi, Moment at, bool tellPeer, AsyncCode code)
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
        Raise(vi, AsyncCode::RDMA_WRITE_ABORT, at.at);
    }
    m_receive.DropArrival(vi, at.at);
    if (tellPeer)
    {
        TellPeer(vi, at);
    }
    Flush(vi, false, at);
    Flush(vi, true, at);
    Raise(vi, code, at.at);
}

void
Nic::Reset(Moment at)
{
    m_transport.Reset();
    if (m_connections != nullptr)
    {
        m_connections->OnReset(at);
    }
    // the other side would assume a connection and never learn that it is over
    m_send.Forget([](const Packet& packet) { return packet.IsAccept(); });
    for (VirtualInterface* vi : m_vis.All())
    {
        Break(*vi, at, false, AsyncCode::CATASTROPHIC);
    }
}

void
Nic::TellPeer(const VirtualInterface& vi, Moment at)
{
    Packet* packet = NewControl(PacketKind::DISCONNECT, vi.connection);
    packet->sourceVi = vi.id;
    packet->destination = vi.peerNode;
    packet->destinationVi = vi.peerVi;
    SendControl(packet, at);
}

Packet*
Nic::NewControl(PacketKind kind, ConnectionId connection)
{
    Packet* packet = m_host.GetWorld().packets.NewPacket();
    packet->kind = kind;
    packet->connection = connection;
    packet->source = m_host.Id();
    return packet;
}

void
Nic::RefuseConnection(const Packet& accept, Moment at)
{
    Packet* packet = NewControl(PacketKind::DISCONNECT, accept.connection);
    packet->sourceVi = accept.destinationVi;
    packet->destination = accept.source;
    packet->destinationVi = accept.sourceVi;
    SendControl(packet, at);
}

void
Nic::Raise(const VirtualInterface& vi,
           AsyncCode code,
           Ps at,
           CompletionQueue* cq,
           Descriptor* descriptor)
{
    if (m_owners[vi.owner] != nullptr)
    {
        m_owners[vi.owner]->OnAsyncError({code, vi.id, cq, at, vi.owner, descriptor});
    }
}

} // namespace via
} // namespace ns3
