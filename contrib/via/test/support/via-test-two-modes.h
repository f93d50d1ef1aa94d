/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs a workload as usual and in reference mode, and compares the two.

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
    WorkloadRun fast; ///< steps are done as early as they are certain
    WorkloadRun reference;

    /// Whether both did the same work at the same instants, delivered the same bytes, ended at the
    /// same time, and used the same CPU time.
    bool AreEqual() const;

    /// True if the same messages of the same sizes ended in both, those of each VI in order.
    bool SameMessagesInTheSameOrder() const;
};

/// Runs @p workload in both modes.
TwoModes RunBothModes(ClusterConfig config,
                      const std::string& workload,
                      const Parameters& parameters);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_TWO_MODES_H
