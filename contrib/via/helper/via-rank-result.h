/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What one rank found, as bytes for rank 0, and what all ranks found together.

#ifndef VIA_RANK_RESULT_H
#define VIA_RANK_RESULT_H

#include "ns3/via-history.h"
#include "ns3/via-printed-texts.h"
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
    std::uint64_t windows{0};     ///< of time that ns-3 has granted
    std::uint64_t builtBytes{0};  ///< of memory of its OS process, when the cluster was built
    std::uint64_t peakBytes{0};   ///< of the same
    std::uint64_t cpuMicroseconds{0};
    std::uint64_t builtMicroseconds{0}; ///< of them, when time started
};

/// The run of all ranks.
struct RanksReport
{
    RunReport run;
    std::vector<Ps> samples;             ///< of the workload
    std::vector<HistoryEvent> decisions; ///< in the order of their times
    std::vector<PrintedText> printed;    ///< by programs, in the order of time
    std::vector<RankShare> shares;
};

/// CPU time and memory of this OS process by now.
RankShare UsageOfRank();

/**
 * @brief What this rank's part of @p cluster, whose run is over, has found.
 * Aborts when cells or credits of its switches and wires are missing.
 * @param share what is known of the rank by its own
 */
std::vector<std::uint8_t> ResultOfRank(Cluster& cluster, const RankShare& share);

/**
 * @brief Puts the results of all ranks together.
 * @param cluster of this rank: what the run was asked to be
 * @param results by rank
 */
RanksReport ReportOfRanks(Cluster& cluster, const std::vector<std::vector<std::uint8_t>>& results);

} // namespace via
} // namespace ns3

#endif // VIA_RANK_RESULT_H
