/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Addresses of sockets, as programs write them and as the stack does.

#include "via-socket-address.h"

#include "ns3/via-program-memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>

namespace ns3
{
namespace via
{

namespace
{

int
ReadAddress6(const sockaddr_in6& given, KernelPeer& peer)
{
    const std::uint8_t* bytes = given.sin6_addr.s6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&given.sin6_addr))
    {
        std::uint32_t address = 0;
        std::memcpy(&address, bytes + 12, sizeof(address));
        peer.address = Ipv4Address(ntohl(address));
    }
    else if (IN6_IS_ADDR_UNSPECIFIED(&given.sin6_addr))
    {
        peer.address = Ipv4Address::GetAny();
    }
    else if (IN6_IS_ADDR_LOOPBACK(&given.sin6_addr))
    {
        peer.address = Ipv4Address::GetLoopback();
    }
    else
    {
        return EADDRNOTAVAIL; // no host has another address
    }
    peer.port = ntohs(given.sin6_port);
    return 0;
}

} // namespace

int
ReadSocketAddress(const std::string& bytes, int family, KernelPeer& peer)
{
    sockaddr_in6 given6{};
    sockaddr_in given{};
    std::memcpy(&given6, bytes.data(), std::min(bytes.size(), sizeof(given6)));
    std::memcpy(&given, bytes.data(), std::min(bytes.size(), sizeof(given)));
    const bool is6 = given.sin_family == AF_INET6;
    if (bytes.size() < (is6 ? sizeof(given6) : sizeof(given)))
    {
        return EINVAL;
    }
    if (is6)
    {
        return family == AF_INET6 ? ReadAddress6(given6, peer) : EAFNOSUPPORT;
    }
    if (given.sin_family != AF_INET && given.sin_family != AF_UNSPEC)
    {
        return EAFNOSUPPORT;
    }
    peer = {Ipv4Address(ntohl(given.sin_addr.s_addr)), ntohs(given.sin_port)};
    return 0;
}

bool
IsUnspecifiedAddress(const std::string& bytes)
{
    sa_family_t family = AF_INET;
    std::memcpy(&family, bytes.data(), bytes.size() < sizeof(family) ? 0 : sizeof(family));
    return family == AF_UNSPEC;
}

std::string
WriteSocketAddress(const KernelPeer& peer, int family)
{
    const std::uint32_t address = htonl(peer.address.Get());
    if (family != AF_INET6)
    {
        sockaddr_in out{};
        out.sin_family = AF_INET;
        out.sin_port = htons(peer.port);
        out.sin_addr.s_addr = address;
        return {reinterpret_cast<const char*>(&out), sizeof(out)};
    }
    sockaddr_in6 out{};
    out.sin6_family = AF_INET6;
    out.sin6_port = htons(peer.port);
    if (peer.address == Ipv4Address::GetLoopback())
    {
        out.sin6_addr = in6addr_loopback;
    }
    else if (peer.address != Ipv4Address::GetAny())
    {
        out.sin6_addr.s6_addr[10] = out.sin6_addr.s6_addr[11] = 0xff;
        std::memcpy(out.sin6_addr.s6_addr + 12, &address, sizeof(address));
    }
    return {reinterpret_cast<const char*>(&out), sizeof(out)};
}

void
StoreSocketAddress(const std::string& address, void* to, std::uint32_t* bytes)
{
    if (to == nullptr || bytes == nullptr)
    {
        return;
    }
    const auto room = static_cast<std::size_t>(ProgramMemory::Read(bytes));
    ProgramMemory::WriteBytes(to, address.data(), std::min(room, address.size()));
    ProgramMemory::Write(bytes, static_cast<std::uint32_t>(address.size()));
}

} // namespace via
} // namespace ns3
