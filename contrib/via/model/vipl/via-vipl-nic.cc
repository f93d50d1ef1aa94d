/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: opening the NIC, asynchronous errors, the end of a process.

#include "via-vipl.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace ns3
{
namespace via
{

namespace
{

/// The number in a NIC's device name, as in the products and their guides.
std::optional<std::uint32_t>
DeviceNumber(const VIP_CHAR* given)
{
    if (given == nullptr)
    {
        return std::nullopt;
    }
    const std::string name = ProgramMemory::ReadText(given, sizeof(VIP_NIC_ATTRIBUTES::Name));
    const char* const exact[] = {"/dev/via_lo", "/etc/via_lo", "\\\\.\\VI1"};
    if (std::find(std::begin(exact), std::end(exact), name) != std::end(exact))
    {
        return 0;
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
            const std::string number = name.substr(prefix.size());
            return !number.empty()     ? std::optional(std::uint32_t(std::stoul(number)))
                   : prefix == "VINIC" ? std::optional(0U)
                                       : std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace

Vipl::Vipl(FiberProcess& process, Nic& nic, const ViplSetting& setting, Vipl* first)
    : m_process(process),
      m_nic(nic),
      m_first(first == nullptr ? *this : *first),
      m_setting(setting),
      m_address(HostAddressOf(nic.GetHost().Id())),
      m_handlerWakeUp(process)
{
    if (first != nullptr)
    {
        first->m_further.push_back(this);
        m_addressesRepeat = first->m_addressesRepeat;
        m_guard = first->m_guard;
        m_log = first->m_log;
        if (first->m_handlesDiffer)
        {
            SetHandlesDiffer();
        }
    }
}

void
Vipl::SetHandlesDiffer()
{
    const std::uint32_t process = m_process.Rank() + 1;
    m_handlesDiffer = true;
    m_opened.SetProcess(process);
    m_tags.SetProcess(process);
    m_vis.SetProcess(process);
    m_cqs.SetProcess(process);
    m_requests.SetProcess(process);
    m_events.SetProcess(process);
}

std::uint32_t
Vipl::CardNamed(const VIP_CHAR* name, std::uint32_t cards)
{
    const auto number = DeviceNumber(name);
    return !number ? cards : cards == 1 ? 0 : std::min(*number, cards);
}

Vipl::ThreadState&
Vipl::AddThread(std::uint32_t number)
{
    if (number >= m_threads.size())
    {
        m_threads.resize(number + 1);
    }
    m_threads[number] =
        std::make_unique<ThreadState>(ThreadState{ViLibrary(Caller(), m_nic, m_setting.costs), {}});
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

Vipl::OpenedNic*
Vipl::FindNic(VIP_NIC_HANDLE nic)
{
    const auto* opened = m_opened.Find(nic);
    return opened == nullptr ? nullptr : opened->get();
}

VIP_NIC_HANDLE
Vipl::NicHandleOf(std::uint32_t owner)
{
    return m_opened.HandleOf([owner](const auto& opened) { return opened->owner == owner; });
}

VIP_RETURN
Vipl::Charge(Stage stage, Cycles n, VIP_RETURN result)
{
    Caller().Spend(stage, n);
    Caller().Settle();
    return result;
}

VIP_RETURN
Vipl::OpenNic(const VIP_CHAR* name, VIP_NIC_HANDLE* nic)
{
    if (nic == nullptr || !DeviceNumber(name))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const auto any = [](const auto&) { return true; };
    const auto* other =
        m_setting.rules.sharedHandles ? m_opened.Find(m_opened.HandleOf(any)) : nullptr;
    auto opened = other == nullptr ? std::make_shared<OpenedNic>() : *other;
    if (other == nullptr)
    {
        opened->owner = m_nic.GetHandles().Open(this);
    }
    ++opened->handles;
    ProgramMemory::Write(nic, m_opened.Add(opened));
    return Charge(Stage::CALL_SETUP, Library().Costs().openNic);
}

VIP_RETURN
Vipl::CloseNic(VIP_NIC_HANDLE nic)
{
    OpenedNic* opened = FindNic(nic);
    if (opened == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (opened->handles == 1 && m_nic.GetHandles().HasObjects(opened->owner))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().closeNic, VIP_ERROR_RESOURCE);
    }
    DropTarget(*opened, nic);
    m_opened.Remove(nic);
    if (--opened->handles == 0)
    {
        m_nic.GetHandles().CloseAll(opened->owner, Caller().Clock());
    }
    if (m_opened.HandleOf([](const auto&) { return true; }) == nullptr)
    {
        DropDefaultTag();
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().closeNic);
}

VIP_RETURN
Vipl::QueryNic(VIP_NIC_HANDLE nic, VIP_NIC_ATTRIBUTES* attributes)
{
    if (FindNic(nic) == nullptr || attributes == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const NicLimits& limits = m_nic.Limits();
    VIP_NIC_ATTRIBUTES told;
    std::memset(&told, 0, sizeof(told));
    std::strncpy(told.Name, m_setting.rules.deviceName.c_str(), sizeof(told.Name) - 1);
    told.NicAddressLen = static_cast<VIP_UINT16>(m_address.size());
    told.LocalNicAddress = reinterpret_cast<const VIP_UINT8*>(m_address.data());
    told.ThreadSafe = VIP_TRUE;
    told.MaxDiscriminatorLen = static_cast<VIP_UINT16>(limits.discriminatorBytes);
    told.MaxRegisterBytes = limits.registeredBytes;
    told.MaxRegisterRegions = limits.regions;
    told.MaxRegisterBlockBytes = limits.regionBytes;
    told.MaxVI = limits.vis;
    told.MaxDescriptorsPerQueue = limits.queueDepth;
    told.MaxSegmentsPerDesc = limits.segments;
    told.MaxCQ = limits.cqs;
    told.MaxCQEntries = limits.cqEntries;
    told.MaxTransferSize = limits.transferBytes;
    told.NativeMTU = limits.nativeMtu;
    told.MaxPtags = limits.tags;
    told.ReliabilityLevelSupport = limits.reliability;
    told.RDMAReadSupport =
        limits.rdmaRead ? limits.reliability & ~VIP_SERVICE_UNRELIABLE : 0; // never if unreliable
    ProgramMemory::Write(attributes, told);
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

bool
Vipl::HasRegistered(const void* address, std::size_t bytes)
{
    const auto from = reinterpret_cast<std::uint64_t>(address);
    const Tpt& tpt = m_nic.GetTpt();
    const auto meets = [&](const auto& opened) {
        const std::vector<MemoryHandle> regions = tpt.HandlesOf(opened->owner);
        return std::any_of(regions.begin(), regions.end(), [&](MemoryHandle handle) {
            const Region& region = *tpt.Find(handle);
            return from < region.base + region.length && region.base < from + bytes;
        });
    };
    return m_opened.HandleOf(meets) != nullptr;
}

std::uint32_t
Vipl::ConnectedVis()
{
    std::uint32_t count = 0;
    m_vis.HandleOf([&](const OpenedVi& opened) {
        count += m_nic.FindVi(opened.id)->state == ViState::CONNECTED ? 1 : 0;
        return false; // continue with the next VI
    });
    return count;
}

void
Vipl::OnProcessEnd()
{
    m_claims.Clear();
    m_nic.Parts().doorbells->Forget(m_process.Rank(), {m_nic.GetHost().Now(), 0});
    HostMemory& memory = m_nic.GetHost().Memory();
    memory.Settle(Caller().Clock().at);
    memory.Leave(Caller().Rank()); // while the owner of the memory is still known
    const auto any = [](const auto&) { return true; };
    for (VIP_NIC_HANDLE nic = m_opened.HandleOf(any); nic != nullptr; nic = m_opened.HandleOf(any))
    {
        m_nic.GetHandles().CloseAll(FindNic(nic)->owner, Caller().Clock());
        m_opened.Remove(nic);
    }
    DropDefaultTag();
    memory.Leave(Caller().Rank()); // the writes made by ending the connections
    for (const PendingError& pending : m_errors)
    {
        m_first.m_unhandled.push_back(pending.error);
    }
    m_errors.clear();
}

} // namespace via
} // namespace ns3
