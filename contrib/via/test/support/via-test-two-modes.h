/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs a workload in fast mode and in reference mode, and compares the two.

#ifndef VIA_TEST_TWO_MODES_H
#define VIA_TEST_TWO_MODES_H

#include "via-test-cluster-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

/// The results of one workload in both modes.
struct TwoModes
{
    WorkloadRun fast;
    WorkloadRun reference;
    ProviderProfile profile; ///< with the changes for these runs

    /// Differences of the recorded messages' lives in ps, sorted.
    std::vector<Ps> Differences() const;

    /// True if the same messages of the same sizes ended in both, those of each VI in order.
    bool SameMessagesInTheSameOrder() const;

    /// Time of a whole cell on the wire, in ps.
    Ps CellTime() const;

    /// Time of the longest burst on the wire, in ps: what the fast mode hands over at once.
    Ps BurstTime() const;
};

/// Runs @p workload in both modes.
TwoModes RunBothModes(ClusterConfig config,
                      const std::string& workload,
                      const Parameters& parameters);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_TWO_MODES_H
