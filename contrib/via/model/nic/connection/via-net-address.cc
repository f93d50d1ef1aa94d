/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Connection addresses: a host and a discriminator, as byte strings.

#include "via-net-address.h"

namespace ns3
{
namespace via
{

namespace
{
constexpr std::size_t HOST_ADDRESS_BYTES = 6;
} // namespace

std::string
HostAddressOf(NodeId node)
{
    std::string bytes(HOST_ADDRESS_BYTES, '\0');
    bytes[0] = 2; // locally administered
    bytes[2] = static_cast<char>(node >> 24);
    bytes[3] = static_cast<char>(node >> 16);
    bytes[4] = static_cast<char>(node >> 8);
    bytes[5] = static_cast<char>(node);
    return bytes;
}

bool
NodeOfAddress(const std::string& bytes, NodeId& node)
{
    if (bytes.size() != HOST_ADDRESS_BYTES || bytes[0] != 2 || bytes[1] != 0)
    {
        return false;
    }
    node = 0;
    for (std::size_t i = 2; i < HOST_ADDRESS_BYTES; ++i)
    {
        node = node << 8 | static_cast<std::uint8_t>(bytes[i]);
    }
    return true;
}

} // namespace via
} // namespace ns3
