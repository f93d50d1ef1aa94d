/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The layout of a descriptor in host memory, byte for byte.

#ifndef VIA_DESCRIPTOR_H
#define VIA_DESCRIPTOR_H

#include "ns3/via-packet.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// One piece of a message's memory: 16 bytes after the control segment.
struct DataSegment
{
    std::uint64_t address;
    std::uint32_t handle;
    std::uint32_t length; ///< reserved in an address segment
};

/**
 * @brief The control segment, followed by SegCount segments of 16 bytes.
 *
 * Layout of the VI Architecture 1.0 (32 + 16 n bytes, little endian, 64-byte aligned), identical to
 * VIP_DESCRIPTOR in <vipl.h>.
 */
struct Descriptor
{
    std::uint64_t next;
    std::uint32_t nextHandle;
    std::uint16_t segmentCount; ///< including the address segment
    std::uint16_t control;
    std::uint32_t reserved;
    std::uint32_t immediate;
    std::uint32_t length;
    std::uint32_t status;

    static constexpr std::uint32_t ALIGNMENT = 64;
    static constexpr std::uint32_t CONTROL_BYTES = 32;
    static constexpr std::uint32_t SEGMENT_BYTES = 16;

    // control bits
    static constexpr std::uint16_t OP_SEND_RECEIVE = 0;
    static constexpr std::uint16_t OP_RDMA_WRITE = 1;
    static constexpr std::uint16_t OP_RDMA_READ = 2;
    static constexpr std::uint16_t OP_MASK = 3;
    static constexpr std::uint16_t IMMEDIATE = 4;
    static constexpr std::uint16_t QUEUE_FENCE = 8;
    static constexpr std::uint16_t CONTROL_RESERVED = 0xFFF0;

    // status bits
    static constexpr std::uint32_t DONE = 0x1;
    static constexpr std::uint32_t FORMAT_ERROR = 0x2;
    static constexpr std::uint32_t PROTECTION_ERROR = 0x4;
    static constexpr std::uint32_t LENGTH_ERROR = 0x8;
    static constexpr std::uint32_t PARTIAL_ERROR = 0x10;
    static constexpr std::uint32_t FLUSHED = 0x20;
    static constexpr std::uint32_t TRANSPORT_ERROR = 0x40;
    static constexpr std::uint32_t RDMA_PROTECTION_ERROR = 0x80;
    static constexpr std::uint32_t REMOTE_ERROR = 0x100;
    static constexpr std::uint32_t ERROR_MASK = 0x1FE;
    static constexpr std::uint32_t DID_SEND = 0;
    static constexpr std::uint32_t DID_RECEIVE = 0x10000;
    static constexpr std::uint32_t DID_RDMA_WRITE = 0x20000;
    static constexpr std::uint32_t DID_REMOTE_RDMA_WRITE = 0x30000;
    static constexpr std::uint32_t DID_RDMA_READ = 0x40000;
    static constexpr std::uint32_t HAS_IMMEDIATE = 0x80000;

    /// The segments after the control segment.
    const DataSegment* Segments() const
    {
        return reinterpret_cast<const DataSegment*>(this + 1);
    }

    /// Index of the first data segment: 1 in an RDMA descriptor, after the address segment, else 0.
    std::uint32_t FirstDataSegment() const
    {
        return (control & OP_MASK) == OP_SEND_RECEIVE ? 0 : 1;
    }

    /// The kind of packet that the operation of a send descriptor sends.
    PacketKind Kind() const
    {
        switch (control & OP_MASK)
        {
        case OP_RDMA_WRITE:
            return PacketKind::RDMA_WRITE;
        case OP_RDMA_READ:
            return PacketKind::RDMA_READ_REQUEST;
        default:
            return PacketKind::SEND;
        }
    }

    /// The status bits for the operation of a send descriptor.
    std::uint32_t Did() const
    {
        switch (control & OP_MASK)
        {
        case OP_RDMA_WRITE:
            return DID_RDMA_WRITE;
        case OP_RDMA_READ:
            return DID_RDMA_READ;
        default:
            return DID_SEND;
        }
    }

    /// Size of the descriptor in bytes, with all segments.
    std::uint32_t Bytes() const
    {
        return CONTROL_BYTES + SEGMENT_BYTES * segmentCount;
    }
};

static_assert(sizeof(Descriptor) == Descriptor::CONTROL_BYTES, "control segment is 32 bytes");
static_assert(sizeof(DataSegment) == Descriptor::SEGMENT_BYTES, "segments are 16 bytes");
static_assert(offsetof(Descriptor, length) == 24 && offsetof(Descriptor, status) == 28,
              "length and status are the last 8 bytes of the control segment");

} // namespace via
} // namespace ns3

#endif // VIA_DESCRIPTOR_H
