/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: effects of its faults on cells.

#include "ns3/via-link-extras.h"
#include "ns3/via-link.h"
#include "ns3/via-scramble.h"

#include <algorithm>

namespace ns3
{
namespace via
{

LinkFaults&
Link::Faults()
{
    std::unique_ptr<LinkFaults>& faults = MakeExtras().faults;
    if (faults == nullptr)
    {
        const std::uint64_t wire = static_cast<std::uint64_t>(m_owner.Id()) << 32 | m_which;
        faults = std::make_unique<LinkFaults>(Scramble(Scramble(m_owner.GetWorld().seed) ^ wire));
    }
    return *faults;
}

std::uint64_t
Link::CellsCorrupt() const
{
    return HasFaults() ? m_extras->faults->CellsCorrupt() : 0;
}

std::uint64_t
Link::CellsLost() const
{
    return HasFaults() ? m_extras->faults->CellsLost() : 0;
}

FaultLosses
Link::OwnToll() const
{
    return HasFaults() ? m_extras->faults->OwnToll() : FaultLosses{};
}

void
Link::SetLoss(const LinkLoss& loss)
{
    if (HasFaults() || !loss.IsNone()) // otherwise no cell is checked
    {
        Faults().AddLoss({m_owner.Now(), PS_NEVER}, loss, nullptr, UINT64_MAX); // above a plan's
    }
}

void
Link::Corrupt(Cell& cell, std::uint64_t number, Ps handed)
{
    if (cell.lost && cell.absent)
    {
        return; // an empty slot
    }
    CellFlight flight;
    flight.source = cell.packet->source;
    flight.destination = cell.packet->destination;
    flight.ready = handed;
    flight.number = number;
    flight.bytes = static_cast<std::uint32_t>(Length(cell).count);
    flight.leaves = LastBit(cell) - m_clock.Span(Cycles(flight.bytes));
    flight.arrives = cell.last.at;
    const CellFate fate = m_extras->faults->FateOf(flight, m_owner.GetWorld().agenda.Limit());
    if (fate == CellFate::ARRIVES)
    {
        return;
    }
    cell.lost = true;
    cell.absent = fate != CellFate::CORRUPT;
    cell.vanished = cell.absent;
    m_owner.MixIntoDigest(flight.leaves, flight.number, static_cast<std::uint64_t>(fate));
    const Ps gone = cell.departed + m_flight;
    if (fate == CellFate::VANISHED)
    {
        PlanResync(cell.lane, gone);
    }
    else if (fate == CellFate::CUT) // unused until the wire is back, when all credits must be there
    {
        m_owner.Schedule(std::max(gone, m_owner.Now()), RESYNC_PORT, this, cell.lane, 0);
    }
}

void
Link::PlanResync(std::uint32_t lane, Ps after)
{
    const Ps next = (after / m_costs->resync + 1) * m_costs->resync;
    const Ps at = std::min(next, m_extras->faults->NextReturn(after));
    m_owner.Schedule(at, RESYNC_PORT, this, lane, 0);
}

void
Link::OnAgenda(std::uint32_t lane, std::uint64_t)
{
    if (lane == SERVE)
    {
        m_serveAt = m_serveAt <= m_owner.Now() ? PS_NEVER : m_serveAt;
        Serve();
        return;
    }
    if (m_extras->lanes != nullptr)
    {
        m_extras->lanes->Resynchronize(lane);
        return;
    }
    ReturnCredits(1, m_owner.Now());
}

} // namespace via
} // namespace ns3
