/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The heap of one simulated process, at the same addresses in every run.

#include "via-process-memory.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-low-memory.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <sys/mman.h>

namespace ns3
{
namespace via
{

namespace
{

// Above the fiber stacks, below everything that Linux and AddressSanitizer place themselves.
constexpr std::uintptr_t HEAPS_BEGIN = 0x210000000000;
constexpr std::uintptr_t HEAPS_END = 0x500000000000;
constexpr std::size_t SLOTS = (HEAPS_END - HEAPS_BEGIN) / ProcessHeap::SPAN_BYTES;
constexpr std::size_t FIRST_BYTES = std::size_t(1) << 20;
constexpr std::size_t USUAL_ALIGNMENT = 16;

/// The slots of heaps that live.
std::set<std::size_t>&
UsedSlots()
{
    static std::set<std::size_t> used;
    return used;
}

/// @return slot @p wanted, or the first one after it if another run has that
std::size_t
TakeSlot(std::size_t wanted)
{
    std::set<std::size_t>& used = UsedSlots();
    if (used.size() == SLOTS)
    {
        throw ConfigError("simulated processes of shared objects",
                          std::to_string(SLOTS + 1),
                          "at most " + std::to_string(SLOTS) + " live at once");
    }
    std::size_t slot = wanted % SLOTS;
    while (!used.insert(slot).second)
    {
        slot = (slot + 1) % SLOTS;
    }
    return slot;
}

} // namespace

bool
ProcessHeap::IsHeapAddress(std::uint64_t address)
{
    return (address >= HEAPS_BEGIN && address < HEAPS_END) ||
           (LowMemory::Instance().IsWanted() && LowMemory::Holds(address));
}

ProcessHeap::ProcessHeap(std::size_t number)
    : m_isLow(LowMemory::Instance().IsWanted()),
      m_spanBytes(m_isLow ? LOW_SPAN_BYTES : SPAN_BYTES)
{
    if (!m_isLow)
    {
        m_slot = TakeSlot(number);
    }
    m_base = reinterpret_cast<char*>(m_isLow ? LowMemory::Instance().Take(LOW_SPAN_BYTES)
                                             : HEAPS_BEGIN + m_slot * SPAN_BYTES);
    NS_ABORT_MSG_IF(!Map(FIRST_BYTES),
                    "cannot map a process heap at " << static_cast<void*>(m_base)
                                                    << " (see sysctl vm.max_map_count)");
    m_arena = new (m_base) Arena(m_mapped, 0);
}

ProcessHeap::~ProcessHeap()
{
    munmap(m_base, m_mapped);
    if (m_isLow)
    {
        LowMemory::Instance().Return(reinterpret_cast<std::uintptr_t>(m_base));
    }
    else
    {
        UsedSlots().erase(m_slot);
    }
}

bool
ProcessHeap::Map(std::size_t bytes)
{
    char* end = m_base + m_mapped;
    if (bytes > m_spanBytes - m_mapped)
    {
        return false;
    }
    void* got = mmap(end,
                     bytes,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                     -1,
                     0);
    if (got != end)
    {
        return false;
    }
    m_mapped += bytes;
    return true;
}

bool
ProcessHeap::Grow(std::size_t bytes)
{
    // Doubling keeps the number of calls small; untouched pages cost nothing. FIRST_BYTES includes
    // room for the block's header and alignment.
    const auto wanted = (bytes / FIRST_BYTES + 2) * FIRST_BYTES;
    const auto doubled = std::min(std::max(wanted, m_mapped), m_spanBytes - m_mapped);
    const auto step = std::max(wanted, doubled);
    if (!Map(step))
    {
        return false;
    }
    m_arena->grow(step);
    return true;
}

void*
ProcessHeap::TryAllocate(std::size_t bytes, std::size_t alignment)
{
    return alignment <= USUAL_ALIGNMENT ? m_arena->allocate(bytes)
                                        : m_arena->allocate_aligned(bytes, alignment);
}

void*
ProcessHeap::Allocate(std::size_t bytes, std::size_t alignment)
{
    if (bytes >= m_spanBytes || alignment >= m_spanBytes)
    {
        return nullptr;
    }
    bytes = std::max<std::size_t>(bytes, 1);
    void* block = TryAllocate(bytes, alignment);
    if (!block && Grow(bytes + alignment))
    {
        block = TryAllocate(bytes, alignment);
    }
    return block;
}

void*
ProcessHeap::Resize(void* block, std::size_t bytes)
{
    const auto old = SizeOf(block);
    if (bytes <= old && bytes >= old / 2)
    {
        return block;
    }
    void* moved = Allocate(bytes, USUAL_ALIGNMENT);
    if (moved)
    {
        std::memcpy(moved, block, std::min(old, bytes));
        Free(block);
    }
    return moved;
}

void
ProcessHeap::Free(void* block)
{
    m_arena->deallocate(block);
}

std::size_t
ProcessHeap::SizeOf(const void* block) const
{
    return m_arena->size(block);
}

} // namespace via
} // namespace ns3
