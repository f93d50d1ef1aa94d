/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How a captured packet looks as bytes: version 1 of the frames described in doc/capture.md.

#ifndef VIA_CAPTURE_FRAME_H
#define VIA_CAPTURE_FRAME_H

#include "ns3/via-packet-capture.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/// Bytes before the payload.
constexpr std::uint32_t CAPTURE_HEADER_BYTES = 168;

/// The bytes of payload in the frame of a captured packet.
struct CaptureContent
{
    std::uint32_t offset; ///< of the first one, in Packet::bytes
    std::uint32_t length;
};

/// @param seen a part of a packet; of a datagram its Ethernet frame is told, always as a whole
CaptureContent CaptureContentOf(const CapturedPacket& seen);

/**
 * @brief The frame of a captured packet.
 * @param seen the packet
 * @param node whose port it was seen at
 * @param snapLength bytes at most of the payload in it
 */
std::string CaptureFrame(const CapturedPacket& seen, NodeId node, std::uint32_t snapLength);

} // namespace via
} // namespace ns3

#endif // VIA_CAPTURE_FRAME_H
