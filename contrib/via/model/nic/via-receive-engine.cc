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
    : NicEngine(nic, costs, Nic::RECEIVE_PORT)
{
}

void
ReceiveEngine::Accept(Burst* burst)
{
    m_bursts.Push(burst);
    Advance();
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

VirtualInterface*
ReceiveEngine::Arriving()
{
    VirtualInterface* vi = m_nic.FindVi(m_burst->packet->destinationVi);
    return vi != nullptr && vi->arrival.packet == m_burst->packet ? vi : nullptr;
}

bool
ReceiveEngine::Begin()
{
    if (m_bursts.IsEmpty() || !PauseInReference(m_at.at))
    {
        return false;
    }
    m_burst = m_bursts.Front();
    m_bursts.Pop();
    m_group = 0;
    m_cellsDone = 0;
    m_vanished = m_burst->vanished;
    m_state = State::PLACE;
    Admit();
    if (m_burst->firstCell == 0 && m_taken.from == 0 && m_taken.to > 0)
    {
        BeginPacket();
    }
    return PauseInReference(m_at.at);
}

void
ReceiveEngine::Admit()
{
    const Packet& packet = *m_burst->packet;
    m_channel = packet.reliable ? &m_nic.GetTransport().From(packet) : nullptr;
    if (m_channel != nullptr)
    {
        const Moment& whole = m_burst->groups[m_burst->groupCount - 1].last;
        m_taken = m_nic.GetTransport().Admit(*m_channel, *m_burst, whole);
        return;
    }
    m_taken = {0, m_burst->lost == 0 ? m_burst->CellCount() : 0};
    if (m_taken.to > 0 || !IsMessage(packet.kind))
    {
        return;
    }
    VirtualInterface* vi = Arriving();
    if (vi != nullptr)
    {
        Abandon(*vi);
    }
    else if (m_burst->firstCell == 0)
    {
        Drop(0);
    }
}

void
ReceiveEngine::BeginPacket()
{
    Host& host = m_nic.GetHost();
    const Packet& packet = *m_burst->packet;
    m_at = host.Wait(m_burst->headCell, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_worksOn = m_burst->packet;
    m_at = host.Spend(m_at, Stage::DEMUX, Engine::NIC_RECEIVE, m_clock, m_costs->demux);
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().OnAcknowledged(*m_channel, packet.acknowledges, m_at);
    }
    if (IsMessage(packet.kind))
    {
        BeginMessage();
    }
    else if (packet.kind == PacketKind::RDMA_READ_REQUEST)
    {
        m_at = host.Spend(m_at, Stage::TRANSLATE, Engine::NIC_RECEIVE, m_clock, m_costs->lookup);
    }
    else if (IsAcknowledgement(packet.kind) || packet.kind == PacketKind::RESPONSE)
    {
        m_at =
            host.Spend(m_at, Stage::TRANSPORT, Engine::NIC_RECEIVE, m_clock, m_costs->acknowledge);
    }
    else
    {
        m_at =
            host.Spend(m_at, Stage::CONNECTION, Engine::NIC_RECEIVE, m_clock, m_costs->connection);
    }
}

void
ReceiveEngine::BeginMessage()
{
    const Packet& packet = *m_burst->packet;
    m_at = m_nic.GetHost().Spend(m_at,
                                 Stage::RESIDUAL,
                                 Engine::NIC_RECEIVE,
                                 m_clock,
                                 m_costs->residual);
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (vi == nullptr || !vi->IsConnectedTo(packet.source, packet.sourceVi))
    {
        Drop(vi == nullptr ? 0 : vi->rank);
        return;
    }
    vi->arrival = Arrival{};
    vi->arrival.packet = &packet;
    if (packet.kind == PacketKind::RDMA_READ_RESPONSE)
    {
        BeginReadResponse(*vi);
        return;
    }
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
        m_nic.ReceiveQueueEmpty(vi, *m_burst->packet, m_at);
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
    VirtualInterface* vi = Arriving();
    WorkItem* item = vi == nullptr ? nullptr : vi->receive.items.Find(vi->arrival.item);
    m_state = State::PLACE;
    if (item == nullptr)
    {
        return true;
    }
    m_at = host.DmaRead(m_at, Stage::DESCRIPTOR_FETCH, m_nic.Checks().FetchBytes(*item));
    if (!m_nic.Checks().IsValid(*vi, *item))
    {
        Drop(vi->rank);
        m_nic.FailPost(*vi, *item, m_at);
        return true;
    }
    if (m_burst->packet->kind == PacketKind::RDMA_WRITE)
    {
        return PauseInReference(m_at.at); // its segments are not used
    }
    const std::uint32_t further = std::max<std::uint32_t>(item->descriptor->segmentCount, 1) - 1;
    m_at = host.Spend(m_at,
                      Stage::TRANSLATE,
                      Engine::NIC_RECEIVE,
                      m_clock,
                      m_costs->lookup + m_costs->lookupSegment * further);
    vi->arrival.status =
        m_nic.Checks().CheckReceive(*vi, *item->descriptor, m_burst->packet->length);
    return PauseInReference(m_at.at);
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
    const bool allowed = packet.length == 0 || m_nic.Checks().AllowsWrite(vi, packet);
    vi.arrival.status = allowed ? 0 : Descriptor::RDMA_PROTECTION_ERROR;
}

void
ReceiveEngine::BeginReadResponse(VirtualInterface& vi)
{
    const Packet& packet = *m_burst->packet;
    const WorkItem* item = vi.send.items.Find(packet.item);
    if (item == nullptr || item->visible.at != PS_NEVER)
    {
        vi.arrival = Arrival{};
        Drop(vi.rank);
        return;
    }
    vi.arrival.item = packet.item;
    vi.arrival.answersItem = true;
    vi.arrival.status = packet.status;
}

bool
ReceiveEngine::Place()
{
    if (m_group == m_burst->groupCount)
    {
        return EndBurst();
    }
    const Burst::Group& group = m_burst->groups[m_group];
    const std::uint32_t from = std::max(m_cellsDone, m_taken.from);
    const std::uint32_t to = std::min(m_cellsDone + group.cells, m_taken.to);
    const std::uint32_t taken = to > from ? to - from : 0;
    // what a loss cuts off is written, too: its rest may come only when there is room for it
    const bool isCut = to < m_cellsDone + group.cells;
    VirtualInterface* vi = taken > 0 || (isCut && m_channel != nullptr) ? Arriving() : nullptr;
    if (vi == nullptr)
    {
        if (taken > 0 && !IsMessage(m_burst->packet->kind))
        {
            m_at = Later(m_at, group.last); // control packets are handled as a whole
        }
        GiveRoomBack(group.cells, std::max(m_at.at, group.last.at));
    }
    else
    {
        const std::uint32_t seen = taken > 0 ? m_burst->firstCell + to : vi->arrival.cellsSeen;
        const bool whole = seen % m_costs->groupCells == 0;
        if (seen == vi->arrival.cellsFreed || !(whole || isCut || seen == m_burst->packet->cells))
        {
            vi->arrival.cellsSeen = seen;
        }
        else if (!PlaceGroup(*vi, seen))
        {
            return false; // come back when the cells are there, or more of them were written
        }
        GiveRoomBack(group.cells - taken, std::max(m_at.at, group.last.at));
    }
    m_cellsDone += group.cells;
    ++m_group;
    return PauseInReference(m_at.at);
}

bool
ReceiveEngine::PlaceGroup(VirtualInterface& vi, std::uint32_t seen)
{
    const Burst::Group& group = m_burst->groups[m_group];
    if (m_at.at < group.last.at && !PauseInReference(group.last.at))
    {
        return false;
    }
    // behind our own work either may be the cause; other packets' work is a wait
    m_at = m_worksOn == m_burst->packet
               ? Later(m_at, group.last)
               : m_nic.GetHost().Wait(group.last, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_worksOn = m_burst->packet;
    return PlaceCells(vi, seen);
}

bool
ReceiveEngine::PlaceCells(VirtualInterface& vi, std::uint32_t seen)
{
    Arrival& arrival = vi.arrival;
    const std::uint32_t room = seen * m_costs->cellPayload - m_costs->messageHeader;
    if (arrival.status == 0 && !PlaceBytes(vi, std::min(room, m_burst->packet->length)))
    {
        return false;
    }
    arrival.cellsSeen = seen;
    // the cells of a group stay in the buffer until all of it has been written
    m_upstream->ReturnCredits(seen - arrival.cellsFreed, m_at.at, 0);
    arrival.cellsFreed = seen;
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().Placed(*m_channel, m_at);
    }
    return true;
}

void
ReceiveEngine::GiveRoomBack(std::uint32_t cells, Ps at)
{
    const std::uint32_t absent = std::min(cells, m_vanished);
    m_vanished -= absent;
    if (cells > absent)
    {
        m_upstream->ReturnCredits(cells - absent, at, 0);
    }
}

void
ReceiveEngine::DropArrival(VirtualInterface& vi, Ps at)
{
    if (vi.arrival.packet != nullptr && vi.arrival.cellsSeen > vi.arrival.cellsFreed)
    {
        m_upstream->ReturnCredits(vi.arrival.cellsSeen - vi.arrival.cellsFreed,
                                  std::max(at, m_nic.GetHost().Now()),
                                  0);
    }
    vi.arrival = Arrival{};
}

Piece
ReceiveEngine::Target(VirtualInterface& vi, std::uint32_t bytes)
{
    const Packet& packet = *m_burst->packet;
    const Arrival& arrival = vi.arrival;
    if (packet.kind == PacketKind::RDMA_WRITE)
    {
        const bool allowed = m_nic.Checks().AllowsWrite(vi, packet);
        return {allowed ? reinterpret_cast<std::uint8_t*>(packet.remoteAddress) + arrival.placed
                        : nullptr,
                bytes};
    }
    WorkQueue& queue = arrival.answersItem ? vi.send : vi.receive;
    WorkItem* item = queue.items.Find(arrival.item);
    NS_ABORT_MSG_IF(item == nullptr, "a descriptor in use was harvested");
    return m_nic.Checks().PieceAt(vi, *item, arrival.answersItem ? 1 : 0, arrival.placed);
}

bool
ReceiveEngine::PlaceBytes(VirtualInterface& vi, std::uint32_t upTo)
{
    Host& host = m_nic.GetHost();
    const Packet& packet = *m_burst->packet;
    while (vi.arrival.placed < upTo)
    {
        if (!PauseInReference(m_at.at))
        {
            return false;
        }
        const std::uint32_t most = std::min(upTo - vi.arrival.placed, m_costs->dmaBurst);
        const Piece to = Target(vi, most);
        if (to.address == nullptr) // the rights are no longer those that were checked
        {
            vi.arrival.status = packet.kind == PacketKind::RDMA_WRITE
                                    ? Descriptor::RDMA_PROTECTION_ERROR
                                    : Descriptor::PROTECTION_ERROR;
            return true;
        }
        const std::uint32_t n = std::min(most, to.length);
        m_at = host.DmaWrite(m_at, Stage::PAYLOAD_WRITE, n);
        host.Memory().WriteAt(m_at.at,
                              to.address,
                              packet.bytes.data() + vi.arrival.placed,
                              n,
                              packet.origin,
                              vi.rank);
        vi.arrival.placed += n;
    }
    return true;
}

bool
ReceiveEngine::EndBurst()
{
    if (IsComplete() && Arriving() != nullptr)
    {
        m_state = State::STATUS;
        return true;
    }
    m_state = State::IDLE;
    if (IsComplete() && !IsMessage(m_burst->packet->kind))
    {
        EndControl();
    }
    FreeBurst();
    return true;
}

void
ReceiveEngine::FreeBurst()
{
    PacketPool& packets = m_nic.GetHost().GetWorld().packets;
    if (IsMessage(m_burst->packet->kind) && (IsComplete() || Arriving() == nullptr))
    {
        PacketPool::Hold(m_burst->packet); // bytes that were placed move when memory settles
        m_nic.GetHost().Memory().FreeAt(m_at.at, m_burst->packet, packets);
    }
    packets.Free(m_burst);
    m_burst = nullptr;
}

void
ReceiveEngine::EndControl()
{
    Packet& packet = *m_burst->packet;
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().Placed(*m_channel, m_at);
    }
    if (IsAcknowledgement(packet.kind))
    {
        m_nic.GetTransport().OnPacket(packet, m_at);
    }
    else if (packet.kind == PacketKind::RESPONSE)
    {
        m_nic.OnResponse(packet, m_at);
    }
    else if (packet.kind == PacketKind::RDMA_READ_REQUEST)
    {
        m_nic.OnReadRequest(packet, m_at);
    }
    else
    {
        m_nic.Connections().OnControl(packet, m_at);
    }
}

bool
ReceiveEngine::Status()
{
    VirtualInterface& vi = *Arriving();
    FinishMessage(vi);
    FreeBurst();
    m_state = State::IDLE;
    return PauseInReference(m_at.at);
}

void
ReceiveEngine::FinishMessage(VirtualInterface& vi)
{
    Packet& packet = *m_burst->packet;
    const Arrival arrival = vi.arrival;
    Record(vi.rank, arrival.status != 0);
    if (arrival.consumesItem)
    {
        FinishReceive(vi);
    }
    vi.arrival = Arrival{};
    if (arrival.answersItem)
    {
        m_at = m_nic.FinishRead(vi, arrival.item, arrival.status, arrival.placed, m_at);
        Record(vi.rank, arrival.status != 0);
    }
    m_nic.GetHost().GetWorld().EndMessage(packet);
    if (!arrival.answersItem)
    {
        m_dropped += arrival.status != 0 && !arrival.consumesItem ? 1 : 0;
        m_nic.MessageArrived(vi, packet, arrival.status, arrival.consumesItem, m_at);
    }
}

void
ReceiveEngine::FinishReceive(VirtualInterface& vi)
{
    Packet& packet = *m_burst->packet;
    const Arrival& arrival = vi.arrival;
    WorkItem* item = vi.receive.items.Find(arrival.item);
    item->message = packet.message; // whose life goes on until it is reaped
    packet.message = 0;
    std::uint32_t status = arrival.status;
    status |= packet.kind == PacketKind::RDMA_WRITE ? Descriptor::DID_REMOTE_RDMA_WRITE
                                                    : Descriptor::DID_RECEIVE;
    if (packet.hasImmediate && arrival.status == 0 && m_nic.Checks().IsValid(vi, *item))
    {
        status |= Descriptor::HAS_IMMEDIATE;
        m_nic.GetHost().Memory().StoreAt4(m_at.at,
                                          &item->descriptor->immediate,
                                          packet.immediate,
                                          vi.rank);
    }
    m_at = m_nic.Complete(vi, true, *item, status, arrival.placed, m_at);
}

void
ReceiveEngine::Record(std::uint32_t rank, bool dropped)
{
    const Packet& packet = *m_burst->packet;
    MessageRecord* record = m_nic.GetHost().GetWorld().messages.Find(packet.message);
    if (record != nullptr)
    {
        // the one that answers a read carries it the other way round
        const bool answers = packet.kind == PacketKind::RDMA_READ_RESPONSE;
        *record = {record->origin,
                   rank,
                   answers ? packet.destinationVi : packet.sourceVi,
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
    m_nic.GetHost().GetWorld().EndMessage(*m_burst->packet);
    m_state = State::PLACE; // its cells still give their room back
}

void
ReceiveEngine::Abandon(VirtualInterface& vi)
{
    // part of an unreliable message is lost: the rest is not wanted, the descriptor still is
    const Arrival arrival = vi.arrival;
    m_at = Later(m_at, m_burst->headCell);
    Drop(vi.rank);
    DropArrival(vi, m_at.at);
    if (arrival.consumesItem && m_burst->packet->kind == PacketKind::SEND)
    {
        vi.receive.started = arrival.item;
        return;
    }
    m_nic.RdmaWriteDamaged(vi, arrival, m_at);
}

} // namespace via
} // namespace ns3
