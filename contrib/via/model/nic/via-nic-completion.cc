/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The NIC's completions: how descriptors complete, and how VIs break on errors.

#include "ns3/abort.h"
#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

Moment
Nic::Complete(VirtualInterface& vi,
              bool receive,
              WorkItem& item,
              std::uint32_t status,
              std::uint32_t length,
              Moment from)
{
    WorkQueue& queue = vi.QueueOf(receive);
    const Engine engine = receive ? Engine::NIC_RECEIVE : Engine::NIC_SEND;
    if (m_checks.IsValid(vi, item))
    {
        from = m_parts.data->Complete(from, Stage::STATUS_WRITE, engine, m_costs->statusBytes);
        const std::uint64_t word = static_cast<std::uint64_t>(status | Descriptor::DONE) << 32;
        m_host.Memory().StoreAt(from.at, &item.descriptor->length, word | length, vi.rank);
    }
    if (from.at < queue.lastVisible)
    {
        from.at = queue.lastVisible; // completions of a queue become visible in posting order
    }
    queue.lastVisible = from.at;
    item.visible = from;
    ++queue.completed;
    if (m_listener != nullptr)
    {
        m_listener->OnCompletion(vi, receive, status & ~Descriptor::DONE, length, from.at);
        m_listener->OnQueue(vi, receive, from.at);
    }
    if (CompletionQueue* cq = vi.CqOf(receive))
    {
        from = m_parts.data->Complete(from, Stage::CQ_WRITE, engine, m_costs->cqEntryBytes);
        if (!cq->Push({vi.id, receive, from}))
        {
            Raise(vi, AsyncCode::COMPLETION_PROTECTION, from.at, cq);
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
Nic::Finish(VirtualInterface& vi,
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
    return at;
}

void
Nic::OnMessageLeft(const SentMessage& sent)
{
    VirtualInterface* vi = FindVi(sent.vi);
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
Nic::FailSend(VirtualInterface& vi, RingSerial serial, std::uint32_t status, Moment at)
{
    Finish(vi, serial, status | vi.SendQueue().items.Find(serial)->descriptor->Did(), 0, at);
    if (vi.IsReliable())
    {
        Break(vi, at, true);
    }
}

void
Nic::FailPost(VirtualInterface& vi, const WorkItem& item, Moment at)
{
    Raise(vi, AsyncCode::POST_DESCRIPTOR, at.at, nullptr, item.descriptor);
    Break(vi, at, true);
}

void
Nic::Flush(VirtualInterface& vi, bool receive, Moment at)
{
    if (!vi.Uses(receive))
    {
        return;
    }
    WorkQueue& queue = vi.QueueOf(receive);
    if (!receive)
    {
        // what has been rung for and not begun will not be sent
        const std::uint64_t waiting = queue.items.EndSerial() - queue.started;
        m_host.GetWorld().inbound.Remove(vi.peerNode, waiting - std::exchange(vi.deferred, 0));
    }
    for (std::uint32_t i = 0; i < queue.items.Size(); ++i)
    {
        WorkItem& item = queue.items.At(i);
        if (item.visible.at == PS_NEVER)
        {
            const std::uint32_t flushed =
                Descriptor::FLUSHED | (receive ? Descriptor::DID_RECEIVE : 0);
            // an item that has ended and only waits for its turn keeps its own status
            at = Complete(vi,
                          receive,
                          item,
                          item.status != 0 ? item.status : flushed,
                          item.length,
                          at);
        }
    }
    queue.started = queue.items.EndSerial();
}

// ---- arrivals

void
Nic::ReceiveQueueEmpty(VirtualInterface& vi, const Packet& packet, Moment at)
{
    Raise(vi, AsyncCode::RECEIVE_QUEUE_EMPTY, at.at);
    if (vi.AwaitsResponse())
    {
        Respond(packet, Descriptor::REMOTE_ERROR, at);
    }
    if (vi.IsReliable())
    {
        Break(vi, at, true);
    }
}

void
Nic::MessageArrived(VirtualInterface& vi,
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
        Raise(vi, AsyncCode::RDMA_WRITE_PROTECTION, at.at);
    }
    if (vi.IsReliable())
    {
        Break(vi, at, true);
    }
}

void
Nic::RdmaWriteDamaged(VirtualInterface& vi, const Arrival& arrival, Moment at)
{
    if (!arrival.consumesItem)
    {
        Raise(vi, AsyncCode::RDMA_WRITE_DATA, at.at);
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

Packet*
Nic::AnswerTo(const Packet& packet, PacketKind kind)
{
    Packet* answer = m_host.GetWorld().packets.NewPacket();
    answer->kind = kind;
    answer->source = m_host.Id();
    answer->sourceVi = packet.destinationVi;
    answer->destination = packet.source;
    answer->destinationVi = packet.sourceVi;
    answer->item = packet.item;
    return answer;
}

// ---- reliable reception

void
Nic::Respond(const Packet& packet, std::uint32_t status, Moment at)
{
    Packet* response = AnswerTo(packet, PacketKind::RESPONSE);
    response->asked = status == 0 ? packet.length : 0;
    response->status = status == 0 || status == Descriptor::RDMA_PROTECTION_ERROR
                           ? status
                           : Descriptor::REMOTE_ERROR;
    response->status |=
        packet.kind == PacketKind::RDMA_WRITE ? Descriptor::DID_RDMA_WRITE : Descriptor::DID_SEND;
    SendControl(response, at);
}

// ---- RDMA read

Moment
Nic::FinishRead(VirtualInterface& vi,
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
        Break(vi, at, true);
    }
    else if (extras.readsOut == 0)
    {
        const std::uint32_t waiting = extras.fenced;
        extras.fenced = 0;
        for (std::uint32_t i = 0; i < waiting; ++i)
        {
            m_send.OnDoorbell({at, vi.id, nullptr});
        }
    }
    return at;
}

// ---- a peer that does not respond

void
Nic::PeerIsGone(NodeId peer, Moment at)
{
    if (m_connections != nullptr)
    {
        m_connections->OnPeerGone(peer, at);
    }
    m_send.Forget([peer](const Packet& packet) {
        return packet.IsAccept() && packet.destination == peer; // its connection is gone
    });
    for (VirtualInterface* vi : m_vis.All())
    {
        if (vi->state != ViState::CONNECTED || vi->peerNode != peer || !vi->IsReliable())
        {
            continue;
        }
        const WorkQueue& queue = std::as_const(*vi).SendQueue();
        const WorkItem* oldest = queue.items.Find(queue.completed);
        if (oldest != nullptr && IsBefore(queue.completed, queue.started) &&
            m_checks.IsValid(*vi, *oldest))
        {
            Finish(*vi,
                   queue.completed,
                   Descriptor::TRANSPORT_ERROR | oldest->descriptor->Did(),
                   0,
                   at);
        }
        Break(*vi, at, false);
    }
}

} // namespace via
} // namespace ns3
