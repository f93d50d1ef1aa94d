/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs on several ranks: which rank simulates which host and switch.

#ifndef VIA_RANK_PLAN_H
#define VIA_RANK_PLAN_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Who simulates what.
struct RankPlan
{
    std::uint32_t ranks{1};              ///< how many there are
    std::uint32_t self{0};               ///< this one
    std::vector<std::uint32_t> hosts;    ///< rank by host
    std::vector<std::uint32_t> switches; ///< rank by switch

    /// The rank of what @p end belongs to.
    std::uint32_t RankOf(const Endpoint& end) const
    {
        return end.isSwitch ? switches[end.index] : hosts[end.index];
    }

    /// Is that this rank?
    bool IsOurs(const Endpoint& end) const
    {
        return RankOf(end) == self;
    }

    /// Number of cables from one rank to another.
    std::uint32_t CountCuts(const Topology& topology) const;
};

/// The most ranks of a run.
constexpr std::uint32_t MOST_RANKS = 64;

/**
 * @brief Divides @p topology by switch.
 *
 * The switches that have hosts are dealt out in their order, so that each rank has about as many
 * hosts as the others; hosts go with their switch, and the other switches with most of their
 * neighbours. With fewer such switches than ranks (a star has one) hosts are dealt out by number.
 *
 * @param ranks 1 to the number of hosts, and MOST_RANKS at the most
 * @throws ConfigError otherwise
 */
RankPlan DivideBySwitch(const Topology& topology, std::uint32_t ranks);

/**
 * @brief As the user says: rank by switch.
 * @param switches a rank below @p ranks for each switch, each rank at least once; hosts go with
 * theirs
 * @throws ConfigError otherwise
 */
RankPlan DivideAsTold(const Topology& topology,
                      std::uint32_t ranks,
                      const std::vector<std::uint32_t>& switches);

} // namespace via
} // namespace ns3

#endif // VIA_RANK_PLAN_H
