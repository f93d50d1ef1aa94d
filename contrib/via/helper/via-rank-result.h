/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What one rank found, as bytes for rank 0, and what all ranks found together.

#ifndef VIA_RANK_RESULT_H
#define VIA_RANK_RESULT_H

#include "ns3/via-run-report.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/// A rank's part in a run.
struct RankShare
{
    std::uint32_t hosts{0};
    std::uint32_t switches{0};
    std::uint64_t events{0};
    std::uint64_t recordsSent{0}; ///< to other ranks
    std::uint64_t peakBytes{0};   ///< of memory of its OS process
};

/// The run of all ranks.
struct RanksReport
{
    RunReport run;
    std::vector<Ps> samples; ///< of the workload
    std::vector<RankShare> shares;
};

/**
 * @brief What this rank's part of @p cluster, whose run is over, has found.
 * Aborts when cells or credits of its switches and wires are missing.
 */
std::vector<std::uint8_t> ResultOfRank(Cluster& cluster);

/**
 * @brief Puts the results of all ranks together.
 * @param cluster of this rank: what the run was asked to be
 * @param results by rank
 */
RanksReport ReportOfRanks(Cluster& cluster, const std::vector<std::vector<std::uint8_t>>& results);

} // namespace via
} // namespace ns3

#endif // VIA_RANK_RESULT_H
