/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Addresses below 2 GiB, for programs that keep pointers in 32 bits.

#include "via-low-memory.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

// Above executables that are not position-independent and the C library's own heap behind them,
// below the shadow memory of AddressSanitizer, which begins just under 2 GiB.
constexpr std::uintptr_t LOW_BEGIN = 0x10000000;
constexpr std::uintptr_t LOW_END = 0x7f000000;

/// Where to look next after addresses that are in use by others.
constexpr std::uintptr_t LOW_STEP = 0x100000;

bool
IsFree(std::uintptr_t address, std::size_t bytes)
{
    void* const wanted = reinterpret_cast<void*>(address);
    void* const got = mmap(wanted,
                           bytes,
                           PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                           -1,
                           0);
    if (got != MAP_FAILED)
    {
        munmap(got, bytes);
    }
    return got == wanted;
}

} // namespace

LowMemory&
LowMemory::Instance()
{
    static LowMemory all;
    return all;
}

bool
LowMemory::Holds(std::uint64_t address)
{
    return address >= LOW_BEGIN && address < LOW_END;
}

std::optional<std::uintptr_t>
LowMemory::Find(std::size_t bytes) const
{
    std::uintptr_t at = LOW_BEGIN;
    auto next = m_taken.begin();
    while (bytes <= LOW_END - LOW_BEGIN && at <= LOW_END - bytes)
    {
        if (next != m_taken.end() && next->first < at + bytes)
        {
            at = std::max(at, next->first + next->second);
            ++next;
        }
        else if (IsFree(at, bytes))
        {
            return at;
        }
        else
        {
            at += LOW_STEP;
        }
    }
    return std::nullopt;
}

std::uintptr_t
LowMemory::Take(std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes = (bytes + page - 1) / page * page;
    const auto found = Find(bytes);
    if (!found.has_value())
    {
        throw ConfigError("low_memory",
                          std::to_string(bytes) + " more bytes",
                          "there is no room left below 2 GiB: each process takes 64 MiB for its "
                          "heap, and the size of its program and of its stacks");
    }
    m_taken.emplace(*found, bytes);
    return *found;
}

} // namespace via
} // namespace ns3
