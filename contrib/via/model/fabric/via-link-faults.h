/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of one direction of a wire, and the fate of each cell.

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

/// A half-open interval [from, until).
struct TimeSpan
{
    Ps from{0};
    Ps until{PS_NEVER};

    bool Holds(Ps at) const
    {
        return from <= at && at < until;
    }

    /// True if it overlaps [@p begin, @p end).
    bool Meets(Ps begin, Ps end) const
    {
        return begin < until && from < end;
    }
};

/// Shares of cells that a wire damages or loses. The first two together are at most ALL.
struct LinkLoss
{
    static constexpr std::uint64_t ALL = 1'000'000'000;
    static constexpr std::uint64_t ALL_BITS = 1'000'000'000'000'000;

    std::uint64_t corrupt{0};   ///< of 10^9 cells: arrive, but are detected as damaged
    std::uint64_t vanish{0};    ///< of 10^9: do not arrive; a resync returns their credits
    std::uint64_t bitErrors{0}; ///< of 10^15 bits: are wrong, and damage their cell

    bool IsNone() const
    {
        return corrupt + vanish + bitErrors == 0;
    }
};

/// The cells affected by one fault, over all wires.
struct FaultLosses
{
    std::uint64_t corrupt{0}; ///< arrived damaged
    std::uint64_t lost{0};    ///< did not arrive
};

/// The fate of a cell on a wire.
enum class CellFate
{
    ARRIVES,
    CORRUPT,
    VANISHED, ///< lost on the wire; a resync returns its credit
    CUT,      ///< no connection: its credit is available again at once
};

/// The inputs that decide a cell's fate.
struct CellFlight
{
    std::uint64_t number{0}; ///< on this wire
    std::uint32_t bytes{0};
    NodeId source{0};
    NodeId destination{0};
    Ps held{0};    ///< it is in the sender's buffer
    Ps leaves{0};  ///< its first bit leaves
    Ps arrives{0}; ///< its last bit arrives
};

/**
 * @brief The faults of one direction of a wire, all known before the run starts.
 *
 * So a sender that plans a cell ahead of time also knows its fate, and plans are never revised. A
 * cell's fate depends on the seed, the wire, the cell's number and its flight times.
 */
class LinkFaults
{
  public:
    /// @param wire hash of seed and wire
    explicit LinkFaults(std::uint64_t wire)
        : m_wire(wire)
    {
    }

    /// The wire itself has so many wrong bits of 10^15, beside what faults add; OwnToll() counts
    /// their cells.
    void SetBitErrors(std::uint64_t bitErrors)
    {
        m_bitErrors = bitErrors;
    }

    /// During @p when the wire damages or loses this share of cells.
    /// @param losses counter for the affected cells; null: counted in OwnToll()
    /// @param precedence of several losses the highest applies; of equal ones the latest call
    void AddLoss(TimeSpan when,
                 const LinkLoss& loss,
                 FaultLosses* losses,
                 std::uint64_t precedence = 0);

    /**
     * @brief During @p when the wire is cut: cells on it, and cells that would leave, vanish.
     * @param wipes cells that were in the sender's buffer when the cut began are lost as well
     */
    void AddCut(TimeSpan when, bool wipes, FaultLosses* losses);

    /**
     * @brief During @p when no cell passes between hosts of different sets.
     * @param sets set number of each host
     */
    void AddPartition(TimeSpan when,
                      std::shared_ptr<const std::vector<std::uint32_t>> sets,
                      FaultLosses* losses);

    /// The wire leaves a switch: its buffers hold a cell from its arrival, this instant included,
    /// those of a card after it was ready.
    void StartAtSwitch()
    {
        m_startsAtSwitch = true;
    }

    /// Since when the sender's buffer holds @p cell, which has no departure time yet.
    Ps HeldSince(const Cell& cell) const
    {
        return m_startsAtSwitch ? cell.first.at - 1 : cell.ready.at;
    }

    /// Cells affected by losses that are not part of a fault plan.
    const FaultLosses& OwnToll() const
    {
        return m_own;
    }

    /// Decides the fate of @p cell. @param limit the run is stopped then: later losses do not count
    CellFate FateOf(const CellFlight& cell, Ps limit = PS_NEVER);

    /// When the wire first comes up again after @p at, and both ends resynchronize their credits;
    /// or PS_NEVER.
    Ps NextReturn(Ps at);

    std::uint64_t CellsCorrupt() const
    {
        return m_corrupt;
    }

    /// Cells that did not arrive, for any reason.
    std::uint64_t CellsLost() const
    {
        return m_lost;
    }

  private:
    struct Loss
    {
        LinkLoss loss;
        FaultLosses* losses;
        std::uint64_t precedence;
    };

    struct Cut
    {
        Ps from;
        std::shared_ptr<const std::vector<std::uint32_t>> sets; ///< null: all cells
        FaultLosses* losses;
    };

    void AddCut(Ps until, Cut cut);
    const Cut* CutOf(const CellFlight& cell);
    /// Whether no cell passes at @p at.
    bool IsCut(Ps at);
    /// The loss that applies then; null: none.
    const Loss* LossAt(Ps at);

    /// What becomes of a cell, and who causes it.
    struct Drawn
    {
        CellFate fate;
        FaultLosses* losses;
    };

    Drawn Draw(const Loss& loss, const CellFlight& cell);

    FaultLosses m_own;
    std::uint64_t m_wire;
    std::uint64_t m_bitErrors{0}; ///< of the wire itself
    bool m_startsAtSwitch{false};
    std::vector<Loss> m_losses;
    SpanIndex m_lossTimes; ///< of m_losses, by index
    std::vector<Cut> m_cuts;
    SpanIndex m_cutTimes;               ///< of m_cuts
    std::vector<std::uint32_t> m_wipes; ///< the cuts that wipe the sender's buffer
    SpanIndex m_wipeTimes;              ///< of m_wipes
    std::set<Ps> m_returns;             ///< ends of cuts that affect all cells
    std::uint64_t m_corrupt{0};
    std::uint64_t m_lost{0};
};

/**
 * @brief The probability that a cell is damaged, in units of 2^-64.
 * @param bitErrors of 10^15 bits
 */
std::uint64_t CellErrorChance(std::uint64_t bitErrors, std::uint32_t bytes);

} // namespace via
} // namespace ns3

#endif // VIA_LINK_FAULTS_H
