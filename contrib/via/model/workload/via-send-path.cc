/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport of sends and receives: a VI for each peer.

#include "via-send-path.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

CompletionQueue*
QueueFor(WorkloadProcess& process, const PathShape& shape)
{
    if (shape.selective)
    {
        return nullptr;
    }
    const auto entries = static_cast<std::uint32_t>(shape.from.size() * shape.window + 1);
    return &process.Library().GetNic().CreateCq(entries, process.Owner());
}

} // namespace

SendPath::SendPath(WorkloadProcess& process, const PathShape& shape)
    : m_process(process),
      m_cq(QueueFor(process, shape)),
      m_channels(shape, [&](const ChannelShape& slots) { return Channel(process, slots, m_cq); })
{
    for (ChannelTable::Peer& peer : m_channels.All())
    {
        const ViId vi = peer.channel.Vi().id;
        m_byVi.resize(m_cq == nullptr ? 0 : std::max<std::size_t>(m_byVi.size(), vi + 1));
        if (m_cq != nullptr)
        {
            m_byVi[vi] = &peer;
        }
    }
}

bool
SendPath::HasRoom(Rank to)
{
    return m_channels.Find(to).channel.HasSendRoom();
}

void
SendPath::AwaitRoom(Rank to)
{
    m_process.AwaitSend(m_channels.Find(to).channel.Vi());
}

void
SendPath::Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size)
{
    Channel& channel = m_channels.Find(to).channel;
    std::memcpy(channel.Payload(), data, length);
    channel.Send(size);
    m_channels.NoteSend(channel);
}

bool
SendPath::Take(Rank from, ArrivedMessage& message)
{
    for (ChannelTable::Peer* peer = Next(from); peer != nullptr; peer = Next(from))
    {
        message.data = peer->channel.Receive(message.length);
        if (message.data != nullptr) // else nothing will come from there any more
        {
            message.from = peer->rank;
            m_taken = &peer->channel;
            return true;
        }
    }
    return false;
}

SendPath::ChannelTable::Peer*
SendPath::Next(Rank from)
{
    if (m_cq == nullptr)
    {
        ChannelTable::Peer* peer = from == NOBODY ? nullptr : &m_channels.Find(from);
        return peer != nullptr && peer->channel.HasReceive() ? peer : nullptr;
    }
    if (m_cq->Peek(m_process.Clock().at) == nullptr)
    {
        return nullptr;
    }
    Completion completion;
    m_process.Library().ReapCq(*m_cq, completion);
    return m_byVi[completion.vi];
}

void
SendPath::Expect() const
{
    m_channels.ExpectHarvest();
}

void
SendPath::Release()
{
    if (m_taken != nullptr)
    {
        m_taken->Repost();
        m_taken = nullptr;
    }
    m_channels.HarvestEarlier();
}

void
SendPath::Await(Rank from)
{
    if (m_cq != nullptr)
    {
        m_process.AwaitCq(*m_cq);
    }
    else if (from != NOBODY && !m_channels.Find(from).channel.Vi().receive.items.IsEmpty())
    {
        m_process.AwaitReceive(m_channels.Find(from).channel.Vi());
    }
}

} // namespace via
} // namespace ns3
