/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The fast path of the provider library: post, poll, harvest. No kernel, no blocking.

#include "via-vi-library.h"

#include "ns3/via-prefetch.h"

namespace ns3
{
namespace via
{

void
ViLibrary::Mark(Descriptor* descriptor, const VirtualInterface& vi, MemoryHandle handle)
{
    // the library owns Next and Status from post to completion; it skips inaccessible memory
    const auto address = reinterpret_cast<std::uint64_t>(descriptor);
    if (address % Descriptor::ALIGNMENT == 0 &&
        m_nic.GetTpt().Allows(handle, address, Descriptor::CONTROL_BYTES, vi.attributes.tag))
    {
        descriptor->next = 0;
        descriptor->nextHandle = 0;
        descriptor->status = 0;
    }
}

void
ViLibrary::PostSend(VirtualInterface& vi, Descriptor* descriptor, MemoryHandle handle)
{
    PrefetchLine(vi.channel);
    vi.SendQueue().items.Prefetch();
    m_process.Reach();
    WorkItem item;
    item.descriptor = descriptor;
    item.handle = handle;
    const Moment& now = m_process.Clock();
    item.message = m_process.GetHost().GetWorld().messages.Begin(
        {now.at, m_process.LastReap(), now.cause, m_process.Rank(), vi.sequence});
    Mark(descriptor, vi, handle);
    m_process.Spend(Stage::CALL_POST_SEND, m_costs.postSend);
    m_process.Reach(); // the store must see the bus in its state at that time
    item.rung = m_nic.GetPostPath().TellOfSend(m_process, vi, item);
    const RingSerial serial = vi.SendQueue().items.EndSerial();
    m_nic.GetPostPath().PostSend(vi, item);
    if (m_nic.Parts().sendRing != nullptr)
    {
        m_nic.Parts().doorbells->EndCall(m_process, vi, serial, serial + 1);
    }
}

void
ViLibrary::RingDeferred(VirtualInterface& vi)
{
    m_process.Reach();
    if (vi.deferred > 0)
    {
        DoorbellPath& doorbells = *m_nic.Parts().doorbells;
        const RingSerial end = vi.SendQueue().items.EndSerial();
        const RingSerial first = end - vi.deferred;
        m_nic.GetPostPath().RingDeferred(vi, doorbells.RingDeferred(m_process, vi));
        doorbells.EndCall(m_process, vi, first, end);
    }
}

void
ViLibrary::PostReceive(VirtualInterface& vi, Descriptor* descriptor, MemoryHandle handle)
{
    m_process.Reach();
    WorkItem item;
    item.descriptor = descriptor;
    item.handle = handle;
    Mark(descriptor, vi, handle);
    m_process.Spend(Stage::CALL_POST_RECV, m_costs.postReceive);
    m_process.Reach();
    item.rung = m_nic.GetPostPath().TellOfReceive(m_process, vi, item);
    m_nic.GetPostPath().PostReceive(vi, item);
}

Harvest
ViLibrary::Poll(VirtualInterface& vi, bool receive)
{
    m_process.Reach();
    WorkQueue& queue = vi.QueueOf(receive);
    const bool empty = queue.items.IsEmpty();
    if (!empty && queue.Done(m_process.Clock().at) != nullptr)
    {
        return Reap(vi, receive);
    }
    m_process.Spend(Stage::CALL_POLL, m_costs.doneMiss);
    m_process.Settle();
    return {empty ? Harvest::EMPTY : Harvest::NOT_DONE, nullptr, 0};
}

Harvest
ViLibrary::Reap(VirtualInterface& vi, bool receive, bool followed)
{
    WorkQueue& queue = vi.QueueOf(receive);
    const WorkItem item = queue.items.Front();
    queue.items.Pop();
    if (!receive && queue.items.IsEmpty())
    {
        m_nic.Vis().TakeBack(queue.items);
    }
    Host& host = m_process.GetHost();
    if (receive && m_announced == vi.id)
    {
        m_announced.reset();
        followed = true;
    }
    if (receive && !followed && item.visible.cause != 0)
    {
        m_process.FollowLate(item.visible);
    }
    m_process.Spend(Stage::CACHE_MISS, host.Costs().cacheMiss);
    m_process.Spend(Stage::CALL_REAP, m_costs.doneHit);
    m_process.Settle();
    if (receive && item.message != 0)
    {
        MessageLog& messages = host.GetWorld().messages;
        if (MessageRecord* record = messages.Find(item.message))
        {
            record->end = m_process.Clock().at;
            record->last = m_process.Clock().cause;
        }
        messages.End(item.message, m_process.Clock().at <= host.GetWorld().agenda.Limit());
        m_process.NoteReap();
    }
    // not the descriptor's: its memory may have been deregistered since
    return {Harvest::DONE, item.descriptor, item.status};
}

bool
ViLibrary::PollCq(CompletionQueue& cq, Completion& completion)
{
    m_process.Reach();
    if (cq.Peek(m_process.Clock().at) == nullptr)
    {
        m_process.Spend(Stage::CALL_CQ_POLL, m_costs.cqDoneMiss);
        m_process.Settle();
        return false;
    }
    ReapCq(cq, completion);
    return true;
}

void
ViLibrary::ReapCq(CompletionQueue& cq, Completion& completion)
{
    completion = *cq.Next();
    cq.Pop();
    Host& host = m_process.GetHost();
    if (completion.receive && completion.visible.cause != 0)
    {
        m_process.FollowLate(completion.visible);
        m_announced = completion.vi;
    }
    m_process.Spend(Stage::CACHE_MISS, host.Costs().cacheMiss);
    m_process.Spend(Stage::CALL_CQ_REAP, m_costs.cqDoneHit);
    m_process.Settle();
}

} // namespace via
} // namespace ns3
