/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Encodes a captured packet as a frame of version 1, described in doc/capture.md.

#ifndef VIA_CAPTURE_FRAME_H
#define VIA_CAPTURE_FRAME_H

#include "ns3/via-packet-capture.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/// Bytes of a frame before the payload.
constexpr std::uint32_t CAPTURE_HEADER_BYTES = 168;

/// The bytes of payload in the frame of a captured packet.
struct CaptureContent
{
    std::uint32_t offset; ///< of the first one, in Packet::bytes
    std::uint32_t length;
};

/// @param seen part of a packet; a datagram is given as its Ethernet frame, always whole
CaptureContent CaptureContentOf(const CapturedPacket& seen);

/**
 * @brief Builds the frame of a captured packet.
 * @param seen the packet
 * @param node node at whose port it was seen
 * @param snapLength most bytes of payload in the frame
 */
std::string CaptureFrame(const CapturedPacket& seen, NodeId node, std::uint32_t snapLength);

/// Puts the offset of an RDMA address in its region into a frame that was built without.
void SetRemoteOffset(std::string& frame, std::uint64_t offset);

} // namespace via
} // namespace ns3

#endif // VIA_CAPTURE_FRAME_H
