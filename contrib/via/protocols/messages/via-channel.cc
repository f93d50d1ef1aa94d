/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A connected VI with buffers, as workloads use it.

#include "via-channel.h"

#include "ns3/abort.h"

#include <cstring>
#include <new>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Bytes of a slot before its data: a descriptor with one segment. Small data shares its line.
constexpr std::uint32_t SLOT_HEAD = Descriptor::CONTROL_BYTES + Descriptor::SEGMENT_BYTES;

/// A slot begins where a descriptor may.
std::uint32_t
SlotBytes(const ChannelShape& shape)
{
    constexpr std::uint32_t line = Descriptor::ALIGNMENT;
    return (SLOT_HEAD + shape.bytes + line - 1) / line * line;
}

/// Writes a descriptor with one data segment.
void
Fill(Descriptor* descriptor, std::uint8_t* data, MemoryHandle handle, std::uint32_t length)
{
    *descriptor = Descriptor{};
    descriptor->segmentCount = 1;
    descriptor->length = length;
    *reinterpret_cast<DataSegment*>(descriptor +
                                    1) = {reinterpret_cast<std::uint64_t>(data), handle, length};
}

/// The least power of two that is at least @p slots; 0 for none.
std::uint32_t
QueueFor(std::uint32_t slots)
{
    std::uint32_t room = slots == 0 ? 0 : 1;
    while (room < slots)
    {
        room *= 2;
    }
    return room;
}

} // namespace

ChannelMemory::ChannelMemory(std::size_t bytes)
{
    if (bytes > 0)
    {
        constexpr auto alignment = static_cast<std::align_val_t>(Descriptor::ALIGNMENT);
        m_bytes.reset(static_cast<std::uint8_t*>(::operator new(bytes, alignment)));
        std::memset(m_bytes.get(), 0, bytes);
    }
}

void
ChannelMemory::Free::operator()(std::uint8_t* bytes) const
{
    ::operator delete(bytes, static_cast<std::align_val_t>(Descriptor::ALIGNMENT));
}

ChannelBlock
ChannelBlock::Register(WorkloadProcess& process,
                       std::uint8_t* base,
                       std::size_t bytes,
                       ChannelAccess access)
{
    const MemoryRights rights{process.Tag(), access == ChannelAccess::RDMA_WRITES, false};
    Tpt& tpt = process.Library().GetNic().GetTpt();
    const auto address = reinterpret_cast<std::uint64_t>(base);
    return {base, tpt.Register(process.Owner(), address, bytes, rights), access};
}

ConnectedVi::ConnectedVi(WorkloadProcess& process,
                         const ChannelShape& shape,
                         const ChannelBlock& block,
                         CompletionQueue* cq)
    : m_library(process.Library()),
      m_base(block.base),
      m_shape(shape),
      m_handle(block.handle)
{
    Nic& nic = m_library.GetNic();
    const ViAttributes attributes{Reliability::RELIABLE_DELIVERY,
                                  block.access == ChannelAccess::RDMA_WRITES,
                                  false,
                                  process.Tag(),
                                  nic.Limits().transferBytes};
    m_vi = &nic.CreateVi(attributes, process.Owner(), process.Rank(), nullptr, cq);
}

ChannelEnd
ConnectedVi::End(ConnectionId connection) const
{
    return {m_library.GetNic().GetHost().Id(),
            m_vi->id,
            connection,
            reinterpret_cast<std::uint64_t>(m_base),
            m_handle};
}

void
ConnectedVi::ConnectTo(const ChannelEnd& peer)
{
    m_library.GetNic().Connect(*m_vi, peer.node, peer.vi, peer.connection);
}

void
ConnectedVi::HarvestSends()
{
    while (m_vi->send.Done(m_library.GetProcess().Clock().at) != nullptr)
    {
        m_library.Reap(*m_vi, false);
    }
}

bool
ConnectedVi::HasSendRoom()
{
    if (m_vi->send.items.Size() >= m_shape.sendSlots)
    {
        HarvestSends();
    }
    return m_vi->send.items.Size() < m_shape.sendSlots;
}

std::size_t
Channel::BytesFor(const ChannelShape& shape)
{
    return static_cast<std::size_t>(shape.sendSlots + shape.receiveSlots) * SlotBytes(shape);
}

std::uint32_t
Channel::RoomFor(const ChannelShape& shape)
{
    return QueueFor(shape.sendSlots) + QueueFor(shape.receiveSlots);
}

Channel::Channel(WorkloadProcess& process, const ChannelShape& shape)
    : Channel(process, shape, ChannelMemory(BytesFor(shape)))
{
}

Channel::Channel(WorkloadProcess& process, const ChannelShape& shape, ChannelMemory own)
    : Channel(process,
              shape,
              ChannelBlock::Register(process, own.Base(), BytesFor(shape), ACCESS),
              nullptr)
{
    m_own = std::move(own);
}

Channel::Channel(WorkloadProcess& process,
                 const ChannelShape& shape,
                 const ChannelBlock& block,
                 CompletionQueue* cq)
    : ConnectedVi(process, shape, block, cq),
      m_slotBytes(SlotBytes(shape)),
      m_own(0)
{
    Nic& nic = m_library.GetNic();
    nic.MakeRoom(m_vi->send, QueueFor(shape.sendSlots));
    nic.MakeRoom(m_vi->receive, QueueFor(shape.receiveSlots));
    for (std::uint32_t i = 0; i < shape.receiveSlots; ++i)
    {
        const Slot slot = SlotAt(i);
        Fill(slot.descriptor, slot.data, m_handle, shape.bytes);
        WorkItem item;
        item.descriptor = slot.descriptor;
        item.handle = m_handle;
        nic.PostReceive(*m_vi, item);
    }
}

Channel::Slot
Channel::SlotAt(std::uint32_t index)
{
    std::uint8_t* at = m_base + static_cast<std::size_t>(index) * m_slotBytes;
    return {reinterpret_cast<Descriptor*>(at), at + SLOT_HEAD};
}

std::uint8_t*
Channel::Payload()
{
    return SlotAt(m_shape.receiveSlots + m_nextSend).data;
}

void
Channel::Send(std::uint32_t length)
{
    NS_ABORT_MSG_IF(!HasSendRoom(), "a channel is out of send slots");
    const Slot slot = SlotAt(m_shape.receiveSlots + m_nextSend);
    m_nextSend = (m_nextSend + 1) % m_shape.sendSlots;
    Fill(slot.descriptor, slot.data, m_handle, length);
    m_library.PostSend(*m_vi, slot.descriptor, m_handle);
}

bool
Channel::HasReceive() const
{
    return m_vi->receive.Done(m_library.GetProcess().Clock().at) != nullptr;
}

const std::uint8_t*
Channel::Receive(std::uint32_t& length)
{
    const Harvest harvest = m_library.Reap(*m_vi, true);
    if ((harvest.status & Descriptor::ERROR_MASK) != 0)
    {
        constexpr std::uint32_t lost = Descriptor::FLUSHED | Descriptor::TRANSPORT_ERROR;
        NS_ABORT_MSG_IF((harvest.status & lost) == 0,
                        "a workload's receive failed with status " << harvest.status);
        return nullptr;
    }
    length = harvest.descriptor->length;
    m_lastReceived = m_nextReceive;
    m_nextReceive = (m_nextReceive + 1) % m_shape.receiveSlots;
    return SlotAt(m_lastReceived).data;
}

void
Channel::Repost()
{
    m_library.PostReceive(*m_vi, SlotAt(m_lastReceived).descriptor, m_handle);
}

} // namespace via
} // namespace ns3
