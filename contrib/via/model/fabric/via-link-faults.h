/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What goes wrong on one direction of a wire, and when: what becomes of each cell.

#ifndef VIA_LINK_FAULTS_H
#define VIA_LINK_FAULTS_H

#include "ns3/via-packet.h"
#include "ns3/via-span-index.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{
namespace via
{

/// From one instant up to, not including, another.
struct TimeSpan
{
    Ps from{0};
    Ps until{PS_NEVER};

    bool Holds(Ps at) const
    {
        return from <= at && at < until;
    }

    /// True if any instant of [@p begin, @p end) is in the span.
    bool Meets(Ps begin, Ps end) const
    {
        return begin < until && from < end;
    }
};

/// How many of its cells a wire spoils. The first two together are at most ALL.
struct LinkLoss
{
    static constexpr std::uint64_t ALL = 1'000'000'000;
    static constexpr std::uint64_t ALL_BITS = 1'000'000'000'000'000;

    std::uint64_t corrupt{0};   ///< of 10^9 cells: arrive, and are found to be damaged
    std::uint64_t vanish{0};    ///< of 10^9: do not arrive; their credits come with the next resync
    std::uint64_t bitErrors{0}; ///< of 10^15 bits: are wrong, and damage the cell they are in

    bool IsNone() const
    {
        return corrupt + vanish + bitErrors == 0;
    }
};

/// What one fault did to cells, on all wires.
struct FaultToll
{
    std::uint64_t corrupt{0}; ///< arrived damaged
    std::uint64_t lost{0};    ///< did not arrive
};

/// What becomes of a cell on a wire.
enum class CellFate
{
    ARRIVES,
    CORRUPT,
    VANISHED, ///< on the wire; its credit comes home with a resync
    CUT,      ///< there is no wire: its credit is whole again at once
};

/// What decides a cell's fate.
struct CellFlight
{
    std::uint64_t number{0}; ///< on this wire
    std::uint32_t bytes{0};
    NodeId source{0};
    NodeId destination{0};
    Ps ready{0};   ///< it was in the sender's buffer
    Ps leaves{0};  ///< its first bit leaves
    Ps arrives{0}; ///< its last bit arrives
};

/**
 * @brief The faults of one direction of a wire. All are known before time starts.
 *
 * So whoever plans a cell ahead of time also knows its fate, and nothing has to be taken back.
 * The fate of a cell depends on the seed, the wire, the number of the cell and on when it flies.
 */
class LinkFaults
{
  public:
    /// @param wire hash of seed and wire
    explicit LinkFaults(std::uint64_t wire)
        : m_wire(wire)
    {
    }

    /// In @p when the wire spoils so many cells. What is added later comes first.
    /// @param toll where they are counted; null: in OwnToll()
    void AddLoss(TimeSpan when, const LinkLoss& loss, FaultToll* toll);

    /**
     * @brief In @p when there is no wire: what is on it vanishes, and what wants to leave, too.
     * @param wipes what was in the sender's buffer when it began is gone as well
     */
    void AddCut(TimeSpan when, bool wipes, FaultToll* toll);

    /**
     * @brief In @p when no cell passes between hosts of different sets.
     * @param sets number of the set by host
     */
    void AddPartition(TimeSpan when,
                      std::shared_ptr<const std::vector<std::uint32_t>> sets,
                      FaultToll* toll);

    /// What losses took that are no part of a plan.
    const FaultToll& OwnToll() const
    {
        return m_own;
    }

    /// What becomes of @p cell, which is counted.
    CellFate FateOf(const CellFlight& cell);

    /// The first end of a cut after @p at: both ends count their credits afresh. Or PS_NEVER.
    Ps NextReturn(Ps at) const;

    std::uint64_t CellsCorrupt() const
    {
        return m_corrupt;
    }

    /// Cells that did not arrive, for whatever reason.
    std::uint64_t CellsLost() const
    {
        return m_lost;
    }

  private:
    struct Loss
    {
        LinkLoss loss;
        FaultToll* toll;
    };

    struct Cut
    {
        std::shared_ptr<const std::vector<std::uint32_t>> sets; ///< null: all cells
        FaultToll* toll;
    };

    void AddCut(TimeSpan when, Cut cut);
    const Cut* CutOf(const CellFlight& cell);
    const Loss* LossAt(Ps at);
    CellFate Draw(const LinkLoss& loss, const CellFlight& cell) const;

    FaultToll m_own;
    std::uint64_t m_wire;
    std::vector<Loss> m_losses;
    SpanIndex m_lossTimes; ///< of m_losses, by their places
    std::vector<Cut> m_cuts;
    SpanIndex m_cutTimes;               ///< of m_cuts
    std::vector<std::uint32_t> m_wipes; ///< those of m_cuts that wipe the sender's buffer
    SpanIndex m_wipeTimes;              ///< of m_wipes
    std::set<Ps> m_returns;             ///< ends of cuts that hold for all cells
    std::uint64_t m_corrupt{0};
    std::uint64_t m_lost{0};
};

/**
 * @brief The chance that a cell is damaged, in units of 2^-64.
 * @param bitErrors of 10^15 bits
 */
std::uint64_t CellErrorChance(std::uint64_t bitErrors, std::uint32_t bytes);

} // namespace via
} // namespace ns3

#endif // VIA_LINK_FAULTS_H
