/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The memory of a fuzzed process, and which of its bytes anybody may have changed.

#ifndef VIA_FUZZ_ARENA_H
#define VIA_FUZZ_ARENA_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/**
 * @brief Slots of data and of descriptors between guards, with a shadow.
 *
 * Regions lie inside slots, so a guard is never registered: it holds SECRET, which nobody may read
 * or write. The shadow is the memory as it was when last looked at, plus what the process itself
 * has written since, and the bytes that the NIC was allowed to write at any time since then.
 */
class FuzzArena
{
  public:
    static constexpr std::uint32_t SLOTS = 6; ///< of data
    static constexpr std::uint32_t SLOT = 6144;
    static constexpr std::uint32_t GUARD = 256;
    static constexpr std::uint32_t DESCRIPTORS = 96;
    static constexpr std::uint32_t DESCRIPTOR = 192; ///< control segment and up to ten others
    static constexpr std::uint8_t SECRET = 0xEE;

    /// @param owner its data are 48 values of their own, none of them SECRET
    explicit FuzzArena(std::uint32_t owner);

    std::uint8_t* Slot(std::uint32_t i) const
    {
        return m_start + GUARD + i * (SLOT + GUARD);
    }

    std::uint8_t* Descriptor(std::uint32_t i) const
    {
        return Slot(SLOTS) + i * DESCRIPTOR;
    }

    /// Where the descriptors are, as a slot.
    std::uint8_t* Pool() const
    {
        return Slot(SLOTS);
    }

    /// The process writes.
    void Write(void* to, const void* from, std::size_t bytes);

    /// The process fills @p bytes of a slot with data of its own.
    void Fill(std::uint8_t* to, std::size_t bytes);

    /// The NIC may write there until the next look. Bytes outside the arena are ignored.
    void Allow(std::uint64_t address, std::uint64_t bytes);

    /**
     * @brief Looks at every byte: what changed without leave, which slot holds a SECRET?
     * Forgets what was allowed; the caller allows anew what still is.
     * @return what is wrong; empty if nothing is
     */
    std::string Look();

  private:
    static constexpr std::size_t POOL = DESCRIPTORS * DESCRIPTOR;
    static constexpr std::size_t SIZE = SLOTS * (SLOT + GUARD) + POOL + 2 * GUARD;

    std::string Complaint(std::size_t offset, const char* what) const;

    std::uint32_t m_owner;
    std::unique_ptr<std::uint8_t[]> m_memory;
    std::uint8_t* m_start; ///< aligned
    std::vector<std::uint8_t> m_shadow;
    std::vector<std::uint8_t> m_allowed; ///< 1: the NIC may have written it
};

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_FUZZ_ARENA_H
