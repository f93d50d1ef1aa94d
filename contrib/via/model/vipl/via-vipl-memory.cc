/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: protection tags and registered memory.

#include "via-vipl.h"

#include "ns3/via-memory-probe.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// Programs are mapped at multiples of this; addresses modulo it are the same in every run.
constexpr std::uint64_t MAPPING_BYTES = 4096;

} // namespace

std::uint64_t
Vipl::Pages(std::uint64_t address, std::uint64_t length) const
{
    const std::uint64_t page = m_nic.GetHost().Costs().pageBytes;
    const std::uint64_t offset = m_addressesRepeat ? address % std::min(page, MAPPING_BYTES) : 0;
    return (offset + length + page - 1) / page;
}

VIP_RETURN
Vipl::CreatePtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE* tag)
{
    const OpenedNic* opened = FindNic(nic);
    if (opened == nullptr || tag == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (m_nic.GetTpt().TagCount() >= m_nic.Limits().tags)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().createPtag, VIP_ERROR_RESOURCE);
    }
    ProgramMemory::Write(tag, m_tags.Add(m_nic.GetTpt().CreateTag(opened->owner)));
    return Charge(Stage::CALL_SETUP, Library().Costs().createPtag);
}

VIP_RETURN
Vipl::DestroyPtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
{
    const OpenedNic* opened = FindNic(nic);
    const Ptag* ptag = m_tags.Find(tag);
    if (opened == nullptr || ptag == nullptr || !m_nic.GetTpt().OwnsTag(*ptag, opened->owner))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (m_nic.GetTpt().RegionsWithTag(*ptag) > 0 || m_nic.Vis().CountWithTag(*ptag) > 0)
    {
        return Charge(Stage::CALL_SETUP,
                      Library().Costs().destroyPtag,
                      m_setting.rules.tagInUseIsInvalid ? VIP_INVALID_PARAMETER
                                                        : VIP_ERROR_RESOURCE);
    }
    m_nic.GetTpt().DestroyTag(*ptag);
    m_tags.Remove(tag);
    return Charge(Stage::CALL_SETUP, Library().Costs().destroyPtag);
}

VIP_RETURN
Vipl::TagOf(const OpenedNic& nic, VIP_PROTECTION_HANDLE handle, Ptag& tag)
{
    Tpt& tpt = m_nic.GetTpt();
    if (handle == nullptr && m_setting.rules.nullTag)
    {
        if (m_defaultTag == 0)
        {
            if (tpt.TagCount() >= m_nic.Limits().tags)
            {
                return VIP_ERROR_RESOURCE;
            }
            m_defaultOwner = m_nic.GetHandles().Open(nullptr);
            m_defaultTag = tpt.CreateTag(m_defaultOwner);
        }
        tag = m_defaultTag;
        return VIP_SUCCESS;
    }
    const Ptag* found = m_tags.Find(handle);
    if (found == nullptr || !tpt.OwnsTag(*found, nic.owner))
    {
        return VIP_INVALID_PTAG;
    }
    tag = *found;
    return VIP_SUCCESS;
}

void
Vipl::DropDefaultTag()
{
    if (m_defaultTag != 0)
    {
        m_nic.GetHandles().CloseAll(m_defaultOwner, Caller().Clock());
        m_defaultTag = 0;
    }
}

VIP_RETURN
Vipl::MakeRights(const OpenedNic& nic, const VIP_MEM_ATTRIBUTES* attributes, MemoryRights& rights)
{
    if (attributes == nullptr && !m_setting.rules.nullTag)
    {
        return VIP_INVALID_PARAMETER;
    }
    const VIP_MEM_ATTRIBUTES asked = attributes != nullptr
                                         ? ProgramMemory::Read(attributes)
                                         : VIP_MEM_ATTRIBUTES{nullptr, VIP_FALSE, VIP_FALSE};
    Ptag tag = 0;
    const VIP_RETURN found = TagOf(nic, asked.Ptag, tag);
    if (found != VIP_SUCCESS)
    {
        return found;
    }
    if (asked.EnableRdmaRead != VIP_FALSE && !m_nic.Limits().rdmaRead)
    {
        return VIP_INVALID_RDMAREAD;
    }
    rights = {tag, asked.EnableRdmaWrite != VIP_FALSE, asked.EnableRdmaRead != VIP_FALSE};
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::RegisterMem(VIP_NIC_HANDLE nic,
                  VIP_PVOID address,
                  VIP_ULONG length,
                  VIP_MEM_ATTRIBUTES* attributes,
                  VIP_MEM_HANDLE* handle)
{
    Caller().Reach();
    const OpenedNic* opened = FindNic(nic);
    const auto base = reinterpret_cast<std::uint64_t>(address);
    if (opened == nullptr || address == nullptr || length == 0 || handle == nullptr ||
        base + length < base)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    MemoryRights rights;
    const VIP_RETURN checked = MakeRights(*opened, attributes, rights);
    if (checked != VIP_SUCCESS)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().registerBase, checked);
    }
    const NicLimits& limits = m_nic.Limits();
    const Tpt& tpt = m_nic.GetTpt();
    if (length > limits.regionBytes || tpt.RegionCount() >= limits.regions ||
        length > limits.registeredBytes - tpt.RegisteredBytes())
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().registerBase, VIP_ERROR_RESOURCE);
    }
    if (!IsWritableMemory(base, length)) // else there is nothing to pin
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().registerBase, VIP_INVALID_PARAMETER);
    }
    ProgramMemory::Write(handle, m_nic.GetTpt().Register(opened->owner, base, length, rights));
    return Charge(Stage::CALL_SETUP,
                  Library().Costs().registerBase +
                      Library().Costs().registerPage * Pages(base, length));
}

const Region*
Vipl::OurRegion(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
{
    const OpenedNic* opened = FindNic(nic);
    const Region* region = m_nic.GetTpt().Find(handle);
    const bool ours = opened != nullptr && region != nullptr && region->owner == opened->owner;
    return ours && region->base == reinterpret_cast<std::uint64_t>(address) ? region : nullptr;
}

void
Vipl::Quiesce(const void* address, std::uint64_t length)
{
    Caller().Wait({Caller().GetHost().Memory().LastUse(address, length), 0}, Stage::BLOCKED);
}

VIP_RETURN
Vipl::DeregisterMem(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
{
    Caller().Reach();
    const Region* region = OurRegion(nic, address, handle);
    if (region == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const std::uint64_t length = region->length;
    const std::uint64_t pages = Pages(region->base, length);
    m_nic.GetHandles().Deregister(handle);
    Quiesce(address, length);
    return Charge(Stage::CALL_SETUP,
                  Library().Costs().deregisterBase + Library().Costs().deregisterPage * pages);
}

VIP_RETURN
Vipl::QueryMem(VIP_NIC_HANDLE nic,
               VIP_PVOID address,
               VIP_MEM_HANDLE handle,
               VIP_MEM_ATTRIBUTES* attributes)
{
    const Region* region = OurRegion(nic, address, handle);
    if (region == nullptr || attributes == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const Ptag tag = region->rights.tag;
    ProgramMemory::Write(attributes,
                         {m_tags.HandleOf([tag](Ptag other) { return other == tag; }),
                          region->rights.rdmaWrite ? VIP_TRUE : VIP_FALSE,
                          region->rights.rdmaRead ? VIP_TRUE : VIP_FALSE});
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

VIP_RETURN
Vipl::SetMemAttributes(VIP_NIC_HANDLE nic,
                       VIP_PVOID address,
                       VIP_MEM_HANDLE handle,
                       VIP_MEM_ATTRIBUTES* attributes)
{
    Caller().Reach();
    const Region* region = OurRegion(nic, address, handle);
    if (region == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    MemoryRights rights;
    const VIP_RETURN checked = MakeRights(*FindNic(nic), attributes, rights);
    if (checked == VIP_SUCCESS)
    {
        m_nic.GetTpt().SetRights(handle, rights);
        Quiesce(address, region->length);
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().setAttributes, checked);
}

} // namespace via
} // namespace ns3
