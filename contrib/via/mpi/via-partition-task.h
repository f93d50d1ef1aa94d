/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A task for several partitions, as read from a file.

#ifndef VIA_PARTITION_TASK_H
#define VIA_PARTITION_TASK_H

#include "ns3/via-cluster.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A task: see the page "Several processors" of the documentation for its keys.
struct PartitionTask
{
    ClusterConfig config;
    std::vector<std::uint32_t> partitionOfSwitch; ///< empty: a helper decides
    bool cutsFew{false};                          ///< which helper: DivideByCut
    bool nullMessages{false};                     ///< which of ns-3's engines
    Ps lookahead{0};                              ///< 0: the maximum that the cables allow
    std::uint32_t watchdog{0};                    ///< see RunControl::Watch, in seconds; 0: none
    bool captures{false};                         ///< packets at ports of NICs; needs `tables`
    std::string tables;   ///< folder for what the partitions count and record; empty: none
    std::string workload; ///< empty: runs a program, or Python adds the work
    std::map<std::string, std::string> parameters;
    ProgramSpec program; ///< on all nodes
    std::uint32_t procsPerNode{1};

    /// @throws ConfigError a key or value is wrong
    static PartitionTask Read(const std::string& path);

    /// Adds the work to @p cluster. @throws ConfigError
    void AddTo(Cluster& cluster) const;
};

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_TASK_H
