/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The translation and protection table (TPT): registered memory and who may access it.

#ifndef VIA_TPT_H
#define VIA_TPT_H

#include "ns3/via-ring.h"

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
 * Handles carry a generation of their slot. Of at least 256 free slots the one that was freed first
 * is used again, so that the handle of a deregistered region stays invalid for a million
 * registrations. Only a table without any slot left has fewer.
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

    /// Changes the rights of the region of @p handle, which must exist.
    void SetRights(MemoryHandle handle, const MemoryRights& rights);

    /// The region of @p handle, or null.
    const Region* Find(MemoryHandle handle) const
    {
        const std::uint32_t index = handle & ((1U << INDEX_BITS) - 1);
        const bool isLive =
            handle != 0 && index < m_regions.size() && m_regions[index].handle == handle;
        return isLive ? &m_regions[index] : nullptr;
    }

    /// What checks need of a region.
    struct Extent
    {
        MemoryHandle handle{0}; ///< 0: there is no such region
        Ptag tag{0};            ///< 0: there is no such region
        std::uint64_t base{0};
        std::uint64_t length{0};

        /// Bytes from @p address to the end of the region; 0 if it does not begin there.
        std::uint64_t RoomAt(std::uint64_t address) const
        {
            const std::uint64_t offset = address - base; // huge if the address is before it
            return offset < length ? length - offset : 0;
        }
    };

    /// The extent of the region of @p handle. Valid until the next call.
    const Extent& ExtentOf(MemoryHandle handle) const
    {
        if (handle != m_last.handle)
        {
            LookUp(handle);
        }
        return m_last;
    }

    /// May a VI with @p tag access @p length bytes at @p address through @p handle?
    bool Allows(MemoryHandle handle, std::uint64_t address, std::uint64_t length, Ptag tag) const
    {
        const Extent& region = ExtentOf(handle);
        const std::uint64_t offset = address - region.base; // huge if the address is before it
        return region.handle != 0 && region.tag == tag && offset <= region.length &&
               length <= region.length - offset;
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

    /// So many free slots are kept before one is used again.
    static constexpr std::uint32_t FREE_REGIONS = 256;

    /// Puts the region of @p handle into m_last.
    void LookUp(MemoryHandle handle) const;

    mutable Extent m_last; ///< the region looked up last: most hosts use few in turns
    std::vector<Region> m_regions;
    Ring<std::uint32_t> m_freeRegions;      ///< slots, in the order in which they became free
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
