/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The parts of a frame that decide its cost: its protocol and its payload size.

#include "via-datagram-kind.h"

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint8_t PROTOCOL_TCP = 6;
constexpr std::uint8_t PROTOCOL_UDP = 17;
constexpr std::size_t IPV4_HEADER = 20; // without options
constexpr std::size_t IPV6_HEADER = 40;
constexpr std::size_t UDP_HEADER = 8;
constexpr std::size_t TCP_HEADER = 20; // without options
constexpr std::size_t WORD = 4;        // headers count in words

std::uint16_t
Short(const std::uint8_t* at)
{
    return static_cast<std::uint16_t>(at[0] << 8 | at[1]);
}

/// Parses the header after IP's. @param size from there to the end of the packet
void
ReadTransport(DatagramKind& kind, std::uint8_t protocol, const std::uint8_t* at, std::size_t size)
{
    kind.payload = static_cast<std::uint32_t>(size);
    const bool isTcp = protocol == PROTOCOL_TCP && size >= TCP_HEADER;
    if (!isTcp && (protocol != PROTOCOL_UDP || size < UDP_HEADER))
    {
        return;
    }
    kind.sourcePort = Short(at);
    kind.destinationPort = Short(at + 2);
    const std::size_t header = isTcp ? (at[12] >> 4) * WORD : UDP_HEADER;
    kind.payload = static_cast<std::uint32_t>(size > header ? size - header : 0);
    kind.protocol = DatagramKind::Protocol::UDP;
    if (isTcp)
    {
        kind.protocol =
            kind.payload > 0 ? DatagramKind::Protocol::TCP_DATA : DatagramKind::Protocol::TCP_ACK;
    }
}

void
ReadIpv4(DatagramKind& kind, const std::uint8_t* at, std::size_t size)
{
    const std::size_t header = (at[0] & 0x0F) * WORD;
    const std::size_t length = Short(at + 2);
    if (header < IPV4_HEADER || length < header || length > size)
    {
        return;
    }
    const bool isFirst = (Short(at + 6) & 0x1FFF) == 0;
    ReadTransport(kind, isFirst ? at[9] : 0, at + header, length - header);
}

} // namespace

DatagramKind
DatagramKind::Of(const std::uint8_t* frame, std::size_t size)
{
    DatagramKind kind;
    const std::uint16_t type = Short(frame + 12);
    const std::uint8_t* at = frame + FRAME_HEADER;
    const std::size_t rest = size - FRAME_HEADER;
    if (type == ETHER_IPV4 && rest >= IPV4_HEADER)
    {
        kind.protocol = Protocol::IP;
        ReadIpv4(kind, at, rest);
    }
    else if (type == ETHER_IPV6 && rest >= IPV6_HEADER)
    {
        kind.protocol = Protocol::IP;
        ReadTransport(kind, at[6], at + IPV6_HEADER, rest - IPV6_HEADER);
    }
    return kind;
}

} // namespace via
} // namespace ns3
