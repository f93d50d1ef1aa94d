/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Restores order between two NICs where packets may overtake each other, by sequence numbers.

#include "via-pair-order.h"

#include <algorithm>

namespace ns3
{
namespace via
{

PairOrder::PairOrder(Component& owner, AgendaTarget& nic)
    : m_owner(owner),
      m_nic(nic)
{
}

void
PairOrder::Plug(OutPort* out, InPort* in)
{
    m_out = out;
    m_in = in;
}

void
PairOrder::Transmit(Cell* cell, DepartureListener* listener)
{
    if (cell->index == 0 && !cell->resent)
    {
        cell->packet->order = ++m_sent[cell->packet->destination];
    }
    m_out->Transmit(cell, listener);
}

std::uint32_t
PairOrder::CellsFor(std::uint32_t bytes) const
{
    return m_out->CellsFor(bytes);
}

void
PairOrder::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    Cell& cell = *reinterpret_cast<Cell*>(data);
    if (cell.packet->order == 0 || cell.resent)
    {
        m_nic.OnAgenda(kind, data);
        return;
    }
    Source& from = m_sources[cell.packet->source];
    if (cell.packet->order > from.expected)
    {
        Hold(from, cell);
        return;
    }
    Pass(from, cell, kind);
    Release(from, kind);
}

void
PairOrder::Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data)
{
    m_nic.Prefetch(hint, kind, data);
}

void
PairOrder::Hold(Source& from, Cell& cell)
{
    const auto later = [](const Cell* one, const Cell* other) {
        return one->packet->order < other->packet->order;
    };
    from.held.insert(std::upper_bound(from.held.begin(), from.held.end(), &cell, later), &cell);
    m_packetsHeld += cell.index == 0 ? 1 : 0;
    GiveRoomBack(cell);
}

void
PairOrder::GiveRoomBack(Cell& cell)
{
    cell.roomGiven = true;
    if (!cell.vanished)
    {
        m_in->ReturnCredits(1, std::max(cell.last.at, m_owner.Now()));
    }
}

void
PairOrder::Release(Source& from, std::uint32_t kind)
{
    while (!from.held.empty() && from.held.front()->packet->order == from.expected)
    {
        Cell& cell = *from.held.front();
        from.held.pop_front();
        const Ps now = m_owner.Now();
        cell.last = m_owner.Wait(cell.last, Stage::RESEQUENCE, Engine::LINK, now);
        cell.first = cell.last; // a card waits for whole cells
        Pass(from, cell, kind);
    }
}

void
PairOrder::Pass(Source& from, Cell& cell, std::uint32_t kind)
{
    from.expected += cell.ends ? 1 : 0; // before the NIC may free the cell
    m_nic.OnAgenda(kind, reinterpret_cast<std::uint64_t>(&cell));
}

std::size_t
PairOrder::CellsWaiting() const
{
    std::size_t count = 0;
    for (const auto& source : m_sources)
    {
        count += source.second.held.size();
    }
    return count;
}

} // namespace via
} // namespace ns3
