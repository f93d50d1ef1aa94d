/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs protocols for tests.

#ifndef VIA_TEST_PROTOCOL_BENCH_H
#define VIA_TEST_PROTOCOL_BENCH_H

#include "via-test-cluster-bench.h"

#include "ns3/via-protocol-workload.h"

namespace ns3
{
namespace via
{
namespace test
{

/// The results of a run of a protocol.
struct ProtocolRun
{
    RunReport report;
    History history{0};
    std::vector<Ps> samples;
    std::vector<std::string> violations;
    std::uint64_t messages{0}; ///< sent by the processes, without credits
    FaultHits hits;
    bool finished{false};
};

/// The product for tests of a protocol: one that supports it.
std::string CardFor(const std::string& name);

/// The transports that a protocol can use; "" if it has its own.
std::vector<std::string> TransportsOf(const std::string& name);

/// Runs a protocol on a star. @param card empty: CardFor(@p name)
ProtocolRun RunProtocol(const std::string& name,
                        std::uint32_t nodes,
                        const Parameters& parameters = {},
                        std::uint64_t seed = 1,
                        bool reference = false,
                        const std::string& card = "",
                        const FaultPlan& plan = {});

/// The events of one kind and process, or of all processes (ANYONE).
std::vector<HistoryEvent> EventsOf(const History& history, EventKind kind, Rank rank = ANYONE);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_PROTOCOL_BENCH_H
