/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the partitions of a run recorded and counted: as bytes, and joined as if one had done all.

#ifndef VIA_PARTITION_RECORDS_H
#define VIA_PARTITION_RECORDS_H

#include "ns3/via-run-counters.h"
#include "ns3/via-run-log.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/// What this partition of @p cluster has recorded: its messages that ended, and its spans.
std::vector<std::uint8_t> RecordsOfPartition(Cluster& cluster);

/**
 * @brief Joins what all partitions have recorded.
 *
 * Messages are in the order of their ends and, at the same instant, of their senders; spans are
 * those of the first partition, then those of the next.
 * @param shares what RecordsOfPartition() has returned, by partition
 */
RunLog JoinRecords(const std::vector<std::vector<std::uint8_t>>& shares);

/// What this partition of @p cluster has counted.
std::vector<std::uint8_t> CountersOfPartition(Cluster& cluster);

/// @param shares what CountersOfPartition() has returned, by partition
RunCounters JoinCounters(const std::vector<std::vector<std::uint8_t>>& shares);

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_RECORDS_H
