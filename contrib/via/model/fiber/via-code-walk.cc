/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Attributes executed code to the program, the C library on its behalf, or the simulator.

#include "via-code-walk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <execinfo.h>
#include <link.h>
#include <ucontext.h>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

/// Addresses from `begin` up to, not including, `end`.
struct Range
{
    std::uintptr_t begin;
    std::uintptr_t end;

    bool Holds(const void* code) const
    {
        const auto at = reinterpret_cast<std::uintptr_t>(code);
        return at >= begin && at < end;
    }
};

/// Code ranges of libraries that work for any caller, and of all others.
struct Modules
{
    std::vector<Range> helpers;
    std::vector<Range> others;
};

Modules g_modules;

constexpr const char* HELPERS[] =
    {"libc.so", "libm.so", "libgcc_s.so", "libasan.so", "libubsan.so", "ld-linux", "linux-vdso"};

bool
IsHelper(const char* path)
{
    const char* slash = std::strrchr(path, '/');
    const char* name = slash == nullptr ? path : slash + 1;
    return std::any_of(std::begin(HELPERS), std::end(HELPERS), [name](const char* helper) {
        return std::strncmp(name, helper, std::strlen(helper)) == 0;
    });
}

int
LearnModule(dl_phdr_info* info, std::size_t, void* modules)
{
    auto& found = *static_cast<Modules*>(modules);
    auto& ranges = IsHelper(info->dlpi_name) ? found.helpers : found.others;
    for (int i = 0; i < info->dlpi_phnum; ++i)
    {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
        {
            const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            ranges.push_back({begin, begin + segment.p_memsz});
        }
    }
    return 0;
}

bool
HoldsAny(const std::vector<Range>& ranges, const void* code)
{
    return std::any_of(ranges.begin(), ranges.end(), [code](const Range& range) {
        return range.Holds(code);
    });
}

const greg_t*
Registers(const void* context)
{
    return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
}

/// The instruction after a no-op or jump; null for any other instruction.
const std::uint8_t*
After(const std::uint8_t* code)
{
    std::int32_t distance = 0;
    switch (code[0])
    {
    case 0x90: // nop
        return code + 1;
    case 0xF3: // pause
        return code[1] == 0x90 ? code + 2 : nullptr;
    case 0xEB: // jmp rel8
        return code + 2 + static_cast<std::int8_t>(code[1]);
    case 0xE9: // jmp rel32
        std::memcpy(&distance, code + 1, sizeof(distance));
        return code + 5 + distance;
    default:
        return nullptr;
    }
}

} // namespace

void
LearnModules()
{
    g_modules = {};
    dl_iterate_phdr(&LearnModule, &g_modules);
    std::array<void*, 1> none;
    backtrace(none.data(), 1); // the first call loads the unwinder
}

const void*
CodeOf(const void* context)
{
    return reinterpret_cast<const void*>(Registers(context)[REG_RIP]);
}

Fault
FaultAt(int signal, const siginfo_t& info, const void* context)
{
    Fault fault;
    fault.signal = signal;
    fault.hasAddress = (signal == SIGSEGV || signal == SIGBUS) && info.si_code != SI_KERNEL;
    fault.address = fault.hasAddress ? info.si_addr : nullptr;
    fault.frames[fault.count++] = CodeOf(context);
    return fault;
}

void
AddCallers(Fault& fault, const void* context, const FiberStack& stack)
{
    std::array<void*, Fault::MOST_FRAMES> all;
    void** const end = all.begin() + backtrace(all.data(), static_cast<int>(all.size()));
    void** caller = std::find(all.begin(), end, CodeOf(context)); // after the handler's frames
    if (caller == end)
    {
        // a call to an unmapped address has left only its return address
        const auto* top = reinterpret_cast<const char*>(Registers(context)[REG_RSP]);
        if (top >= stack.bottom && top + sizeof(void*) <= stack.Top())
        {
            std::memcpy(&fault.frames[fault.count++], top, sizeof(void*));
        }
        return;
    }
    while (++caller < end)
    {
        fault.frames[fault.count++] = *caller;
    }
}

CodeOwner
OwnerOf(const Fault& fault, const FaultTarget& target)
{
    if (!HoldsAny(g_modules.helpers, fault.frames[0]) &&
        !HoldsAny(g_modules.others, fault.frames[0]))
    {
        return CodeOwner::PROGRAM; // its own code, or no code: a handler that it has passed to VIPL
    }
    for (std::size_t i = 0; i < fault.count; ++i)
    {
        const void* code = fault.frames[i];
        if (target.OwnsCode(code))
        {
            return CodeOwner::PROGRAM;
        }
        if (!HoldsAny(g_modules.helpers, code) && HoldsAny(g_modules.others, code))
        {
            return CodeOwner::SIMULATOR;
        }
    }
    return CodeOwner::PROGRAM;
}

bool
LoopsForEver(const void* code, const FaultTarget& target)
{
    const auto* begin = static_cast<const std::uint8_t*>(code);
    const std::uint8_t* at = begin;
    for (int steps = 0; steps < 16; ++steps)
    {
        at = After(at);
        if (at == nullptr || !target.OwnsCode(at))
        {
            return false;
        }
        if (at == begin)
        {
            return true;
        }
    }
    return false;
}

} // namespace via
} // namespace ns3
