/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Tests whether memory named by a program is accessible.

#include "via-memory-probe.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <climits>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t MOST_PAGES = IOV_MAX; ///< limit of one system call

/// Up to MOST_PAGES pages, with one byte to test in each.
struct Pages
{
    std::array<iovec, MOST_PAGES> bytes;
    std::array<unsigned char, MOST_PAGES> resident;
    std::size_t count{0};
};

/// A pipe that copies bytes from memory and back: the kernel reports bad
/// addresses without a signal.
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

    /// Whether the byte of each page is readable and, where @p writes returns true, writable.
    template <class Writes>
    bool Reaches(Pages& pages, Writes writes) const
    {
        // bypass the C library: a sanitizer would check the addresses first
        const auto all = static_cast<long>(pages.count);
        const bool readable = syscall(SYS_writev, m_ends[1], pages.bytes.data(), all) == all;
        char aside;
        for (std::size_t i = 0; i < pages.count; ++i)
        {
            pages.bytes[i].iov_base = writes(i) ? pages.bytes[i].iov_base : &aside;
        }
        const bool writable =
            readable && syscall(SYS_readv, m_ends[0], pages.bytes.data(), all) == all;
        while (!writable && syscall(SYS_read, m_ends[0], &aside, 1) == 1)
        {
        }
        return writable;
    }

  private:
    int m_ends[2];
};

} // namespace

bool
IsWritableMemory(std::uint64_t address, std::uint64_t length)
{
    static const Probe probe;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t last = address + length - 1;
    Pages pages;
    for (std::uint64_t at = address; at <= last; at = (at / page + MOST_PAGES) * page)
    {
        const std::uint64_t begin = at / page * page;
        pages.count = std::min<std::uint64_t>(MOST_PAGES, (last - begin) / page + 1);
        for (std::size_t i = 0; i < pages.count; ++i)
        {
            pages.bytes[i] = {reinterpret_cast<void*>(std::max(at, begin + i * page)), 1};
        }
        const auto writes = [&](std::size_t i) {
            // do not allocate untouched pages, except at the ends, which will soon be used
            const bool isEnd = begin + i * page <= address || last - (begin + i * page) < page;
            return isEnd || (pages.resident[i] & 1) != 0;
        };
        if (mincore(reinterpret_cast<void*>(begin), pages.count * page, pages.resident.data()) !=
                0 ||
            !probe.Reaches(pages, writes))
        {
            return false;
        }
    }
    return true;
}

} // namespace via
} // namespace ns3
