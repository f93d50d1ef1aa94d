/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: opening the NIC, protection tags, registered memory, asynchronous errors, names.

#include "via-vipl.h"

#include "ns3/via-memory-probe.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr VIP_USHORT ADDRESS_BYTES = 6;

/// Programs are mapped at multiples of this: below it, their addresses are the same in every run.
constexpr std::uint64_t MAPPING_BYTES = 4096;

/// The names under which VIPL programs open a NIC: those of the products and of their guides.
bool
IsDeviceName(const std::string& name)
{
    const char* const exact[] = {"/dev/via_lo", "/etc/via_lo", "\\\\.\\VI1"};
    if (std::find(std::begin(exact), std::end(exact), name) != std::end(exact))
    {
        return true;
    }
    for (const std::string prefix : {"/dev/via_eth", "/dev/clanvi", "nic", "VINIC"})
    {
        const bool digits = name.size() <= prefix.size() + 2 &&
                            std::all_of(name.begin() + static_cast<std::ptrdiff_t>(
                                                           std::min(prefix.size(), name.size())),
                                        name.end(),
                                        [](char c) { return c >= '0' && c <= '9'; });
        if (name.compare(0, prefix.size(), prefix) == 0 && digits)
        {
            return name.size() > prefix.size() || prefix == "VINIC";
        }
    }
    return false;
}

} // namespace

Vipl::Vipl(FiberProcess& process, Nic& nic, const ViplCosts& costs, std::uint32_t nodes)
    : m_process(process),
      m_nic(nic),
      m_costs(costs),
      m_nodes(nodes),
      m_address(HostAddressOf(nic.GetHost().Id())),
      m_bell(process)
{
}

Vipl::ThreadState&
Vipl::Mine()
{
    const std::uint32_t number = Caller().Number();
    if (number >= m_threads.size())
    {
        m_threads.resize(number + 1);
    }
    if (m_threads[number] == nullptr)
    {
        m_threads[number] = std::make_unique<ThreadState>(
            ThreadState{ViLibrary(Caller(), m_nic, m_costs), {}, nullptr, nullptr});
    }
    return *m_threads[number];
}

void
Vipl::OnThreadEnd(const FiberThread& thread)
{
    if (thread.Number() < m_threads.size() && m_threads[thread.Number()] != nullptr)
    {
        m_threads[thread.Number()]->library.Reset();
    }
}

VIP_NIC_HANDLE
Vipl::NicHandleOf(std::uint32_t owner)
{
    return m_opened.HandleOf([owner](const OpenedNic& opened) { return opened.owner == owner; });
}

VIP_RETURN
Vipl::Charge(Stage stage, Cycles n, VIP_RETURN result)
{
    Caller().Spend(stage, n);
    Caller().Settle();
    return result;
}

std::uint64_t
Vipl::Pages(std::uint64_t address, std::uint64_t length) const
{
    const std::uint64_t page = m_nic.GetHost().Costs().pageBytes;
    const std::uint64_t offset = m_addressesRepeat ? address % std::min(page, MAPPING_BYTES) : 0;
    return (offset + length + page - 1) / page;
}

VIP_RETURN
Vipl::OpenNic(const VIP_CHAR* name, VIP_NIC_HANDLE* nic)
{
    Enter();
    if (name == nullptr || nic == nullptr || !IsDeviceName(name))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    OpenedNic opened;
    opened.owner = m_nic.Open(this);
    *nic = m_opened.Add(opened);
    return Charge(Stage::CALL_SETUP, Library().Costs().openNic);
}

VIP_RETURN
Vipl::CloseNic(VIP_NIC_HANDLE nic)
{
    Enter();
    const OpenedNic* opened = m_opened.Find(nic);
    if (opened == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (m_nic.HasObjects(opened->owner))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().closeNic, VIP_ERROR_RESOURCE);
    }
    m_nic.CloseAll(opened->owner, Caller().Clock());
    m_opened.Remove(nic);
    return Charge(Stage::CALL_SETUP, Library().Costs().closeNic);
}

VIP_RETURN
Vipl::QueryNic(VIP_NIC_HANDLE nic, VIP_NIC_ATTRIBUTES* attributes)
{
    Enter();
    if (m_opened.Find(nic) == nullptr || attributes == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const NicLimits& limits = m_nic.Limits();
    std::memset(attributes, 0, sizeof(*attributes));
    std::strncpy(attributes->Name, "via", sizeof(attributes->Name) - 1);
    attributes->NicAddressLen = ADDRESS_BYTES;
    attributes->LocalNicAddress = reinterpret_cast<const VIP_UINT8*>(m_address.data());
    attributes->ThreadSafe = VIP_FALSE;
    attributes->MaxDiscriminatorLen = static_cast<VIP_UINT16>(limits.discriminatorBytes);
    attributes->MaxRegisterBytes = limits.registeredBytes;
    attributes->MaxRegisterRegions = limits.regions;
    attributes->MaxRegisterBlockBytes = limits.regionBytes;
    attributes->MaxVI = limits.vis;
    attributes->MaxDescriptorsPerQueue = limits.queueDepth;
    attributes->MaxSegmentsPerDesc = limits.segments;
    attributes->MaxCQ = limits.cqs;
    attributes->MaxCQEntries = limits.cqEntries;
    attributes->MaxTransferSize = limits.transferBytes;
    attributes->NativeMTU = limits.nativeMtu;
    attributes->MaxPtags = limits.tags;
    attributes->ReliabilityLevelSupport = limits.reliability;
    attributes->RDMAReadSupport = limits.rdmaRead ? limits.reliability : 0;
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

VIP_RETURN
Vipl::CreatePtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE* tag)
{
    Enter();
    const OpenedNic* opened = m_opened.Find(nic);
    if (opened == nullptr || tag == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (m_nic.GetTpt().TagCount() >= m_nic.Limits().tags)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().createPtag, VIP_ERROR_RESOURCE);
    }
    *tag = m_tags.Add(m_nic.GetTpt().CreateTag(opened->owner));
    return Charge(Stage::CALL_SETUP, Library().Costs().createPtag);
}

VIP_RETURN
Vipl::DestroyPtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
{
    Enter();
    const OpenedNic* opened = m_opened.Find(nic);
    const Ptag* ptag = m_tags.Find(tag);
    if (opened == nullptr || ptag == nullptr || !m_nic.GetTpt().OwnsTag(*ptag, opened->owner))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (m_nic.GetTpt().RegionsWithTag(*ptag) > 0 || m_nic.VisWithTag(*ptag) > 0)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().destroyPtag, VIP_ERROR_RESOURCE);
    }
    m_nic.GetTpt().DestroyTag(*ptag);
    m_tags.Remove(tag);
    return Charge(Stage::CALL_SETUP, Library().Costs().destroyPtag);
}

VIP_RETURN
Vipl::MakeRights(const OpenedNic& nic, const VIP_MEM_ATTRIBUTES* attributes, MemoryRights& rights)
{
    if (attributes == nullptr)
    {
        return VIP_INVALID_PARAMETER;
    }
    const Ptag* tag = m_tags.Find(attributes->Ptag);
    if (tag == nullptr || !m_nic.GetTpt().OwnsTag(*tag, nic.owner))
    {
        return VIP_INVALID_PTAG;
    }
    if (attributes->EnableRdmaRead != VIP_FALSE && !m_nic.Limits().rdmaRead)
    {
        return VIP_INVALID_RDMAREAD;
    }
    rights = {*tag,
              attributes->EnableRdmaWrite != VIP_FALSE,
              attributes->EnableRdmaRead != VIP_FALSE};
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::RegisterMem(VIP_NIC_HANDLE nic,
                  VIP_PVOID address,
                  VIP_ULONG length,
                  VIP_MEM_ATTRIBUTES* attributes,
                  VIP_MEM_HANDLE* handle)
{
    Enter();
    Caller().Reach();
    const OpenedNic* opened = m_opened.Find(nic);
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
    if (!IsWritableMemory(base, length)) // there would be nothing to pin
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().registerBase, VIP_INVALID_PARAMETER);
    }
    *handle = m_nic.GetTpt().Register(opened->owner, base, length, rights);
    return Charge(Stage::CALL_SETUP,
                  Library().Costs().registerBase +
                      Library().Costs().registerPage * Pages(base, length));
}

Region*
Vipl::OurRegion(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
{
    const OpenedNic* opened = m_opened.Find(nic);
    Region* region = m_nic.GetTpt().Find(handle);
    const bool ours = opened != nullptr && region != nullptr && region->owner == opened->owner;
    return ours && region->base == reinterpret_cast<std::uint64_t>(address) ? region : nullptr;
}

VIP_RETURN
Vipl::DeregisterMem(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
{
    Enter();
    Caller().Reach();
    const Region* region = OurRegion(nic, address, handle);
    if (region == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const std::uint64_t pages = Pages(region->base, region->length);
    m_nic.GetTpt().Deregister(handle);
    return Charge(Stage::CALL_SETUP,
                  Library().Costs().deregisterBase + Library().Costs().deregisterPage * pages);
}

VIP_RETURN
Vipl::QueryMem(VIP_NIC_HANDLE nic,
               VIP_PVOID address,
               VIP_MEM_HANDLE handle,
               VIP_MEM_ATTRIBUTES* attributes)
{
    Enter();
    const Region* region = OurRegion(nic, address, handle);
    if (region == nullptr || attributes == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const Ptag tag = region->rights.tag;
    attributes->Ptag = m_tags.HandleOf([tag](Ptag other) { return other == tag; });
    attributes->EnableRdmaWrite = region->rights.rdmaWrite ? VIP_TRUE : VIP_FALSE;
    attributes->EnableRdmaRead = region->rights.rdmaRead ? VIP_TRUE : VIP_FALSE;
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

VIP_RETURN
Vipl::SetMemAttributes(VIP_NIC_HANDLE nic,
                       VIP_PVOID address,
                       VIP_MEM_HANDLE handle,
                       VIP_MEM_ATTRIBUTES* attributes)
{
    Enter();
    Caller().Reach();
    Region* region = OurRegion(nic, address, handle);
    if (region == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const VIP_RETURN checked = MakeRights(*m_opened.Find(nic), attributes, region->rights);
    return Charge(Stage::CALL_SETUP, Library().Costs().setAttributes, checked);
}

std::uint32_t
Vipl::ConnectedVis()
{
    std::uint32_t count = 0;
    m_vis.HandleOf([&](const OpenedVi& opened) {
        count += m_nic.FindVi(opened.id)->state == ViState::CONNECTED ? 1 : 0;
        return false; // to the next
    });
    return count;
}

void
Vipl::OnProcessEnd()
{
    // killed while they blocked: what their stacks held is gone
    for (const auto& thread : m_threads)
    {
        if (thread != nullptr && thread->waiter != nullptr)
        {
            m_nic.Connections().RemoveWaiter(std::exchange(thread->waiter, nullptr));
        }
        if (thread != nullptr && thread->attempt != nullptr)
        {
            m_nic.Connections().Forget(std::exchange(thread->attempt, nullptr));
        }
    }
    m_claims.Clear();
    m_nic.GetHost().Memory().Settle(PS_NEVER); // the process' memory is about to go
    while (void* request = m_requests.HandleOf([](const Request&) { return true; }))
    {
        m_nic.Connections().Reject(m_requests.Find(request)->number, Caller().Clock());
        m_requests.Remove(request);
    }
    const auto any = [](const OpenedNic&) { return true; };
    for (VIP_NIC_HANDLE nic = m_opened.HandleOf(any); nic != nullptr; nic = m_opened.HandleOf(any))
    {
        m_nic.CloseAll(m_opened.Find(nic)->owner, Caller().Clock());
        m_opened.Remove(nic);
    }
    for (const PendingError& pending : m_errors)
    {
        m_unhandled.push_back(pending.error);
    }
    m_errors.clear();
}

// ---- name service: host i is "n<i>" and has one address

std::string
Vipl::NameOf(NodeId node)
{
    return "n" + std::to_string(node);
}

VIP_RETURN
Vipl::NsInit(VIP_NIC_HANDLE nic, VIP_PVOID)
{
    Enter();
    OpenedNic* opened = m_opened.Find(nic);
    if (opened == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    opened->nameService = true;
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

VIP_RETURN
Vipl::NsShutdown(VIP_NIC_HANDLE nic)
{
    Enter();
    OpenedNic* opened = m_opened.Find(nic);
    if (opened == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    opened->nameService = false;
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

VIP_RETURN
Vipl::NsGetHostByName(VIP_NIC_HANDLE nic,
                      const VIP_CHAR* name,
                      VIP_NET_ADDRESS* address,
                      VIP_ULONG index)
{
    Enter();
    const OpenedNic* opened = m_opened.Find(nic);
    if (opened == nullptr || name == nullptr || address == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const NodeId node = static_cast<NodeId>(std::strtoul(name + (*name != '\0'), nullptr, 10));
    const bool known = node < m_nodes && NameOf(node) == name;
    if (!opened->nameService || !known || index > 0)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().nameService, VIP_ERROR_NAMESERVICE);
    }
    const std::string bytes = HostAddressOf(node);
    address->HostAddressLen = ADDRESS_BYTES;
    std::memcpy(address->HostAddress, bytes.data(), bytes.size());
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

VIP_RETURN
Vipl::NsGetHostByAddr(VIP_NIC_HANDLE nic,
                      const VIP_NET_ADDRESS* address,
                      VIP_CHAR* name,
                      VIP_ULONG* length)
{
    Enter();
    const OpenedNic* opened = m_opened.Find(nic);
    if (opened == nullptr || address == nullptr || name == nullptr || length == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    NodeId node = 0;
    const std::string bytes(reinterpret_cast<const char*>(address->HostAddress),
                            address->HostAddressLen);
    if (!opened->nameService || !NodeOfAddress(bytes, node) || node >= m_nodes)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().nameService, VIP_ERROR_NAMESERVICE);
    }
    const std::string text = NameOf(node);
    const bool fits = *length > text.size();
    *length = text.size() + 1;
    if (!fits)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().nameService, VIP_ERROR_RESOURCE);
    }
    std::memcpy(name, text.c_str(), text.size() + 1);
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

} // namespace via
} // namespace ns3
