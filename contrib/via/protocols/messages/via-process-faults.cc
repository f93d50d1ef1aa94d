/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of a protocol's processes: crashes, delays, network partitions.

#include "via-process-faults.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint64_t MOST_US = 1'000'000'000; // 1000 s

/// The parts of @p text, separated by @p separator.
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

[[noreturn]] void
Refuse(const std::string& fault)
{
    throw ConfigError("process-faults",
                      fault,
                      "crash:RANK:MESSAGE, slow:RANK:FIRST:COUNT:MICROSECONDS or "
                      "partition:BORDER:FROM_US:TO_US");
}

/// The numbers after the name of a fault.
std::vector<std::uint64_t>
NumbersOf(const std::string& fault, const std::vector<std::string>& parts)
{
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 1; i < parts.size(); ++i)
    {
        const std::string& part = parts[i];
        if (part.empty() || part.size() > 12 ||
            part.find_first_not_of("0123456789") != std::string::npos)
        {
            Refuse(fault);
        }
        numbers.push_back(std::stoull(part));
    }
    return numbers;
}

} // namespace

ProcessFaults
ProcessFaults::Parse(const std::string& text, std::uint32_t processes)
{
    ProcessFaults faults;
    for (const std::string& fault : Split(text, ','))
    {
        const std::vector<std::string> parts = Split(fault, ':');
        const std::vector<std::uint64_t> numbers = NumbersOf(fault, parts);
        const bool known = !numbers.empty() && numbers[0] < processes;
        const auto rank = known ? static_cast<Rank>(numbers[0]) : 0;
        if (known && parts[0] == "crash" && numbers.size() == 2)
        {
            faults.crashes.push_back({rank, numbers[1]});
        }
        else if (known && parts[0] == "slow" && numbers.size() == 4 && numbers[3] <= MOST_US)
        {
            const Ps delay = static_cast<Ps>(numbers[3]) * PS_PER_US;
            faults.delays.push_back({rank, numbers[1], numbers[2], delay});
        }
        else if (known && parts[0] == "partition" && numbers.size() == 3 && rank > 0 &&
                 numbers[1] < numbers[2] && numbers[2] <= MOST_US)
        {
            faults.partitions.push_back({rank,
                                         static_cast<Ps>(numbers[1]) * PS_PER_US,
                                         static_cast<Ps>(numbers[2]) * PS_PER_US});
        }
        else
        {
            Refuse(fault);
        }
    }
    return faults;
}

bool
ProcessFaults::Crashes(Rank rank, std::uint64_t message) const
{
    return std::any_of(crashes.begin(), crashes.end(), [=](const ProcessCrash& one) {
        return one.rank == rank && message >= one.message;
    });
}

Ps
ProcessFaults::DelayOf(Rank rank, std::uint64_t message) const
{
    Ps delay = 0;
    for (const ProcessDelay& one : delays)
    {
        if (one.rank == rank && message >= one.first && message - one.first < one.count)
        {
            delay += one.delay;
        }
    }
    return delay;
}

bool
ProcessFaults::Separates(Rank a, Rank b, Ps at) const
{
    return std::any_of(partitions.begin(), partitions.end(), [=](const ProcessPartition& one) {
        return (a < one.border) != (b < one.border) && one.from <= at && at < one.to;
    });
}

} // namespace via
} // namespace ns3
