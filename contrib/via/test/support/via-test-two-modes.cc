/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs a workload in fast mode and in reference mode, and compares the two.

#include "via-test-two-modes.h"

#include "ns3/via-link.h"
#include "ns3/via-nic-costs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

/// Identifies a message: sender, VI, number.
using Name = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

Name
NameOf(const MessageRow& row)
{
    return {row.sourceRank, row.vi, row.sequence};
}

std::map<Name, Ps>
Lives(const WorkloadRun& run)
{
    std::map<Name, Ps> lives;
    for (const MessageRow& row : run.messages)
    {
        lives[NameOf(row)] = row.end - row.posted;
    }
    return lives;
}

std::map<Name, std::uint64_t>
Sizes(const WorkloadRun& run)
{
    std::map<Name, std::uint64_t> sizes;
    for (const MessageRow& row : run.messages)
    {
        sizes[NameOf(row)] = row.bytes;
    }
    return sizes;
}

/// True if the messages of each VI ended in the order in which they were sent.
bool
InOrderPerVi(const WorkloadRun& run)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, Ps>> last;
    for (const MessageRow& row : run.messages)
    {
        auto& [next, end] = last[{row.sourceRank, row.vi}];
        if (row.sequence != next || row.end < end)
        {
            return false;
        }
        ++next;
        end = row.end;
    }
    return true;
}

} // namespace

std::vector<Ps>
TwoModes::Differences() const
{
    const auto lives = Lives(fast);
    std::vector<Ps> differences;
    for (const auto& [message, life] : Lives(reference))
    {
        differences.push_back(std::abs(life - lives.at(message)));
    }
    std::sort(differences.begin(), differences.end());
    return differences;
}

bool
TwoModes::SameMessagesInTheSameOrder() const
{
    return Sizes(fast) == Sizes(reference) && InOrderPerVi(fast) && InOrderPerVi(reference) &&
           fast.cellsFromHosts - fast.cellsTold == reference.cellsFromHosts - reference.cellsTold;
}

Ps
TwoModes::CellTime() const
{
    const LinkCosts link = LinkCosts::From(profile);
    return ClockDomain(link.byteClock).Span(Cycles(link.cellBytes));
}

Ps
TwoModes::BurstTime() const
{
    const NicCosts nic = NicCosts::From(profile);
    return CellTime() * nic.wireGroups * std::max(nic.dmaBurst / nic.cellPayload, 1U);
}

TwoModes
RunBothModes(ClusterConfig config, const std::string& workload, const Parameters& parameters)
{
    TwoModes modes{{}, {}, ProviderProfile::Load(config.profile, config.host)};
    for (const auto& [key, value] : config.overrides)
    {
        modes.profile = modes.profile.With(key, value);
    }
    modes.fast = RunWorkload(config, workload, parameters);
    config.reference = true;
    modes.reference = RunWorkload(config, workload, parameters);
    return modes;
}

} // namespace test
} // namespace via
} // namespace ns3
