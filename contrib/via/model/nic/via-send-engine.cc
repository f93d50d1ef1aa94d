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
    : m_nic(nic),
      m_costs(costs),
      m_clock(nic.Clock())
{
}

void
SendEngine::OnDoorbell(ViId vi, Moment at)
{
    m_tokens.Push({at, vi, nullptr});
    Advance();
}

void
SendEngine::SendControl(Packet* packet, Moment at)
{
    m_tokens.Push({at, 0, packet});
    Advance();
}

void
SendEngine::OnAgenda(std::uint32_t, std::uint64_t)
{
    m_planned = false;
    Advance();
}

void
SendEngine::Advance()
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
SendEngine::Step()
{
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
SendEngine::PauseUntil(Ps at)
{
    if (at <= m_nic.GetHost().Now())
    {
        return true;
    }
    m_planned = true;
    m_nic.GetHost().Schedule(at, Nic::SEND_PORT, this, 0);
    return false;
}

bool
SendEngine::Begin()
{
    if (m_tokens.IsEmpty())
    {
        return false;
    }
    Host& host = m_nic.GetHost();
    const Moment rung = m_tokens.Front().at;
    if ((m_at.at > rung.at && !PauseUntil(m_at.at)) ||
        (host.GetWorld().reference && !PauseUntil(rung.at)))
    {
        return false;
    }
    m_token = m_tokens.Front();
    m_tokens.Pop();
    m_at = host.Wait(rung, Stage::ENGINE_WAIT, Engine::NIC_SEND, m_at.at);
    m_at = host.Spend(m_at,
                      Stage::DOORBELL_DECODE,
                      Engine::NIC_SEND,
                      m_clock,
                      m_costs->decodeDoorbell);
    if (m_token.control != nullptr)
    {
        m_at = host.Spend(m_at, Stage::CONNECTION, Engine::NIC_SEND, m_clock, m_costs->connection);
        m_item = NO_ITEM;
        m_pieces.assign(1, {nullptr, m_token.control->length});
        StartPacket(m_token.control);
        return true;
    }
    m_state = State::FETCH;
    return !host.GetWorld().reference || PauseUntil(m_at.at);
}

bool
SendEngine::Fetch()
{
    VirtualInterface* vi = m_nic.FindVi(m_token.vi);
    WorkItem* item = vi == nullptr ? nullptr : vi->send.Next();
    if (item == nullptr || item->visible.at != PS_NEVER)
    {
        m_state = State::IDLE; // flushed since the doorbell
        return true;
    }
    m_item = vi->send.started++;
    m_at = m_nic.GetHost().DmaRead(m_at, Stage::DESCRIPTOR_FETCH, m_nic.FetchBytes(*item));
    m_state = State::CHECK;
    return !m_nic.GetHost().GetWorld().reference || PauseUntil(m_at.at);
}

bool
SendEngine::Check()
{
    VirtualInterface* vi = m_nic.FindVi(m_token.vi);
    WorkItem* item = vi == nullptr ? nullptr : vi->send.items.Find(m_item);
    if (item == nullptr || item->visible.at != PS_NEVER)
    {
        m_state = State::IDLE;
        return true;
    }
    if (!m_nic.DescriptorIsValid(*vi, *item))
    {
        m_state = State::IDLE;
        m_nic.FailPost(*vi, *item, m_at);
        return true;
    }
    const Descriptor& descriptor = *item->descriptor;
    const std::uint32_t further = std::max<std::uint32_t>(descriptor.segmentCount, 1) - 1;
    m_at = m_nic.GetHost().Spend(m_at,
                                 Stage::TRANSLATE,
                                 Engine::NIC_SEND,
                                 m_clock,
                                 m_costs->lookup + m_costs->lookupSegment * further);
    const std::uint32_t status = CheckDescriptor(*vi, descriptor);
    if (status != 0)
    {
        m_state = State::IDLE;
        m_nic.FailSend(*vi, m_item, status, m_at);
        return true;
    }
    m_at = m_nic.GetHost().Spend(m_at, Stage::SEGMENT, Engine::NIC_SEND, m_clock, m_costs->segment);
    BuildPacket(*vi, *item);
    return true;
}

std::uint32_t
SendEngine::CheckDescriptor(const VirtualInterface& vi, const Descriptor& descriptor)
{
    const std::uint32_t op = descriptor.control & Descriptor::OP_MASK;
    const bool rdma = op == Descriptor::OP_RDMA_WRITE;
    if ((!rdma && op != Descriptor::OP_SEND_RECEIVE) ||
        (descriptor.control & Descriptor::CONTROL_RESERVED) != 0 ||
        (rdma && descriptor.segmentCount == 0) ||
        descriptor.segmentCount > m_nic.Limits().segments + (rdma ? 1 : 0))
    {
        return Descriptor::FORMAT_ERROR;
    }
    return CheckSegments(vi, descriptor);
}

std::uint32_t
SendEngine::CheckSegments(const VirtualInterface& vi, const Descriptor& descriptor)
{
    const std::uint32_t op = descriptor.control & Descriptor::OP_MASK;
    m_pieces.clear();
    std::uint64_t total = 0;
    for (std::uint32_t i = op == Descriptor::OP_RDMA_WRITE ? 1 : 0; i < descriptor.segmentCount;
         ++i)
    {
        const DataSegment& segment = descriptor.Segments()[i];
        if (segment.length == 0)
        {
            continue;
        }
        if (!m_nic.GetTpt().Allows(segment.handle,
                                   segment.address,
                                   segment.length,
                                   vi.attributes.tag))
        {
            return Descriptor::PROTECTION_ERROR;
        }
        m_pieces.push_back({reinterpret_cast<std::uint8_t*>(segment.address), segment.length});
        total += segment.length;
    }
    return total != descriptor.length || total > vi.attributes.maxTransfer
               ? Descriptor::LENGTH_ERROR
               : 0;
}

void
SendEngine::BuildPacket(VirtualInterface& vi, const WorkItem& item)
{
    const Descriptor& descriptor = *item.descriptor;
    Host& host = m_nic.GetHost();
    Packet* packet = host.GetWorld().packets.NewPacket();
    const bool rdma = (descriptor.control & Descriptor::OP_MASK) == Descriptor::OP_RDMA_WRITE;
    packet->kind = rdma ? PacketKind::RDMA_WRITE : PacketKind::SEND;
    packet->hasImmediate = (descriptor.control & Descriptor::IMMEDIATE) != 0;
    packet->source = host.Id();
    packet->destination = vi.peerNode;
    packet->sourceVi = vi.id;
    packet->destinationVi = vi.peerVi;
    packet->immediate = descriptor.immediate;
    packet->length = descriptor.length;
    packet->message = item.message;
    packet->origin = &host.Memory();
    packet->bytes.resize(descriptor.length);
    if (rdma)
    {
        packet->remoteAddress = descriptor.Segments()[0].address;
        packet->remoteHandle = descriptor.Segments()[0].handle;
    }
    StartPacket(packet);
}

void
SendEngine::StartPacket(Packet* packet)
{
    // bytes that fill up a word, or a cell, take no time of their own
    m_nic.GetHost().Remember(packet->length, packet->destination);
    m_packet = packet;
    m_piece = 0;
    m_pieceOffset = 0;
    m_bytesRead = 0;
    m_cells = m_port->CellsFor(packet->length);
    m_cellsRead = 0;
    m_leaving.Push({packet, m_token.vi, m_item});
    m_state = State::READ;
}

bool
SendEngine::Read()
{
    World& world = m_nic.GetHost().GetWorld();
    while (m_cellsRead < m_cells)
    {
        if (!RoomInBuffer())
        {
            return false; // OnDeparture calls again
        }
        const std::uint32_t perBurst = m_costs->dmaBurst / m_costs->cellPayload;
        const std::uint32_t cells = std::min(perBurst, m_cells - m_cellsRead);
        const std::uint32_t room =
            cells * m_costs->cellPayload - (m_cellsRead == 0 ? m_costs->messageHeader : 0);
        ReadPieces(std::min(room, m_packet->length - m_bytesRead));
        m_cellsRead += cells;
        HandOver(m_at, cells);
        if (m_cellsRead < m_cells && m_burst == nullptr && !PauseUntil(m_at.at))
        {
            return false;
        }
    }
    m_packet = nullptr;
    m_state = State::IDLE;
    return !world.reference || PauseUntil(m_at.at);
}

bool
SendEngine::RoomInBuffer()
{
    while (m_buffer.Size() >= m_costs->transmitBursts)
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

void
SendEngine::ReadPieces(std::uint32_t bytes)
{
    Host& host = m_nic.GetHost();
    while (bytes > 0)
    {
        const Piece& piece = m_pieces[m_piece];
        const std::uint32_t n = std::min(bytes, piece.length - m_pieceOffset);
        m_at = host.DmaRead(m_at, Stage::PAYLOAD_READ, n);
        if (piece.address != nullptr)
        {
            host.Memory().ReadAt(m_at.at - host.DataSpan(n),
                                 m_packet->bytes.data() + m_bytesRead,
                                 piece.address + m_pieceOffset,
                                 n);
        }
        bytes -= n;
        m_bytesRead += n;
        m_pieceOffset += n;
        if (m_pieceOffset == piece.length)
        {
            ++m_piece;
            m_pieceOffset = 0;
        }
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
    const std::uint32_t perBurst = world.reference ? 1 : cells;
    for (std::uint32_t done = 0; done < cells; done += perBurst)
    {
        if (m_burst == nullptr)
        {
            m_burst = world.packets.NewBurst();
            m_burst->packet = m_packet;
            m_burst->firstCell = m_cellsRead - cells + done;
            m_burst->cookie = buffered;
        }
        Burst::Group& group = m_burst->groups[m_burst->groupCount++];
        group.cells = perBurst;
        group.ready = ready;
        m_burst->ends = m_cellsRead == m_cells && done + perBurst == cells;
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
    ++m_waiting;
    m_port->Transmit(burst, this);
    m_nic.GetHost().SetWaitsForCredits(m_waiting > 0);
}

void
SendEngine::OnDeparture(const Burst& burst)
{
    --m_waiting;
    m_nic.GetHost().SetWaitsForCredits(m_waiting > 0);
    const Ps flight = burst.groups[burst.groupCount - 1].last.at - burst.departed;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        Buffered* buffered = m_buffer.Find(burst.cookie + i);
        if (buffered != nullptr)
        {
            buffered->cellsLeft -= burst.groups[i].cells;
            buffered->gone = burst.groups[i].last.at - flight;
        }
    }
    if (burst.ends)
    {
        const Leaving leaving = m_leaving.Front();
        m_leaving.Pop();
        if (leaving.item != NO_ITEM)
        {
            m_nic.FinishSend(leaving.vi, leaving.item, *leaving.packet, {burst.departed, 0});
        }
    }
    if (m_state == State::READ && !m_running && !m_planned && m_buffer.Front().cellsLeft == 0 &&
        PauseUntil(m_buffer.Front().gone))
    {
        Advance(); // it had waited for room
    }
}

} // namespace via
} // namespace ns3
