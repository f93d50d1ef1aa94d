/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a switch of a product costs and how it is built, read from its profile.

#ifndef VIA_SWITCH_COSTS_H
#define VIA_SWITCH_COSTS_H

#include "ns3/via-arbiter.h"
#include "ns3/via-clock-domain.h"
#include "ns3/via-link.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// Where cells wait in a switch.
enum class Queueing : std::uint8_t
{
    OUTPUT, ///< at their output, first come, first served
    FIFO,   ///< at their input, in one queue: the first one holds up those behind it
    VOQ,    ///< at their input, in a queue for each output
};

/// What a switch of a product costs.
struct SwitchCosts
{
    Frequency clock{1, 1};
    Cycles latency; ///< from what it waits for of a cell to the first bit out, output idle
    Notice notice{Notice::FIRST_BIT}; ///< what it waits for
    Queueing queueing{Queueing::OUTPUT};
    std::uint32_t wormCells{1}; ///< wormhole: an output is kept for so many cells of a message
    Arbitration arbitration{Arbitration::OLDEST_FIRST};
    std::uint32_t iterations{1};
    std::uint32_t feedbackMark{0}; ///< cells that wait for an output: tell the source; 0: never
    std::uint32_t bufferCells{0};  ///< 0: flow control sees to it that there is room

    /// Reads the keys `switch.*` of @p profile.
    static SwitchCosts From(const ProviderProfile& profile);

    /// Is @p burst the end of what an output is kept for?
    bool EndsWorm(const Burst& burst) const
    {
        return burst.ends || burst.resent || (burst.firstCell + burst.CellCount()) % wormCells == 0;
    }

    /// Does it need more than first come, first served at outputs?
    bool NeedsQueues() const
    {
        return queueing != Queueing::OUTPUT || bufferCells > 0;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_SWITCH_COSTS_H
