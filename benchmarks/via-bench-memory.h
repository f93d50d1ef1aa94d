/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of the OS process: allocations while a condition holds, and resident memory.

#ifndef VIA_BENCH_MEMORY_H
#define VIA_BENCH_MEMORY_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{
namespace bench
{

/**
 * @brief Starts counting allocations (malloc and related functions; operator new calls malloc).
 * @param gauge read at each allocation
 * @param least counts only allocations while the gauge is at least this If VIA_BENCH_TRACE is set,
 * writes a backtrace of each to stderr.
 */
void CountAllocations(std::uint64_t (*gauge)(), std::uint64_t least);

/// Stops counting. @return the allocations counted; 0 in a build with AddressSanitizer
std::uint64_t StopCountingAllocations();

/**
 * @brief A field of /proc/self/status in KiB: "VmHWM" is the peak of resident memory. getrusage
 * does not serve: its value starts at the parent's before exec.
 */
std::uint64_t StatusKib(const std::string& field);

} // namespace bench
} // namespace via
} // namespace ns3

#endif // VIA_BENCH_MEMORY_H
