/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Addresses of sockets, as programs write them and as the stack does.

#ifndef VIA_SOCKET_ADDRESS_H
#define VIA_SOCKET_ADDRESS_H

#include "ns3/via-kernel-socket.h"

#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief Reads a sockaddr_in, or a sockaddr_in6 with an IPv4 address in it, :: or ::1.
 * @param family of the socket
 * @return 0 or an error
 */
int ReadSocketAddress(const std::string& bytes, int family, KernelPeer& peer);

/// @return whether it has the family AF_UNSPEC, by which connect dissolves an association
bool IsUnspecifiedAddress(const std::string& bytes);

/// @return @p peer as a sockaddr_in, or a sockaddr_in6 for AF_INET6
std::string WriteSocketAddress(const KernelPeer& peer, int family);

/**
 * @brief Stores an address for a program, cut to what it has room for.
 * @param to null: the program does not ask for it
 * @param bytes of room; receives the bytes of the whole address
 */
void StoreSocketAddress(const std::string& address, void* to, std::uint32_t* bytes);

} // namespace via
} // namespace ns3

#endif // VIA_SOCKET_ADDRESS_H
