/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Connection addresses: a host and a discriminator, as byte strings.

#ifndef VIA_NET_ADDRESS_H
#define VIA_NET_ADDRESS_H

#include "ns3/via-packet.h"

#include <string>
#include <tuple>

namespace ns3
{
namespace via
{

/// A host address, followed by a discriminator.
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

/// Compares byte by byte, the host first.
inline bool
operator<(const NetAddress& a, const NetAddress& b)
{
    return std::tie(a.host, a.discriminator) < std::tie(b.host, b.discriminator);
}

/// The 6-byte address of host @p node: 02:00, then its number, most significant byte first.
std::string HostAddressOf(NodeId node);

/// Finds the host with address @p bytes. @return false if the format is not ours
bool NodeOfAddress(const std::string& bytes, NodeId& node);

} // namespace via
} // namespace ns3

#endif // VIA_NET_ADDRESS_H
