/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The send engine: from a doorbell to cells on the wire.

#include "via-send-engine.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

SendEngine::SendEngine(Nic& nic, const Shared<NicCosts>& costs)
    : NicEngine(nic, costs, Engine::NIC_SEND)
{
}

void
SendEngine::OnDoorbell(const Doorbell& doorbell)
{
    // a program preempted within a call may ring far ahead of what its host sends
    std::uint32_t place = m_doorbells.Size();
    while (place > 0 && m_doorbells.At(place - 1).at.at > doorbell.at.at)
    {
        --place;
    }
    m_doorbells.Insert(place, doorbell);
    Advance();
}

void
SendEngine::OnDoorbellAgain(const Doorbell& doorbell, std::uint32_t place)
{
    m_doorbells.Insert(place, doorbell);
    m_doorbells.At(place).hasWaited = true;
    ++m_waited;
    Advance();
}

bool
SendEngine::IsAhead(const TransportChannel* channel) const
{
    for (std::uint32_t place = 0; place < m_doorbells.Size(); ++place)
    {
        const Doorbell& other = m_doorbells.At(place);
        const VirtualInterface* vi = other.hasWaited ? m_nic.FindVi(other.vi) : nullptr;
        if (vi != nullptr && vi->IsReliable() && vi->channel == channel)
        {
            return true;
        }
    }
    return false;
}

bool
SendEngine::AwaitsOthers(const VirtualInterface& vi)
{
    if (m_doorbell.hasWaited || m_waited == 0 || !IsAhead(vi.channel))
    {
        return false;
    }
    std::uint32_t place = m_doorbells.Size();
    while (!m_doorbells.At(place - 1).hasWaited)
    {
        --place;
    }
    m_doorbells.Insert(place, m_doorbell);
    return true;
}

void
SendEngine::Drop(NodeId to)
{
    m_nic.GetHost().GetWorld().inbound.Remove(to);
}

void
SendEngine::SendUrgent(Packet* packet, Moment at)
{
    packet->cells = m_port->CellsFor(packet->length);
    InboundTraffic& inbound = m_nic.GetHost().GetWorld().inbound;
    inbound.Add(packet->destination, at.at);
    inbound.AddNotices(packet->source, at.at);
    m_urgent.Push({packet, at});
    Advance();
}

Ps
SendEngine::StepAt() const
{
    if (IsPending())
    {
        return PendingAt();
    }
    return IsUrgentNext()          ? std::max(m_at.at, m_urgent.At(0).at.at)
           : GoesBack() != nullptr ? UnitAt()
                                   : MessageAt();
}

bool
SendEngine::IsSafeFromNotices(Ps at) const
{
    return at <= m_nic.GetHost().SafeUnshieldedUntil();
}

Ps
SendEngine::UnitAt() const
{
    TransportChannel* channel = GoesBack();
    // one unit at a time, as the wire takes them: the peer may report another loss meanwhile
    if (channel == nullptr || m_unitsOut > 0)
    {
        return PS_NEVER;
    }
    return std::max({m_at.at, m_unitsGone, m_nic.GetTransport().RecoveryOf(*channel).backFrom});
}

Ps
SendEngine::MessageAt() const
{
    if (m_state == State::READ)
    {
        return RoomAt();
    }
    if (m_state != State::IDLE)
    {
        return m_at.at;
    }
    if (m_doorbells.IsEmpty())
    {
        return PS_NEVER;
    }
    const std::uint32_t next =
        m_doorbells.Size() == 1 ? 0 : m_parts.doorbells->Next(m_doorbells, m_at.at);
    return std::max(m_at.at, m_doorbells.At(next).at.at);
}

bool
SendEngine::IsUrgentNext() const
{
    if (m_urgent.IsEmpty() || IsInWorm())
    {
        return false;
    }
    const Ps urgent = m_urgent.At(0).at.at;
    return GoesBack() != nullptr ? std::max(m_at.at, urgent) <= UnitAt() : urgent <= MessageAt();
}

TransportChannel*
SendEngine::GoesBack() const
{
    TransportChannel* channel = m_nic.GetTransport().GoingBack();
    return channel != nullptr && IsInWorm() ? nullptr : channel;
}

// not inlined, because each step asks and few have a reason to
[[gnu::noinline]] bool
SendEngine::IsInWorm() const
{
    if (m_costs->worms.cells == 1 || m_state != State::READ)
    {
        return false;
    }
    return m_cellsOut > 0 && !m_costs->worms.EndAt(m_cellsOut, m_packet->cells);
}

void
SendEngine::Prefetch() const
{
    if (m_state != State::IDLE)
    {
        m_nic.Vis().PrefetchBefore(m_doorbell.vi);
    }
    else if (!m_doorbells.IsEmpty())
    {
        m_nic.Vis().PrefetchBefore(m_doorbells.At(0).vi);
    }
}

void
SendEngine::PlanStep()
{
    Plan(*this);
}

void
SendEngine::Step()
{
    if (IsUrgentNext())
    {
        SendUrgentNow();
        return;
    }
    if (TransportChannel* channel = GoesBack())
    {
        SendUnitAgain(*channel);
        return;
    }
    switch (m_state)
    {
    case State::IDLE:
        Begin();
        break;
    case State::FETCH:
        Fetch();
        break;
    case State::CHECK:
        Check();
        break;
    case State::READ:
        ReadPayload();
        break;
    case State::TRANSLATED:
    case State::BEGUN:
        NS_ABORT_MSG("the send engine waits for a transfer that it has not asked for");
    }
}

void
SendEngine::Resume()
{
    switch (m_state)
    {
    case State::TRANSLATED:
        m_state = State::IDLE;
        if (const WorkItem* item = CurrentItem())
        {
            OnTranslated(*m_nic.FindVi(m_doorbell.vi), *item);
        }
        break;
    case State::BEGUN:
        StartOther();
        break;
    case State::READ:
        if (m_reading > 0)
        {
            EndPiece();
        }
        ReadPayload();
        break;
    case State::IDLE:
    case State::FETCH:
    case State::CHECK:
        break; // a step of its own follows
    }
}

void
SendEngine::Begin()
{
    Host& host = m_nic.GetHost();
    const Ps idle = m_at.at;
    const std::uint32_t next = m_parts.doorbells->Next(m_doorbells, idle);
    const Moment rung = m_doorbells.At(next).at;
    m_doorbell = TakeOut(next);
    m_at = host.Wait(rung, Stage::ENGINE_WAIT, Engine::NIC_SEND, m_at.at);
    if (m_doorbell.control != nullptr)
    {
        Work(Stage::DOORBELL_DECODE, m_costs->decodeDoorbell);
        BeginOther();
        return;
    }
    m_parts.doorbells->Take(*this, m_doorbell, idle);
    m_doorbell.isRung = false; // it may have to wait and be retried
    m_state = State::FETCH;
}

Doorbell
SendEngine::TakeOut(std::uint32_t place)
{
    const Doorbell doorbell = m_doorbells.At(place);
    for (; place > 0; --place)
    {
        m_doorbells.At(place) = m_doorbells.At(place - 1);
    }
    m_doorbells.Pop();
    m_waited -= doorbell.hasWaited ? 1 : 0;
    return doorbell;
}

void
SendEngine::Forget(const std::function<bool(const Packet&)>& isOver)
{
    for (std::uint32_t place = m_doorbells.Size(); place-- > 0;)
    {
        Packet* packet = m_doorbells.At(place).control;
        if (packet != nullptr && isOver(*packet))
        {
            TakeOut(place);
            Drop(packet->destination);
            m_nic.GetHost().GetWorld().packets.Release(packet);
        }
    }
}

void
SendEngine::BeginOther()
{
    Packet& packet = *m_doorbell.control;
    TrafficClass& traffic = m_nic.GetTraffic().Of(packet.kind);
    m_item = NO_ITEM;
    m_pieces.assign(1, {nullptr, packet.length});
    traffic.BeginSend(m_nic, packet, m_pieces[0], *this);
    m_state = State::BEGUN;
    if (!IsPending())
    {
        StartOther();
    }
}

void
SendEngine::StartOther()
{
    Packet& packet = *m_doorbell.control;
    packet.reliable = !m_nic.GetTraffic().Of(packet.kind).IsDatagram();
    StartPacket(&packet, packet.reliable ? &m_nic.GetTransport().To(packet.destination) : nullptr);
}

void
SendEngine::Fetch()
{
    VirtualInterface* vi = m_nic.FindVi(m_doorbell.vi);
    WorkItem* item = vi == nullptr ? nullptr : vi->SendQueue().Next();
    if (item == nullptr || item->HasEnded())
    {
        m_state = State::IDLE; // flushed since the doorbell
        return;
    }
    if (vi->stopped || (m_gate != nullptr && m_gate->HoldsBack(*vi, m_doorbell.isAgain, m_at)))
    {
        m_state = State::IDLE;
        return;
    }
    if (vi->IsReliable() && AwaitsOthers(*vi))
    {
        m_state = State::IDLE;
        return;
    }
    if (vi->IsReliable() && m_nic.GetTransport().IsFull(*vi->channel))
    {
        m_doorbell.hasWaited = false;
        m_nic.GetTransport().RecoveryOf(*vi->channel).parked.Push(m_doorbell);
        m_state = State::IDLE;
        return;
    }
    m_item = vi->SendQueue().started++;
    m_to = vi->peerNode;
    m_parts.descriptors->Take(*this, *item, m_nic.Checks().FetchBytes(*item));
    m_state = State::CHECK;
}

const WorkItem*
SendEngine::CurrentItem()
{
    VirtualInterface* vi = m_nic.FindVi(m_doorbell.vi);
    const WorkItem* item = vi == nullptr ? nullptr : vi->SendQueue().items.Find(m_item);
    if (item == nullptr || item->HasEnded())
    {
        Drop(m_to);
        return nullptr;
    }
    if (!m_nic.Checks().IsValid(*vi, *item))
    {
        Drop(m_to);
        m_nic.GetCompletions().FailPost(*vi, *item, m_at);
        return nullptr;
    }
    return item;
}

void
SendEngine::Check()
{
    m_state = State::IDLE;
    const WorkItem* item = CurrentItem();
    if (item == nullptr)
    {
        return;
    }
    VirtualInterface& vi = *m_nic.FindVi(m_doorbell.vi);
    const Descriptor& descriptor = *item->descriptor;
    if (MustWait(vi, descriptor))
    {
        return;
    }
    m_parts.translation->LookUp(*this, {descriptor, descriptor.length});
    if (IsPending())
    {
        m_state = State::TRANSLATED;
        return;
    }
    OnTranslated(vi, *item);
}

void
SendEngine::OnTranslated(VirtualInterface& vi, const WorkItem& item)
{
    const std::uint32_t status = m_nic.Checks().CheckSend(vi, *item.descriptor, m_pieces);
    if (status != 0)
    {
        Drop(m_to);
        m_nic.GetCompletions().FailSend(vi, m_item, status, m_at);
        return;
    }
    Work(Stage::SEGMENT, m_costs->segment);
    Work(Stage::RESIDUAL, m_costs->sendResidual);
    BuildPacket(vi, item);
}

bool
SendEngine::MustWait(VirtualInterface& vi, const Descriptor& descriptor)
{
    const bool fence = (descriptor.control & Descriptor::QUEUE_FENCE) != 0;
    const ViExtras& extras = vi.Extras();
    if (extras.fenced == 0 && (!fence || extras.readsOut == 0))
    {
        return false;
    }
    vi.SendQueue().started =
        m_item; // it and all later items are fetched again after the last answer
    ++vi.MakeExtras().fenced;
    return true;
}

void
SendEngine::BuildPacket(VirtualInterface& vi, const WorkItem& item)
{
    const Descriptor& descriptor = *item.descriptor;
    Host& host = m_nic.GetHost();
    Packet* packet = host.GetWorld().packets.NewPacket();
    const std::uint16_t op = descriptor.control & Descriptor::OP_MASK;
    packet->hasImmediate = (descriptor.control & Descriptor::IMMEDIATE) != 0;
    packet->source = host.Id();
    packet->destination = vi.peerNode;
    packet->sourceVi = vi.id;
    packet->destinationVi = vi.peerVi;
    packet->immediate = descriptor.immediate;
    packet->message = item.message;
    packet->item = m_item;
    packet->reliable = vi.IsReliable();
    packet->kind = descriptor.Kind();
    if (op != Descriptor::OP_SEND_RECEIVE)
    {
        packet->remoteAddress = descriptor.Segments()[0].address;
        packet->remoteHandle = descriptor.Segments()[0].handle;
    }
    if (op == Descriptor::OP_RDMA_READ)
    {
        packet->asked = descriptor.length;
        m_pieces.clear();
        ++vi.MakeExtras().readsOut;
    }
    else
    {
        packet->length = descriptor.length;
        packet->origin = &host.Memory();
        packet->bytes.resize(descriptor.length);
    }
    if (op == Descriptor::OP_RDMA_READ || vi.AwaitsResponse())
    {
        host.GetWorld().inbound.AddForGood(host.Id()); // the peer's card answers of itself
    }
    StartPacket(packet, vi.IsReliable() ? vi.channel : nullptr);
}

void
SendEngine::StartPacket(Packet* packet, TransportChannel* channel)
{
    // padding to a word or a cell takes no time, so the digest takes the exact length
    m_nic.GetHost().MixIntoDigest(m_at.at,
                                  static_cast<std::uint64_t>(m_at.at),
                                  std::uint64_t{packet->length} << 32 | packet->destination);
    packet->cells = m_port->CellsFor(packet->length);
    m_nic.GetHost().GetWorld().inbound.AddNotices(packet->source, m_at.at);
    if (channel != nullptr)
    {
        m_nic.GetTransport().Stamp(*channel, *packet);
        m_nic.GetTransport().Enter(*channel, *packet, m_at);
    }
    m_packet = packet;
    m_channel = channel;
    m_piece = 0;
    m_pieceOffset = 0;
    m_bytesRead = 0;
    m_cellsRead = 0;
    m_cellsOut = 0;
    m_framesTaken = 0;
    m_frameAt = 0;
    m_chained = false;
    m_leaving.Push({m_doorbell.vi, m_item});
    m_state = State::READ;
}

} // namespace via
} // namespace ns3
