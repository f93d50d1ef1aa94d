/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the OS process takes: allocations while a condition holds, resident memory.

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
 * @brief Counts allocations (malloc and its kin; operator new calls malloc) from now on.
 * @param gauge asked at each allocation
 * @param least only allocations at a gauge of at least this count
 * Where they come from goes to stderr, one backtrace each, if VIA_BENCH_TRACE is set.
 */
void CountAllocations(std::uint64_t (*gauge)(), std::uint64_t least);

/// Stops counting. @return the allocations counted; 0 in a build with AddressSanitizer
std::uint64_t StopCountingAllocations();

/**
 * @brief A field of /proc/self/status in KiB: "VmHWM" is the peak of resident memory.
 * Not getrusage's: that one starts from what the parent had before exec.
 */
std::uint64_t StatusKib(const std::string& field);

} // namespace bench
} // namespace via
} // namespace ns3

#endif // VIA_BENCH_MEMORY_H
