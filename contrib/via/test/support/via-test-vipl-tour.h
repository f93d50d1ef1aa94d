/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A tour of VIPL: a client and a server that make every call of the working core at least once.

#ifndef VIA_TEST_VIPL_TOUR_H
#define VIA_TEST_VIPL_TOUR_H

#include "via-test-cluster-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

/// Runs the tour on two nodes. A call with an unexpected result ends its process with code 134.
WorkloadRun RunTour(const ClusterConfig& config);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_VIPL_TOUR_H
