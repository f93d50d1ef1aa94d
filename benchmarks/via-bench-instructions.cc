/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Instructions of this OS process, counted by the processor.

#include "via-bench-instructions.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ns3
{
namespace via
{
namespace bench
{

InstructionCounter::InstructionCounter()
{
    perf_event_attr what{};
    what.size = sizeof(what);
    what.type = PERF_TYPE_HARDWARE;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.exclude_kernel = 1;
    what.exclude_hv = 1;
    constexpr int self = 0;
    constexpr int any = -1;
    constexpr int none = -1;
    m_file = static_cast<int>(
        syscall(SYS_perf_event_open, &what, self, any, none, PERF_FLAG_FD_CLOEXEC));
}

InstructionCounter::~InstructionCounter()
{
    if (m_file >= 0)
    {
        close(m_file);
    }
}

std::optional<std::uint64_t>
InstructionCounter::Count() const
{
    std::uint64_t count = 0;
    if (m_file < 0 || read(m_file, &count, sizeof(count)) != sizeof(count) || count == 0)
    {
        return std::nullopt;
    }
    return count;
}

} // namespace bench
} // namespace via
} // namespace ns3
