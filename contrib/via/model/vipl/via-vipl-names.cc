/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: the name service and system management.

#include "via-vipl.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace ns3
{
namespace via
{

namespace
{

/// Longest name that is looked up; no host has a longer one.
constexpr std::size_t MOST_NAME_BYTES = 256;

} // namespace

// ---- name service: host i is "n<i>" and has one address

std::string
Vipl::NameOf(NodeId node)
{
    return "n" + std::to_string(node);
}

VIP_RETURN
Vipl::QuerySystemManagementInfo(VIP_NIC_HANDLE nic, VIP_ULONG type, VIP_PVOID info)
{
    if (FindNic(nic) == nullptr || info == nullptr || type != VIP_SMI_AUTODISCOVERY)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (m_discovery.addresses.empty())
    {
        Discover();
    }
    VIP_AUTODISCOVERY_LIST list{};
    list.NumberOfHops = m_discovery.hops;
    list.NumAdAddrs = m_discovery.addresses.size();
    list.ADAddrArray = m_discovery.addresses.empty() ? nullptr : m_discovery.addresses.data();
    ProgramMemory::Write(static_cast<VIP_AUTODISCOVERY_LIST*>(info), list);
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

void
Vipl::Discover()
{
    const std::size_t stride =
        (offsetof(VIP_NET_ADDRESS, HostAddress) + m_address.size() + alignof(VIP_NET_ADDRESS) - 1) /
        alignof(VIP_NET_ADDRESS) * alignof(VIP_NET_ADDRESS);
    m_discovery.bytes.resize(stride * m_setting.nodes);
    const NodeId here = m_nic.GetHost().Id();
    for (NodeId node = 0; node < m_setting.nodes; ++node)
    {
        if (node != here)
        {
            auto* address =
                reinterpret_cast<VIP_NET_ADDRESS*>(m_discovery.bytes.data() + stride * node);
            WriteAddress({HostAddressOf(node), ""}, address);
            m_discovery.addresses.push_back(address);
            m_discovery.hops =
                std::max<VIP_ULONG>(m_discovery.hops, m_setting.switchesBetween(here, node));
        }
    }
}

VIP_RETURN
Vipl::NsInit(VIP_NIC_HANDLE nic, VIP_PVOID)
{
    OpenedNic* opened = FindNic(nic);
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
    OpenedNic* opened = FindNic(nic);
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
    const OpenedNic* opened = FindNic(nic);
    if (opened == nullptr || name == nullptr || address == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const std::string text = ProgramMemory::ReadText(name, MOST_NAME_BYTES);
    const std::string digits = text.substr(std::min<std::size_t>(text.size(), 1));
    const NodeId node = static_cast<NodeId>(std::strtoul(digits.c_str(), nullptr, 10));
    const bool known = node < m_setting.nodes && NameOf(node) == text;
    if (!opened->nameService || !known || index > 0)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().nameService, VIP_ERROR_NAMESERVICE);
    }
    const std::string bytes = HostAddressOf(node);
    ProgramMemory::Write(&address->HostAddressLen, static_cast<VIP_UINT16>(bytes.size()));
    ProgramMemory::WriteBytes(address->HostAddress, bytes.data(), bytes.size());
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

VIP_RETURN
Vipl::NsGetHostByAddr(VIP_NIC_HANDLE nic,
                      const VIP_NET_ADDRESS* address,
                      VIP_CHAR* name,
                      VIP_ULONG* length)
{
    const OpenedNic* opened = FindNic(nic);
    if (opened == nullptr || address == nullptr || name == nullptr || length == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    NodeId node = 0;
    const VIP_UINT16 named = ProgramMemory::Read(&address->HostAddressLen);
    const bool known = named == m_address.size() &&
                       NodeOfAddress(ProgramMemory::ReadBytes(address->HostAddress, named), node) &&
                       node < m_setting.nodes;
    if (!opened->nameService || !known)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().nameService, VIP_ERROR_NAMESERVICE);
    }
    const std::string text = NameOf(node);
    const bool fits = ProgramMemory::Read(length) > text.size();
    ProgramMemory::Write(length, text.size() + 1);
    if (!fits)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().nameService, VIP_ERROR_RESOURCE);
    }
    ProgramMemory::WriteBytes(name, text.c_str(), text.size() + 1);
    return Charge(Stage::CALL_SETUP, Library().Costs().nameService);
}

} // namespace via
} // namespace ns3
