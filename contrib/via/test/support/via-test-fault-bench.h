/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults for tests: one at a time, and two connected programs that observe it.

#ifndef VIA_TEST_FAULT_BENCH_H
#define VIA_TEST_FAULT_BENCH_H

#include "via-test-vipl-bench.h"

#include "ns3/via-fault-driver.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

constexpr std::array<VIP_USHORT, 3> LEVELS = {VIP_SERVICE_UNRELIABLE,
                                              VIP_SERVICE_RELIABLE_DELIVERY,
                                              VIP_SERVICE_RELIABLE_RECEPTION};

/// Start of a fault that leaves time to connect first.
constexpr Ps FAULT_AT = 20 * PS_PER_MS;

/// One fault.
PlannedFault MakeFault(FaultKind kind,
                       const std::string& where,
                       Ps until = PS_NEVER,
                       Ps at = FAULT_AT);

/// A cluster with the tests' profile and these faults.
ClusterConfig Planned(const std::vector<PlannedFault>& faults, bool reference = false);

/// Duration of `nic.retransmit_limit` time-outs, plus one.
Ps SilenceSpan();

/// The running program sleeps until @p when.
void SleepUntil(Ps when);

/// Runs two connected programs: a client on node 0, and a server with eight receives on node 1.
struct FaultyPair
{
    using Part = std::function<void(Party&)>;

    /// @param first, second the programs' bodies after connecting
    FaultyPair(const ClusterConfig& config,
               VIP_USHORT level,
               const Part& first,
               const Part& second);

    Party client;
    Party server;
    RunReport report;
};

/// A part that waits for the end.
void Idle(Party&);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_FAULT_BENCH_H
