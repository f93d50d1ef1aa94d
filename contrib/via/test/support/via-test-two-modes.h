/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The same run in fast mode and in reference mode, and how far they are apart.

#ifndef VIA_TEST_TWO_MODES_H
#define VIA_TEST_TWO_MODES_H

#include "via-test-cluster-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

/// What the two modes made of one workload.
struct TwoModes
{
    WorkloadRun fast;
    WorkloadRun reference;
    ProviderProfile profile; ///< with what was changed for these runs

    /// By how many ps the lives of the recorded messages differ, sorted.
    std::vector<Ps> Differences() const;

    /// True if both ended the same messages of the same sizes, those of each VI in their order.
    bool SameMessagesInTheSameOrder() const;

    /// ps that a whole cell takes on the wire.
    Ps CellTime() const;

    /// ps of the longest burst on the wire: what the fast mode hands over in one piece.
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
