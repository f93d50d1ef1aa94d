/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The translation and protection table (TPT): registered memory and who may access it.

#ifndef VIA_TPT_H
#define VIA_TPT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// A protection tag of a NIC; 0 is none.
using Ptag = std::uint32_t;

/// A handle of registered memory; never 0.
using MemoryHandle = std::uint32_t;

/// The access rights of a registration.
struct MemoryRights
{
    Ptag tag{0};
    bool rdmaWrite{false};
    bool rdmaRead{false};
};

/// One registration.
struct Region
{
    std::uint64_t base{0};
    std::uint64_t length{0};
    std::uint64_t number{0}; ///< serial of the registration; never reused
    MemoryRights rights;
    std::uint32_t owner{0};      ///< NIC handle through which it was registered
    MemoryHandle handle{0};      ///< 0: deregistered
    std::uint32_t generation{0}; ///< of the handle; kept after deregistration
};

/// Notified when a region is deregistered.
class RegionListener
{
  public:
    virtual ~RegionListener() = default;

    /// @param number the region's number, see Region
    virtual void OnRegionGone(std::uint64_t number) = 0;
};

/**
 * @brief Every registered region and every protection tag of one NIC.
 *
 * Rule (VI Architecture 1.0): a reference is allowed if the handle is live, the range lies in
 * the region and the region's tag equals the VI's. A remote reference also needs the enable bit.
 * Handles carry a generation, so that the handle of a deregistered region stays invalid.
 */
class Tpt
{
  public:
    /// @param listener notified of every deregistration
    void SetListener(RegionListener* listener)
    {
        m_listener = listener;
    }

    /// Registers a region. @return its handle
    MemoryHandle Register(std::uint32_t owner,
                          std::uint64_t base,
                          std::uint64_t length,
                          const MemoryRights& rights);

    /// Deregisters a region. @return false if there is no such handle
    bool Deregister(MemoryHandle handle);

    /// The region of @p handle, or null.
    const Region* Find(MemoryHandle handle) const
    {
        const std::uint32_t index = handle & ((1U << INDEX_BITS) - 1);
        const bool isLive =
            handle != 0 && index < m_regions.size() && m_regions[index].handle == handle;
        return isLive ? &m_regions[index] : nullptr;
    }

    Region* Find(MemoryHandle handle)
    {
        return const_cast<Region*>(static_cast<const Tpt*>(this)->Find(handle));
    }

    /// Prefetch hint: the region of @p handle will be looked up soon.
    void Prefetch(MemoryHandle handle) const
    {
        const Region* region = m_regions.data() + (handle & ((1U << INDEX_BITS) - 1));
        __builtin_prefetch(region);
        __builtin_prefetch(&region->generation); // a region may span two cache lines
    }

    /// May a VI with @p tag access @p length bytes at @p address through @p handle?
    bool Allows(MemoryHandle handle, std::uint64_t address, std::uint64_t length, Ptag tag) const
    {
        const Region* region = Find(handle);
        if (region == nullptr || region->rights.tag != tag || address < region->base)
        {
            return false;
        }
        const std::uint64_t offset = address - region->base;
        return offset <= region->length && length <= region->length - offset;
    }

    /// May a peer's RDMA write access them?
    bool AllowsRdmaWrite(MemoryHandle handle,
                         std::uint64_t address,
                         std::uint64_t length,
                         Ptag tag) const;

    /// May a peer's RDMA read access them?
    bool AllowsRdmaRead(MemoryHandle handle,
                        std::uint64_t address,
                        std::uint64_t length,
                        Ptag tag) const;

    /// Creates a tag. @param owner NIC handle that owns it
    Ptag CreateTag(std::uint32_t owner);

    /// Is @p tag live, and does @p owner own it?
    bool OwnsTag(Ptag tag, std::uint32_t owner) const;

    /// Destroys a live tag.
    void DestroyTag(Ptag tag);

    /// Number of live regions that carry @p tag.
    std::uint32_t RegionsWithTag(Ptag tag) const;

    std::uint32_t RegionCount() const
    {
        return m_regionCount;
    }

    std::uint64_t RegisteredBytes() const
    {
        return m_bytes;
    }

    std::uint32_t TagCount() const
    {
        return m_tagCount;
    }

    /// Handles of the live regions of @p owner, in order of registration slots.
    std::vector<MemoryHandle> HandlesOf(std::uint32_t owner) const;

    /// Live tags of @p owner.
    std::vector<Ptag> TagsOf(std::uint32_t owner) const;

  private:
    static constexpr std::uint32_t INDEX_BITS = 20;

    std::vector<Region> m_regions;
    std::vector<std::uint32_t> m_freeRegions;
    std::vector<std::uint32_t> m_tagOwners; ///< NIC handle + 1 by tag - 1; 0 when destroyed
    RegionListener* m_listener{nullptr};
    std::uint64_t m_registrations{0};
    std::uint32_t m_regionCount{0};
    std::uint32_t m_tagCount{0};
    std::uint64_t m_bytes{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TPT_H
