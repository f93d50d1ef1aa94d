/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: from cells on the wire to a completion in host memory.

#include "via-receive-engine.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

ReceiveEngine::ReceiveEngine(Nic& nic, const Shared<NicCosts>& costs)
    : m_nic(nic),
      m_costs(costs),
      m_clock(nic.Clock())
{
}

void
ReceiveEngine::Accept(Burst* burst)
{
    m_bursts.Push(burst);
    Advance();
}

void
ReceiveEngine::OnAgenda(std::uint32_t, std::uint64_t)
{
    m_planned = false;
    Advance();
}

void
ReceiveEngine::Advance()
{
    if (m_running || m_planned)
    {
        return;
    }
    m_running = true;
    while (Step())
    {
    }
    m_running = false;
}

bool
ReceiveEngine::Step()
{
    switch (m_state)
    {
    case State::IDLE:
        return Begin();
    case State::FETCH:
        return Fetch();
    case State::PLACE:
        return Place();
    case State::STATUS:
        return Status();
    }
    NS_ABORT_MSG("receive engine in no state");
}

bool
ReceiveEngine::PauseUntil(Ps at)
{
    Host& host = m_nic.GetHost();
    if (!host.GetWorld().reference || at <= host.Now())
    {
        return true;
    }
    m_planned = true;
    host.Schedule(at, Nic::RECEIVE_PORT, this, 0);
    return false;
}

VirtualInterface*
ReceiveEngine::Target()
{
    VirtualInterface* vi = m_nic.FindVi(m_burst->packet->destinationVi);
    return vi != nullptr && vi->arrival.packet == m_burst->packet ? vi : nullptr;
}

bool
ReceiveEngine::Begin()
{
    if (m_bursts.IsEmpty() || !PauseUntil(m_at.at))
    {
        return false;
    }
    m_burst = m_bursts.Front();
    m_bursts.Pop();
    m_group = 0;
    m_state = State::PLACE;
    if (m_burst->firstCell == 0)
    {
        BeginMessage();
    }
    return PauseUntil(m_at.at);
}

void
ReceiveEngine::BeginMessage()
{
    Host& host = m_nic.GetHost();
    const Packet& packet = *m_burst->packet;
    m_at = host.Wait(m_burst->headCell, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_at = host.Spend(m_at, Stage::DEMUX, Engine::NIC_RECEIVE, m_clock, m_costs->demux);
    if (packet.kind != PacketKind::SEND && packet.kind != PacketKind::RDMA_WRITE)
    {
        m_at =
            host.Spend(m_at, Stage::CONNECTION, Engine::NIC_RECEIVE, m_clock, m_costs->connection);
        return;
    }
    m_at = host.Spend(m_at, Stage::RESIDUAL, Engine::NIC_RECEIVE, m_clock, m_costs->residual);
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (vi == nullptr || vi->state != ViState::CONNECTED || vi->peerNode != packet.source ||
        vi->peerVi != packet.sourceVi)
    {
        Drop(vi == nullptr ? 0 : vi->rank);
        return;
    }
    vi->arrival = Arrival{};
    vi->arrival.packet = &packet;
    if (packet.kind == PacketKind::RDMA_WRITE)
    {
        BeginRdmaWrite(*vi);
    }
    if (packet.kind == PacketKind::SEND || packet.hasImmediate)
    {
        TakeReceive(*vi);
    }
}

void
ReceiveEngine::TakeReceive(VirtualInterface& vi)
{
    WorkItem* item = vi.receive.Next();
    if (item == nullptr || item->rung.at > m_burst->headCell.at)
    {
        vi.arrival = Arrival{};
        Drop(vi.rank);
        m_nic.ReceiveQueueEmpty(vi, m_at);
        return;
    }
    vi.arrival.item = vi.receive.started++;
    vi.arrival.consumesItem = true;
    m_state = State::FETCH;
}

bool
ReceiveEngine::Fetch()
{
    Host& host = m_nic.GetHost();
    VirtualInterface* vi = Target();
    WorkItem* item = vi == nullptr ? nullptr : vi->receive.items.Find(vi->arrival.item);
    m_state = State::PLACE;
    if (item == nullptr)
    {
        return true;
    }
    m_at = host.DmaRead(m_at, Stage::DESCRIPTOR_FETCH, m_nic.FetchBytes(*item));
    if (!m_nic.DescriptorIsValid(*vi, *item))
    {
        Drop(vi->rank);
        m_nic.FailPost(*vi, *item, m_at);
        return true;
    }
    if (m_burst->packet->kind == PacketKind::RDMA_WRITE)
    {
        return PauseUntil(m_at.at); // its segments are not used
    }
    const std::uint32_t further = std::max<std::uint32_t>(item->descriptor->segmentCount, 1) - 1;
    m_at = host.Spend(m_at,
                      Stage::TRANSLATE,
                      Engine::NIC_RECEIVE,
                      m_clock,
                      m_costs->lookup + m_costs->lookupSegment * further);
    vi->arrival.status = CheckReceive(*vi, *item->descriptor);
    return PauseUntil(m_at.at);
}

std::uint32_t
ReceiveEngine::CheckReceive(const VirtualInterface& vi, const Descriptor& descriptor)
{
    if (descriptor.segmentCount > m_nic.Limits().segments)
    {
        return Descriptor::FORMAT_ERROR;
    }
    std::uint64_t room = 0;
    for (std::uint32_t i = 0; i < descriptor.segmentCount; ++i)
    {
        const DataSegment& segment = descriptor.Segments()[i];
        if (segment.length != 0 && !m_nic.GetTpt().Allows(segment.handle,
                                                          segment.address,
                                                          segment.length,
                                                          vi.attributes.tag))
        {
            return Descriptor::PROTECTION_ERROR;
        }
        room += segment.length;
    }
    return m_burst->packet->length > room ? Descriptor::LENGTH_ERROR : 0;
}

void
ReceiveEngine::BeginRdmaWrite(VirtualInterface& vi)
{
    const Packet& packet = *m_burst->packet;
    m_at = m_nic.GetHost().Spend(m_at,
                                 Stage::TRANSLATE,
                                 Engine::NIC_RECEIVE,
                                 m_clock,
                                 m_costs->lookup);
    const bool allowed = packet.length == 0 || AllowsRdmaWrite(vi);
    vi.arrival.status = allowed ? 0 : Descriptor::RDMA_PROTECTION_ERROR;
}

bool
ReceiveEngine::AllowsRdmaWrite(const VirtualInterface& vi) const
{
    const Packet& packet = *m_burst->packet;
    return vi.attributes.rdmaWrite && m_nic.GetTpt().AllowsRdmaWrite(packet.remoteHandle,
                                                                     packet.remoteAddress,
                                                                     packet.length,
                                                                     vi.attributes.tag);
}

bool
ReceiveEngine::Place()
{
    if (m_group == m_burst->groupCount)
    {
        return EndBurst();
    }
    const Burst::Group& group = m_burst->groups[m_group];
    VirtualInterface* vi = Target();
    if (vi == nullptr)
    {
        ++m_group;
        m_upstream->ReturnCredits(group.cells, std::max(m_at.at, group.last.at), 0);
        return true;
    }
    m_cellsSeen = (m_group == 0 ? m_burst->firstCell : m_cellsSeen) + group.cells;
    const bool last = m_burst->ends && m_group + 1 == m_burst->groupCount;
    if (last || m_cellsSeen * m_costs->cellPayload % m_costs->dmaBurst == 0)
    {
        if (m_at.at < group.last.at && !PauseUntil(group.last.at))
        {
            m_cellsSeen -= group.cells; // come back when the cells are there
            return false;
        }
        m_at = Later(m_at, group.last);
        if (vi->arrival.status == 0)
        {
            PlaceBytes(*vi,
                       std::min(m_cellsSeen * m_costs->cellPayload - m_costs->messageHeader,
                                m_burst->packet->length));
        }
        // the cells of a DMA burst stay in the buffer until it has been written
        m_upstream->ReturnCredits(m_cellsSeen - vi->arrival.cellsFreed, m_at.at, 0);
        vi->arrival.cellsFreed = m_cellsSeen;
    }
    ++m_group;
    return PauseUntil(m_at.at);
}

void
ReceiveEngine::PlaceBytes(VirtualInterface& vi, std::uint32_t upTo)
{
    Host& host = m_nic.GetHost();
    const Packet& packet = *m_burst->packet;
    while (vi.arrival.placed < upTo)
    {
        std::uint32_t n = std::min(upTo - vi.arrival.placed, m_costs->dmaBurst);
        std::uint8_t* to = nullptr; // where the rights are still those that were checked
        if (packet.kind == PacketKind::SEND)
        {
            WorkItem* item = vi.receive.items.Find(vi.arrival.item);
            NS_ABORT_MSG_IF(item == nullptr, "a descriptor in use was harvested");
            const Piece piece = m_nic.PieceAt(vi, *item, vi.arrival.placed);
            to = piece.address;
            n = std::min(n, piece.length);
        }
        else if (AllowsRdmaWrite(vi))
        {
            to = reinterpret_cast<std::uint8_t*>(packet.remoteAddress) + vi.arrival.placed;
        }
        if (to == nullptr)
        {
            vi.arrival.status = packet.kind == PacketKind::SEND ? Descriptor::PROTECTION_ERROR
                                                                : Descriptor::RDMA_PROTECTION_ERROR;
            return;
        }
        m_at = host.DmaWrite(m_at, Stage::PAYLOAD_WRITE, n);
        host.Memory().WriteAt(m_at.at,
                              to,
                              packet.bytes.data() + vi.arrival.placed,
                              n,
                              packet.origin);
        vi.arrival.placed += n;
    }
}

bool
ReceiveEngine::EndBurst()
{
    World& world = m_nic.GetHost().GetWorld();
    Packet* packet = m_burst->packet;
    if (m_burst->ends && Target() != nullptr)
    {
        m_state = State::STATUS;
        return true;
    }
    m_state = State::IDLE;
    const bool ends = m_burst->ends;
    world.packets.Free(m_burst);
    m_burst = nullptr;
    if (ends)
    {
        packet->kind == PacketKind::SEND || packet->kind == PacketKind::RDMA_WRITE
            ? m_nic.GetHost().Memory().FreeAt(m_at.at, packet, world.packets)
            : m_nic.Connections().OnControl(packet, m_at);
    }
    return true;
}

bool
ReceiveEngine::Status()
{
    VirtualInterface& vi = *Target();
    Packet* packet = m_burst->packet;
    FinishMessage(vi);
    vi.arrival = Arrival{};
    World& world = m_nic.GetHost().GetWorld();
    m_nic.GetHost().Memory().FreeAt(m_at.at, packet, world.packets);
    world.packets.Free(m_burst);
    m_burst = nullptr;
    m_state = State::IDLE;
    return PauseUntil(m_at.at);
}

void
ReceiveEngine::FinishMessage(VirtualInterface& vi)
{
    const Packet& packet = *m_burst->packet;
    const Arrival& arrival = vi.arrival;
    Record(vi.rank, arrival.status != 0);
    const bool rdma = packet.kind == PacketKind::RDMA_WRITE;
    if (arrival.consumesItem)
    {
        WorkItem* item = vi.receive.items.Find(arrival.item);
        item->message = packet.message;
        std::uint32_t status = arrival.status;
        status |= rdma ? Descriptor::DID_REMOTE_RDMA_WRITE : Descriptor::DID_RECEIVE;
        if (packet.hasImmediate && arrival.status == 0 && m_nic.DescriptorIsValid(vi, *item))
        {
            status |= Descriptor::HAS_IMMEDIATE;
            m_nic.GetHost().Memory().StoreAt4(m_at.at,
                                              &item->descriptor->immediate,
                                              packet.immediate);
        }
        m_at = m_nic.Complete(vi, true, *item, status, arrival.placed, m_at);
    }
    else
    {
        m_nic.GetHost().GetWorld().messages.End(packet.message);
    }
    if (arrival.status != 0)
    {
        m_dropped += arrival.consumesItem ? 0 : 1;
        m_nic.ReceiveFailed(vi, arrival.status, arrival.consumesItem, m_at);
    }
}

void
ReceiveEngine::Record(std::uint32_t rank, bool dropped)
{
    const Packet& packet = *m_burst->packet;
    MessageRecord* record = m_nic.GetHost().GetWorld().messages.Find(packet.message);
    if (record != nullptr)
    {
        *record = {record->origin,
                   rank,
                   packet.sourceVi,
                   packet.length,
                   packet.kind,
                   dropped,
                   m_at.at,
                   m_at.cause};
    }
}

void
ReceiveEngine::Drop(std::uint32_t rank)
{
    ++m_dropped;
    Record(rank, true);
    m_nic.GetHost().GetWorld().messages.End(m_burst->packet->message);
    m_state = State::PLACE; // its cells still give their room back
}

} // namespace via
} // namespace ns3
