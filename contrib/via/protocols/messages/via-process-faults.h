/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of a protocol's processes: crashes, delays, network partitions.

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

/// A process stops: it neither takes nor sends messages.
struct ProcessCrash
{
    Rank rank{0};
    std::uint64_t message{0}; ///< number of the first message that it does not take, from 1
};

/// A process is slow.
struct ProcessDelay
{
    Rank rank{0};
    std::uint64_t first{0}; ///< number of the first delayed message, from 1
    std::uint64_t count{0}; ///< number of delayed messages
    Ps delay{0};            ///< before it handles each
};

/// Messages between ranks below `border` and the others are lost.
struct ProcessPartition
{
    Rank border{1}; ///< at least 1
    Ps from{0};
    Ps to{0}; ///< both are times of arrival
};

/**
 * @brief Faults of processes, not of machines: the card keeps running, the program does not answer.
 *
 * As text, separated by commas: "crash:RANK:MESSAGE", "slow:RANK:FIRST:COUNT:MICROSECONDS",
 * "partition:BORDER:FROM_US:TO_US".
 */
struct ProcessFaults
{
    std::vector<ProcessCrash> crashes;
    std::vector<ProcessDelay> delays;
    std::vector<ProcessPartition> partitions;

    /// @throws ConfigError naming the fault that cannot be parsed
    static ProcessFaults Parse(const std::string& text, std::uint32_t processes);

    bool IsEmpty() const
    {
        return crashes.empty() && delays.empty() && partitions.empty();
    }

    /// Does @p rank stop instead of taking its message number @p message?
    bool Crashes(Rank rank, std::uint64_t message) const;

    /// The delay of @p rank with its message number @p message.
    Ps DelayOf(Rank rank, std::uint64_t message) const;

    /// Is a message between @p a and @p b that arrives at @p at lost?
    bool Separates(Rank a, Rank b, Ps at) const;
};

/// Number of messages affected by each kind of fault.
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
