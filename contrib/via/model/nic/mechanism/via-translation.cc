/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Where virtual addresses are translated: a table on the card, a cache of one, or the kernel.

#include "via-translation.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

Replacement
ReplacementOf(const std::string& word)
{
    return word == "lru" ? Replacement::LRU
                         : (word == "fifo" ? Replacement::FIFO : Replacement::RANDOM);
}

} // namespace

const Region*
RegionOf(const Tpt& tpt, MemoryHandle handle, std::uint64_t address, std::uint64_t bytes)
{
    const Region* region = tpt.Find(handle);
    return region != nullptr && tpt.Allows(handle, address, bytes, region->rights.tag) ? region
                                                                                       : nullptr;
}

Moment
TableTranslation::LookUp(Moment at, Engine engine, const TranslationRequest& request)
{
    const std::uint32_t further = std::max<std::uint32_t>(request.Segments(), 1) - 1;
    return m_processor.Work(at, Stage::TRANSLATE, engine, m_first + m_further * further);
}

CachedTranslation::CachedTranslation(NicProcessor& processor,
                                     DmaEngines& dma,
                                     const Tpt& tpt,
                                     const MechanismCosts& costs)
    : TableTranslation(processor, costs),
      m_processor(processor),
      m_dma(dma),
      m_tpt(tpt),
      m_cache(costs.cacheEntries,
              costs.cacheWays,
              ReplacementOf(costs.replacement),
              dma.GetHost().GetWorld().seed + dma.GetHost().Id()),
      m_pageBytes(dma.GetHost().Costs().pageBytes),
      m_prefetch(costs.cachePrefetch),
      m_entryBytes(costs.entryBytes),
      m_hit(costs.cacheHit),
      m_miss(costs.cacheMiss)
{
}

Moment
CachedTranslation::LookUp(Moment at, Engine engine, const TranslationRequest& request)
{
    at = TableTranslation::LookUp(at, engine, request);
    request.ForEachRange([&](MemoryHandle handle, std::uint64_t address, std::uint64_t bytes) {
        const Region* region = RegionOf(m_tpt, handle, address, bytes);
        if (region != nullptr)
        {
            ForEachPage(*region, address, bytes, m_pageBytes, [&](PageName name) {
                at = Page(at, engine, *region, name);
            });
        }
    });
    return at;
}

Moment
CachedTranslation::Page(Moment at, Engine engine, const Region& region, PageName name)
{
    const bool isThere = m_cache.Use(name);
    if (m_processor.IsInRun(at.at))
    {
        ++(isThere ? m_counts.hits : m_counts.misses);
    }
    at = m_processor.Work(at, Stage::TRANSLATION_HIT, engine, m_hit);
    if (isThere)
    {
        return at;
    }
    at = m_processor.Work(at, Stage::TRANSLATION_MISS, engine, m_miss);
    at = m_dma.Read(at, Stage::TRANSLATION_FETCH, engine, m_prefetch * m_entryBytes);
    const std::uint64_t end = (region.length + m_pageBytes - 1) / m_pageBytes;
    for (std::uint32_t i = 0; i < m_prefetch && name.page < end; ++i)
    {
        m_cache.Enter(name);
        ++name.page;
    }
    return at;
}

TranslationCounts
CachedTranslation::Counts() const
{
    return m_counts;
}

void
CachedTranslation::OnRegionGone(std::uint64_t region)
{
    m_cache.Forget(region);
}

std::uint64_t
CountPages(const Tpt& tpt, const TranslationRequest& request, std::uint64_t pageBytes)
{
    std::uint64_t pages = 0;
    VisitPages(tpt, request, pageBytes, [&](PageName) { ++pages; });
    return pages;
}

} // namespace via
} // namespace ns3
