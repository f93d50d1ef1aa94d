/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How descriptors complete, and what else follows from the end of a message.

#include "via-completions.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

Moment
Completions::Complete(VirtualInterface& vi,
                      bool receive,
                      WorkItem& item,
                      std::uint32_t status,
                      std::uint32_t length,
                      Moment from)
{
    WorkQueue& queue = vi.QueueOf(receive);
    const Engine engine = receive ? Engine::NIC_RECEIVE : Engine::NIC_SEND;
    const bool valid = m_nic.Checks().IsValid(vi, item);
    item.status = Descriptor::DONE | (valid ? status : Descriptor::FORMAT_ERROR);
    if (valid)
    {
        from = m_nic.Parts().data->Complete(from,
                                            Stage::STATUS_WRITE,
                                            engine,
                                            m_nic.Costs().statusBytes);
        const std::uint64_t word = static_cast<std::uint64_t>(item.status) << 32;
        m_nic.GetHost().Memory().StoreAt(from.at, &item.descriptor->length, word | length, vi.rank);
    }
    if (from.at < queue.lastVisible)
    {
        from.at = queue.lastVisible; // completions of a queue become visible in posting order
    }
    queue.lastVisible = from.at;
    item.visible = from;
    ++queue.completed;
    NicListener* const listener = m_nic.Listener();
    if (listener != nullptr && m_nic.GetHost().IsInRun(from.at))
    {
        listener->OnCompletion(vi, receive, status & ~Descriptor::DONE, length, from.at);
        listener->OnQueue(vi, receive, from.at);
    }
    if (CompletionQueue* cq = vi.CqOf(receive))
    {
        from =
            m_nic.Parts().data->Complete(from, Stage::CQ_WRITE, engine, m_nic.Costs().cqEntryBytes);
        if (!cq->Push({vi.id, receive, from}))
        {
            m_nic.GetHandles().Raise(vi, AsyncCode::COMPLETION_PROTECTION, from.at, cq);
        }
    }
    if (queue.waiter != nullptr && &item == &queue.items.Front())
    {
        queue.waiter->OnReady(item.visible);
    }
    if (!receive && vi.Extras().drain != nullptr)
    {
        vi.Extras().drain->OnReady(item.visible);
    }
    return from;
}

// ---- send queues: descriptors complete in posting order

Moment
Completions::Finish(VirtualInterface& vi,
                    RingSerial serial,
                    std::uint32_t status,
                    std::uint32_t length,
                    Moment at)
{
    WorkQueue& queue = vi.SendQueue();
    WorkItem* item = queue.items.Find(serial);
    if (item == nullptr || item->visible.at != PS_NEVER || item->status != 0)
    {
        return at; // flushed, harvested or destroyed since
    }
    item->status = status | Descriptor::DONE;
    item->length = length;
    item->rung = at;
    for (item = queue.items.Find(queue.completed); item != nullptr && item->status != 0;
         item = queue.items.Find(queue.completed))
    {
        at = Complete(vi, false, *item, item->status, item->length, Later(item->rung, at));
    }
    if (vi.stopped && queue.completed == queue.started)
    {
        m_nic.GetViConnections().Break(vi, at, true);
    }
    return at;
}

void
Completions::OnMessageLeft(const SentMessage& sent)
{
    VirtualInterface* vi = m_nic.FindVi(sent.vi);
    if (vi != nullptr && !vi->AwaitsResponse() && sent.kind != PacketKind::RDMA_READ_REQUEST)
    {
        const bool write = sent.kind == PacketKind::RDMA_WRITE;
        Finish(*vi,
               sent.item,
               write ? Descriptor::DID_RDMA_WRITE : Descriptor::DID_SEND,
               sent.length,
               sent.left);
    }
}

void
Completions::FailSend(VirtualInterface& vi, RingSerial serial, std::uint32_t status, Moment at)
{
    WorkQueue& queue = vi.SendQueue();
    const bool isNext = queue.completed == serial;
    Finish(vi, serial, status | queue.items.Find(serial)->descriptor->Did(), 0, at);
    if (vi.IsReliable() && isNext)
    {
        m_nic.GetViConnections().Break(vi, at, true);
    }
    else if (vi.IsReliable())
    {
        vi.stopped = true; // those before it are on their way, and will arrive
    }
}

void
Completions::FailPost(VirtualInterface& vi, const WorkItem& item, Moment at)
{
    m_nic.GetHandles().Raise(vi, AsyncCode::POST_DESCRIPTOR, at.at, nullptr, item.descriptor);
    m_nic.GetViConnections().Break(vi, at, true);
}

std::uint32_t
Completions::FlushedStatus(const VirtualInterface& vi, bool receive, const WorkItem& item) const
{
    if (receive)
    {
        return Descriptor::FLUSHED | Descriptor::DID_RECEIVE;
    }
    const bool valid = m_nic.Checks().IsValid(vi, item);
    return Descriptor::FLUSHED | (valid ? item.descriptor->Did() : Descriptor::DID_SEND);
}

void
Completions::Flush(VirtualInterface& vi, bool receive, Moment at)
{
    if (!vi.Uses(receive))
    {
        return;
    }
    WorkQueue& queue = vi.QueueOf(receive);
    if (!receive)
    {
        vi.stopped = false;
        m_nic.Sender().OnFlush(vi);
        // what has been rung for and not begun will not be sent
        const std::uint64_t waiting = queue.items.EndSerial() - queue.started;
        m_nic.GetHost().GetWorld().inbound.Remove(vi.peerNode,
                                                  waiting - std::exchange(vi.deferred, 0));
    }
    for (std::uint32_t i = 0; i < queue.items.Size(); ++i)
    {
        WorkItem& item = queue.items.At(i);
        if (item.visible.at == PS_NEVER)
        {
            if (!receive && !IsBefore(queue.items.FrontSerial() + i, queue.started))
            {
                m_nic.GetHost().GetWorld().messages.End(item.message, false); // it never left
            }
            // an item that has ended and only waits for its turn keeps its own status
            at = Complete(vi,
                          receive,
                          item,
                          item.status != 0 ? item.status : FlushedStatus(vi, receive, item),
                          item.length,
                          at);
        }
    }
    queue.started = queue.items.EndSerial();
}

// ---- arrivals

void
Completions::ReceiveQueueEmpty(VirtualInterface& vi, const Packet& packet, Moment at)
{
    m_nic.GetHandles().Raise(vi, AsyncCode::RECEIVE_QUEUE_EMPTY, at.at);
    if (vi.AwaitsResponse())
    {
        Respond(packet, Descriptor::REMOTE_ERROR, at);
    }
    if (vi.IsReliable())
    {
        m_nic.GetViConnections().Break(vi, at, true);
    }
}

void
Completions::MessageArrived(VirtualInterface& vi,
                            const Packet& packet,
                            std::uint32_t status,
                            bool told,
                            Moment at)
{
    if (vi.AwaitsResponse())
    {
        Respond(packet, status, at);
    }
    if (status == 0)
    {
        return;
    }
    if (!told)
    {
        NS_ABORT_MSG_IF(status != Descriptor::RDMA_PROTECTION_ERROR,
                        "only a refused RDMA write has no descriptor");
        m_nic.GetHandles().Raise(vi, AsyncCode::RDMA_WRITE_PROTECTION, at.at);
    }
    if (vi.IsReliable())
    {
        m_nic.GetViConnections().Break(vi, at, true);
    }
}

void
Completions::RdmaWriteDamaged(VirtualInterface& vi, const Arrival& arrival, Moment at)
{
    if (!arrival.consumesItem)
    {
        m_nic.GetHandles().Raise(vi, AsyncCode::RDMA_WRITE_DATA, at.at);
        return;
    }
    Complete(vi,
             true,
             *vi.ReceiveQueue().items.Find(arrival.item),
             Descriptor::TRANSPORT_ERROR | Descriptor::PARTIAL_ERROR |
                 Descriptor::DID_REMOTE_RDMA_WRITE,
             arrival.placed,
             at);
}

void
Completions::Respond(const Packet& packet, std::uint32_t status, Moment at)
{
    Packet* response = m_nic.AnswerTo(packet, PacketKind::RESPONSE);
    response->asked = status == 0 ? packet.length : 0;
    response->status = status == 0 || status == Descriptor::RDMA_PROTECTION_ERROR
                           ? status
                           : Descriptor::REMOTE_ERROR;
    response->status |=
        packet.kind == PacketKind::RDMA_WRITE ? Descriptor::DID_RDMA_WRITE : Descriptor::DID_SEND;
    m_nic.SendControl(response, at);
}

// ---- RDMA read

Moment
Completions::FinishRead(VirtualInterface& vi,
                        RingSerial serial,
                        std::uint32_t status,
                        std::uint32_t length,
                        Moment at)
{
    at = Finish(vi, serial, status | Descriptor::DID_RDMA_READ, length, at);
    ViExtras& extras = vi.MakeExtras();
    --extras.readsOut;
    if (status != 0)
    {
        m_nic.GetViConnections().Break(vi, at, true);
    }
    else if (extras.readsOut == 0)
    {
        const std::uint32_t waiting = extras.fenced;
        extras.fenced = 0;
        for (std::uint32_t i = 0; i < waiting; ++i)
        {
            m_nic.Sender().OnDoorbell({at, vi.id, nullptr});
        }
    }
    return at;
}

} // namespace via
} // namespace ns3
