/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fiber stacks: pooled, at the same addresses in every run, most with an unmapped page below each.

#include "via-fiber-stack.h"

#include "ns3/abort.h"
#include "ns3/via-low-memory.h"
#include "ns3/via-sanitizer.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

// An address range that Linux does not use on x86-64: far from executables (0x55..), from its own
// mappings (0x7f..) and from those of AddressSanitizer (shadow below 0x1100.., heap from 0x60..). 1
// TiB holds four million stacks of the default size.
constexpr std::uintptr_t STACKS_BEGIN = 0x200000000000;
constexpr std::uintptr_t STACKS_END = 0x210000000000;

} // namespace

FiberStackPool&
FiberStackPool::Instance()
{
    // Never destroyed: fibers of static objects may be destroyed in any order.
    static auto* pool = new FiberStackPool;
    return *pool;
}

FiberStackPool::FiberStackPool()
    : m_page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      m_next(reinterpret_cast<char*>(STACKS_BEGIN))
{
}

FiberStack
FiberStackPool::Take(std::size_t bytes, StackGuard guard)
{
    const Kind kind{(bytes + m_page - 1) / m_page * m_page, guard};
    auto& spare = m_spare[kind];
    if (spare.empty() || LowMemory::Instance().IsWanted())
    {
        return Map(kind);
    }
    FiberStack stack{spare.back(), kind.first, guard};
    spare.pop_back();
    return stack;
}

void
FiberStackPool::Return(const FiberStack& stack)
{
#ifdef VIA_ASAN
    // Abandoned frames have not cleaned up their redzones.
    ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.bytes);
#endif
    if (!LowMemory::Holds(reinterpret_cast<std::uintptr_t>(stack.bottom)))
    {
        m_spare[{stack.bytes, stack.guard}].push_back(stack.bottom);
        return;
    }
#ifdef VIA_ASAN
    __lsan_unregister_root_region(stack.bottom, stack.bytes);
#endif
    munmap(stack.bottom, stack.bytes);
    LowMemory::Instance().Return(reinterpret_cast<std::uintptr_t>(stack.bottom) - m_page);
}

bool
FiberStackPool::HasRoom(std::size_t bytes) const
{
    const LowMemory& low = LowMemory::Instance();
    return !low.IsWanted() || low.Find(m_page + bytes + m_page - 1).has_value();
}

char*
FiberStackPool::PlaceFor(const Kind& kind)
{
    const auto& [bytes, guard] = kind;
    if (LowMemory::Instance().IsWanted())
    {
        return reinterpret_cast<char*>(LowMemory::Instance().Take(m_page + bytes)) + m_page;
    }
    // the gap is never mapped
    char* const bottom = m_next + (guard == StackGuard::PAGE ? m_page : 0);
    NS_ABORT_MSG_IF(reinterpret_cast<std::uintptr_t>(bottom + bytes) > STACKS_END,
                    "no address space left for fiber stacks");
    m_next = bottom + bytes;
    return bottom;
}

FiberStack
FiberStackPool::Map(const Kind& kind)
{
    char* const bottom = PlaceFor(kind);
    const std::size_t bytes = kind.first;
    void* got = mmap(bottom,
                     bytes,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                     -1,
                     0);
    NS_ABORT_MSG_IF(got != bottom,
                    "cannot map a fiber stack at "
                        << static_cast<void*>(bottom) << ": "
                        << std::strerror(got == MAP_FAILED ? errno : EEXIST)
                        << " (many processes need more mappings: see "
                           "sysctl vm.max_map_count)");
#ifdef VIA_ASAN
    __lsan_register_root_region(bottom, bytes); // a waiting fiber holds pointers on its stack
#endif
    return {bottom, bytes, kind.second};
}

} // namespace via
} // namespace ns3
