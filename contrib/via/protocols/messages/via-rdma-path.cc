/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport of RDMA writes: rings in the receiver's memory, and flags that it polls.

#include "via-rdma-path.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t LINE = Descriptor::ALIGNMENT;

/// Bytes of a send slot before its data: a descriptor with an address segment and a data segment.
constexpr std::uint32_t SEND_SLOT_HEAD = Descriptor::CONTROL_BYTES + 2 * Descriptor::SEGMENT_BYTES;

std::uint32_t
Lines(std::uint32_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

} // namespace

std::size_t
RdmaChannel::BytesFor(const ChannelShape& shape)
{
    const std::size_t slot = Lines(shape.bytes + sizeof(Trailer));
    return shape.receiveSlots * slot + shape.sendSlots * (SEND_SLOT_HEAD + slot);
}

RdmaChannel::RdmaChannel(WorkloadProcess& process,
                         const ChannelShape& shape,
                         const ChannelBlock& block)
    : ConnectedVi(process, shape, block, nullptr),
      m_slotBytes(Lines(shape.bytes + sizeof(Trailer))),
      m_sendBytes(SEND_SLOT_HEAD + m_slotBytes)
{
}

void
RdmaChannel::ConnectTo(const ChannelEnd& peer)
{
    ConnectedVi::ConnectTo(peer);
    m_remote = {peer.memory, peer.handle};
}

void
RdmaChannel::Send(const void* data, std::uint32_t length, std::uint32_t size)
{
    const std::uint64_t slot = m_sent % m_sendSlots;
    std::uint8_t* at = m_base + static_cast<std::size_t>(m_receiveSlots) * m_slotBytes +
                       static_cast<std::size_t>(slot) * m_sendBytes;
    ++m_sent;
    auto* descriptor = reinterpret_cast<Descriptor*>(at);
    std::uint8_t* message = at + SEND_SLOT_HEAD;
    std::memcpy(message, data, length);
    const Trailer trailer{size, static_cast<std::uint32_t>(m_sent)};
    std::memcpy(message + size, &trailer, sizeof(trailer));
    const auto bytes = static_cast<std::uint32_t>(size + sizeof(trailer));
    *descriptor = Descriptor{};
    descriptor->segmentCount = 2;
    descriptor->control = Descriptor::OP_RDMA_WRITE;
    descriptor->length = bytes;
    // the peer's window is ours: both ends of a connection have the same shape
    const std::uint64_t end = m_remote.base + (slot + 1) * m_slotBytes;
    auto* segments = reinterpret_cast<DataSegment*>(descriptor + 1);
    segments[0] = {end - bytes, m_remote.handle, 0};
    segments[1] = {reinterpret_cast<std::uint64_t>(message), m_handle, bytes};
    m_library.PostSend(*m_vi, descriptor, m_handle);
}

RdmaChannel::Trailer*
RdmaChannel::TrailerAt(std::uint64_t serial) const
{
    const std::uint64_t slot = serial % m_receiveSlots;
    return reinterpret_cast<Trailer*>(m_base + (slot + 1) * m_slotBytes) - 1;
}

bool
RdmaChannel::HasMessage() const
{
    return TrailerAt(m_received)->serial >= static_cast<std::uint32_t>(m_received + 1);
}

const std::uint8_t*
RdmaChannel::Take(std::uint32_t& length)
{
    const Trailer* trailer = TrailerAt(m_received++);
    NS_ABORT_MSG_IF(trailer->serial != static_cast<std::uint32_t>(m_received),
                    "message " << m_received << " in a ring was overwritten by message "
                               << trailer->serial << ": the window is too small");
    length = trailer->length;
    return reinterpret_cast<const std::uint8_t*>(trailer) - length;
}

RdmaPath::RdmaPath(WorkloadProcess& process, const PathShape& shape)
    : m_process(process),
      m_channels(process, shape, [&](const ChannelShape& slots, const ChannelBlock& block) {
          return RdmaChannel(process, slots, block);
      })
{
    const std::uint64_t most = process.Library().GetNic().Limits().transferBytes;
    if (shape.bytes + RdmaChannel::FLAG_BYTES > most)
    {
        throw ConfigError(
            "size",
            std::to_string(shape.bytes),
            "the card writes at most " + std::to_string(most) + " bytes at once, with the " +
                std::to_string(RdmaChannel::FLAG_BYTES) + " bytes of via-rdma-write's flag");
    }
    for (const Rank peer : shape.from)
    {
        m_rings.push_back(&m_channels.Find(peer));
    }
}

bool
RdmaPath::HasRoom(Rank to)
{
    return m_channels.Find(to).HasSendRoom();
}

void
RdmaPath::AwaitRoom(Rank to)
{
    m_process.AwaitSend(m_channels.Find(to).Vi());
}

void
RdmaPath::Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size)
{
    RdmaChannel& channel = m_channels.Find(to);
    channel.Send(data, length, size);
    m_channels.NoteSend(channel);
}

Cycles
RdmaPath::LookCost(std::uint64_t looks) const
{
    return m_process.GetHost().Costs().basicBlock * looks;
}

bool
RdmaPath::TakeFrom(RdmaChannel& channel, std::uint64_t looks, ArrivedMessage& message)
{
    if (!channel.HasMessage())
    {
        return false;
    }
    const HostCosts& costs = m_process.GetHost().Costs();
    m_process.Spend(Stage::COMPUTE, LookCost(looks));
    m_process.Spend(Stage::CACHE_MISS, costs.cacheMiss);
    message.from = m_channels.PeerOf(channel);
    message.data = channel.Take(message.length);
    return true;
}

bool
RdmaPath::Take(Rank from, ArrivedMessage& message)
{
    if (from != ANYONE)
    {
        return from != NOBODY && TakeFrom(m_channels.Find(from), 1, message);
    }
    for (std::size_t look = 0; look < m_rings.size(); ++look)
    {
        const std::size_t ring = (m_next + look) % m_rings.size();
        if (TakeFrom(*m_rings[ring], look + 1, message))
        {
            m_next = (ring + 1) % m_rings.size(); // nobody is looked at twice before all are
            return true;
        }
    }
    return false;
}

void
RdmaPath::Release()
{
    m_channels.HarvestEarlier();
}

void
RdmaPath::Await(Rank from)
{
    if (from == NOBODY || m_rings.empty())
    {
        return;
    }
    const bool isThere = from == ANYONE
                             ? std::any_of(m_rings.begin(),
                                           m_rings.end(),
                                           [](const auto* ring) { return ring->HasMessage(); })
                             : m_channels.Find(from).HasMessage();
    if (isThere)
    {
        m_process.Continue(); // nothing will be written for it any more
    }
    else
    {
        m_process.AwaitMemory(LookCost(from == ANYONE ? m_rings.size() : 1));
    }
}

} // namespace via
} // namespace ns3
