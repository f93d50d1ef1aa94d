/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Numbering of connections.

#ifndef VIA_CONNECTION_NUMBER_H
#define VIA_CONNECTION_NUMBER_H

#include "ns3/via-packet.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// Number of the @p count th connection (from 1) that a card of a host starts. Has room for 2^24
/// hosts of 256 cards.
inline ConnectionId
ConnectionNumber(NodeId host, std::uint32_t card, std::uint32_t count)
{
    return static_cast<ConnectionId>(card) << 56 | static_cast<ConnectionId>(host) << 32 | count;
}

} // namespace via
} // namespace ns3

#endif // VIA_CONNECTION_NUMBER_H
