/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs and structure of a product's switch, read from its profile.

#ifndef VIA_SWITCH_COSTS_H
#define VIA_SWITCH_COSTS_H

#include "ns3/via-arbiter.h"
#include "ns3/via-clock-domain.h"
#include "ns3/via-link.h"
#include "ns3/via-worms.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// Where cells wait in a switch.
enum class Queueing : std::uint8_t
{
    OUTPUT, ///< at their output, first come, first served
    FIFO,   ///< at their input, in one queue: the first one blocks those after it
    VOQ,    ///< at their input, in one queue per output
};

/// Costs of a product's switch.
struct SwitchCosts
{
    Frequency clock{1, 1};
    Cycles latency;                   ///< from `notice` to the first bit out, with an idle output
    Notice notice{Notice::FIRST_BIT}; ///< the part of a cell that it waits for
    Queueing queueing{Queueing::OUTPUT};
    Worms worms{}; ///< for which an output is reserved
    Arbitration arbitration{Arbitration::OLDEST_FIRST};
    std::uint32_t iterations{1};
    std::uint32_t feedbackMark{0}; ///< waiting cells that trigger a congestion notice; 0: none
    std::uint32_t bufferCells{0};  ///< 0: flow control guarantees room

    /// Reads the keys `switch.*` of @p profile.
    static SwitchCosts From(const ProviderProfile& profile);

    /// Whether @p cell ends the reservation of an output.
    bool EndsWorm(const Cell& cell) const
    {
        return cell.ends || cell.resent || worms.EndAt(cell.index + 1, cell.packet->cells);
    }

    /// Whether the switch needs more than first come, first served at outputs.
    bool NeedsQueues() const
    {
        return queueing != Queueing::OUTPUT || bufferCells > 0;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_SWITCH_COSTS_H
