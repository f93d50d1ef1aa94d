/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The parts of a frame that decide its cost: its protocol and its payload size.

#ifndef VIA_DATAGRAM_KIND_H
#define VIA_DATAGRAM_KIND_H

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// What the cost model sees of a frame.
struct DatagramKind
{
    /// The protocol of the frame.
    enum class Protocol : std::uint8_t
    {
        OTHER,    ///< neither IPv4 nor IPv6: ARP, say
        IP,       ///< ICMP and others, and all fragments but the first
        UDP,      ///< with the payload of the first fragment
        TCP_DATA, ///< with payload
        TCP_ACK,  ///< without payload
    };

    static constexpr std::size_t FRAME_HEADER = 14;     ///< bytes of an Ethernet header
    static constexpr std::uint16_t ETHER_IPV4 = 0x0800; ///< type of a frame
    static constexpr std::uint16_t ETHER_IPV6 = 0x86DD; ///< type of a frame

    /**
     * @param frame an Ethernet frame
     * @param size its bytes, at least FRAME_HEADER; a truncated header makes it OTHER or IP
     */
    static DatagramKind Of(const std::uint8_t* frame, std::size_t size);

    bool IsIp() const
    {
        return protocol != Protocol::OTHER;
    }

    bool IsTcp() const
    {
        return protocol == Protocol::TCP_DATA || protocol == Protocol::TCP_ACK;
    }

    Protocol protocol{Protocol::OTHER};
    std::uint32_t payload{0};         ///< bytes after the last header that was parsed
    std::uint16_t sourcePort{0};      ///< of UDP and TCP; 0: unknown
    std::uint16_t destinationPort{0}; ///< of UDP and TCP; 0: unknown
};

} // namespace via
} // namespace ns3

#endif // VIA_DATAGRAM_KIND_H
