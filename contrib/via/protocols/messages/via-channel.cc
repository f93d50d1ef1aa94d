/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A connected VI with buffers, as workloads use it.

#include "via-channel.h"

#include "ns3/abort.h"
#include "ns3/via-connection-number.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

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
      m_handle(block.handle),
      m_sendSlots(static_cast<std::uint16_t>(shape.sendSlots)),
      m_receiveSlots(static_cast<std::uint16_t>(shape.receiveSlots))
{
    NS_ABORT_MSG_IF(std::max(shape.sendSlots, shape.receiveSlots) > MOST_SLOTS,
                    "a channel of more than " << MOST_SLOTS << " slots");
    Nic& nic = m_library.GetNic();
    const ViAttributes attributes{Reliability::RELIABLE_DELIVERY,
                                  block.access == ChannelAccess::RDMA_WRITES,
                                  false,
                                  process.Tag(),
                                  nic.Limits().transferBytes};
    m_vi = &nic.GetHandles().CreateVi(attributes, process.Owner(), process.Rank(), nullptr, cq);
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
    m_library.GetNic().GetViConnections().Connect(*m_vi, peer.node, peer.vi, peer.connection);
}

void
ConnectedVi::HarvestSends()
{
    while (m_vi->SendQueue().Done(m_library.GetProcess().Clock().at) != nullptr)
    {
        m_library.Reap(*m_vi, false);
    }
}

bool
ConnectedVi::HasSendRoom()
{
    if (m_vi->SendQueue().items.Size() >= m_sendSlots)
    {
        HarvestSends();
    }
    return m_vi->SendQueue().items.Size() < m_sendSlots;
}

std::size_t
Channel::BytesFor(const ChannelShape& shape)
{
    return static_cast<std::size_t>(shape.sendSlots + shape.receiveSlots) * SlotBytes(shape);
}

std::uint32_t
Channel::RoomFor(const ChannelShape& shape)
{
    return QueueFor(shape.receiveSlots);
}

Channel::Channel(WorkloadProcess& process,
                 const ChannelShape& shape,
                 const ChannelBlock& block,
                 CompletionQueue* cq)
    : ConnectedVi(process, shape, block, cq),
      m_slotBytes(SlotBytes(shape))
{
    Nic& nic = m_library.GetNic();
    if (shape.sendSlots > 0)
    {
        m_vi->SendQueue(); // is used first
    }
    if (shape.receiveSlots > 0) // a queue that is never asked for takes no memory
    {
        nic.Vis().MakeRoom(m_vi->ReceiveQueue().items, QueueFor(shape.receiveSlots));
    }
    for (std::uint32_t i = 0; i < shape.receiveSlots; ++i)
    {
        const Slot slot = SlotAt(i);
        Fill(slot.descriptor, slot.data, m_handle, shape.bytes);
        WorkItem item;
        item.descriptor = slot.descriptor;
        item.handle = m_handle;
        nic.GetPostPath().PostReceive(*m_vi, item);
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
    return SlotAt(m_receiveSlots + m_nextSend).data;
}

void
Channel::Send(std::uint32_t length)
{
    NS_ABORT_MSG_IF(!HasSendRoom(), "a channel is out of send slots");
    const Slot slot = SlotAt(m_receiveSlots + m_nextSend);
    m_nextSend = static_cast<std::uint16_t>(m_nextSend + 1 < m_sendSlots ? m_nextSend + 1 : 0);
    Fill(slot.descriptor, slot.data, m_handle, length);
    m_library.PostSend(*m_vi, slot.descriptor, m_handle);
}

bool
Channel::HasReceive() const
{
    return m_vi->ReceiveQueue().Done(m_library.GetProcess().Clock().at) != nullptr;
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
    const std::uint32_t received = m_nextReceive;
    m_nextReceive = static_cast<std::uint16_t>(received + 1 < m_receiveSlots ? received + 1 : 0);
    return SlotAt(received).data;
}

void
Channel::Repost()
{
    const std::uint32_t received = (m_nextReceive > 0 ? m_nextReceive : m_receiveSlots) - 1;
    m_library.PostReceive(*m_vi, SlotAt(received).descriptor, m_handle);
}

LoneChannel::LoneChannel(WorkloadProcess& process, const ChannelShape& shape)
    : ChannelMemory(BytesFor(shape)),
      Channel(process,
              shape,
              ChannelBlock::Register(process, Base(), BytesFor(shape), ACCESS),
              nullptr)
{
}

std::unique_ptr<LoneChannel>
LoneChannel::Make(WorkloadProcess* process, const ChannelShape& shape)
{
    return process == nullptr ? nullptr : std::make_unique<LoneChannel>(*process, shape);
}

void
LoneChannel::ConnectTwo(LoneChannel* first, LoneChannel* second)
{
    if (first != nullptr && second != nullptr)
    {
        Connect(*first, *second);
        return;
    }
    const ConnectionId connection = ConnectionNumber(0, 0, 1); // as Connect would count it
    // sends do not ask where the other's memory is
    if (first != nullptr)
    {
        first->ConnectTo({1, 0, connection, 0, 0});
    }
    if (second != nullptr)
    {
        second->ConnectTo({0, 0, connection, 0, 0});
    }
}

} // namespace via
} // namespace ns3
