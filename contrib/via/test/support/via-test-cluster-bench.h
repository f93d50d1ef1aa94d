/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs a workload on a whole cluster for tests, and returns everything observable.

#ifndef VIA_TEST_CLUSTER_BENCH_H
#define VIA_TEST_CLUSTER_BENCH_H

#include "ns3/via-cluster.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

using Parameters = std::map<std::string, std::string>;

/// The results of a run.
struct WorkloadRun
{
    RunReport report;
    std::vector<Ps> samples;
    std::vector<MessageRow> messages;    ///< if it was recorded
    std::vector<BreakdownRow> breakdown; ///< if it was recorded
    std::size_t packetsAlive{0};
    std::uint32_t cellsMissing{0};   ///< over all links: under way or without a returned credit
    std::uint64_t cellsFromHosts{0}; ///< sent into the fabric
    std::uint64_t cellsTold{0};      ///< of these: acknowledgements in packets of their own
    std::uint64_t cellsResent{0};    ///< of these: retransmitted
    std::uint64_t cellsCorrupted{0}; ///< on all wires
    std::uint64_t unacknowledged{0}; ///< cells at the end of the run
    std::uint64_t cellsIntoSwitches{0};
    std::uint64_t cellsOutOfSwitches{0};
};

/// A cluster's configuration in one line.
ClusterConfig Config(const std::string& topology, std::uint32_t nodes, std::uint64_t seed = 1);

/// As Config, with messages and spans recorded.
ClusterConfig Recorded(const std::string& topology, std::uint32_t nodes, std::uint64_t seed = 1);

/// Runs a built-in workload from start to end.
WorkloadRun RunWorkload(const ClusterConfig& config,
                        const std::string& workload,
                        const Parameters& parameters = {});

/// Ends the run of @p cluster and collects its results.
WorkloadRun Finish(Cluster& cluster);

/// The rows of one message.
std::vector<BreakdownRow> RowsOf(const WorkloadRun& run, const std::string& message);

/// True if the rows, in order, cover [@p from, @p to] without gaps or overlaps.
bool Tile(const std::vector<BreakdownRow>& rows, Ps from, Ps to);

/// True if the rows of every message of the run cover its life without gaps or overlaps.
bool EveryMessageIsTiled(const WorkloadRun& run);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_CLUSTER_BENCH_H
