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
    : NicEngine(nic, costs, Engine::NIC_RECEIVE),
      m_room(costs->receiveCells)
{
}

void
ReceiveEngine::NoteArrival(const Cell& cell, Ps at)
{
    World& world = m_nic.GetHost().GetWorld();
    if (world.leads.control == 0)
    {
        return;
    }
    const Packet& packet = *cell.packet;
    const Ps leaves = world.inbound.LeavesFrom(m_nic.GetHost().Id());
    NS_ABORT_MSG_IF(at < leaves,
                    "a cell of a packet from host "
                        << packet.source << " arrives at " << m_nic.GetHost().Name() << " at " << at
                        << " ps, but nothing that is bound for it leaves before " << leaves
                        << " ps");
    if (cell.ends)
    {
        world.inbound.Remove(packet.destination);
        world.inbound.RemoveNotices(packet.source);
    }
}

void
ReceiveEngine::Accept(Cell* cell)
{
    NoteArrival(*cell, m_nic.GetHost().Now());
    if (m_costs->Stores())
    {
        Store(*cell);
    }
    m_cells.Push(cell);
    Advance();
}

void
ReceiveEngine::PrefetchStep() const
{
    if (!m_cells.IsEmpty())
    {
        m_nic.PrefetchArrival(*m_cells.At(0));
    }
}

void
ReceiveEngine::Prefetch(Hint hint, const Cell& cell) const
{
    if (hint == Hint::NEXT)
    {
        m_nic.PrefetchArrival(cell);
        m_nic.GetHost().PrefetchUse();
    }
    else
    {
        m_nic.PrefetchReceive(cell);
        m_turns.Prefetch();
        m_parts.Prefetch();
        PrefetchWire();
    }
}

const void*
ReceiveEngine::HotBytes() const
{
    static_assert(sizeof(Nic) >= HOT_BYTES);
    return &m_nic;
}

bool
ReceiveEngine::MayForesee() const
{
    return !m_costs->Stores() && m_parts.receiveRing == nullptr;
}

void
ReceiveEngine::Foresee(Cell& cell)
{
    NoteArrival(cell, cell.first.at);
    m_cells.Push(&cell);
    if (cell.index == 0 && cell.ends)
    {
        m_nic.PrefetchDescriptor(cell);
        Advance(); // a whole message: most often it can be received at once
        return;
    }
    const Ps noticed = NoticedAt();
    if (noticed != PS_NEVER || m_cells.Size() == 1) // else the next step is what it was
    {
        m_nic.GetHost().Expect(StepAt(), noticed);
    }
}

Ps
ReceiveEngine::NoticedAt()
{
    if (m_state != State::IDLE)
    {
        return StepAt();
    }
    const RingSerial front = m_cells.FrontSerial();
    std::uint32_t waiting = IsBefore(front, m_looked) ? m_looked - front : 0;
    while (waiting < m_cells.Size() && OnlyWaits(waiting))
    {
        ++waiting;
    }
    m_looked = front + waiting;
    return waiting == m_cells.Size() ? PS_NEVER : std::max(m_at.at, m_cells.At(waiting)->first.at);
}

bool
ReceiveEngine::OnlyWaits(std::uint32_t i) const
{
    const Cell& cell = *m_cells.At(i);
    const Packet& packet = *cell.packet;
    const std::uint32_t seen = cell.index + 1;
    return cell.index > 0 && !cell.lost && !FillsBuffer(i + 1) &&
           !CompletesPiece(packet, cell.index, seen) && ArrivingWith(cell) != nullptr;
}

bool
ReceiveEngine::MayBePassed() const
{
    return m_parts.receiveRing != nullptr;
}

Ps
ReceiveEngine::StepAt() const
{
    if (m_state == State::IDLE)
    {
        return m_cells.IsEmpty() ? PS_NEVER : std::max(m_at.at, m_cells.At(0)->first.at);
    }
    if (IsPending())
    {
        return PendingAt();
    }
    if (m_state == State::AWAIT)
    {
        return PS_NEVER;
    }
    if (m_state == State::PLACE && !m_placed)
    {
        return std::max(m_at.at, m_cell->last.at);
    }
    return m_at.at;
}

void
ReceiveEngine::PlanStep()
{
    Plan(*this);
}

void
ReceiveEngine::Step()
{
    switch (m_state)
    {
    case State::IDLE:
        if (!HoldWaiting())
        {
            Begin();
        }
        break;
    case State::FETCH:
        Fetch();
        break;
    case State::PLACE:
        Place();
        break;
    case State::STATUS:
        Status();
        break;
    case State::AWAIT:
    case State::FETCHED:
    case State::TRANSLATED:
    case State::COMPLETE:
        NS_ABORT_MSG("the receive engine waits for a transfer that it has not asked for");
    }
}

void
ReceiveEngine::Resume()
{
    switch (m_state)
    {
    case State::FETCHED:
    case State::TRANSLATED:
        ResumeMessage(m_state == State::FETCHED);
        break;
    case State::PLACE:
        if (m_writing > 0)
        {
            EndPiece(m_traffic == nullptr ? Arriving() : nullptr);
            Place();
        }
        break;
    case State::COMPLETE:
        Complete();
        break;
    case State::IDLE:
    case State::AWAIT:
    case State::FETCH:
    case State::STATUS:
        break; // a step of its own follows
    }
}

void
ReceiveEngine::ResumeMessage(bool isFetched)
{
    VirtualInterface* vi = Arriving();
    m_state = State::PLACE;
    if (vi == nullptr)
    {
        return; // its connection has ended meanwhile
    }
    if (!isFetched && vi->arrival->isRdmaWrite && !vi->arrival->consumesItem)
    {
        EndRdmaWrite(*vi);
        return;
    }
    const WorkItem* item = vi->ReceiveQueue().items.Find(vi->arrival->item);
    if (item == nullptr || !IsReadable(*vi, *item))
    {
        return;
    }
    if (isFetched)
    {
        OnFetched(*vi, *item);
        return;
    }
    OnTranslated(*vi, *item);
}

void
ReceiveEngine::OnPrefetched()
{
    if (m_state == State::AWAIT)
    {
        m_state = State::FETCH;
    }
}

bool
ReceiveEngine::IsReadable(VirtualInterface& vi, const WorkItem& item)
{
    if (m_nic.Checks().IsValid(vi, item))
    {
        return true;
    }
    Drop(vi.rank);
    m_nic.GetCompletions().FailPost(vi, item, m_at);
    return false;
}

VirtualInterface*
ReceiveEngine::ArrivingWith(const Cell& cell) const
{
    VirtualInterface* vi = m_nic.FindVi(cell.packet->destinationVi);
    const bool isArriving =
        vi != nullptr && vi->arrival != nullptr && vi->arrival->packet == cell.packet->serial;
    return isArriving ? vi : nullptr;
}

// inlined, because it is called for each cell under load
[[gnu::always_inline]] inline bool
ReceiveEngine::HoldNext()
{
    Cell& cell = *m_cells.Front();
    const Packet& packet = *cell.packet;
    const bool isKnown = IsBefore(m_cells.FrontSerial(), m_looked); // to wait only, since NoticedAt
    if (m_parts.receiveRing != nullptr || !(isKnown || OnlyWaits(0)))
    {
        return false;
    }
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    Transport& transport = m_nic.GetTransport();
    if (packet.reliable && !transport.AdmitNext(transport.From(packet, vi), cell))
    {
        return false;
    }
    m_cells.Pop();
    m_parts.processor.UseMemory(std::max(m_at.at, cell.first.at),
                                std::min(m_costs->cellPayload, packet.length));
    ++m_held;
    See(*vi->arrival, cell);
    m_nic.GetHost().GetWorld().packets.Free(&cell);
    return true;
}

bool
ReceiveEngine::HoldWaiting()
{
    if (!HoldNext())
    {
        return false;
    }
    while (IsInTurn(StepAt()) && HoldNext())
    {
    }
    return true;
}

void
ReceiveEngine::Begin()
{
    m_cell = m_cells.Front();
    m_cells.Pop();
    m_looked = IsBefore(m_looked, m_cells.FrontSerial()) ? m_cells.FrontSerial() : m_looked;
    m_parts.processor.UseMemory(std::max(m_at.at, m_cell->first.at),
                                std::min(m_costs->cellPayload, m_cell->packet->length));
    m_placed = false;
    m_state = State::PLACE;
    const Packet& packet = *m_cell->packet;
    m_traffic = packet.IsMessage() ? nullptr : &m_nic.GetTraffic().Of(packet.kind);
    Admit();
    if (m_cell->index == 0 && m_taken)
    {
        BeginPacket();
    }
}

void
ReceiveEngine::AwaitPacket()
{
    m_at = m_nic.GetHost().Wait(m_cell->first, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_worksOn = m_cell->packet;
}

void
ReceiveEngine::Admit()
{
    const Packet& packet = *m_cell->packet;
    m_channel = packet.reliable ? &m_nic.GetTransport().From(packet) : nullptr;
    if (m_channel != nullptr)
    {
        const Moment whole =
            m_nic.GetHost().Wait(m_cell->last, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
        m_taken = m_nic.GetTransport().Admit(*m_channel, *m_cell, whole);
        return;
    }
    m_taken = !m_cell->lost;
    if (m_taken || m_traffic != nullptr)
    {
        return;
    }
    VirtualInterface* vi = Arriving();
    if (vi != nullptr)
    {
        Abandon(*vi);
    }
    else if (m_cell->index == 0)
    {
        AwaitPacket();
        vi = m_nic.FindVi(packet.destinationVi);
        Drop(vi == nullptr ? 0 : vi->rank);
    }
}

void
ReceiveEngine::BeginPacket()
{
    const Packet& packet = *m_cell->packet;
    AwaitPacket();
    Work(Stage::DEMUX, m_costs->demux);
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().OnAcknowledged(*m_channel, packet.acknowledges, m_at);
    }
    if (m_traffic == nullptr)
    {
        BeginMessage();
        return;
    }
    m_traffic->BeginReceive(m_nic, packet, *this);
    m_cellBytes = 0;
}

void
ReceiveEngine::BeginMessage()
{
    const Packet& packet = *m_cell->packet;
    m_at = m_parts.processor.BeginReceive(m_at);
    Work(Stage::RESIDUAL, m_costs->residual);
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (vi == nullptr || !vi->IsConnectedTo(packet.source, packet.sourceVi))
    {
        Drop(vi == nullptr ? 0 : vi->rank);
        return;
    }
    DropArrival(*vi, m_at.at); // an earlier message whose rest was lost
    m_arrivals.Open(*vi, packet.serial);
    if (packet.IsReadAnswer())
    {
        BeginReadResponse(*vi);
        return;
    }
    if (packet.IsRdmaWrite())
    {
        vi->arrival->isRdmaWrite = true;
        BeginRdmaWrite(*vi);
        return;
    }
    TakeReceive(*vi);
}

void
ReceiveEngine::TakeReceive(VirtualInterface& vi)
{
    WorkItem* item = vi.ReceiveQueue().Next();
    if (item == nullptr || item->rung.at > m_cell->first.at)
    {
        m_arrivals.Close(vi);
        Drop(vi.rank);
        m_nic.GetCompletions().ReceiveQueueEmpty(vi, *m_cell->packet, m_at);
        return;
    }
    vi.arrival->item = vi.ReceiveQueue().started++;
    vi.arrival->consumesItem = true;
    m_parts.descriptors->OnTaken(vi, m_at);
    m_state = State::FETCH;
}

void
ReceiveEngine::Fetch()
{
    VirtualInterface* vi = Arriving();
    WorkItem* item = vi == nullptr ? nullptr : vi->ReceiveQueue().items.Find(vi->arrival->item);
    m_state = State::PLACE;
    if (item == nullptr)
    {
        return;
    }
    if (item->fetched == WorkItem::COMING)
    {
        m_state = State::AWAIT;
        return;
    }
    m_parts.descriptors->Take(*this, *item, m_nic.Checks().FetchBytes(*item));
    if (IsPending())
    {
        m_state = State::FETCHED;
        return;
    }
    if (IsReadable(*vi, *item))
    {
        OnFetched(*vi, *item);
    }
}

void
ReceiveEngine::OnFetched(VirtualInterface& vi, const WorkItem& item)
{
    if (vi.arrival->isRdmaWrite)
    {
        return; // a write does not use the segments
    }
    m_parts.translation->LookUp(*this, {*item.descriptor, m_cell->packet->length});
    if (IsPending())
    {
        m_state = State::TRANSLATED;
        return;
    }
    OnTranslated(vi, item);
}

void
ReceiveEngine::OnTranslated(VirtualInterface& vi, const WorkItem& item)
{
    vi.arrival->status = m_nic.Checks().CheckReceive(vi, *item.descriptor, m_cell->packet->length);
}

void
ReceiveEngine::BeginRdmaWrite(VirtualInterface& vi)
{
    const Packet& packet = *m_cell->packet;
    m_parts.translation->LookUp(*this, {packet.remoteHandle, packet.remoteAddress, packet.length});
    if (IsPending())
    {
        m_state = State::TRANSLATED;
        return;
    }
    EndRdmaWrite(vi);
}

void
ReceiveEngine::EndRdmaWrite(VirtualInterface& vi)
{
    const Packet& packet = *m_cell->packet;
    const bool allowed = packet.length == 0 || m_nic.Checks().AllowsWrite(vi, packet);
    vi.arrival->status = allowed ? 0 : Descriptor::RDMA_PROTECTION_ERROR;
    if (packet.hasImmediate)
    {
        TakeReceive(vi);
    }
}

void
ReceiveEngine::BeginReadResponse(VirtualInterface& vi)
{
    const Packet& packet = *m_cell->packet;
    const WorkItem* item = vi.SendQueue().items.Find(packet.item);
    if (item == nullptr || item->visible.at != PS_NEVER)
    {
        m_arrivals.Close(vi);
        Drop(vi.rank);
        return;
    }
    vi.arrival->item = packet.item;
    vi.arrival->answersItem = true;
    vi.arrival->status = packet.status;
}

} // namespace via
} // namespace ns3
