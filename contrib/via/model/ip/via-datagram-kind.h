/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What of a frame decides its cost: the protocol in it, and how much payload it carries.

#ifndef VIA_DATAGRAM_KIND_H
#define VIA_DATAGRAM_KIND_H

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// A frame, as who pays for it sees it.
struct DatagramKind
{
    /// Whose frame it is.
    enum class Protocol : std::uint8_t
    {
        OTHER,    ///< neither IPv4 nor IPv6: ARP, say
        IP,       ///< ICMP and others, and fragments behind the first
        UDP,      ///< with all of its first fragment's payload
        TCP_DATA, ///< with payload
        TCP_ACK,  ///< without
    };

    static constexpr std::size_t FRAME_HEADER = 14; ///< bytes of an Ethernet header

    /**
     * @param frame an Ethernet frame
     * @param size its bytes, at least FRAME_HEADER; what is cut off makes it OTHER or IP
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
    std::uint32_t payload{0};         ///< bytes behind the last header that was understood
    std::uint16_t sourcePort{0};      ///< of UDP and TCP; 0: not known
    std::uint16_t destinationPort{0}; ///< of UDP and TCP; 0: not known
};

} // namespace via
} // namespace ns3

#endif // VIA_DATAGRAM_KIND_H
