/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What goes wrong with the processes of a protocol: crashes, slowness, partitions.

#ifndef VIA_PROCESS_FAULTS_H
#define VIA_PROCESS_FAULTS_H

#include "ns3/via-history.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A process stops: it takes messages no more, nor does it send any.
struct ProcessCrash
{
    Rank rank{0};
    std::uint64_t message{0}; ///< it does not get to its message with this number, from 1
};

/// A process takes longer.
struct ProcessDelay
{
    Rank rank{0};
    std::uint64_t first{0}; ///< number of the first message that it is slow with, from 1
    std::uint64_t count{0}; ///< messages that it is slow with
    Ps delay{0};            ///< before it does something about each
};

/// Messages between ranks below `border` and the others are lost.
struct ProcessPartition
{
    Rank border{0};
    Ps from{0};
    Ps to{0}; ///< of arrival
};

/**
 * @brief Faults of processes, not of machines: the card goes on, the program does not answer.
 *
 * As text, with commas between: "crash:RANK:MESSAGE", "slow:RANK:FIRST:COUNT:MICROSECONDS",
 * "partition:BORDER:FROM_US:TO_US".
 */
struct ProcessFaults
{
    std::vector<ProcessCrash> crashes;
    std::vector<ProcessDelay> delays;
    std::vector<ProcessPartition> partitions;

    /// @throws ConfigError naming what cannot be read
    static ProcessFaults Parse(const std::string& text, std::uint32_t processes);

    bool IsEmpty() const
    {
        return crashes.empty() && delays.empty() && partitions.empty();
    }

    /// Does @p rank stop instead of taking its message number @p message?
    bool Crashes(Rank rank, std::uint64_t message) const;

    /// How long @p rank takes longer with its message number @p message.
    Ps DelayOf(Rank rank, std::uint64_t message) const;

    /// Is a message between @p a and @p b that arrives at @p at lost?
    bool Separates(Rank a, Rank b, Ps at) const;
};

/// How often faults met a message.
struct FaultHits
{
    std::uint64_t crashed{0}; ///< messages that a crashed process did not take
    std::uint64_t delayed{0};
    std::uint64_t lost{0};

    std::uint64_t All() const
    {
        return crashed + delayed + lost;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_PROCESS_FAULTS_H
