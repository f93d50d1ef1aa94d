/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The translation and protection table (TPT): registered memory and who may access it.

#include "via-tpt.h"

#include "ns3/abort.h"
#include "ns3/via-key-maker.h"

namespace ns3
{
namespace via
{

MemoryHandle
Tpt::Register(std::uint32_t owner,
              std::uint64_t base,
              std::uint64_t length,
              const MemoryRights& rights)
{
    constexpr std::uint32_t slots = 1U << INDEX_BITS;
    static_assert(KeyMaker::MAX_REGIONS <= slots, "each region has an index");
    std::uint32_t index = static_cast<std::uint32_t>(m_regions.size());
    if (m_freeRegions.Size() < FREE_REGIONS && index < slots)
    {
        m_regions.emplace_back();
    }
    else
    {
        NS_ABORT_MSG_IF(m_freeRegions.IsEmpty(), "translation table index out of bits");
        index = m_freeRegions.Front();
        m_freeRegions.Pop();
    }
    Region& region = m_regions[index];
    // starts at 1, also after a wrap-around, so that a handle is never 0
    constexpr std::uint32_t generations = (1U << (32 - INDEX_BITS)) - 1;
    const std::uint32_t generation = region.generation % generations + 1;
    const MemoryHandle handle = generation << INDEX_BITS | index;
    region = {base, length, m_registrations++, rights, owner, handle, generation};
    ++m_regionCount;
    m_bytes += length;
    return handle;
}

void
Tpt::SetRights(MemoryHandle handle, const MemoryRights& rights)
{
    m_last = Extent();
    m_regions[Find(handle) - m_regions.data()].rights = rights;
}

void
Tpt::LookUp(MemoryHandle handle) const
{
    const Region* region = Find(handle);
    m_last = region == nullptr
                 ? Extent()
                 : Extent{region->handle, region->rights.tag, region->base, region->length};
}

bool
Tpt::Deregister(MemoryHandle handle)
{
    const Region* found = Find(handle);
    if (found == nullptr)
    {
        return false;
    }
    Region* region = &m_regions[found - m_regions.data()];
    m_last = Extent();
    region->handle = 0;
    --m_regionCount;
    m_bytes -= region->length;
    m_freeRegions.Push(handle & ((1U << INDEX_BITS) - 1));
    if (m_listener != nullptr)
    {
        m_listener->OnRegionGone(region->number);
    }
    return true;
}

bool
Tpt::AllowsRdmaWrite(MemoryHandle handle,
                     std::uint64_t address,
                     std::uint64_t length,
                     Ptag tag) const
{
    return Allows(handle, address, length, tag) && Find(handle)->rights.rdmaWrite;
}

bool
Tpt::AllowsRdmaRead(MemoryHandle handle,
                    std::uint64_t address,
                    std::uint64_t length,
                    Ptag tag) const
{
    return Allows(handle, address, length, tag) && Find(handle)->rights.rdmaRead;
}

Ptag
Tpt::CreateTag(std::uint32_t owner)
{
    m_tagOwners.push_back(owner + 1);
    ++m_tagCount;
    return static_cast<Ptag>(m_tagOwners.size());
}

bool
Tpt::OwnsTag(Ptag tag, std::uint32_t owner) const
{
    return tag != 0 && tag <= m_tagOwners.size() && m_tagOwners[tag - 1] == owner + 1;
}

void
Tpt::DestroyTag(Ptag tag)
{
    m_tagOwners[tag - 1] = 0;
    --m_tagCount;
}

std::uint32_t
Tpt::RegionsWithTag(Ptag tag) const
{
    std::uint32_t count = 0;
    for (const Region& region : m_regions)
    {
        count += region.handle != 0 && region.rights.tag == tag ? 1 : 0;
    }
    return count;
}

std::vector<MemoryHandle>
Tpt::HandlesOf(std::uint32_t owner) const
{
    std::vector<MemoryHandle> handles;
    for (const Region& region : m_regions)
    {
        if (region.handle != 0 && region.owner == owner)
        {
            handles.push_back(region.handle);
        }
    }
    return handles;
}

std::vector<Ptag>
Tpt::TagsOf(std::uint32_t owner) const
{
    std::vector<Ptag> tags;
    for (std::uint32_t i = 0; i < m_tagOwners.size(); ++i)
    {
        if (m_tagOwners[i] == owner + 1)
        {
            tags.push_back(i + 1);
        }
    }
    return tags;
}

} // namespace via
} // namespace ns3
