/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The checks of a NIC before it accesses memory.

#include "via-descriptor-checks.h"

namespace ns3
{
namespace via
{

namespace
{

/// Bytes from a descriptor to the end of @p region; 0 if it is not aligned or not in @p region.
std::uint64_t
RoomFor(const Descriptor* descriptor, const Tpt::Extent& region)
{
    const auto address = reinterpret_cast<std::uint64_t>(descriptor);
    return address % Descriptor::ALIGNMENT == 0 ? region.RoomAt(address) : 0;
}

} // namespace

std::uint32_t
DescriptorChecks::Bytes(const WorkItem& item) const
{
    // a descriptor in unregistered memory is never read, so its size is unknown
    const std::uint64_t room = RoomFor(item.descriptor, m_tpt.ExtentOf(item.handle));
    return room >= Descriptor::CONTROL_BYTES ? item.descriptor->Bytes() : Descriptor::CONTROL_BYTES;
}

std::uint32_t
DescriptorChecks::FetchBytes(const WorkItem& item) const
{
    return (Bytes(item) + Descriptor::ALIGNMENT - 1) / Descriptor::ALIGNMENT *
           Descriptor::ALIGNMENT;
}

bool
DescriptorChecks::IsValid(const VirtualInterface& vi, const WorkItem& item) const
{
    const Tpt::Extent& region = m_tpt.ExtentOf(item.handle);
    const std::uint64_t room = RoomFor(item.descriptor, region);
    return room >= Descriptor::CONTROL_BYTES && region.tag == vi.attributes.tag &&
           room >= Descriptor::CONTROL_BYTES +
                       Descriptor::SEGMENT_BYTES * item.descriptor->segmentCount;
}

std::uint32_t
DescriptorChecks::CheckFormat(const VirtualInterface& vi, const Descriptor& descriptor) const
{
    const std::uint16_t op = descriptor.control & Descriptor::OP_MASK;
    const bool rdma = op != Descriptor::OP_SEND_RECEIVE;
    const bool read = op == Descriptor::OP_RDMA_READ;
    const bool offered =
        op <= Descriptor::OP_RDMA_READ && (!read || (m_limits->rdmaRead && vi.IsReliable()));
    const bool fits = (!rdma || descriptor.segmentCount > 0) &&
                      descriptor.segmentCount <= m_limits->segments + (rdma ? 1 : 0);
    const bool immediate = (descriptor.control & Descriptor::IMMEDIATE) != 0;
    return offered && fits && (descriptor.control & Descriptor::CONTROL_RESERVED) == 0 &&
                   !(read && immediate)
               ? 0
               : Descriptor::FORMAT_ERROR;
}

std::uint32_t
DescriptorChecks::CheckSend(const VirtualInterface& vi,
                            const Descriptor& descriptor,
                            std::vector<Piece>& pieces) const
{
    pieces.clear();
    const std::uint32_t wrong = CheckFormat(vi, descriptor);
    if (wrong != 0)
    {
        return wrong;
    }
    std::uint64_t total = 0;
    for (std::uint32_t i = descriptor.FirstDataSegment(); i < descriptor.segmentCount; ++i)
    {
        const DataSegment& segment = descriptor.Segments()[i];
        if (segment.length == 0)
        {
            continue;
        }
        if (!m_tpt.Allows(segment.handle, segment.address, segment.length, vi.attributes.tag))
        {
            return Descriptor::PROTECTION_ERROR;
        }
        pieces.push_back(
            {reinterpret_cast<std::uint8_t*>(segment.address), segment.length, segment.handle});
        total += segment.length;
    }
    return total != descriptor.length || total > vi.attributes.maxTransfer
               ? Descriptor::LENGTH_ERROR
               : 0;
}

std::uint32_t
DescriptorChecks::CheckReceive(const VirtualInterface& vi,
                               const Descriptor& descriptor,
                               std::uint32_t bytes) const
{
    if (descriptor.segmentCount > m_limits->segments)
    {
        return Descriptor::FORMAT_ERROR;
    }
    std::uint64_t room = 0;
    for (std::uint32_t i = 0; i < descriptor.segmentCount; ++i)
    {
        const DataSegment& segment = descriptor.Segments()[i];
        if (segment.length != 0 &&
            !m_tpt.Allows(segment.handle, segment.address, segment.length, vi.attributes.tag))
        {
            return Descriptor::PROTECTION_ERROR;
        }
        room += segment.length;
    }
    return bytes > room ? Descriptor::LENGTH_ERROR : 0;
}

bool
DescriptorChecks::AllowsWrite(const VirtualInterface& vi, const Packet& packet) const
{
    return vi.attributes.rdmaWrite && m_tpt.AllowsRdmaWrite(packet.remoteHandle,
                                                            packet.remoteAddress,
                                                            packet.length,
                                                            vi.attributes.tag);
}

bool
DescriptorChecks::AllowsRead(const VirtualInterface& vi, const Packet& packet) const
{
    return vi.attributes.rdmaRead && m_tpt.AllowsRdmaRead(packet.remoteHandle,
                                                          packet.remoteAddress,
                                                          packet.asked,
                                                          vi.attributes.tag);
}

Piece
DescriptorChecks::PieceAt(const VirtualInterface& vi,
                          const WorkItem& item,
                          std::uint32_t first,
                          std::uint32_t offset) const
{
    const std::uint32_t count = IsValid(vi, item) ? item.descriptor->segmentCount : 0;
    for (std::uint32_t i = first; i < count; ++i)
    {
        const DataSegment& segment = item.descriptor->Segments()[i];
        if (offset < segment.length)
        {
            const bool allowed =
                m_tpt.Allows(segment.handle, segment.address, segment.length, vi.attributes.tag);
            return {allowed ? reinterpret_cast<std::uint8_t*>(segment.address) + offset : nullptr,
                    segment.length - offset};
        }
        offset -= segment.length;
    }
    return {nullptr, 0};
}

} // namespace via
} // namespace ns3
