/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The card's cache of a translation table in host memory: which pages it knows.

#include "via-translation-cache.h"

#include "ns3/via-scramble.h"

namespace ns3
{
namespace via
{

TranslationCache::TranslationCache(std::uint32_t entries,
                                   std::uint32_t ways,
                                   Replacement replacement,
                                   std::uint64_t seed)
    : m_entries(entries),
      m_ways(ways),
      m_replacement(replacement),
      m_seed(seed)
{
}

TranslationCache::Entry*
TranslationCache::SetOf(PageName name)
{
    // pages of a region lie side by side, and regions of a page do not all meet in one set
    const std::uint64_t set = (name.region + name.page) % (m_entries.size() / m_ways);
    return &m_entries[set * m_ways];
}

TranslationCache::Entry*
TranslationCache::Find(PageName name)
{
    Entry* set = SetOf(name);
    for (std::uint32_t way = 0; way < m_ways; ++way)
    {
        Entry& entry = set[way];
        if (entry.stamp != 0 && entry.name.region == name.region && entry.name.page == name.page)
        {
            return &entry;
        }
    }
    return nullptr;
}

bool
TranslationCache::Use(PageName name)
{
    Entry* entry = Find(name);
    if (entry == nullptr)
    {
        return false;
    }
    if (m_replacement == Replacement::LRU)
    {
        entry->stamp = ++m_clock;
    }
    return true;
}

void
TranslationCache::Enter(PageName name)
{
    if (Find(name) == nullptr)
    {
        Victim(SetOf(name)) = {name, ++m_clock};
    }
}

TranslationCache::Entry&
TranslationCache::Victim(Entry* set)
{
    Entry* oldest = set;
    for (std::uint32_t way = 0; way < m_ways; ++way)
    {
        if (set[way].stamp == 0)
        {
            return set[way];
        }
        oldest = set[way].stamp < oldest->stamp ? &set[way] : oldest;
    }
    return m_replacement == Replacement::RANDOM ? set[Scramble(m_seed + m_evicted++) % m_ways]
                                                : *oldest;
}

void
TranslationCache::Forget(std::uint64_t region)
{
    for (Entry& entry : m_entries)
    {
        if (entry.name.region == region)
        {
            entry.stamp = 0;
        }
    }
}

} // namespace via
} // namespace ns3
