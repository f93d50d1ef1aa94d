/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is to be run on several ranks, as it stands in a file.

#ifndef VIA_RANK_TASK_H
#define VIA_RANK_TASK_H

#include "ns3/via-cluster.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A task: see the page "Several ranks" of the documentation for its keys.
struct RankTask
{
    ClusterConfig config;
    std::vector<std::uint32_t> rankOfSwitch; ///< empty: a helper says it
    bool cutsFew{false};                     ///< which helper: DivideByCut
    bool nullMessages{false};                ///< which of ns-3's engines
    Ps lookahead{0};                         ///< 0: what the cables allow
    std::string workload;                    ///< empty: a program
    std::map<std::string, std::string> parameters;
    ProgramSpec program; ///< on all nodes
    std::uint32_t procsPerNode{1};

    /// @throws ConfigError a key or value is wrong
    static RankTask Read(const std::string& path);

    /// Adds what is to run. @throws ConfigError
    void AddTo(Cluster& cluster) const;
};

} // namespace via
} // namespace ns3

#endif // VIA_RANK_TASK_H
