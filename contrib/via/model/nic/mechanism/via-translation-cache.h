/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The card's cache of a translation table in host memory: which pages it knows.

#ifndef VIA_TRANSLATION_CACHE_H
#define VIA_TRANSLATION_CACHE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Which entry of a set makes room.
enum class Replacement
{
    LRU,    ///< the one not used for longest
    FIFO,   ///< the one entered first
    RANDOM, ///< any, by a hash of the seed and of how many made room before
};

/// A registered page: the number of its region in the order of registration, and its place there.
struct PageName
{
    std::uint64_t region{0};
    std::uint64_t page{0};
};

/// A set-associative cache of pages. Names, not addresses, decide the set: runs can be repeated.
class TranslationCache
{
  public:
    /**
     * @param entries in all; a multiple of @p ways
     * @param ways entries of a set
     * @param seed of random replacement
     */
    TranslationCache(std::uint32_t entries,
                     std::uint32_t ways,
                     Replacement replacement,
                     std::uint64_t seed);

    /// Uses a page. @return whether the cache has it
    bool Use(PageName name);

    /// Enters a page, if it is not there.
    void Enter(PageName name);

    /// Drops all pages of @p region.
    void Forget(std::uint64_t region);

  private:
    struct Entry
    {
        PageName name;
        std::uint64_t stamp{0}; ///< of its last use, or of its entry; 0: nothing is there
    };

    Entry* SetOf(PageName name);
    Entry* Find(PageName name);
    Entry& Victim(Entry* set);

    std::vector<Entry> m_entries;
    std::uint32_t m_ways;
    Replacement m_replacement;
    std::uint64_t m_seed;
    std::uint64_t m_clock{0}; ///< counts uses and entries
    std::uint64_t m_evicted{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TRANSLATION_CACHE_H
