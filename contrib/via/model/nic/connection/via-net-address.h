/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Addresses of connections: a host and a discriminator, as byte strings.

#ifndef VIA_NET_ADDRESS_H
#define VIA_NET_ADDRESS_H

#include "ns3/via-packet.h"

#include <string>
#include <tuple>

namespace ns3
{
namespace via
{

/// A host address with a discriminator behind it.
struct NetAddress
{
    std::string host;
    std::string discriminator;
};

inline bool
operator==(const NetAddress& a, const NetAddress& b)
{
    return a.host == b.host && a.discriminator == b.discriminator;
}

/// Byte by byte, the host first.
inline bool
operator<(const NetAddress& a, const NetAddress& b)
{
    return std::tie(a.host, a.discriminator) < std::tie(b.host, b.discriminator);
}

/// The 6-byte address of host @p node: 02:00:00:00:hi:lo.
std::string HostAddressOf(NodeId node);

/// The host with address @p bytes; false if it is no address of ours.
bool NodeOfAddress(const std::string& bytes, NodeId& node);

} // namespace via
} // namespace ns3

#endif // VIA_NET_ADDRESS_H
