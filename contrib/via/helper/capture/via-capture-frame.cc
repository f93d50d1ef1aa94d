/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Encodes a captured packet as a frame of version 1, described in doc/capture.md.

#include "via-capture-frame.h"

#include "ns3/abort.h"
#include "ns3/via-big-endian.h"
#include "ns3/via-process-memory.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr const char* MAGIC = "VIAf";
constexpr std::uint8_t VERSION = 1;

// bits of the flags
constexpr std::uint16_t RECEIVED = 1 << 0;
constexpr std::uint16_t RELIABLE = 1 << 1;
constexpr std::uint16_t IMMEDIATE = 1 << 2;
constexpr std::uint16_t RESENT = 1 << 3;
constexpr std::uint16_t PART = 1 << 4;
constexpr std::uint16_t LOST = 1 << 5;
constexpr std::uint16_t ADDRESS = 1 << 6;
constexpr std::uint16_t OFFSET = 1 << 7;

// where fields are in a frame
constexpr std::size_t FLAGS_AT = 6;
constexpr std::size_t OFFSET_AT = 112;

/// The number of a kind in frames; it does not change with the enumeration.
std::uint8_t
KindNumber(PacketKind kind)
{
    switch (kind)
    {
    case PacketKind::SEND:
        return 1;
    case PacketKind::RDMA_WRITE:
        return 2;
    case PacketKind::RDMA_READ_REQUEST:
        return 3;
    case PacketKind::RDMA_READ_RESPONSE:
        return 4;
    case PacketKind::CONNECT_REQUEST:
        return 16;
    case PacketKind::CONNECT_ACCEPT:
        return 17;
    case PacketKind::CONNECT_REJECT:
        return 18;
    case PacketKind::CONNECT_NO_MATCH:
        return 19;
    case PacketKind::PEER_REQUEST:
        return 20;
    case PacketKind::PEER_ACCEPT:
        return 21;
    case PacketKind::PEER_CANCEL:
        return 22;
    case PacketKind::DISCONNECT:
        return 23;
    case PacketKind::RESPONSE:
        return 32;
    case PacketKind::ACKNOWLEDGE:
        return 33;
    case PacketKind::NEGATIVE_ACKNOWLEDGE:
        return 34;
    case PacketKind::ACKNOWLEDGE_REQUEST:
        return 35;
    case PacketKind::BARRIER:
        return 36;
    case PacketKind::DATAGRAM:
        return 48;
    }
    NS_ABORT_MSG("no such packet kind: " << static_cast<int>(kind));
}

std::uint16_t
FlagsOf(const CapturedPacket& seen)
{
    const Packet& packet = *seen.packet;
    std::uint16_t flags = 0;
    const auto set = [&flags](bool is, std::uint16_t flag) { flags |= is ? flag : 0; };
    set(seen.received, RECEIVED);
    set(packet.reliable, RELIABLE);
    set(packet.hasImmediate, IMMEDIATE);
    set(seen.resent, RESENT);
    set(!seen.IsWhole(), PART);
    set(seen.lost > 0, LOST);
    // addresses outside a heap differ from run to run
    set(PacketCapture::NamesRegion(packet.kind) && ProcessHeap::IsHeapAddress(packet.remoteAddress),
        ADDRESS);
    set(seen.remoteOffset != CapturedPacket::NO_REGION, OFFSET);
    return flags;
}

/// Appends the fields of a packet's header.
void
AppendPacket(std::string& frame, const Packet& packet)
{
    AppendBigEndian(frame, packet.source);
    AppendBigEndian(frame, packet.sourceVi);
    AppendBigEndian(frame, packet.destination);
    AppendBigEndian(frame, packet.destinationVi);
    AppendBigEndian(frame, packet.sequence);
    AppendBigEndian(frame, packet.acknowledges);
    AppendBigEndian(frame, std::uint64_t{packet.era});
    AppendBigEndian(frame, packet.connection);
    const bool datagram = packet.kind == PacketKind::DATAGRAM; // its numbers are its device's
    AppendBigEndian(frame, packet.item);
    AppendBigEndian(frame, datagram ? packet.frame : packet.length);
    AppendBigEndian(frame, packet.asked);
    AppendBigEndian(frame, packet.hasImmediate ? packet.immediate : 0);
    AppendBigEndian(frame, packet.kind == PacketKind::BARRIER ? packet.step : packet.status);
}

} // namespace

CaptureContent
CaptureContentOf(const CapturedPacket& seen)
{
    const Packet& packet = *seen.packet;
    if (packet.kind == PacketKind::DATAGRAM)
    {
        return {0, packet.frame}; // the device's data follows the Ethernet frame
    }
    return {seen.firstByte, seen.endByte - seen.firstByte};
}

std::string
CaptureFrame(const CapturedPacket& seen, NodeId node, std::uint32_t snapLength)
{
    const Packet& packet = *seen.packet;
    const std::uint16_t flags = FlagsOf(seen);
    std::string frame(MAGIC);
    AppendBigEndian(frame, VERSION);
    AppendBigEndian(frame, static_cast<std::uint8_t>(CAPTURE_HEADER_BYTES));
    AppendBigEndian(frame, flags);
    AppendBigEndian(frame, KindNumber(packet.kind));
    frame.append(3, '\0'); // reserved
    AppendBigEndian(frame, node);
    AppendBigEndian(frame, static_cast<std::uint64_t>(seen.firstBit));
    AppendBigEndian(frame, static_cast<std::uint64_t>(seen.lastBit));
    AppendPacket(frame, packet);
    AppendBigEndian(frame, (flags & ADDRESS) != 0 ? packet.remoteAddress : 0);
    AppendBigEndian(frame, (flags & OFFSET) != 0 ? seen.remoteOffset : 0);
    AppendBigEndian(frame, packet.remoteHandle);
    // a negative acknowledgement names an attempt, all other packets belong to one
    AppendBigEndian(frame, IsAcknowledgement(packet.kind) ? packet.attempt : seen.attempt);
    AppendBigEndian(frame, packet.cells);
    AppendBigEndian(frame, seen.firstCell);
    AppendBigEndian(frame, seen.cells);
    const CaptureContent content = CaptureContentOf(seen);
    AppendBigEndian(frame, content.offset);
    AppendBigEndian(frame, content.length);
    AppendBigEndian(frame, seen.lost);
    AppendBigEndian(frame, seen.vanished);
    AppendBigEndian(frame, seen.cellsOut);
    AppendBigEndian(frame, seen.creditsReturned);
    NS_ABORT_MSG_IF(frame.size() != CAPTURE_HEADER_BYTES, "header of " << frame.size() << " bytes");
    const std::size_t from = std::min<std::size_t>(content.offset, packet.bytes.size());
    const std::size_t there = std::min<std::size_t>(content.length, packet.bytes.size() - from);
    const auto* bytes = reinterpret_cast<const char*>(packet.bytes.data());
    frame.append(bytes + from, std::min<std::size_t>(there, snapLength));
    return frame;
}

void
SetRemoteOffset(std::string& frame, std::uint64_t offset)
{
    static_assert(OFFSET < 0x100);
    frame[FLAGS_AT + 1] = static_cast<char>(frame[FLAGS_AT + 1] | OFFSET);
    std::string bytes;
    AppendBigEndian(bytes, offset);
    frame.replace(OFFSET_AT, bytes.size(), bytes);
}

} // namespace via
} // namespace ns3
