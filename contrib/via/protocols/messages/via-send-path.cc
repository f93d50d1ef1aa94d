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
    return &process.Library().GetNic().GetHandles().CreateCq(entries, process.Owner());
}

} // namespace

SendPath::SendPath(WorkloadProcess& process, const PathShape& shape)
    : m_process(process),
      m_cq(QueueFor(process, shape)),
      m_channels(process,
                 shape,
                 [&](const ChannelShape& slots, const ChannelBlock& block) {
                     return Channel(process, slots, block, m_cq);
                 }),
      m_firstVi(m_channels.All().empty() ? 0 : m_channels.All().front().Vi().id)
{
    for (Channel& channel : m_channels.All())
    {
        const ViId vi = channel.Vi().id;
        m_byVi.resize(m_cq == nullptr ? 0 : std::max<std::size_t>(m_byVi.size(), vi + 1));
        if (m_cq != nullptr)
        {
            m_byVi[vi] = &channel;
        }
    }
}

bool
SendPath::HasRoom(Rank to)
{
    return m_channels.Find(to).HasSendRoom();
}

void
SendPath::AwaitRoom(Rank to)
{
    m_process.AwaitSend(m_channels.Find(to).Vi());
}

void
SendPath::Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size)
{
    Channel& channel = m_channels.Find(to);
    std::memcpy(channel.Payload(), data, length);
    channel.Send(size);
    m_channels.NoteSend(channel);
}

bool
SendPath::Take(Rank from, ArrivedMessage& message)
{
    for (Channel* channel = Next(from); channel != nullptr; channel = Next(from))
    {
        message.data = channel->Receive(message.length);
        if (message.data != nullptr) // else no more messages arrive from there
        {
            message.from = m_channels.PeerOf(*channel);
            m_taken = channel;
            return true;
        }
    }
    return false;
}

Channel*
SendPath::Next(Rank from)
{
    if (m_cq == nullptr)
    {
        Channel* channel = from == NOBODY ? nullptr : &ChannelOf(from);
        return channel != nullptr && channel->HasReceive() ? channel : nullptr;
    }
    if (m_cq->Peek(m_process.Clock().at) == nullptr)
    {
        return nullptr;
    }
    Completion completion;
    m_process.Library().ReapCq(*m_cq, completion);
    return m_byVi[completion.vi];
}

Channel&
SendPath::ChannelOf(Rank rank)
{
    if (rank != m_awaited)
    {
        m_awaited = rank;
        m_awaits = &m_channels.Find(rank);
        m_channels.NoteAwaited(*m_awaits);
    }
    return *m_awaits;
}

void
SendPath::Prefetch(Hint hint, const Channel* channel) const
{
    if (channel == nullptr)
    {
        return;
    }
    if (hint == Hint::NEXT)
    {
        PrefetchLine(channel);
        m_channels.PrefetchPeer(*channel);
        m_process.Library().GetNic().Vis().PrefetchBefore(m_firstVi + m_channels.IndexOf(*channel));
    }
    else
    {
        channel->Prefetch();
    }
}

void
SendPath::Prefetch(Hint hint) const
{
    Prefetch(hint, m_awaits);
    Prefetch(hint, m_channels.NextToSend());
    m_channels.ForEachEarlier([this, hint](const Channel& channel) { Prefetch(hint, &channel); });
    Prefetch(hint, m_channels.NextAwaited());
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
    else if (from != NOBODY)
    {
        VirtualInterface& vi = ChannelOf(from).Vi();
        if (!vi.ReceiveQueue().items.IsEmpty())
        {
            m_process.AwaitReceive(vi);
        }
    }
}

} // namespace via
} // namespace ns3
