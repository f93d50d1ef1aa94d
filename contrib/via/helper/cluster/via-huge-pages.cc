/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of thousands of hosts in huge pages.

#include "via-huge-pages.h"

#include <algorithm>
#include <malloc.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint64_t HUGE_PAGE = std::uint64_t{2} << 20;

/// Less memory than this fits the processor's tables of addresses.
constexpr std::uint64_t LEAST = 8 * HUGE_PAGE;

/// The allocator keeps so much when it is free again.
constexpr std::uint64_t MOST = 128 * HUGE_PAGE;

std::uintptr_t
EndOfHeap()
{
    return reinterpret_cast<std::uintptr_t>(sbrk(0));
}

/// Allocates until the heap has become longer.
void
Lengthen()
{
    constexpr std::size_t size = 64 << 10; // of a block on the heap, not in a mapping of its own
    constexpr std::size_t most = 64;
    std::vector<std::unique_ptr<char[]>> blocks;
    const std::uintptr_t end = EndOfHeap();
    while (EndOfHeap() == end && blocks.size() < most)
    {
        blocks.emplace_back(new char[size]);
    }
}

} // namespace

void
UseHugePages(std::uint64_t bytes)
{
    if (bytes < LEAST)
    {
        return;
    }
    mallopt(M_TOP_PAD, static_cast<int>(std::min(bytes, MOST)));
    const std::uintptr_t first = (EndOfHeap() + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    Lengthen();
    const std::uintptr_t last = EndOfHeap() / HUGE_PAGE * HUGE_PAGE;
    if (last > first)
    {
        madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    }
}

} // namespace via
} // namespace ns3
