/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Prefetch hints to the processor.

#ifndef VIA_PREFETCH_H
#define VIA_PREFETCH_H

#include <cstddef>

namespace ns3
{
namespace via
{

/// Bytes of a cache line, on all processors that matter here.
constexpr std::size_t CACHE_LINE = 64;

/// The cache line at @p at will be used soon. Any address may be given.
inline void
PrefetchLine(const void* at)
{
    __builtin_prefetch(at);
    // GCC takes a function that only prefetches for one without effect, and removes calls of it
    asm volatile("" : : "r"(at));
}

/// Prefetches the cache lines of @p object that lie before @p end, one of its members.
inline void
PrefetchUpTo(const void* object, const void* end)
{
    for (const auto* at = static_cast<const char*>(object); at < end; at += CACHE_LINE)
    {
        PrefetchLine(at);
    }
}

/// Prefetches all cache lines of @p object.
template <class T>
void
PrefetchObject(const T* object)
{
    PrefetchUpTo(object, reinterpret_cast<const char*>(object) + sizeof(T));
}

} // namespace via
} // namespace ns3

#endif // VIA_PREFETCH_H
