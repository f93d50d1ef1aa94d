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

namespace
{
constexpr std::uint64_t NO_ITEM = UINT64_MAX; ///< a control packet completes nothing
} // namespace

SendEngine::SendEngine(Nic& nic, const Shared<NicCosts>& costs)
    : NicEngine(nic, costs, Nic::SEND_PORT)
{
}

void
SendEngine::OnDoorbell(const Doorbell& doorbell)
{
    m_doorbells.Push(doorbell);
    Advance();
}

void
SendEngine::SendUrgent(Packet* packet, Moment at)
{
    packet->cells = m_port->CellsFor(packet->length);
    m_urgent.Push({packet, at});
    Advance();
}

bool
SendEngine::Step()
{
    if (!m_urgent.IsEmpty())
    {
        return SendUrgentNow();
    }
    if (TransportChannel* channel = m_nic.GetTransport().GoingBack())
    {
        return SendUnitAgain(*channel);
    }
    switch (m_state)
    {
    case State::IDLE:
        return Begin();
    case State::FETCH:
        return Fetch();
    case State::CHECK:
        return Check();
    case State::READ:
        return Read();
    }
    NS_ABORT_MSG("send engine in no state");
}

bool
SendEngine::Begin()
{
    if (m_doorbells.IsEmpty())
    {
        return false;
    }
    Host& host = m_nic.GetHost();
    const Moment rung = m_doorbells.Front().at;
    if ((m_at.at > rung.at && !PauseUntil(m_at.at)) || !PauseInReference(rung.at))
    {
        return false;
    }
    m_doorbell = m_doorbells.Front();
    m_doorbells.Pop();
    m_at = host.Wait(rung, Stage::ENGINE_WAIT, Engine::NIC_SEND, m_at.at);
    m_at = host.Spend(m_at,
                      Stage::DOORBELL_DECODE,
                      Engine::NIC_SEND,
                      m_clock,
                      m_costs->decodeDoorbell);
    if (m_doorbell.control != nullptr)
    {
        return BeginControl();
    }
    m_state = State::FETCH;
    return PauseInReference(m_at.at);
}

bool
SendEngine::BeginControl()
{
    Host& host = m_nic.GetHost();
    Packet& packet = *m_doorbell.control;
    m_item = NO_ITEM;
    m_pieces.assign(1, {nullptr, packet.length});
    if (packet.kind == PacketKind::RDMA_READ_RESPONSE)
    {
        m_nic.PrepareRead(packet, m_pieces[0], m_at);
        m_at = host.Spend(m_at, Stage::SEGMENT, Engine::NIC_SEND, m_clock, m_costs->segment);
    }
    else if (packet.kind == PacketKind::RESPONSE)
    {
        m_at = host.Spend(m_at, Stage::TRANSPORT, Engine::NIC_SEND, m_clock, m_costs->acknowledge);
    }
    else
    {
        m_at = host.Spend(m_at, Stage::CONNECTION, Engine::NIC_SEND, m_clock, m_costs->connection);
    }
    packet.reliable = true;
    StartPacket(&packet, &m_nic.GetTransport().To(packet.destination));
    return true;
}

bool
SendEngine::Fetch()
{
    VirtualInterface* vi = m_nic.FindVi(m_doorbell.vi);
    WorkItem* item = vi == nullptr ? nullptr : vi->send.Next();
    if (item == nullptr || item->visible.at != PS_NEVER)
    {
        m_state = State::IDLE; // flushed since the doorbell
        return true;
    }
    if (vi->IsReliable() && m_nic.GetTransport().IsFull(*vi->channel))
    {
        vi->channel->parked.Push(m_doorbell);
        m_state = State::IDLE;
        return true;
    }
    m_item = vi->send.started++;
    m_at = m_nic.GetHost().DmaRead(m_at, Stage::DESCRIPTOR_FETCH, m_nic.Checks().FetchBytes(*item));
    m_state = State::CHECK;
    return PauseInReference(m_at.at);
}

bool
SendEngine::Check()
{
    m_state = State::IDLE;
    VirtualInterface* vi = m_nic.FindVi(m_doorbell.vi);
    WorkItem* item = vi == nullptr ? nullptr : vi->send.items.Find(m_item);
    if (item == nullptr || item->visible.at != PS_NEVER)
    {
        return true;
    }
    if (!m_nic.Checks().IsValid(*vi, *item))
    {
        m_nic.FailPost(*vi, *item, m_at);
        return true;
    }
    const Descriptor& descriptor = *item->descriptor;
    if (MustWait(*vi, descriptor))
    {
        return true;
    }
    Host& host = m_nic.GetHost();
    const std::uint32_t further = std::max<std::uint32_t>(descriptor.segmentCount, 1) - 1;
    m_at = host.Spend(m_at,
                      Stage::TRANSLATE,
                      Engine::NIC_SEND,
                      m_clock,
                      m_costs->lookup + m_costs->lookupSegment * further);
    const std::uint32_t status = m_nic.Checks().CheckSend(*vi, descriptor, m_pieces);
    if (status != 0)
    {
        m_nic.FailSend(*vi, m_item, status, m_at);
        return true;
    }
    m_at = host.Spend(m_at, Stage::SEGMENT, Engine::NIC_SEND, m_clock, m_costs->segment);
    BuildPacket(*vi, *item);
    return true;
}

bool
SendEngine::MustWait(VirtualInterface& vi, const Descriptor& descriptor)
{
    const bool fence = (descriptor.control & Descriptor::QUEUE_FENCE) != 0;
    if (vi.fenced == 0 && (!fence || vi.readsOut == 0))
    {
        return false;
    }
    vi.send.started = m_item; // it, and all behind it, are fetched again after the last answer
    ++vi.fenced;
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
    if (op != Descriptor::OP_SEND_RECEIVE)
    {
        packet->kind = PacketKind::RDMA_WRITE;
        packet->remoteAddress = descriptor.Segments()[0].address;
        packet->remoteHandle = descriptor.Segments()[0].handle;
    }
    if (op == Descriptor::OP_RDMA_READ)
    {
        packet->kind = PacketKind::RDMA_READ_REQUEST;
        packet->asked = descriptor.length;
        m_pieces.clear();
        ++vi.readsOut;
    }
    else
    {
        packet->length = descriptor.length;
        packet->origin = &host.Memory();
        packet->bytes.resize(descriptor.length);
    }
    StartPacket(packet, vi.IsReliable() ? vi.channel : nullptr);
}

void
SendEngine::StartPacket(Packet* packet, TransportChannel* channel)
{
    // bytes that fill up a word, or a cell, take no time of their own
    m_nic.GetHost().Remember(packet->length, packet->destination);
    packet->cells = m_port->CellsFor(packet->length);
    if (channel != nullptr)
    {
        m_nic.GetTransport().Stamp(*channel, *packet);
        m_nic.GetTransport().Enter(*channel, *packet, m_at.at);
    }
    m_packet = packet;
    m_channel = channel;
    m_piece = 0;
    m_pieceOffset = 0;
    m_bytesRead = 0;
    m_cellsRead = 0;
    m_leaving.Push({m_doorbell.vi, m_item});
    m_state = State::READ;
}

bool
SendEngine::SendUrgentNow()
{
    Host& host = m_nic.GetHost();
    const Urgent urgent = m_urgent.Front();
    m_urgent.Pop();
    // in the middle of a message it is part of that message's path; a pause may have held it up
    m_at = m_state == State::READ
               ? host.Wait(m_at, Stage::ENGINE_WAIT, Engine::NIC_SEND, urgent.at.at)
               : host.Wait(urgent.at, Stage::ENGINE_WAIT, Engine::NIC_SEND, m_at.at);
    m_at = host.Wait(m_at, Stage::ENGINE_WAIT, Engine::NIC_SEND, host.Now());
    m_at = host.Spend(m_at, Stage::TRANSPORT, Engine::NIC_SEND, m_clock, m_costs->acknowledge);
    SendCells(urgent.packet, 0, urgent.packet->cells, 0);
    host.GetWorld().packets.Release(urgent.packet); // its burst holds it
    return true;
}

bool
SendEngine::SendUnitAgain(TransportChannel& channel)
{
    // unit by unit, as the wire takes them: meanwhile the peer may complain again
    if (m_unitsOut > 0 || !PauseUntil(m_at.at))
    {
        return false;
    }
    Host& host = m_nic.GetHost();
    const Transport::Unit unit = m_nic.GetTransport().NextUnit(channel, m_packet, m_cellsRead);
    if (unit.cells > 0)
    {
        m_at = host.Wait(m_at, Stage::ENGINE_WAIT, Engine::NIC_SEND, host.Now());
        m_at = host.Spend(m_at, Stage::TRANSPORT, Engine::NIC_SEND, m_clock, m_costs->acknowledge);
        SendCells(unit.packet, unit.firstCell, unit.cells, channel.attempt);
    }
    return true;
}

void
SendEngine::SendCells(Packet* packet,
                      std::uint32_t firstCell,
                      std::uint32_t cells,
                      std::uint32_t attempt)
{
    World& world = m_nic.GetHost().GetWorld();
    const Moment ready = m_at; // a departure moves it
    const std::uint32_t perBurst = world.reference || m_costs->severalWires ? 1 : cells;
    for (std::uint32_t done = 0; done < cells; done += perBurst)
    {
        Burst* burst = world.packets.NewBurst(packet);
        burst->firstCell = firstCell + done;
        burst->ends = burst->firstCell + perBurst == packet->cells;
        burst->resent = true;
        burst->attempt = attempt;
        burst->groupCount = 1;
        burst->groups[0].cells = perBurst;
        burst->groups[0].ready = ready;
        m_unitsOut += packet->reliable ? 1 : 0;
        m_port->Transmit(burst, this);
    }
}

bool
SendEngine::Read()
{
    while (m_cellsRead < m_packet->cells)
    {
        if (!RoomInBuffer())
        {
            return false; // OnDeparture calls again
        }
        const std::uint32_t cells = std::min(m_costs->groupCells, m_packet->cells - m_cellsRead);
        const std::uint32_t room =
            (m_cellsRead + cells) * m_costs->cellPayload - m_costs->messageHeader;
        if (!ReadGroup(std::min(room, m_packet->length)))
        {
            return false;
        }
        m_cellsRead += cells;
        HandOver(m_at, cells);
        if (m_cellsRead < m_packet->cells && m_burst == nullptr && !PauseUntil(m_at.at))
        {
            return false;
        }
    }
    m_nic.GetHost().GetWorld().packets.Release(m_packet);
    m_packet = nullptr;
    m_state = State::IDLE;
    return PauseInReference(m_at.at);
}

bool
SendEngine::RoomInBuffer()
{
    while (m_buffer.Size() >= m_costs->transmitGroups)
    {
        if (m_buffer.Front().cellsLeft > 0)
        {
            if (m_burst == nullptr)
            {
                return false; // its departure is not known yet
            }
            Emit(m_burst);
            continue;
        }
        m_at =
            m_nic.GetHost().Wait(m_at, Stage::LINK_WAIT, Engine::NIC_SEND, m_buffer.Front().gone);
        m_buffer.Pop();
    }
    return true;
}

bool
SendEngine::ReadGroup(std::uint32_t upTo)
{
    while (m_bytesRead < upTo)
    {
        if (!PauseInReference(m_at.at))
        {
            return false;
        }
        ReadPiece(std::min(upTo - m_bytesRead, m_costs->dmaBurst));
    }
    return true;
}

void
SendEngine::ReadPiece(std::uint32_t most)
{
    Host& host = m_nic.GetHost();
    const Piece& piece = m_pieces[m_piece];
    const std::uint32_t n = std::min(most, piece.length - m_pieceOffset);
    m_at = host.DmaRead(m_at, Stage::PAYLOAD_READ, n);
    const VirtualInterface* vi = m_nic.FindVi(m_packet->sourceVi);
    if (piece.address != nullptr && vi != nullptr) // else the memory may be gone with it
    {
        host.Memory().ReadAt(m_at.at - host.DataSpan(n),
                             m_packet->bytes.data() + m_bytesRead,
                             piece.address + m_pieceOffset,
                             n,
                             vi->rank);
    }
    m_bytesRead += n;
    m_pieceOffset += n;
    if (m_pieceOffset == piece.length)
    {
        ++m_piece;
        m_pieceOffset = 0;
    }
}

void
SendEngine::HandOver(const Moment& ready, std::uint32_t cells)
{
    World& world = m_nic.GetHost().GetWorld();
    while (!m_buffer.IsEmpty() && m_buffer.Front().cellsLeft == 0 &&
           m_buffer.Front().gone <= m_at.at)
    {
        m_buffer.Pop(); // nobody will wait for it
    }
    const std::uint64_t buffered = m_buffer.EndSerial();
    m_buffer.Push({cells, 0});
    const std::uint32_t together = world.reference || m_costs->severalWires ? 1 : cells;
    for (std::uint32_t done = 0; done < cells; done += together)
    {
        if (m_burst == nullptr)
        {
            m_burst = world.packets.NewBurst(m_packet);
            m_burst->firstCell = m_cellsRead - cells + done;
            m_burst->cookie = buffered;
        }
        Burst::Group& group = m_burst->groups[m_burst->groupCount++];
        group.cells = together;
        group.ready = ready;
        m_burst->ends = m_cellsRead == m_packet->cells && done + together == cells;
        if (world.reference || m_burst->ends || m_burst->groupCount == m_costs->wireGroups)
        {
            Emit(m_burst);
        }
    }
}

void
SendEngine::Emit(Burst* burst)
{
    m_burst = nullptr;
    burst->attempt = m_channel == nullptr ? 0 : m_channel->attempt;
    ++m_waiting;
    m_port->Transmit(burst, this);
    m_nic.GetHost().SetWaitsForCredits(m_waiting > 0);
}

void
SendEngine::OnDeparture(const Burst& burst)
{
    if (burst.resent)
    {
        if (burst.packet->reliable)
        {
            --m_unitsOut;
            m_at = m_nic.GetHost().Wait(m_at, Stage::LINK_WAIT, Engine::NIC_SEND, burst.departed);
            Advance();
        }
        return;
    }
    --m_waiting;
    m_nic.GetHost().SetWaitsForCredits(m_waiting > 0);
    const Ps flight = burst.groups[burst.groupCount - 1].last.at - burst.departed;
    std::uint64_t serial = burst.cookie;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        Buffered* buffered = m_buffer.Find(serial);
        NS_ABORT_MSG_IF(buffered == nullptr, "cells leave that were not in the buffer");
        buffered->cellsLeft -= burst.groups[i].cells;
        buffered->gone = burst.groups[i].last.at - flight;
        serial += buffered->cellsLeft == 0 ? 1 : 0;
    }
    if (burst.ends)
    {
        const Leaving leaving = m_leaving.Front();
        m_leaving.Pop();
        if (leaving.item != NO_ITEM)
        {
            m_nic.OnMessageLeft(leaving.vi, leaving.item, *burst.packet, {burst.departed, 0});
        }
    }
    if (m_state == State::READ && IsIdle() && m_buffer.Front().cellsLeft == 0 &&
        PauseUntil(m_buffer.Front().gone))
    {
        Advance(); // it had waited for room
    }
}

} // namespace via
} // namespace ns3
