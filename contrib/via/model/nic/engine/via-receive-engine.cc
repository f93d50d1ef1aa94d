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
ReceiveEngine::NoteArrival(const Burst& burst, Ps at)
{
    World& world = m_nic.GetHost().GetWorld();
    if (world.leads.control == 0)
    {
        return;
    }
    const Packet& packet = *burst.packet;
    const Ps leaves = world.inbound.LeavesFrom(m_nic.GetHost().Id());
    NS_ABORT_MSG_IF(at < leaves,
                    "a cell of a packet of kind "
                        << static_cast<int>(packet.kind) << " from host " << packet.source
                        << " arrives at " << m_nic.GetHost().Name() << " at " << at
                        << " ps, but nothing that is bound for it leaves before " << leaves
                        << " ps");
    if (burst.ends)
    {
        world.inbound.Remove(packet.destination);
        if (m_costs->feedbackPause > 0)
        {
            world.inbound.Remove(packet.source);
        }
    }
}

void
ReceiveEngine::Accept(Burst* burst)
{
    NoteArrival(*burst, m_nic.GetHost().Now());
    if (m_costs->Stores())
    {
        Store(*burst);
    }
    m_bursts.Push(burst);
    Advance();
}

void
ReceiveEngine::Prefetch() const
{
    if (!m_bursts.IsEmpty())
    {
        m_nic.PrefetchArrival(*m_bursts.At(0));
    }
}

bool
ReceiveEngine::MayForesee() const
{
    const World& world = m_nic.GetHost().GetWorld();
    return !world.reference && !world.lossy && !m_costs->Stores() &&
           m_parts.kernelReceiver == nullptr;
}

void
ReceiveEngine::Foresee(Burst& burst)
{
    NoteArrival(burst, burst.headCell.at);
    m_bursts.Push(&burst);
    if (burst.firstCell == 0 && burst.ends)
    {
        Advance(); // a whole message: most often it can be received at once
        return;
    }
    const Ps noticed = NoticedAt();
    if (noticed != PS_NEVER || m_bursts.Size() == 1) // else the next step is what it was
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
    const RingSerial front = m_bursts.FrontSerial();
    std::uint32_t waiting = IsBefore(front, m_looked) ? m_looked - front : 0;
    while (waiting < m_bursts.Size() && OnlyWaits(waiting))
    {
        ++waiting;
    }
    m_looked = front + waiting;
    return waiting == m_bursts.Size() ? PS_NEVER
                                      : std::max(m_at.at, m_bursts.At(waiting)->headCell.at);
}

bool
ReceiveEngine::OnlyWaits(std::uint32_t i) const
{
    const Burst& burst = *m_bursts.At(i);
    const Packet& packet = *burst.packet;
    const std::uint32_t seen = burst.firstCell + burst.CellCount();
    return burst.firstCell > 0 && burst.lost == 0 && IsMessage(packet.kind) &&
           !FillsBuffer(i + 1) && !CompletesPiece(packet, burst.firstCell, seen) &&
           ArrivingWith(burst) != nullptr;
}

bool
ReceiveEngine::MayBePassed() const
{
    return m_parts.kernelReceiver != nullptr;
}

Ps
ReceiveEngine::StepAt() const
{
    if (m_state == State::IDLE)
    {
        return m_bursts.IsEmpty() ? PS_NEVER : std::max(m_at.at, m_bursts.At(0)->headCell.at);
    }
    if (m_state == State::PLACE && m_group < m_burst->groupCount)
    {
        return std::max(m_at.at, m_burst->groups[m_group].last.at);
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
    }
}

VirtualInterface*
ReceiveEngine::ArrivingWith(const Burst& burst) const
{
    VirtualInterface* vi = m_nic.FindVi(burst.packet->destinationVi);
    const bool isArriving =
        vi != nullptr && vi->arrival != nullptr && vi->arrival->packet == burst.packet->serial;
    return isArriving ? vi : nullptr;
}

// inlined, because it is called for each cell under load
[[gnu::always_inline]] inline bool
ReceiveEngine::HoldNext()
{
    Burst& burst = *m_bursts.Front();
    const Packet& packet = *burst.packet;
    const bool isKnown =
        IsBefore(m_bursts.FrontSerial(), m_looked); // to wait only, since NoticedAt
    if (m_parts.kernelReceiver != nullptr || burst.CellCount() > 1 || !(isKnown || OnlyWaits(0)))
    {
        return false;
    }
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (packet.reliable && !Transport::AdmitNext(m_nic.GetTransport().From(packet, vi), burst))
    {
        return false;
    }
    m_bursts.Pop();
    m_parts.processor.UseMemory(std::max(m_at.at, burst.headCell.at),
                                std::min(m_costs->cellPayload, packet.length));
    ++m_held;
    ++vi->arrival->cellsSeen;
    vi->arrival->cellsGiven += burst.roomGiven ? 1 : 0;
    m_nic.GetHost().GetWorld().packets.Free(&burst);
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
    m_burst = m_bursts.Front();
    m_bursts.Pop();
    m_parts.processor.UseMemory(
        std::max(m_at.at, m_burst->headCell.at),
        std::min(m_burst->CellCount() * m_costs->cellPayload, m_burst->packet->length));
    m_group = 0;
    m_cellsDone = 0;
    m_vanished = m_burst->vanished;
    m_state = State::PLACE;
    Admit();
    if (m_burst->firstCell == 0 && m_taken.from == 0 && m_taken.to > 0)
    {
        BeginPacket();
    }
}

void
ReceiveEngine::Admit()
{
    const Packet& packet = *m_burst->packet;
    m_channel = packet.reliable ? &m_nic.GetTransport().From(packet) : nullptr;
    if (m_channel != nullptr)
    {
        const Moment whole = m_nic.GetHost().Wait(m_burst->groups[m_burst->groupCount - 1].last,
                                                  Stage::ENGINE_WAIT,
                                                  Engine::NIC_RECEIVE,
                                                  m_at.at);
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
    Work(Stage::DEMUX, m_costs->demux);
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().OnAcknowledged(*m_channel, packet.acknowledges, m_at);
    }
    if (IsMessage(packet.kind))
    {
        BeginMessage();
    }
    else if (packet.kind == PacketKind::DATAGRAM)
    {
        BeginDatagram();
    }
    else if (packet.kind == PacketKind::RDMA_READ_REQUEST)
    {
        m_at =
            m_parts.translation->LookUp(m_at,
                                        Engine::NIC_RECEIVE,
                                        {packet.remoteHandle, packet.remoteAddress, packet.asked});
    }
    else if (IsAcknowledgement(packet.kind) || packet.kind == PacketKind::RESPONSE)
    {
        Work(Stage::TRANSPORT, m_costs->acknowledge);
    }
    else if (packet.kind == PacketKind::BARRIER)
    {
        Work(Stage::BARRIER_STEP, m_costs->barrierReceive);
    }
    else
    {
        Work(Stage::CONNECTION, m_costs->connection);
    }
}

void
ReceiveEngine::BeginMessage()
{
    const Packet& packet = *m_burst->packet;
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
    if (packet.kind == PacketKind::RDMA_READ_RESPONSE)
    {
        BeginReadResponse(*vi);
        return;
    }
    if (packet.kind == PacketKind::RDMA_WRITE)
    {
        vi->arrival->isRdmaWrite = true;
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
    WorkItem* item = vi.ReceiveQueue().Next();
    if (item == nullptr || item->rung.at > m_burst->headCell.at)
    {
        m_arrivals.Close(vi);
        Drop(vi.rank);
        m_nic.ReceiveQueueEmpty(vi, *m_burst->packet, m_at);
        return;
    }
    vi.arrival->item = vi.ReceiveQueue().started++;
    vi.arrival->consumesItem = true;
    m_parts.descriptors->OnTaken(vi.ReceiveQueue(), m_at);
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
    m_at = m_parts.descriptors->Take(m_at,
                                     Engine::NIC_RECEIVE,
                                     *item,
                                     m_nic.Checks().FetchBytes(*item));
    if (!m_nic.Checks().IsValid(*vi, *item))
    {
        Drop(vi->rank);
        m_nic.FailPost(*vi, *item, m_at);
        return;
    }
    if (m_burst->packet->kind == PacketKind::RDMA_WRITE)
    {
        return; // a write does not use the segments
    }
    m_at = m_parts.translation->LookUp(m_at,
                                       Engine::NIC_RECEIVE,
                                       {*item->descriptor, m_burst->packet->length});
    vi->arrival->status =
        m_nic.Checks().CheckReceive(*vi, *item->descriptor, m_burst->packet->length);
}

void
ReceiveEngine::BeginRdmaWrite(VirtualInterface& vi)
{
    const Packet& packet = *m_burst->packet;
    m_at = m_parts.translation->LookUp(m_at,
                                       Engine::NIC_RECEIVE,
                                       {packet.remoteHandle, packet.remoteAddress, packet.length});
    const bool allowed = packet.length == 0 || m_nic.Checks().AllowsWrite(vi, packet);
    vi.arrival->status = allowed ? 0 : Descriptor::RDMA_PROTECTION_ERROR;
}

void
ReceiveEngine::BeginReadResponse(VirtualInterface& vi)
{
    const Packet& packet = *m_burst->packet;
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
