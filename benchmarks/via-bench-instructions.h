/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Instructions of this OS process, counted by the processor.

#ifndef VIA_BENCH_INSTRUCTIONS_H
#define VIA_BENCH_INSTRUCTIONS_H

#include <cstdint>
#include <optional>

namespace ns3
{
namespace via
{
namespace bench
{

/// Counts from its construction on, in user mode.
class InstructionCounter
{
  public:
    InstructionCounter();
    ~InstructionCounter();
    InstructionCounter(const InstructionCounter&) = delete;
    InstructionCounter& operator=(const InstructionCounter&) = delete;

    /// The instructions so far; empty if the processor has no counter, or the kernel hides it.
    std::optional<std::uint64_t> Count() const;

  private:
    int m_file; ///< -1: there is none
};

} // namespace bench
} // namespace via
} // namespace ns3

#endif // VIA_BENCH_INSTRUCTIONS_H
