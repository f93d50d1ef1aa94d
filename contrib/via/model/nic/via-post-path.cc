/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How descriptors are posted.

#include "via-post-path.h"

#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

bool
PostPath::Overruns(VirtualInterface& vi, const WorkQueue& queue, const WorkItem& item)
{
    if (queue.items.Size() < m_nic.Limits().queueDepth)
    {
        return false;
    }
    m_nic.GetHandles().Raise(vi, AsyncCode::VI_OVERRUN, item.rung.at, nullptr, item.descriptor);
    m_nic.GetViConnections().Break(vi, item.rung, true);
    return true;
}

Moment
PostPath::TellOfSend(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    m_nic.Parts().descriptors->Post(process, vi, false, m_nic.Checks().Bytes(item));
    return vi.defersSends ? process.Clock() : m_nic.Parts().doorbells->RingSend(process, vi, item);
}

Moment
PostPath::TellOfReceive(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    m_nic.Parts().descriptors->Post(process, vi, true, m_nic.Checks().Bytes(item));
    return m_nic.Parts().doorbells->RingReceive(process, vi, item);
}

void
PostPath::NotePost(const VirtualInterface& vi, bool receive, bool rings, Ps at)
{
    NicListener* listener = m_nic.Listener();
    if (listener == nullptr)
    {
        return;
    }
    listener->OnQueue(vi, receive, at);
    if (rings)
    {
        listener->OnDoorbell(vi, receive, at);
    }
}

void
PostPath::PostSend(VirtualInterface& vi, const WorkItem& item)
{
    WorkQueue& queue = vi.SendQueue();
    if (Overruns(vi, queue, item))
    {
        m_nic.Parts().doorbells->OnFlushed(item.rung);
        return;
    }
    if (queue.items.IsFull())
    {
        m_nic.Vis().LendRoom(queue.items);
    }
    WorkItem& posted = queue.items.Push(item);
    NotePost(vi, false, !vi.defersSends, item.rung.at);
    if (vi.state != ViState::CONNECTED)
    {
        ++queue.started;
        Completions& completions = m_nic.GetCompletions();
        const std::uint32_t status = completions.FlushedStatus(vi, false, posted);
        completions.Finish(vi, false, queue.items.EndSerial() - 1, status, 0, item.rung);
        m_nic.Parts().doorbells->OnFlushed(item.rung);
        return;
    }
    ++vi.sequence;
    if (vi.defersSends)
    {
        ++vi.deferred;
        return;
    }
    m_nic.Parts().doorbells->OnRung();
    World& world = m_nic.GetHost().GetWorld();
    world.inbound.Add(vi.peerNode, item.rung.at + world.leads.send);
    m_nic.Sender().OnDoorbell({item.rung, vi.id, nullptr, true});
}

void
PostPath::RingDeferred(VirtualInterface& vi, Moment rung)
{
    Ring<WorkItem>& items = vi.SendQueue().items;
    const std::uint32_t size = items.Size();
    const std::uint32_t first = size - std::exchange(vi.deferred, 0);
    if (first == size) // flushed while the program was ringing
    {
        m_nic.Parts().doorbells->OnFlushed(rung);
        return;
    }
    for (std::uint32_t i = first; i < size; ++i)
    {
        items.At(i).rung = rung;
    }
    if (NicListener* listener = m_nic.Listener())
    {
        listener->OnDoorbell(vi, false, rung.at);
    }
    World& world = m_nic.GetHost().GetWorld();
    m_nic.Parts().doorbells->OnRung(); // one ring for all of them
    for (std::uint32_t i = first; i < size; ++i)
    {
        world.inbound.Add(vi.peerNode, rung.at + world.leads.send);
        m_nic.Sender().OnDoorbell({rung, vi.id, nullptr, i == first});
    }
}

void
PostPath::PostReceive(VirtualInterface& vi, const WorkItem& item)
{
    WorkQueue& queue = vi.ReceiveQueue();
    if (Overruns(vi, queue, item))
    {
        return;
    }
    WorkItem& posted = queue.items.Push(item);
    NotePost(vi, true, true, item.rung.at);
    if (vi.state == ViState::ERROR)
    {
        ++queue.started;
        Completions& completions = m_nic.GetCompletions();
        const std::uint32_t status = completions.FlushedStatus(vi, true, posted);
        completions.Finish(vi, true, queue.items.EndSerial() - 1, status, 0, item.rung);
        return;
    }
    m_nic.Parts().descriptors->OnPosted(vi);
}

} // namespace via
} // namespace ns3
