/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: writes cells to host memory and returns their credits to the wire.

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
ReceiveEngine::Place()
{
    if (m_group == m_burst->groupCount)
    {
        EndBurst();
        return;
    }
    const Burst::Group& group = m_burst->groups[m_group];
    const std::uint32_t from = std::max(m_cellsDone, m_taken.from);
    const std::uint32_t to = std::min(m_cellsDone + group.cells, m_taken.to);
    const std::uint32_t taken = to > from ? to - from : 0;
    // a piece cut off by a loss is written, too: its rest may come only when there is room
    const bool isCut = to < m_cellsDone + group.cells;
    VirtualInterface* vi = taken > 0 || (isCut && m_channel != nullptr) ? Arriving() : nullptr;
    if (vi == nullptr)
    {
        if (taken > 0 && m_burst->packet->kind == PacketKind::DATAGRAM)
        {
            if (!PlaceDatagram(group, taken))
            {
                return;
            }
        }
        else if (taken > 0 && !IsMessage(m_burst->packet->kind))
        {
            m_at = Later(m_at, group.last); // control packets are handled as a whole
        }
        GiveRoomBack(group.cells, std::max(m_at.at, group.last.at));
    }
    else
    {
        const std::uint32_t seen = taken > 0 ? m_burst->firstCell + to : vi->arrival->cellsSeen;
        const std::uint32_t placed = vi->arrival->cellsPlaced;
        if (seen == placed || !(isCut || CompletesPiece(*m_burst->packet, placed, seen) ||
                                FillsBuffer(seen - vi->arrival->cellsSeen)))
        {
            m_held += seen - vi->arrival->cellsSeen;
            See(*vi->arrival, *m_burst, seen - vi->arrival->cellsSeen);
        }
        else if (!PlaceGroup(*vi, seen))
        {
            return; // called again to write more of them
        }
        GiveRoomBack(group.cells - taken, std::max(m_at.at, group.last.at));
    }
    m_cellsDone += group.cells;
    ++m_group;
    if (m_group == m_burst->groupCount && !m_burst->ends && !IsComplete())
    {
        EndBurst(); // nothing else happens when it has been placed
    }
}

bool
ReceiveEngine::PlaceGroup(VirtualInterface& vi, std::uint32_t seen)
{
    const Burst::Group& group = m_burst->groups[m_group];
    // after work for this packet either may be the cause; work for another packet is a wait
    m_at = m_worksOn == m_burst->packet
               ? Later(m_at, group.last)
               : m_nic.GetHost().Wait(group.last, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_worksOn = m_burst->packet;
    return PlaceCells(vi, seen);
}

bool
ReceiveEngine::PlaceCells(VirtualInterface& vi, std::uint32_t seen)
{
    Arrival& arrival = *vi.arrival;
    const std::uint32_t room = seen * m_costs->cellPayload - m_costs->messageHeader;
    if (arrival.status == 0 && !PlaceBytes(vi, std::min(room, m_burst->packet->length)))
    {
        return false;
    }
    arrival.cellsPlaced = seen;
    arrival.pieceFrom = m_costs->Stores() ? arrival.placed : 0;
    m_held -= arrival.cellsSeen - arrival.cellsFreed;
    See(arrival, *m_burst, seen - arrival.cellsSeen);
    // the cells of a group stay in the buffer until all of it has been written
    Free(arrival, m_at.at);
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().Placed(*m_channel, m_at);
    }
    return true;
}

void
ReceiveEngine::See(Arrival& arrival, const Burst& burst, std::uint32_t cells)
{
    arrival.cellsSeen += cells;
    if (burst.roomGiven)
    {
        arrival.cellsGiven += cells;
    }
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
ReceiveEngine::Store(const Burst& burst)
{
    if (burst.roomGiven)
    {
        return;
    }
    std::uint32_t absent = burst.vanished;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        const Burst::Group& group = burst.groups[i];
        const std::uint32_t gone = std::min(absent, group.cells);
        const std::uint32_t cells = group.cells - gone;
        absent -= gone;
        if (cells > 0)
        {
            // one by one, as the cells arrive
            const Ps spacing =
                group.cells > 1 ? (group.last.at - group.first.at) / (group.cells - 1) : 0;
            const Ps first = group.last.at - spacing * (cells - 1);
            m_upstream->ReturnCredits(cells, std::max(first, m_nic.GetHost().Now()), spacing);
        }
    }
}

void
ReceiveEngine::ReturnCredits(std::uint32_t cells, Ps at)
{
    if (m_upstream != nullptr && !m_costs->Stores() && cells > 0)
    {
        m_upstream->ReturnCredits(cells, std::max(at, m_nic.GetHost().Now()), 0);
    }
}

void
ReceiveEngine::GiveRoomBack(std::uint32_t cells, Ps at)
{
    const std::uint32_t absent = std::min(cells, m_vanished);
    m_vanished -= absent;
    if (cells > absent && !m_burst->roomGiven)
    {
        ReturnCredits(cells - absent, at);
    }
}

void
ReceiveEngine::DropArrival(VirtualInterface& vi, Ps at)
{
    m_looked = m_bursts.FrontSerial(); // its other cells return their credits as they arrive
    if (Arrival* arrival = vi.arrival)
    {
        m_held -= arrival->cellsSeen - arrival->cellsFreed;
        Free(*arrival, at);
    }
    m_arrivals.Close(vi);
}

Piece
ReceiveEngine::Target(VirtualInterface& vi, std::uint32_t bytes)
{
    const Packet& packet = *m_burst->packet;
    const Arrival& arrival = *vi.arrival;
    if (packet.kind == PacketKind::RDMA_WRITE)
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
    Host& host = m_nic.GetHost();
    Packet& packet = *m_burst->packet;
    while (vi.arrival->placed < upTo)
    {
        if (!MayGoOn(m_at.at))
        {
            return false;
        }
        const std::uint32_t most = std::min(upTo - vi.arrival->placed, m_parts.data->MostBytes());
        const Piece to = Target(vi, most);
        if (to.address == nullptr) // the rights have changed since the check
        {
            vi.arrival->status = packet.kind == PacketKind::RDMA_WRITE
                                     ? Descriptor::RDMA_PROTECTION_ERROR
                                     : Descriptor::PROTECTION_ERROR;
            return true;
        }
        const std::uint32_t n = std::min(most, to.length);
        const bool first = vi.arrival->placed == vi.arrival->pieceFrom;
        m_at = m_parts.data->Place(m_at, n, first);
        host.Memory().WriteAt(m_at.at, to.address, packet, vi.arrival->placed, n, vi.rank);
        vi.arrival->placed += n;
    }
    return true;
}

} // namespace via
} // namespace ns3
