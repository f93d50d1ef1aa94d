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

void
TableTranslation::LookUp(CardTask& engine, const TranslationRequest& request)
{
    const std::uint32_t further = std::max<std::uint32_t>(request.Segments(), 1) - 1;
    engine.Work(Stage::TRANSLATE, m_first + m_further * further);
}

CachedTranslation::CachedTranslation(Host& host, const Tpt& tpt, const MechanismCosts& costs)
    : TableTranslation(costs),
      m_host(host),
      m_tpt(tpt),
      m_cache(costs.cacheEntries,
              costs.cacheWays,
              ReplacementOf(costs.replacement),
              host.GetWorld().seed + host.Id()),
      m_pageBytes(host.Costs().pageBytes),
      m_prefetch(costs.cachePrefetch),
      m_entryBytes(costs.entryBytes),
      m_hit(costs.cacheHit),
      m_miss(costs.cacheMiss)
{
}

void
CachedTranslation::LookUp(CardTask& engine, const TranslationRequest& request)
{
    engine.AwaitEnd(); // others may fill the cache until then
    TableTranslation::LookUp(engine, request);
    request.ForEachRange([&](MemoryHandle handle, std::uint64_t address, std::uint64_t bytes) {
        const Region* region = RegionOf(m_tpt, handle, address, bytes);
        if (region != nullptr)
        {
            ForEachPage(*region, address, bytes, m_pageBytes, [&](PageName name) {
                engine.Call(*this, handle, 2 * name.page);
            });
        }
    });
}

void
CachedTranslation::OnReached(CardTask& engine, std::uint64_t handle, std::uint64_t page)
{
    const Region* region = m_tpt.Find(static_cast<MemoryHandle>(handle));
    if (region == nullptr)
    {
        return; // deregistered since
    }
    const PageName name{region->number, page / 2};
    if (page % 2 == 0)
    {
        LookUpPage(engine, region->handle, name);
    }
    else
    {
        Enter(*region, name);
    }
}

void
CachedTranslation::LookUpPage(CardTask& engine, MemoryHandle handle, PageName name)
{
    const bool isThere = m_cache.Use(name);
    if (m_host.IsInRun(engine.At().at))
    {
        ++(isThere ? m_counts.hits : m_counts.misses);
    }
    engine.Work(Stage::TRANSLATION_HIT, m_hit);
    if (!isThere)
    {
        engine.Work(Stage::TRANSLATION_MISS, m_miss);
        engine.Read(Stage::TRANSLATION_FETCH, m_prefetch * m_entryBytes);
        engine.AwaitEnd(); // until then the cache does not have the page
        engine.Call(*this, handle, 2 * name.page + 1);
    }
}

void
CachedTranslation::Enter(const Region& region, PageName name)
{
    const std::uint64_t end = (region.length + m_pageBytes - 1) / m_pageBytes;
    for (std::uint32_t i = 0; i < m_prefetch && name.page < end; ++i)
    {
        m_cache.Enter(name);
        ++name.page;
    }
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
