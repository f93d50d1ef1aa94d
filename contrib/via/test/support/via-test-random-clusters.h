/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random clusters: products, hardware, fabrics, protocols, transports and faults that follow from a
// number.

#ifndef VIA_TEST_RANDOM_CLUSTERS_H
#define VIA_TEST_RANDOM_CLUSTERS_H

#include "via-test-cluster-bench.h"

#include <string>

namespace ns3
{
namespace via
{
namespace test
{

/// One experiment.
struct Draw
{
    ClusterConfig config;
    std::string workload;
    Parameters parameters;
    std::string shown; ///< to repeat it
};

/// One message in flight on hardware of any speed.
Draw Quiet(std::uint64_t seed);

/// Several senders on hardware of any speed.
Draw Contended(std::uint64_t seed);

/// Any product and protocol, a third of them with faults.
Draw AnyProduct(std::uint64_t seed);

/// As AnyProduct, with cables that differ.
Draw AnyCables(std::uint64_t seed);

/// Clusters of cLAN in whose switches much waits: at outputs, at inputs, on adaptive routes, and
/// with many congestion notices.
Draw Crowded(std::uint64_t seed);

/// Any product, protocol and transport on rails, lanes, queues and CPUs of any kind that the
/// product has.
Draw AnyOptions(std::uint64_t seed);

/// As AnyProduct, but stopped at an instant at which much is under way.
Draw StoppedAnywhere(std::uint64_t seed);

/// As AnyProduct, with hosts that crash and cards that are reset.
Draw HostsThatFail(std::uint64_t seed);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_RANDOM_CLUSTERS_H
