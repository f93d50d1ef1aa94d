/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Safe access to memory that a program names in a call, which may not exist.

#include "via-program-memory.h"

#include <algorithm>
#include <cstdint>

// int via_copy(void* to, const void* from, size_t bytes): 0, or 1 if either is not accessible. It
// has no frame, so the fault handler only has to redirect execution to via_copy_missed.
asm(R"(
    .pushsection .text
    .globl  via_copy, via_copy_missed
    .hidden via_copy, via_copy_missed
    .type   via_copy, @function
via_copy:
    .cfi_startproc
    cmpq    $8, %rdx
    jne     1f
    movq    (%rsi), %rax
    movq    %rax, (%rdi)
    xorl    %eax, %eax
    ret
1:  movq    %rdx, %rcx
    rep movsb
    xorl    %eax, %eax
    ret
via_copy_missed:
    movl    $1, %eax
    ret
    .cfi_endproc
    .size   via_copy, . - via_copy
    .popsection
)");

extern "C"
{
    __attribute__((visibility("hidden"))) int via_copy(void* to, const void* from, std::size_t n);
    extern __attribute__((visibility("hidden"))) const char via_copy_missed[];
}

namespace ns3
{
namespace via
{

namespace
{

/// The minimum page size: an accessible page can be read to its end.
constexpr std::size_t PAGE_BYTES = 4096;

const void* g_missed = nullptr; ///< address of the last failed access

} // namespace

const void*
ProgramMemory::OnFault(const void* code, const void* address)
{
    const auto at = reinterpret_cast<std::uintptr_t>(code);
    if (at < reinterpret_cast<std::uintptr_t>(&via_copy) ||
        at >= reinterpret_cast<std::uintptr_t>(via_copy_missed))
    {
        return nullptr;
    }
    g_missed = address;
    return via_copy_missed;
}

bool
ProgramMemory::TryCopy(void* to, const void* from, std::size_t bytes) noexcept
{
    return via_copy(to, from, bytes) == 0;
}

void
ProgramMemory::Copy(void* to, const void* from, std::size_t bytes, const void* named)
{
    if (via_copy(to, from, bytes) != 0)
    {
        throw MemoryFault(g_missed == nullptr ? named : g_missed);
    }
}

std::string
ProgramMemory::ReadBytes(const void* from, std::size_t bytes)
{
    std::string read(bytes, '\0');
    Copy(read.data(), from, bytes, from);
    return read;
}

std::string
ProgramMemory::ReadText(const char* from, std::size_t most)
{
    std::string text;
    while (text.size() < most)
    {
        const char* at = from + text.size();
        const std::size_t page = PAGE_BYTES - reinterpret_cast<std::uintptr_t>(at) % PAGE_BYTES;
        const std::string part = ReadBytes(at, std::min(page, most - text.size()));
        const std::size_t end = part.find('\0');
        text += part.substr(0, end);
        if (end != std::string::npos)
        {
            break;
        }
    }
    return text;
}

} // namespace via
} // namespace ns3
