/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The memory of a fuzzed process, and which of its bytes anybody may have changed.

#include "via-fuzz-arena.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{
constexpr std::size_t ALIGNMENT = 4096; // costs go by pages touched
constexpr std::size_t RUN = 8;          // so many SECRET bytes in a row are no accident
} // namespace

FuzzArena::FuzzArena(std::uint32_t owner)
    : m_owner(owner),
      m_memory(new std::uint8_t[SIZE + ALIGNMENT]),
      m_shadow(SIZE, SECRET),
      m_allowed(SIZE, 0)
{
    const auto address = reinterpret_cast<std::uintptr_t>(m_memory.get());
    m_start = m_memory.get() + (ALIGNMENT - address % ALIGNMENT);
    std::memset(m_start, SECRET, SIZE);
    for (std::uint32_t i = 0; i < SLOTS; ++i)
    {
        Fill(Slot(i), SLOT);
    }
    const std::vector<std::uint8_t> empty(POOL, 0);
    Write(Pool(), empty.data(), POOL);
}

void
FuzzArena::Write(void* to, const void* from, std::size_t bytes)
{
    std::memcpy(to, from, bytes);
    std::memcpy(&m_shadow[static_cast<std::size_t>(static_cast<std::uint8_t*>(to) - m_start)],
                from,
                bytes);
}

void
FuzzArena::Fill(std::uint8_t* to, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
    {
        const auto value = static_cast<std::uint8_t>(m_owner * 48 + i % 48);
        Write(to + i, &value, 1);
    }
}

void
FuzzArena::Allow(std::uint64_t address, std::uint64_t bytes)
{
    const auto start = reinterpret_cast<std::uint64_t>(m_start);
    const std::uint64_t from = std::max(address, start);
    const std::uint64_t to = std::min(address + bytes, start + SIZE);
    if (from < to)
    {
        std::memset(&m_allowed[from - start], 1, to - from);
    }
}

std::string
FuzzArena::Look()
{
    std::string wrong;
    std::size_t i = 0;
    while (true)
    {
        const auto differs =
            std::mismatch(m_start + i, m_start + SIZE, m_shadow.begin() + static_cast<long>(i));
        i = static_cast<std::size_t>(differs.first - m_start);
        if (i == SIZE)
        {
            break;
        }
        if (m_allowed[i] == 0 && wrong.empty())
        {
            wrong = Complaint(i, "was written");
        }
        m_shadow[i] = m_start[i];
    }
    for (std::uint32_t slot = 0; slot < SLOTS && wrong.empty(); ++slot)
    {
        const std::uint8_t* begin = Slot(slot);
        const std::uint8_t* end = begin + SLOT;
        const std::uint8_t* found = std::search_n(begin, end, RUN, SECRET);
        wrong =
            found == end ? "" : Complaint(static_cast<std::size_t>(found - m_start), "is secret");
    }
    std::fill(m_allowed.begin(), m_allowed.end(), 0);
    return wrong;
}

std::string
FuzzArena::Complaint(std::size_t offset, const char* what) const
{
    const std::size_t slot = offset / (SLOT + GUARD);
    const std::size_t inside = offset % (SLOT + GUARD);
    return "process " + std::to_string(m_owner) + ": byte " + std::to_string(inside) + " of " +
           (inside < GUARD && slot <= SLOTS ? "the guard before " : "") + "slot " +
           std::to_string(slot) + " " + what + ": " + std::to_string(m_shadow[offset]) +
           " before, now " + std::to_string(m_start[offset]);
}

} // namespace test
} // namespace via
} // namespace ns3
