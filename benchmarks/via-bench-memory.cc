/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of the OS process: allocations while a condition holds, and resident memory.

#include "via-bench-memory.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <execinfo.h>
#include <fstream>

namespace
{

std::uint64_t (*g_gauge)() = nullptr;
std::uint64_t g_least = 0;
std::uint64_t g_count = 0;
bool g_trace = false;

/// Out of line: the wrappers below only test a pointer while counting is off.
[[gnu::noinline]] void
Count()
{
    if (g_gauge() < g_least)
    {
        return;
    }
    ++g_count;
    if (g_trace)
    {
        const auto gauge = g_gauge;
        g_gauge = nullptr; // do not count allocations of the trace
        void* frames[8];
        backtrace_symbols_fd(frames, backtrace(frames, 8), 2);
        g_gauge = gauge;
    }
}

inline void
Note()
{
    if (__builtin_expect(g_gauge != nullptr, 0))
    {
        Count();
    }
}

} // namespace

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc

// Symbols of the executable take precedence over those of libraries: all allocations of the
// process, including those of libstdc++ and ns-3, come here and go on to the C library.
extern "C"
{
    void* __libc_malloc(std::size_t size);
    void* __libc_calloc(std::size_t count, std::size_t size);
    void* __libc_realloc(void* old, std::size_t size);
    void* __libc_memalign(std::size_t alignment, std::size_t size);

    void* malloc(std::size_t size)
    {
        Note();
        return __libc_malloc(size);
    }

    void* calloc(std::size_t count, std::size_t size)
    {
        Note();
        return __libc_calloc(count, size);
    }

    void* realloc(void* old, std::size_t size)
    {
        Note();
        return __libc_realloc(old, size);
    }

    void* memalign(std::size_t alignment, std::size_t size)
    {
        Note();
        return __libc_memalign(alignment, size);
    }

    void* aligned_alloc(std::size_t alignment, std::size_t size)
    {
        Note();
        return __libc_memalign(alignment, size);
    }

    int posix_memalign(void** result, std::size_t alignment, std::size_t size)
    {
        Note();
        *result = __libc_memalign(alignment, size);
        return *result == nullptr ? ENOMEM : 0;
    }
} // extern "C"

#endif

namespace ns3
{
namespace via
{
namespace bench
{

void
CountAllocations(std::uint64_t (*gauge)(), std::uint64_t least)
{
    g_trace = std::getenv("VIA_BENCH_TRACE") != nullptr;
    g_least = least;
    g_count = 0;
    g_gauge = gauge;
}

std::uint64_t
StopCountingAllocations()
{
    g_gauge = nullptr;
    return g_count;
}

std::uint64_t
StatusKib(const std::string& field)
{
    std::ifstream status("/proc/self/status");
    std::string name;
    while (status >> name)
    {
        std::uint64_t kib = 0;
        if (name == field + ":" && status >> kib)
        {
            return kib;
        }
    }
    return 0;
}

} // namespace bench
} // namespace via
} // namespace ns3
