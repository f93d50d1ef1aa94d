/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on the interfaces and addresses of its node.

#include "ns3/via-program-memory.h"
#include "ns3/via-socket-address.h"
#include "ns3/via-system-calls.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

/// One interface of a node.
struct Interface
{
    const char* name;
    Ipv4Address address;
    std::uint32_t mask;
    int flags; ///< beside those that all have
};

sockaddr
AddressFor(Ipv4Address address)
{
    sockaddr written{};
    const std::string bytes = WriteSocketAddress({address, 0}, AF_INET);
    std::memcpy(&written, bytes.data(), std::min(bytes.size(), sizeof(written)));
    return written;
}

ifreq
RequestOf(const Interface& interface)
{
    ifreq made{};
    std::strncpy(made.ifr_name, interface.name, IFNAMSIZ - 1);
    made.ifr_addr = AddressFor(interface.address);
    return made;
}

/// Lists as many interfaces as there is room for; a null list: only how many bytes they need.
void
ListInterfaces(const std::vector<Interface>& interfaces, ifconf* to)
{
    ifconf list = ProgramMemory::Read(to);
    std::size_t most = interfaces.size();
    if (list.ifc_req != nullptr)
    {
        most = std::min(most, static_cast<std::size_t>(std::max(list.ifc_len, 0)) / sizeof(ifreq));
        for (std::size_t i = 0; i < most; ++i)
        {
            ProgramMemory::Write(list.ifc_req + i, RequestOf(interfaces[i]));
        }
    }
    list.ifc_len = static_cast<int>(most * sizeof(ifreq));
    ProgramMemory::Write(to, list);
}

/// Answers a request about one interface. @return false: it is not known
bool
Answer(const Interface& interface, std::uint64_t request, ifreq& asked)
{
    switch (request)
    {
    case SIOCGIFADDR:
        asked.ifr_addr = AddressFor(interface.address);
        return true;
    case SIOCGIFNETMASK:
        asked.ifr_netmask = AddressFor(Ipv4Address(interface.mask));
        return true;
    case SIOCGIFBRDADDR:
        asked.ifr_broadaddr = AddressFor(Ipv4Address(interface.address.Get() | ~interface.mask));
        return true;
    case SIOCGIFFLAGS:
        asked.ifr_flags = static_cast<short>(IFF_UP | IFF_RUNNING | interface.flags);
        return true;
    default:
        return false;
    }
}

} // namespace

std::int64_t
SystemCalls::AskInterfaces(std::uint64_t request, std::int64_t argument) const
{
    const std::int64_t own = HostAddress(-1, false);
    const std::int64_t control = HostAddress(-1, true);
    if (own < 0)
    {
        return -ENOTTY;
    }
    const auto at = [](std::int64_t address) {
        return Ipv4Address(static_cast<std::uint32_t>(address));
    };
    std::vector<Interface> interfaces = {
        {"lo", Ipv4Address::GetLoopback(), IN_CLASSA_NET, IFF_LOOPBACK},
        {VIA_INTERFACE, at(own), IN_CLASSA_NET, IFF_BROADCAST},
    };
    if (control >= 0)
    {
        interfaces.push_back({VIA_CONTROL_INTERFACE, at(control), VIA_CONTROL_MASK, IFF_BROADCAST});
    }
    if (request == SIOCGIFCONF)
    {
        ListInterfaces(interfaces, reinterpret_cast<ifconf*>(argument));
        return 0;
    }
    auto* const to = reinterpret_cast<ifreq*>(argument);
    ifreq asked = ProgramMemory::Read(to);
    const auto found =
        std::find_if(interfaces.begin(), interfaces.end(), [&](const Interface& one) {
            return std::strncmp(one.name, asked.ifr_name, IFNAMSIZ) == 0;
        });
    if (found == interfaces.end() || !Answer(*found, request, asked))
    {
        return found == interfaces.end() ? -ENODEV : -ENOTTY;
    }
    ProgramMemory::Write(to, asked);
    return 0;
}

std::int64_t
SystemCalls::HostAddress(std::int64_t number, bool onControl) const
{
    if (m_host.process == nullptr || number >= static_cast<std::int64_t>(m_host.hosts) ||
        (onControl && m_host.control == nullptr))
    {
        return -ENOENT;
    }
    const NodeId node = number < 0 ? m_host.process->GetHost().Id() : static_cast<NodeId>(number);
    return (onControl ? ControlNetwork::AddressOf(node) : IpNetwork::AddressOf(node)).Get();
}

} // namespace via
} // namespace ns3
