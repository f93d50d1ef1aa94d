/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The benchmark cases, and the result of a run.

#ifndef VIA_BENCH_CASE_H
#define VIA_BENCH_CASE_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace via
{
namespace bench
{

/// The communication pattern.
enum class Exchange
{
    PING_PONG,  ///< 2 messages per round
    BARRIER,    ///< dissemination: N ceil(log2 N) messages per round
    ALL_TO_ALL, ///< N (N - 1) messages per round
};

/// One exchange at one size; both simulators run it with the same number of messages.
struct Case
{
    const char* name{""};
    Exchange exchange{Exchange::PING_PONG};
    std::uint32_t nodes{2};
    std::uint32_t bytes{8}; ///< size of a message
    std::uint64_t rounds{1};
    const char* profile{"giganet-clan1000"}; ///< of the simulated NICs
    const char* topology{"crossbar"};        ///< one switch with a port per host, like ns-3's hub
    bool record{false};                      ///< keep messages and spans
    bool hosted{false}; ///< on the via side by a VIPL program in C, which polls
};

/// The result of a run, without set-up.
struct Outcome
{
    std::uint64_t messages{0};
    std::uint64_t events{0};
    std::uint64_t allocations{0};              ///< after the warm-up
    std::optional<std::uint64_t> instructions; ///< in user mode; empty: this machine has no counter
    double cpuSeconds{0};
    std::string digest; ///< of the simulated run; empty: none
};

/// Number of messages at the start of a run whose allocations do not count.
constexpr std::uint64_t WARM_UP_MESSAGES = 1000;

/// Steps of a dissemination barrier of @p nodes: ceil(log2 nodes).
std::uint32_t BarrierSteps(std::uint32_t nodes);

/// CPU seconds of this OS process so far.
double CpuSeconds();

/// Runs @p one on simulated VIA NICs.
Outcome RunVia(const Case& one);

/// Runs @p one on ns-3's point-to-point devices around a forwarding hub, under @p scheduler.
Outcome RunNs3(const Case& one, const std::string& scheduler);

/// CPU seconds to build a cluster of 4,096 nodes with a 16-ary 3-tree, including the route check.
double FatTreeSeconds();

/// Bytes of memory of an OS process per idle connected VI.
double IdleViBytes();

} // namespace bench
} // namespace via
} // namespace ns3

#endif // VIA_BENCH_CASE_H
