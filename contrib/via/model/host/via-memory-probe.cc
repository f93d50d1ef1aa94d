/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whether memory that a program names is there at all.

#include "via-memory-probe.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

/// A pipe that takes one byte out of memory and puts it back: the kernel tells without a signal.
class Probe
{
  public:
    Probe()
    {
        NS_ABORT_MSG_IF(pipe2(m_ends, O_CLOEXEC | O_NONBLOCK) != 0, "no pipe left");
    }

    ~Probe()
    {
        close(m_ends[0]);
        close(m_ends[1]);
    }

    bool IsWritable(std::uint64_t address) const
    {
        // not through the C library: a sanitizer would look at the address first
        if (syscall(SYS_write, m_ends[1], address, 1) != 1)
        {
            return false;
        }
        if (syscall(SYS_read, m_ends[0], address, 1) == 1)
        {
            return true;
        }
        char byte;
        NS_ABORT_MSG_IF(read(m_ends[0], &byte, 1) != 1, "a pipe lost a byte");
        return false;
    }

  private:
    int m_ends[2];
};

bool
IsMapped(std::uint64_t address, std::uint64_t length)
{
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::array<unsigned char, 4096> resident;
    const std::uint64_t most = resident.size() * page;
    const std::uint64_t end = address + length;
    for (std::uint64_t at = address / page * page; at < end; at += most)
    {
        const std::uint64_t bytes = std::min(most, end - at);
        if (mincore(reinterpret_cast<void*>(at), bytes, resident.data()) != 0)
        {
            return false;
        }
    }
    return true;
}

} // namespace

bool
IsWritableMemory(std::uint64_t address, std::uint64_t length)
{
    static const Probe probe;
    return IsMapped(address, length) && probe.IsWritable(address) &&
           probe.IsWritable(address + length - 1);
}

} // namespace via
} // namespace ns3
