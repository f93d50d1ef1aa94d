/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The translation and protection table: registered memory and who may touch it.

#include "via-tpt.h"

#include "ns3/abort.h"

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
    std::uint32_t index = static_cast<std::uint32_t>(m_regions.size());
    if (m_freeRegions.empty())
    {
        NS_ABORT_MSG_IF(index >= 1U << INDEX_BITS, "translation table index out of bits");
        m_regions.emplace_back();
    }
    else
    {
        index = m_freeRegions.back();
        m_freeRegions.pop_back();
    }
    Region& region = m_regions[index];
    // from 1, also when the bits of a handle start over: a handle is never 0
    constexpr std::uint32_t generations = (1U << (32 - INDEX_BITS)) - 1;
    const std::uint32_t generation = region.generation % generations + 1;
    region = {base, length, m_registrations++, rights, owner, generation, true};
    ++m_regionCount;
    m_bytes += length;
    return generation << INDEX_BITS | index;
}

bool
Tpt::Deregister(MemoryHandle handle)
{
    Region* region = Find(handle);
    if (region == nullptr)
    {
        return false;
    }
    region->live = false;
    --m_regionCount;
    m_bytes -= region->length;
    m_freeRegions.push_back(handle & ((1U << INDEX_BITS) - 1));
    if (m_listener != nullptr)
    {
        m_listener->OnRegionGone(region->number);
    }
    return true;
}

const Region*
Tpt::Find(MemoryHandle handle) const
{
    const std::uint32_t index = handle & ((1U << INDEX_BITS) - 1);
    if (index >= m_regions.size())
    {
        return nullptr;
    }
    const Region& region = m_regions[index];
    const bool same = (region.generation << INDEX_BITS | index) == handle;
    return region.live && same ? &region : nullptr;
}

Region*
Tpt::Find(MemoryHandle handle)
{
    return const_cast<Region*>(static_cast<const Tpt*>(this)->Find(handle));
}

bool
Tpt::Allows(MemoryHandle handle, std::uint64_t address, std::uint64_t length, Ptag tag) const
{
    const Region* region = Find(handle);
    if (region == nullptr || region->rights.tag != tag || address < region->base)
    {
        return false;
    }
    const std::uint64_t offset = address - region->base;
    return offset <= region->length && length <= region->length - offset;
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
        count += region.live && region.rights.tag == tag ? 1 : 0;
    }
    return count;
}

std::vector<MemoryHandle>
Tpt::HandlesOf(std::uint32_t owner) const
{
    std::vector<MemoryHandle> handles;
    for (std::uint32_t index = 0; index < m_regions.size(); ++index)
    {
        const Region& region = m_regions[index];
        if (region.live && region.owner == owner)
        {
            handles.push_back(region.generation << INDEX_BITS | index);
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
