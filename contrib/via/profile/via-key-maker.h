/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Creates the keys of a profile's tables.

#ifndef VIA_KEY_MAKER_H
#define VIA_KEY_MAKER_H

#include "ns3/via-profile-schema.h"

#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief Creates the keys of one kind of file; each unit has its own method.
 *
 * Ranges catch slips (a wrong unit, an extra digit); they do not describe a product. `onlyIf` lists
 * the choices that a key belongs to, see ProfileKey; empty: every profile has it.
 */
class KeyMaker
{
  public:
    static constexpr std::uint64_t GHZ = 1'000'000'000;
    static constexpr std::uint64_t MAX_CARD_CYCLES = 10'000'000;
    static constexpr std::uint64_t MAX_COUNT = std::uint64_t{1} << 24;
    static constexpr std::uint64_t MAX_BYTES = std::uint64_t{1} << 40;
    /// Handles of memory have 20 bits for it.
    static constexpr std::uint64_t MAX_REGIONS = std::uint64_t{1} << 20;
    /// Lengths and numbers of bytes in a message have 32 bits, also with headers and padding.
    static constexpr std::uint64_t MAX_TRANSFER = std::uint64_t{1} << 31;

    /// @param scope the file that contains the keys
    explicit KeyMaker(ProfileScope scope)
        : m_scope(scope)
    {
    }

    /// A number in a unit without a method of its own.
    ProfileKey Number(const char* key,
                      const char* unit,
                      std::uint64_t min,
                      std::uint64_t max,
                      const char* meaning,
                      const char* onlyIf = "") const
    {
        return {key, m_scope, ProfileKind::NUMBER, unit, min, max, "", meaning, onlyIf};
    }

    ProfileKey Count(const char* key,
                     std::uint64_t min,
                     std::uint64_t max,
                     const char* meaning,
                     const char* onlyIf = "") const
    {
        return Number(key, "count", min, max, meaning, onlyIf);
    }

    ProfileKey Bytes(const char* key,
                     std::uint64_t min,
                     std::uint64_t max,
                     const char* meaning,
                     const char* onlyIf = "") const
    {
        return Number(key, "bytes", min, max, meaning, onlyIf);
    }

    /// A nonzero time of at most ten seconds.
    ProfileKey Microseconds(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "us", 1, 10'000'000, meaning, onlyIf);
    }

    ProfileKey Clock(const char* key, const char* meaning) const
    {
        return {key, m_scope, ProfileKind::CLOCK, "Hz", 1'000, 100 * GHZ, "", meaning, ""};
    }

    /// Work of the host CPU that is part of a longer operation.
    ProfileKey HostCycles(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "host cycles", 0, GHZ, meaning, onlyIf);
    }

    /// Cost of a call or another step that a program can repeat: at zero cost its
    /// loop would never end.
    ProfileKey Call(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "host cycles", 1, GHZ, meaning, onlyIf);
    }

    /// Work of the NIC's engines.
    ProfileKey NicCycles(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "nic cycles", 0, MAX_CARD_CYCLES, meaning, onlyIf);
    }

    ProfileKey BusClocks(const char* key, std::uint64_t min, const char* meaning) const
    {
        return Number(key, "bus clocks", min, 1'000, meaning);
    }

    /// @p key, which a profile may lack: its number is 0 then.
    static ProfileKey Optional(ProfileKey key)
    {
        key.optional = true;
        return key;
    }

    /// A choice. @param words allowed names, separated by ", "
    ProfileKey Word(const char* key,
                    const char* words,
                    const char* meaning,
                    const char* onlyIf = "") const
    {
        return {key, m_scope, ProfileKind::WORD, "word", 0, 0, words, meaning, onlyIf};
    }

    /// A list of names. @param words allowed names; empty: any
    ProfileKey Words(const char* key, const char* words, const char* meaning) const
    {
        return {key, m_scope, ProfileKind::WORDS, "word", 0, 0, words, meaning, ""};
    }

    /// A list of counts.
    ProfileKey Counts(const char* key,
                      std::uint64_t min,
                      std::uint64_t max,
                      const char* meaning) const
    {
        return {key, m_scope, ProfileKind::NUMBERS, "count", min, max, "", meaning, ""};
    }

  private:
    ProfileScope m_scope;
};

} // namespace via
} // namespace ns3

#endif // VIA_KEY_MAKER_H
