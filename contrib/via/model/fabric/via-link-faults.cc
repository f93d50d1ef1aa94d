/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of one direction of a wire, and the fate of each cell.

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
    // 1 - (1 - p)^bits in fixed point: floating point must not decide a cell's fate
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
LinkFaults::AddLoss(TimeSpan when,
                    const LinkLoss& loss,
                    FaultLosses* losses,
                    std::uint64_t precedence)
{
    m_lossTimes.Add(when.from, when.until);
    m_losses.push_back({loss, losses == nullptr ? &m_own : losses, precedence});
}

void
LinkFaults::AddCut(TimeSpan when, bool wipes, FaultLosses* losses)
{
    AddCut(when.until, {when.from, nullptr, losses});
    if (wipes)
    {
        m_wipeTimes.Add(when.from, when.from + 1);
        m_wipes.push_back(static_cast<std::uint32_t>(m_cuts.size() - 1));
    }
    m_returns.insert(when.until);
}

void
LinkFaults::AddPartition(TimeSpan when,
                         std::shared_ptr<const std::vector<std::uint32_t>> sets,
                         FaultLosses* losses)
{
    AddCut(when.until, {when.from, std::move(sets), losses});
}

void
LinkFaults::AddCut(Ps until, Cut cut)
{
    m_cutTimes.Add(cut.from, until);
    m_cuts.push_back(std::move(cut));
}

const LinkFaults::Cut*
LinkFaults::CutOf(const CellFlight& cell)
{
    std::size_t first = m_cuts.size(); // if several apply, the first of the plan counts the cell
    m_cutTimes.ForEachMeeting(cell.leaves, cell.arrives, [&](std::uint32_t number) {
        const auto* sets = m_cuts[number].sets.get();
        const bool passes = sets != nullptr && (*sets)[cell.source] == (*sets)[cell.destination];
        first = passes ? first : std::min<std::size_t>(first, number);
    });
    // the cell was already in the buffer when the sender lost its contents
    m_wipeTimes.ForEachMeeting(cell.ready + 1, cell.leaves + 1, [&](std::uint32_t number) {
        first = std::min<std::size_t>(first, m_wipes[number]);
    });
    return first == m_cuts.size() ? nullptr : &m_cuts[first];
}

const LinkFaults::Loss*
LinkFaults::LossAt(Ps at)
{
    const Loss* highest = nullptr;
    m_lossTimes.ForEachMeeting(at, at + 1, [&](std::uint32_t number) {
        const Loss* one = &m_losses[number];
        const bool isHigher = highest == nullptr || std::pair(one->precedence, one) >
                                                        std::pair(highest->precedence, highest);
        highest = isHigher ? one : highest;
    });
    return highest;
}

LinkFaults::Drawn
LinkFaults::Draw(const Loss& loss, const CellFlight& cell)
{
    const std::uint64_t draw = Scramble(m_wire ^ cell.number);
    const std::uint64_t chance = draw % LinkLoss::ALL;
    const auto isHit = [&](std::uint64_t bitErrors) {
        return bitErrors > 0 && Scramble(draw) < CellErrorChance(bitErrors, cell.bytes);
    };
    if (chance < loss.loss.vanish)
    {
        return {CellFate::VANISHED, loss.losses};
    }
    if (isHit(m_bitErrors)) // the same cells as without the fault
    {
        return {CellFate::CORRUPT, &m_own};
    }
    const std::uint64_t both = std::min(m_bitErrors + loss.loss.bitErrors, LinkLoss::ALL_BITS);
    const bool isDamaged =
        chance < loss.loss.vanish + loss.loss.corrupt || (loss.loss.bitErrors > 0 && isHit(both));
    return {isDamaged ? CellFate::CORRUPT : CellFate::ARRIVES, loss.losses};
}

CellFate
LinkFaults::FateOf(const CellFlight& cell, Ps limit)
{
    std::uint64_t one = cell.leaves <= limit ? 1 : 0;
    if (const Cut* cut = CutOf(cell))
    {
        one = cut->from <= limit ? one : 0;
        m_lost += one;
        cut->losses->lost += one;
        return CellFate::CUT;
    }
    const Loss* loss = LossAt(cell.leaves);
    if (loss == nullptr && m_bitErrors == 0)
    {
        return CellFate::ARRIVES;
    }
    const Drawn drawn = Draw(loss == nullptr ? Loss{{}, &m_own, 0} : *loss, cell);
    if (drawn.fate != CellFate::ARRIVES)
    {
        const bool arrives = drawn.fate == CellFate::CORRUPT;
        (arrives ? m_corrupt : m_lost) += one;
        (arrives ? drawn.losses->corrupt : drawn.losses->lost) += one;
    }
    return drawn.fate;
}

Ps
LinkFaults::NextReturn(Ps at) const
{
    const auto next = m_returns.upper_bound(at);
    return next == m_returns.end() ? PS_NEVER : *next;
}

} // namespace via
} // namespace ns3
