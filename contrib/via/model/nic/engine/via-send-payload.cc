/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The send engine: payload from host memory through the transmit buffer to the wire.

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ns3
{
namespace via
{

void
SendEngine::ReadPayload()
{
    if (m_cellsOut < m_packet->cells)
    {
        if (m_cellsRead == m_cellsOut)
        {
            MakeRoom();
        }
        ReadStore();
        return;
    }
    m_nic.GetHost().GetWorld().packets.Release(m_packet);
    m_packet = nullptr;
    m_state = State::IDLE;
    if (m_item != NO_ITEM)
    {
        m_parts.processor.EndSend(m_at.at, m_costs->mechanisms.sendUpkeep);
    }
}

void
SendEngine::ReadStore()
{
    const std::uint32_t end = StoreEnd();
    while (m_cellsRead < end)
    {
        const std::uint32_t cells = std::min(m_costs->groupCells, end - m_cellsRead);
        if (m_parts.sendRing != nullptr && m_framesTaken == m_cellsRead && !TakeFrame())
        {
            return;
        }
        if (!ReadGroup(BytesBefore(m_cellsRead + cells)))
        {
            return;
        }
        m_cellsRead += cells;
    }
    while (m_cellsOut < end)
    {
        const std::uint32_t cells = std::min(m_costs->groupCells, end - m_cellsOut);
        m_cellsOut += cells;
        HandOver(m_at, cells);
    }
    if (m_costs->Stores())
    {
        m_chained = false;
    }
}

bool
SendEngine::TakeFrame()
{
    SendRing& ring = *m_parts.sendRing;
    if (m_item == NO_ITEM)
    {
        ring.FetchEntry(*this);
    }
    else
    {
        const Ps made = ring.MadeAt(m_packet->sourceVi, m_item, m_framesTaken);
        if (made > std::max(m_at.at, m_frameAt))
        {
            m_frameAt = made;
            return false;
        }
        m_frameAt = 0;
        ring.TakeFrame(*this, m_packet->sourceVi, m_item, m_framesTaken);
    }
    ++m_framesTaken;
    return !IsPending();
}

void
SendEngine::OnFrameMade()
{
    if (m_frameAt == PS_NEVER)
    {
        m_frameAt = 0;
        Advance();
    }
}

std::uint32_t
SendEngine::StoreEnd() const
{
    return std::min(m_cellsOut + m_costs->storeGroups * m_costs->groupCells, m_packet->cells);
}

std::uint32_t
SendEngine::BytesBefore(std::uint32_t cell) const
{
    return std::min(cell * m_costs->cellPayload - m_costs->messageHeader, m_packet->length);
}

Ps
SendEngine::NoticedAt(Ps step) const
{
    if (m_state != State::READ || IsPending() || step == PS_NEVER || IsUrgentNext() ||
        GoesBack() != nullptr)
    {
        return step;
    }
    if (m_cellsOut == m_packet->cells)
    {
        return m_doorbells.IsEmpty() && m_urgent.IsEmpty() ? PS_NEVER : step; // it becomes idle
    }
    const Ps urgent = m_urgent.IsEmpty() ? PS_NEVER : m_urgent.At(0).at.at;
    const std::uint32_t bytes = BytesBefore(StoreEnd()) - m_bytesRead;
    return std::min(step + m_nic.GetHost().LeastDataSpan(bytes), std::max(step, urgent));
}

std::uint32_t
SendEngine::GroupsToCollect() const
{
    const std::uint32_t left = m_packet->cells - m_cellsOut;
    return std::min(m_costs->storeGroups, (left + m_costs->groupCells - 1) / m_costs->groupCells);
}

Ps
SendEngine::RoomAt() const
{
    const std::uint32_t wanted = m_buffer.Size() + GroupsToCollect();
    if (m_frameAt > 0)
    {
        return std::max(m_at.at, m_frameAt);
    }
    if (m_cellsRead > m_cellsOut || m_cellsOut == m_packet->cells ||
        wanted <= m_costs->transmitGroups)
    {
        return m_at.at;
    }
    const Buffered& last = m_buffer.At(wanted - m_costs->transmitGroups - 1);
    return last.cellsLeft > 0 ? PS_NEVER : std::max(m_at.at, last.gone);
}

void
SendEngine::MakeRoom()
{
    while (m_buffer.Size() + GroupsToCollect() > m_costs->transmitGroups)
    {
        m_at =
            m_nic.GetHost().Wait(m_at, Stage::LINK_WAIT, Engine::NIC_SEND, m_buffer.Front().gone);
        m_buffer.Pop();
    }
}

bool
SendEngine::ReadGroup(std::uint32_t upTo)
{
    // reading does not change the end of the turn; what is urgent goes first when it is due
    const Ps urgent = m_urgent.IsEmpty() || IsInWorm() ? PS_NEVER : m_urgent.At(0).at.at;
    const Ps end = std::min(m_turns.End(), urgent - 1);
    while (m_bytesRead < upTo)
    {
        if (m_at.at > end)
        {
            return false;
        }
        ReadPiece(std::min(upTo - m_bytesRead, m_costs->dmaBurst));
        if (IsPending())
        {
            return false;
        }
    }
    return true;
}

void
SendEngine::ReadPiece(std::uint32_t most)
{
    m_reading = std::min(most, m_pieces[m_piece].length - m_pieceOffset);
    Read(Stage::PAYLOAD_READ, m_reading, !m_chained);
    m_chained = true;
    if (!IsPending())
    {
        EndPiece();
    }
}

void
SendEngine::EndPiece()
{
    Host& host = m_nic.GetHost();
    const Piece& piece = m_pieces[m_piece];
    const std::uint32_t n = std::exchange(m_reading, 0);
    if (piece.address != nullptr)
    {
        host.Memory().ReadAt(m_at.at - host.DataSpan(n),
                             *m_packet,
                             m_bytesRead,
                             piece.address + m_pieceOffset,
                             n,
                             m_nic.FindVi(m_packet->sourceVi)->rank);
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
SendEngine::OnDestroyed(ViId vi)
{
    if (m_packet != nullptr && m_packet->sourceVi == vi)
    {
        ReadNow(0);
    }
}

void
SendEngine::OnDeregistered(MemoryHandle handle)
{
    if (m_packet != nullptr)
    {
        ReadNow(handle);
    }
}

void
SendEngine::ReadNow(MemoryHandle handle)
{
    std::uint8_t* to = m_packet->bytes.data() + m_bytesRead;
    std::uint32_t offset = m_pieceOffset;
    for (std::size_t i = m_piece; i < m_pieces.size(); ++i)
    {
        Piece& piece = m_pieces[i];
        const std::uint32_t rest = piece.length - std::exchange(offset, 0);
        if (piece.address != nullptr && (handle == 0 || piece.handle == handle))
        {
            std::memcpy(to, piece.address + (piece.length - rest), rest);
            piece.address = nullptr;
        }
        to += rest;
    }
}

void
SendEngine::HandOver(const Moment& ready, std::uint32_t cells)
{
    World& world = m_nic.GetHost().GetWorld();
    while (!m_buffer.IsEmpty() && m_buffer.Front().cellsLeft == 0 &&
           m_buffer.Front().gone <= m_at.at)
    {
        m_buffer.Pop(); // nothing will wait for it
    }
    m_buffer.Push({cells, 0});
    m_parts.processor.UseMemory(ready.at, std::min(cells * m_costs->cellPayload, m_packet->length));
    m_waiting += cells;
    if (ready.cause != 0)
    {
        m_packet->handed = ready;
    }
    for (std::uint32_t number = m_cellsOut - cells; number < m_cellsOut; ++number)
    {
        Cell* cell = world.packets.NewCell(m_packet, number);
        cell->ready = ready;
        cell->attempt = m_channel == nullptr ? 0 : m_nic.GetTransport().AttemptOf(*m_channel);
        m_port->Transmit(cell, this);
    }
    if (NicListener* listener = m_nic.Listener())
    {
        listener->OnHandedOver(cells, ready.at);
    }
    NoteWaits();
}

void
SendEngine::NoteWaits()
{
    m_nic.GetHost().SetWaitsForCredits(m_waiting + m_unitsOut > 0, m_nic.Card());
}

void
SendEngine::OnDeparture(const Cell& cell)
{
    if (cell.resent)
    {
        if (cell.packet->reliable)
        {
            --m_unitsOut;
            m_unitsGone = cell.departed;
            NoteWaits();
            Advance();
        }
        return;
    }
    --m_waiting;
    NoteWaits();
    bool givesWork = cell.ends; // the send may be complete
    Buffered* buffered = m_buffer.Find(m_departing);
    NS_ABORT_MSG_IF(buffered == nullptr, "a cell leaves the transmit buffer that was not in it");
    buffered->gone = cell.departed;
    if (--buffered->cellsLeft == 0)
    {
        ++m_departing;
        givesWork = true; // the transmit buffer may have room
    }
    if (cell.ends)
    {
        const Leaving leaving = m_leaving.Front();
        m_leaving.Pop();
        if (leaving.item != NO_ITEM)
        {
            m_nic.NoteDeparture({{cell.departed, 0},
                                 leaving.item,
                                 leaving.vi,
                                 cell.packet->kind,
                                 cell.packet->length});
        }
        else
        {
            m_nic.GetTraffic().Of(cell.packet->kind).OnLeft(*cell.packet, cell.departed);
        }
    }
    if (givesWork)
    {
        Advance();
    }
}

} // namespace via
} // namespace ns3
