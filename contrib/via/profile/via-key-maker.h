/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Makes the keys of a profile's tables.

#ifndef VIA_KEY_MAKER_H
#define VIA_KEY_MAKER_H

#include "ns3/via-profile-schema.h"

#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief Makes the keys of one kind of file, one method for each unit.
 *
 * Ranges refuse slips of the pen (a unit mixed up, a digit too many), they describe no product.
 * `onlyIf` names the choices that a key belongs to, see ProfileKey; empty: every profile has it.
 */
class KeyMaker
{
  public:
    static constexpr std::uint64_t GHZ = 1'000'000'000;
    static constexpr std::uint64_t MAX_CARD_CYCLES = 10'000'000;
    static constexpr std::uint64_t MAX_COUNT = std::uint64_t{1} << 24;
    static constexpr std::uint64_t MAX_BYTES = std::uint64_t{1} << 40;

    /// @param scope the file that the keys stand in
    explicit KeyMaker(ProfileScope scope)
        : m_scope(scope)
    {
    }

    /// A number in a unit that no other method is for.
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

    /// A time that cannot be zero, up to ten seconds.
    ProfileKey Microseconds(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "us", 1, 10'000'000, meaning, onlyIf);
    }

    ProfileKey Clock(const char* key, const char* meaning) const
    {
        return {key, m_scope, ProfileKind::CLOCK, "Hz", 1'000, 100 * GHZ, "", meaning, ""};
    }

    /// Work of the host CPU that is part of something longer.
    ProfileKey HostCycles(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "host cycles", 0, GHZ, meaning, onlyIf);
    }

    /// A call, or whatever a program can do again and again: for nothing, its loop would never end.
    ProfileKey Call(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "host cycles", 1, GHZ, meaning, onlyIf);
    }

    /// Work of the card's engines.
    ProfileKey NicCycles(const char* key, const char* meaning, const char* onlyIf = "") const
    {
        return Number(key, "nic cycles", 0, MAX_CARD_CYCLES, meaning, onlyIf);
    }

    ProfileKey BusClocks(const char* key, std::uint64_t min, const char* meaning) const
    {
        return Number(key, "bus clocks", min, 1'000, meaning);
    }

    /// A choice. @param words names allowed, ", " between them
    ProfileKey Word(const char* key,
                    const char* words,
                    const char* meaning,
                    const char* onlyIf = "") const
    {
        return {key, m_scope, ProfileKind::WORD, "word", 0, 0, words, meaning, onlyIf};
    }

    /// A list of names. @param words names allowed; empty: any
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
