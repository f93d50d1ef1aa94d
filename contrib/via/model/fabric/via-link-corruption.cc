/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: effects of its faults on the cells of a burst.

#include "ns3/via-link-lanes.h"
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
    if (m_faults == nullptr)
    {
        const std::uint64_t wire = static_cast<std::uint64_t>(m_owner.Id()) << 32 | m_which;
        m_faults = std::make_unique<LinkFaults>(Scramble(Scramble(m_owner.GetWorld().seed) ^ wire));
    }
    return *m_faults;
}

void
Link::SetLoss(const LinkLoss& loss)
{
    if (m_faults != nullptr || loss.corrupt + loss.vanish > 0) // otherwise no cell is checked
    {
        Faults().AddLoss({m_owner.Now(), PS_NEVER}, loss, nullptr);
    }
}

void
Link::Corrupt(Burst& burst, std::uint64_t number, Ps handed)
{
    if (burst.lost == 0)
    {
        burst.absent = 0;
    }
    CellCounts counts;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        CorruptGroup(burst, number, i, i == 0 ? handed : burst.groups[i].ready.at, counts);
    }
    burst.vanished = counts.vanished + counts.cut;
    const Ps gone = burst.departed + m_flight;
    if (counts.vanished > 0)
    {
        PlanResync(counts.vanished, burst.lane, gone);
    }
    if (counts.cut > 0) // unused until the wire is back, when all credits must be available
    {
        const Ps at = std::max(gone, m_owner.Now());
        m_owner.Schedule(at, RESYNC_PORT, this, burst.lane, counts.cut);
    }
}

void
Link::CorruptGroup(Burst& burst,
                   std::uint64_t number,
                   std::uint32_t index,
                   Ps ready,
                   CellCounts& counts)
{
    const Burst::Group& group = burst.groups[index];
    const Leaving leaving = WhenLeaves(burst, index);
    CellFlight cell;
    cell.source = burst.packet->source;
    cell.destination = burst.packet->destination;
    cell.ready = ready;
    const std::uint64_t full = std::uint64_t{group.cells} * m_costs->cellBytes;
    const auto missing = static_cast<std::uint32_t>(full - Length(burst, index).count);
    for (std::uint32_t i = 0; i < group.cells; ++i, ++counts.seen)
    {
        const std::uint64_t bit = std::uint64_t{1} << counts.seen;
        if ((burst.lost & burst.absent & bit) != 0)
        {
            continue; // an empty slot
        }
        const bool isLast = i + 1 == group.cells;
        const Ps left = isLast ? leaving.last : leaving.first + i * m_cellTime;
        cell.number = number + counts.seen;
        cell.bytes = m_costs->cellBytes - (isLast ? missing : 0);
        cell.leaves = left - m_clock.Span(Cycles(cell.bytes));
        cell.arrives = left + m_flight;
        const CellFate fate =
            m_faults->FateOf(cell, cell.leaves <= m_owner.GetWorld().agenda.Limit());
        if (fate != CellFate::ARRIVES)
        {
            burst.lost |= bit;
            burst.absent |= fate == CellFate::CORRUPT ? 0 : bit;
            counts.vanished += fate == CellFate::VANISHED ? 1 : 0;
            counts.cut += fate == CellFate::CUT ? 1 : 0;
            m_owner.MixIntoDigest(cell.leaves, cell.number, static_cast<std::uint64_t>(fate));
        }
    }
}

void
Link::PlanResync(std::uint32_t cells, std::uint32_t lane, Ps after)
{
    const Ps next = (after / m_costs->resync + 1) * m_costs->resync;
    const Ps at = std::min(next, m_faults->NextReturn(after));
    m_owner.Schedule(at, RESYNC_PORT, this, lane, cells);
}

void
Link::OnAgenda(std::uint32_t lane, std::uint64_t data)
{
    if (lane == SERVE)
    {
        m_serveAt = m_serveAt <= m_owner.Now() ? PS_NEVER : m_serveAt;
        Serve();
        return;
    }
    const auto cells = static_cast<std::uint32_t>(data);
    if (m_lanes != nullptr)
    {
        m_lanes->Resynchronize(lane, cells);
        return;
    }
    ReturnCredits(cells, m_owner.Now(), 0);
}

} // namespace via
} // namespace ns3
