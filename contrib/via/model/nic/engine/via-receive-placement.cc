/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: writes cells to host memory and returns their credits to the wire.

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

void
ReceiveEngine::Place()
{
    if (m_placed)
    {
        EndCell();
        return;
    }
    const Ps arrived = m_cell->last.at;
    // a piece cut off by a loss is written, too: its rest may come only when there is room
    VirtualInterface* vi = m_taken || m_channel != nullptr ? Arriving() : nullptr;
    if (vi == nullptr)
    {
        if (m_taken && m_traffic != nullptr && !PlaceOther())
        {
            return; // called again to write more of it
        }
        GiveRoomBack(std::max(m_at.at, arrived));
        if (m_traffic == nullptr)
        {
            PassOver();
        }
    }
    else
    {
        const std::uint32_t before = vi->arrival->cellsSeen;
        const std::uint32_t seen = m_taken ? m_cell->index + 1 : before;
        const std::uint32_t placed = vi->arrival->cellsPlaced;
        if (seen == placed || (m_taken && !CompletesPiece(*m_cell->packet, placed, seen) &&
                               !FillsBuffer(seen - before)))
        {
            if (m_taken)
            {
                ++m_held;
                See(*vi->arrival, *m_cell);
            }
        }
        else if (!PlacePiece(*vi, seen))
        {
            return; // called again to write more of it
        }
        if (!m_taken)
        {
            GiveRoomBack(std::max(m_at.at, arrived));
        }
    }
    m_placed = true;
    if (!m_cell->ends)
    {
        EndCell(); // nothing else happens when it has been placed
    }
}

void
ReceiveEngine::PassOver()
{
    const Packet& packet = *m_cell->packet;
    const Moment at = Later(m_at, m_cell->last);
    if (m_taken && m_channel != nullptr)
    {
        m_nic.GetTransport().Placed(*m_channel, at); // the sender needs room for other messages
    }
    if (m_cell->ends && packet.message != 0) // its VI was closed while it arrived
    {
        m_at = at;
        const VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
        DropMessage(vi == nullptr ? 0 : vi->rank);
    }
}

void
ReceiveEngine::Await(const Moment& bit)
{
    // after work for this packet either may be the cause; work for another packet is a wait
    m_at = m_worksOn == m_cell->packet
               ? Later(m_at, bit)
               : m_nic.GetHost().Wait(bit, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_worksOn = m_cell->packet;
}

bool
ReceiveEngine::PlaceOther()
{
    if (!m_traffic->IsDatagram())
    {
        m_at = Later(m_at, m_cell->last); // it is handled as a whole
        return true;
    }
    Await(m_cell->last);
    const std::uint32_t bytes = m_traffic->BytesToPlace(m_nic, *m_cell);
    while (m_cellBytes < bytes)
    {
        if (!MayGoOn(m_at.at))
        {
            return false;
        }
        m_writing = std::min(bytes - m_cellBytes, m_costs->dmaBurst);
        Write(Stage::PAYLOAD_WRITE, m_writing, m_cellBytes == 0);
        if (IsPending())
        {
            return false;
        }
        EndPiece(nullptr);
    }
    m_cellBytes = 0;
    ++m_cell->packet->placed;
    return true;
}

bool
ReceiveEngine::PlacePiece(VirtualInterface& vi, std::uint32_t seen)
{
    Await(m_cell->last);
    return PlaceCells(vi, seen);
}

bool
ReceiveEngine::PlaceCells(VirtualInterface& vi, std::uint32_t seen)
{
    Arrival& arrival = *vi.arrival;
    const std::uint32_t room = seen * m_costs->cellPayload - m_costs->messageHeader;
    if (arrival.status == 0 && !PlaceBytes(vi, std::min(room, m_cell->packet->length)))
    {
        return false;
    }
    arrival.cellsPlaced = seen;
    arrival.pieceFrom = m_costs->Stores() ? arrival.placed : 0;
    m_held -= arrival.cellsSeen - arrival.cellsFreed;
    if (m_taken)
    {
        See(arrival, *m_cell);
    }
    // the cells of a group stay in the buffer until all of it has been written
    Free(arrival, m_at.at);
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().Placed(*m_channel, m_at);
    }
    return true;
}

void
ReceiveEngine::Free(Arrival& arrival, Ps at)
{
    ReturnCredits(arrival.cellsSeen - arrival.cellsFreed - arrival.cellsGiven, at);
    arrival.cellsFreed = arrival.cellsSeen;
    arrival.cellsGiven = 0;
}

bool
ReceiveEngine::FillsBuffer(std::uint32_t more) const
{
    // incomplete pieces of several messages could block each other's remaining cells forever
    const std::uint32_t next =
        m_nic.GetHost().GetWorld().lossy ? m_costs->retransmitUnit : 1; // they arrive together
    return !m_costs->Stores() && m_held + more + next > m_room;
}

void
ReceiveEngine::Store(const Cell& cell)
{
    if (!cell.roomGiven && !cell.vanished)
    {
        m_upstream->ReturnCredits(1, std::max(cell.last.at, m_nic.GetHost().Now()));
    }
}

void
ReceiveEngine::ReturnCredits(std::uint32_t cells, Ps at)
{
    if (m_upstream != nullptr && !m_costs->Stores() && cells > 0)
    {
        m_upstream->ReturnCredits(cells, std::max(at, m_nic.GetHost().Now()));
    }
}

void
ReceiveEngine::GiveRoomBack(Ps at)
{
    if (!m_cell->vanished && !m_cell->roomGiven)
    {
        ReturnCredits(1, at);
    }
}

void
ReceiveEngine::DropArrival(VirtualInterface& vi, Ps at)
{
    m_looked = m_cells.FrontSerial(); // its other cells return their credits as they arrive
    if (vi.arrival != nullptr)
    {
        Arrival arrival = *vi.arrival;
        m_arrivals.Close(vi); // first: a credit may let a cell of it come, which must not wait
        m_held -= arrival.cellsSeen - arrival.cellsFreed;
        Free(arrival, at);
    }
}

Piece
ReceiveEngine::Target(VirtualInterface& vi, std::uint32_t bytes)
{
    const Packet& packet = *m_cell->packet;
    const Arrival& arrival = *vi.arrival;
    if (arrival.isRdmaWrite)
    {
        const bool allowed = m_nic.Checks().AllowsWrite(vi, packet);
        return {allowed ? reinterpret_cast<std::uint8_t*>(packet.remoteAddress) + arrival.placed
                        : nullptr,
                bytes};
    }
    WorkQueue& queue = vi.QueueOf(!arrival.answersItem);
    WorkItem* item = queue.items.Find(arrival.item);
    NS_ABORT_MSG_IF(item == nullptr, "a descriptor in use was harvested");
    return m_nic.Checks().PieceAt(vi, *item, arrival.answersItem ? 1 : 0, arrival.placed);
}

bool
ReceiveEngine::PlaceBytes(VirtualInterface& vi, std::uint32_t upTo)
{
    while (vi.arrival->placed < upTo)
    {
        if (!MayGoOn(m_at.at))
        {
            return false;
        }
        const std::uint32_t most = std::min(upTo - vi.arrival->placed, m_parts.data->MostBytes());
        const Piece to = Target(vi, most);
        if (to.address == nullptr)
        {
            Refuse(*vi.arrival);
            return true;
        }
        m_writing = std::min(most, to.length);
        m_parts.data->Place(*this, m_writing, vi.arrival->placed == vi.arrival->pieceFrom);
        if (IsPending())
        {
            return false;
        }
        Written(vi, {to.address, std::exchange(m_writing, 0)});
    }
    return true;
}

void
ReceiveEngine::Refuse(Arrival& arrival)
{
    // the rights have changed since the check
    arrival.status =
        arrival.isRdmaWrite ? Descriptor::RDMA_PROTECTION_ERROR : Descriptor::PROTECTION_ERROR;
}

void
ReceiveEngine::EndPiece(VirtualInterface* vi)
{
    const std::uint32_t n = std::exchange(m_writing, 0);
    if (m_traffic != nullptr)
    {
        m_cellBytes += n;
        return;
    }
    if (vi == nullptr)
    {
        return; // its connection has ended meanwhile
    }
    const Piece to = Target(*vi, n);
    if (to.address == nullptr || to.length < n) // the program may have changed the descriptor, too
    {
        Refuse(*vi->arrival);
        return;
    }
    Written(*vi, {to.address, n});
}

void
ReceiveEngine::Written(VirtualInterface& vi, const Piece& piece)
{
    m_nic.GetHost().Memory().WriteAt(m_at.at,
                                     piece.address,
                                     *m_cell->packet,
                                     vi.arrival->placed,
                                     piece.length,
                                     vi.rank);
    vi.arrival->placed += piece.length;
}

} // namespace via
} // namespace ns3
