/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Where virtual addresses are translated: a table on the card, a cache of one, or the kernel.

#ifndef VIA_TRANSLATION_H
#define VIA_TRANSLATION_H

#include "ns3/via-card-task.h"
#include "ns3/via-descriptor.h"
#include "ns3/via-tpt.h"
#include "ns3/via-translation-cache.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace via
{

/// How often a cache of translations had a page, and how often not; 0 where there is none.
struct TranslationCounts
{
    std::uint64_t hits{0};
    std::uint64_t misses{0};
};

/**
 * @brief The memory whose addresses are to be translated: ranges of registered memory.
 *
 * Either the data segments of a descriptor, or one range that a peer names in an RDMA operation.
 */
class TranslationRequest
{
  public:
    /// The first @p bytes of the data segments of @p descriptor, which must outlive the request.
    TranslationRequest(const Descriptor& descriptor, std::uint64_t bytes)
        : m_descriptor(&descriptor),
          m_bytes(bytes)
    {
    }

    /// A range that a peer names. @param bytes may be 0
    TranslationRequest(MemoryHandle handle, std::uint64_t address, std::uint64_t bytes)
        : m_bytes(bytes),
          m_handle(handle),
          m_address(address)
    {
    }

    /// Whether it is a descriptor's.
    bool IsLocal() const
    {
        return m_descriptor != nullptr;
    }

    /// How many segments are looked up: all of a descriptor's, or the one range.
    std::uint32_t Segments() const
    {
        return IsLocal() ? m_descriptor->segmentCount : 1;
    }

    /// Payload, in bytes.
    std::uint64_t Bytes() const
    {
        return m_bytes;
    }

    /// Calls @p visit with handle, address and length of each range.
    template <class Visit>
    void ForEachRange(Visit visit) const
    {
        if (!IsLocal())
        {
            visit(m_handle, m_address, m_bytes);
            return;
        }
        std::uint64_t left = m_bytes;
        for (std::uint32_t i = m_descriptor->FirstDataSegment();
             i < m_descriptor->segmentCount && left > 0;
             ++i)
        {
            const DataSegment& segment = m_descriptor->Segments()[i];
            const std::uint64_t length = std::min<std::uint64_t>(segment.length, left);
            visit(segment.handle, segment.address, length);
            left -= length;
        }
    }

  private:
    const Descriptor* m_descriptor{nullptr}; ///< null: the range below
    std::uint64_t m_bytes;
    MemoryHandle m_handle{0};
    std::uint64_t m_address{0};
};

/// The choice `nic.translation`: what the checks of DescriptorChecks cost before they are done.
class Translation : public RegionListener
{
  public:
    /// @p engine gets all addresses of @p request.
    virtual void LookUp(CardTask& engine, const TranslationRequest& request) = 0;

    virtual TranslationCounts Counts() const
    {
        return {};
    }

    void OnRegionGone(std::uint64_t) override
    {
    }
};

/// Every page of every region is in a table on the card: one look-up per segment.
class TableTranslation : public Translation
{
  public:
    explicit TableTranslation(const MechanismCosts& costs)
        : m_first(costs.lookup),
          m_further(costs.lookupSegment)
    {
    }

    void LookUp(CardTask& engine, const TranslationRequest& request) override;

  private:
    Cycles m_first;
    Cycles m_further;
};

/// The region, or null unless all of the range lies in it.
const Region* RegionOf(const Tpt& tpt,
                       MemoryHandle handle,
                       std::uint64_t address,
                       std::uint64_t bytes);

/// Calls @p visit with each page of @p region that [address, address + bytes) touches.
template <class Visit>
void
ForEachPage(const Region& region,
            std::uint64_t address,
            std::uint64_t bytes,
            std::uint64_t pageBytes,
            Visit visit)
{
    // counted from the region's begin: where the heap put it must not decide a time
    const std::uint64_t first = address - region.base;
    for (std::uint64_t page = first / pageBytes; bytes > 0 && page * pageBytes < first + bytes;
         ++page)
    {
        visit(PageName{region.number, page});
    }
}

/// Calls @p visit with each page of registered memory that @p request touches. A range that does
/// not lie in one region has none.
template <class Visit>
void
VisitPages(const Tpt& tpt, const TranslationRequest& request, std::uint64_t pageBytes, Visit visit)
{
    request.ForEachRange([&](MemoryHandle handle, std::uint64_t address, std::uint64_t bytes) {
        const Region* region = RegionOf(tpt, handle, address, bytes);
        if (region != nullptr)
        {
            ForEachPage(*region, address, bytes, pageBytes, visit);
        }
    });
}

/**
 * @brief The table lies in host memory, and the card caches pages of it.
 *
 * Beside the look-up of the region (as TableTranslation) each page of payload costs `nic.tlb_hit`;
 * one that is missing costs `nic.tlb_miss` more and a DMA read of `nic.tlb_prefetch` entries: of
 * the page and the pages after it. Descriptors are not looked up: their queues' pages are pinned
 * when the VI is made. Registering fills nothing, deregistering drops the region's pages.
 */
class CachedTranslation final : public TableTranslation, private CardTask::Listener
{
  public:
    CachedTranslation(Host& host, const Tpt& tpt, const MechanismCosts& costs);

    void LookUp(CardTask& engine, const TranslationRequest& request) override;
    TranslationCounts Counts() const override;
    void OnRegionGone(std::uint64_t region) override;

  private:
    /// It is time to look up a page of the region of @p handle, or its entry has been fetched.
    /// @param page its number twice, and 1 more if the entry has been fetched
    void OnReached(CardTask& engine, std::uint64_t handle, std::uint64_t page) override;
    void LookUpPage(CardTask& engine, MemoryHandle handle, PageName name);
    void Enter(const Region& region, PageName name);

    Host& m_host;
    const Tpt& m_tpt;
    TranslationCache m_cache;
    TranslationCounts m_counts;
    std::uint64_t m_pageBytes;
    std::uint32_t m_prefetch;
    std::uint32_t m_entryBytes;
    Cycles m_hit;
    Cycles m_miss;
};

/// How many pages of registered memory @p request touches.
std::uint64_t CountPages(const Tpt& tpt,
                         const TranslationRequest& request,
                         std::uint64_t pageBytes);

} // namespace via
} // namespace ns3

#endif // VIA_TRANSLATION_H
