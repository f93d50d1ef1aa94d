/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is measured: the cases, and what one run of one of them yields.

#ifndef VIA_BENCH_CASE_H
#define VIA_BENCH_CASE_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{
namespace bench
{

/// Who sends to whom.
enum class Exchange
{
    PING_PONG,  ///< 2 messages per round
    BARRIER,    ///< dissemination: N ceil(log2 N) messages per round
    ALL_TO_ALL, ///< N (N - 1) messages per round
};

/// One exchange at one size; both sides run it with the same number of messages.
struct Case
{
    const char* name;
    Exchange exchange;
    std::uint32_t nodes;
    std::uint32_t bytes; ///< of a message
    std::uint64_t rounds;
};

/// What one run of a case took. Set-up is not in it.
struct Outcome
{
    std::uint64_t messages{0};
    std::uint64_t events{0};
    std::uint64_t allocations{0}; ///< after the warm-up
    double cpuSeconds{0};
    std::string digest; ///< of the simulated run; empty if it has none
};

/// Messages at the beginning of a run whose allocations do not count.
constexpr std::uint64_t WARM_UP_MESSAGES = 1000;

/// Steps of a dissemination barrier of @p nodes: ceil(log2 nodes).
std::uint32_t BarrierSteps(std::uint32_t nodes);

/// CPU seconds of this OS process so far.
double CpuSeconds();

/// Runs @p one on simulated VIA NICs: profile giganet-clan1000 around one ideal switch.
Outcome RunVia(const Case& one);

/// Runs @p one on ns-3's point-to-point devices around a forwarding hub, under @p scheduler.
Outcome RunNs3(const Case& one, const std::string& scheduler);

/// CPU seconds to build a cluster of 4,096 nodes around a 16-ary 3-tree, proof of routes included.
double FatTreeSeconds();

/// Bytes by which an OS process grows for each connected VI that nobody uses.
double IdleViBytes();

} // namespace bench
} // namespace via
} // namespace ns3

#endif // VIA_BENCH_CASE_H
