/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Assigns hosts and switches to the partitions of a parallel run.

#ifndef VIA_PARTITION_PLAN_H
#define VIA_PARTITION_PLAN_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// The partition that simulates each host and switch.
struct PartitionPlan
{
    std::uint32_t partitions{1};         ///< number of partitions
    std::uint32_t self{0};               ///< this one
    std::vector<std::uint32_t> hosts;    ///< partition by host
    std::vector<std::uint32_t> switches; ///< partition by switch

    /// The partition of the host or switch at @p end.
    std::uint32_t PartitionOf(const Endpoint& end) const
    {
        return end.isSwitch ? switches[end.index] : hosts[end.index];
    }

    /// Does this partition simulate the host or switch at @p end?
    bool IsOurs(const Endpoint& end) const
    {
        return PartitionOf(end) == self;
    }

    /// Number of cables between different partitions.
    std::uint32_t CountCuts(const Topology& topology) const;
};

/// Largest number of partitions of a run.
constexpr std::uint32_t MOST_PARTITIONS = 64;

/**
 * @brief Divides @p topology by switch.
 *
 * Switches with hosts are assigned in order, so that partitions have about equal numbers of hosts.
 * Hosts go with their switch; a switch without hosts goes with most of its neighbours. With fewer
 * such switches than partitions (a star has one) hosts are assigned by number.
 *
 * @param partitions 1 to the number of hosts, at most MOST_PARTITIONS
 * @throws ConfigError otherwise
 */
PartitionPlan DivideBySwitch(const Topology& topology, std::uint32_t partitions);

/**
 * @brief Assigns switches to partitions as the user chose.
 * @param switches for each switch a partition below @p partitions; each partition occurs at least
 * once. Hosts go with their switch.
 * @throws ConfigError otherwise
 */
PartitionPlan DivideAsTold(const Topology& topology,
                           std::uint32_t partitions,
                           const std::vector<std::uint32_t>& switches);

/// How far a switch is from what other partitions simulate, in cables between switches;
/// UNREACHED: there is no way.
struct OutsideDistance
{
    static constexpr std::uint32_t UNREACHED = UINT32_MAX;

    std::uint32_t hosts{UNREACHED};    ///< from the switch of the nearest host
    std::uint32_t switches{UNREACHED}; ///< from the nearest switch
};

/// For each switch.
std::vector<OutsideDistance> DistancesFromOutside(const PartitionPlan& plan,
                                                  const Topology& topology);

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_PLAN_H
