/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sends the result of each partition to partition 0 as bytes, and combines the results.

#ifndef VIA_PARTITION_RESULT_H
#define VIA_PARTITION_RESULT_H

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

/// A partition's share of a run.
struct PartitionShare
{
    std::uint32_t hosts{0};
    std::uint32_t switches{0};
    std::uint64_t events{0};
    std::uint64_t recordsSent{0}; ///< to other partitions
    std::uint64_t windows{0};     ///< time windows that ns-3 granted
    std::uint64_t builtBytes{0};  ///< memory of its OS process, when the cluster was built
    std::uint64_t peakBytes{0};   ///< largest memory of its OS process
    std::uint64_t cpuMicroseconds{0};
    std::uint64_t builtMicroseconds{0}; ///< of these, spent before time started
};

/// The combined result of all partitions.
struct PartitionsReport
{
    RunReport run;
    std::vector<Ps> samples;             ///< of the workload
    std::vector<HistoryEvent> decisions; ///< in order of time
    std::vector<PrintedText> printed;    ///< by programs, in order of time
    std::vector<PartitionShare> shares;
};

/// CPU time and memory of this OS process so far.
PartitionShare UsageOfPartition();

/**
 * @brief Serializes the result of this partition's part of @p cluster after the run.
 * @param share this partition's share of the run
 * @param isOver nothing is left to do, on any partition
 */
std::vector<std::uint8_t> ResultOfPartition(Cluster& cluster,
                                            const PartitionShare& share,
                                            bool isOver);

/**
 * @brief Combines the results of all partitions. Aborts if nothing is left to do, no links wait for
 * each other in a cycle, and cells or credits are missing.
 * @param cluster of this partition; holds the configuration of the run
 * @param results by partition
 */
PartitionsReport ReportOfPartitions(Cluster& cluster,
                                    const std::vector<std::vector<std::uint8_t>>& results);

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_RESULT_H
