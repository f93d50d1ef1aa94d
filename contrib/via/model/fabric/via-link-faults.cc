/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What goes wrong on one direction of a wire, and when: what becomes of each cell.

#include "via-link-faults.h"

#include "ns3/via-scramble.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{
__extension__ typedef unsigned __int128 Wide;
constexpr unsigned FRACTION_BITS = 64;
} // namespace

std::uint64_t
CellErrorChance(std::uint64_t bitErrors, std::uint32_t bytes)
{
    // 1 - (1 - p)^bits in fixed point: no float may decide what becomes of a cell
    const Wide one = Wide{1} << FRACTION_BITS;
    Wide base = one - (Wide{bitErrors} << FRACTION_BITS) / LinkLoss::ALL_BITS;
    Wide intact = one;
    for (std::uint64_t bits = std::uint64_t{bytes} * 8; bits > 0; bits /= 2)
    {
        if (bits % 2 == 1)
        {
            intact = base == one ? intact : intact == one ? base : intact * base >> FRACTION_BITS;
        }
        base = base == one ? base : base * base >> FRACTION_BITS;
    }
    return static_cast<std::uint64_t>(std::min(one - intact, one - 1));
}

void
LinkFaults::AddLoss(TimeSpan when, const LinkLoss& loss, FaultToll* toll)
{
    m_losses.push_back({when, loss, toll == nullptr ? &m_own : toll});
}

void
LinkFaults::AddCut(TimeSpan when, bool wipes, FaultToll* toll)
{
    m_cuts.push_back({when, wipes, nullptr, toll});
}

void
LinkFaults::AddPartition(TimeSpan when,
                         std::shared_ptr<const std::vector<std::uint32_t>> sets,
                         FaultToll* toll)
{
    m_cuts.push_back({when, false, std::move(sets), toll});
}

bool
LinkFaults::Severs(const Cut& cut, const CellFlight& cell)
{
    if (cut.sets != nullptr && (*cut.sets)[cell.source] == (*cut.sets)[cell.destination])
    {
        return false;
    }
    const bool isWiped = cut.wipes && cell.ready < cut.when.from && cell.leaves >= cut.when.from;
    return isWiped || cut.when.Meets(cell.leaves, cell.arrives);
}

CellFate
LinkFaults::Draw(const LinkLoss& loss, const CellFlight& cell) const
{
    const std::uint64_t draw = Scramble(m_wire ^ cell.number);
    const std::uint64_t chance = draw % LinkLoss::ALL;
    if (chance < loss.vanish)
    {
        return CellFate::VANISHED;
    }
    const bool damaged =
        chance < loss.vanish + loss.corrupt ||
        (loss.bitErrors > 0 && Scramble(draw) < CellErrorChance(loss.bitErrors, cell.bytes));
    return damaged ? CellFate::CORRUPT : CellFate::ARRIVES;
}

CellFate
LinkFaults::FateOf(const CellFlight& cell)
{
    for (const Cut& cut : m_cuts)
    {
        if (Severs(cut, cell))
        {
            ++m_lost;
            ++cut.toll->lost;
            return CellFate::CUT;
        }
    }
    const auto loss = std::find_if(m_losses.rbegin(), m_losses.rend(), [&cell](const Loss& one) {
        return one.when.Holds(cell.leaves);
    });
    if (loss == m_losses.rend())
    {
        return CellFate::ARRIVES;
    }
    const CellFate fate = Draw(loss->loss, cell);
    if (fate != CellFate::ARRIVES)
    {
        const bool arrives = fate == CellFate::CORRUPT;
        ++(arrives ? m_corrupt : m_lost);
        ++(arrives ? loss->toll->corrupt : loss->toll->lost);
    }
    return fate;
}

Ps
LinkFaults::NextReturn(Ps at) const
{
    Ps next = PS_NEVER;
    for (const Cut& cut : m_cuts)
    {
        if (cut.sets == nullptr && cut.when.until > at)
        {
            next = std::min(next, cut.when.until);
        }
    }
    return next;
}

} // namespace via
} // namespace ns3
