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

namespace
{

/// Writes completions while the engines go on.
class CompletionJob final : public CardJob
{
  public:
    CompletionJob(Nic& nic, const Completing& completing, Moment at)
        : CardJob(nic.Parts().dma, completing.receive ? Engine::NIC_RECEIVE : Engine::NIC_SEND, at),
          m_nic(&nic),
          m_completing(completing)
    {
    }

    bool Continue() override
    {
        return m_nic->GetCompletions().Write(*this, m_completing);
    }

  private:
    Nic* m_nic;
    Completing m_completing;
};

} // namespace

Completing
Completions::Next(const VirtualInterface& vi, bool receive, WorkQueue& queue)
{
    const RingSerial first = queue.completed;
    for (const WorkItem* item = queue.items.Find(queue.completed);
         item != nullptr && item->HasEnded();
         item = queue.items.Find(queue.completed))
    {
        ++queue.completed;
    }
    Completing completing;
    if (queue.reported == first) // else whoever writes those before goes on with these
    {
        completing.vi = vi.id;
        completing.receive = receive;
        completing.next = first;
        completing.end = queue.completed;
    }
    return completing;
}

Completing
Completions::End(VirtualInterface& vi,
                 bool receive,
                 RingSerial serial,
                 std::uint32_t status,
                 std::uint32_t length,
                 Moment at)
{
    WorkQueue& queue = vi.QueueOf(receive);
    WorkItem* item = queue.items.Find(serial);
    if (item == nullptr || item->HasEnded())
    {
        return {}; // flushed, harvested or destroyed since
    }
    item->status = status | Descriptor::DONE;
    item->length = length;
    item->rung = at;
    return Next(vi, receive, queue);
}

bool
Completions::Write(CardTask& task, Completing& completing)
{
    VirtualInterface* vi =
        completing.next == completing.end ? nullptr : m_nic.FindVi(completing.vi);
    return vi == nullptr || WriteFor(task, *vi, completing); // null: nothing, or its process ended
}

bool
Completions::WriteFor(CardTask& task, VirtualInterface& vi, Completing& completing)
{
    do
    {
        switch (completing.step)
        {
        case Completing::Step::STATUS:
            WriteStatus(task, vi, completing);
            completing.step = Completing::Step::SHOW;
            if (task.IsPending())
            {
                return false;
            }
            [[fallthrough]];
        case Completing::Step::SHOW:
            ShowStatus(task, vi, completing);
            completing.step = Completing::Step::ENTRY;
            if (task.IsPending())
            {
                return false;
            }
            [[fallthrough]];
        case Completing::Step::ENTRY:
            PushEntry(vi, completing.receive, task.At());
            completing.step = Completing::Step::STATUS;
        }
    } while (++completing.next != completing.end);
    if (vi.stopped && vi.SendQueue().completed == vi.SendQueue().started)
    {
        m_nic.GetViConnections().Break(vi, task.At(), true);
    }
    return true;
}

void
Completions::WriteStatus(CardTask& task, VirtualInterface& vi, Completing& completing)
{
    WorkQueue& queue = vi.QueueOf(completing.receive);
    WorkItem& item = *queue.items.Find(completing.next);
    if (++queue.reported == completing.end)
    {
        completing.end = queue.completed; // what has ended meanwhile
    }
    task.Follow(Later(item.rung, task.At()));
    completing.writes = m_nic.Checks().IsValid(vi, item);
    if (completing.writes)
    {
        m_nic.Parts().data->Complete(task, Stage::STATUS_WRITE, m_nic.Costs().statusBytes);
    }
    else
    {
        item.status = Descriptor::DONE | Descriptor::FORMAT_ERROR;
    }
}

void
Completions::ShowStatus(CardTask& task, VirtualInterface& vi, Completing& completing)
{
    const bool receive = completing.receive;
    WorkQueue& queue = vi.QueueOf(receive);
    WorkItem& item = *queue.items.Find(completing.next);
    Moment at = task.At();
    if (completing.writes && m_nic.Checks().IsValid(vi, item))
    {
        const std::uint64_t word = static_cast<std::uint64_t>(item.status) << 32;
        m_nic.GetHost().Memory().StoreAt(at.at,
                                         &item.descriptor->length,
                                         word | item.length,
                                         vi.rank);
    }
    const WorkItem* before = queue.items.Find(completing.next - 1);
    if (before != nullptr && before->visible.at != PS_NEVER && at.at < before->visible.at)
    {
        at.at = before->visible.at; // completions of a queue become visible in posting order
        task.Follow(at);
    }
    item.visible = at;
    NicListener* const listener = m_nic.Listener();
    if (listener != nullptr && m_nic.GetHost().IsInRun(at.at))
    {
        listener->OnCompletion(vi, receive, item.status & ~Descriptor::DONE, item.length, at.at);
        listener->OnQueue(vi, receive, at.at);
    }
    if (queue.waiter != nullptr && &item == &queue.items.Front())
    {
        queue.waiter->OnReady(at);
    }
    for (Waiter* waiter : vi.Extras().drains)
    {
        waiter->OnReady(at);
    }
    if (vi.CqOf(receive) != nullptr)
    {
        ++vi.MakeExtras().entries;
        m_nic.Parts().data->Complete(task, Stage::CQ_WRITE, m_nic.Costs().cqEntryBytes);
    }
}

void
Completions::PushEntry(VirtualInterface& vi, bool receive, Moment at)
{
    CompletionQueue* cq = vi.CqOf(receive);
    if (cq == nullptr)
    {
        return;
    }
    --vi.MakeExtras().entries;
    if (!cq->Push({vi.id, receive, at}))
    {
        m_nic.GetHandles().Raise(vi, AsyncCode::COMPLETION_PROTECTION, at.at, cq);
    }
}

std::uint32_t
Completions::EntriesFor(const CompletionQueue& cq) const
{
    std::uint32_t entries = 0;
    for (const VirtualInterface* vi : m_nic.Vis().All())
    {
        bool isBound = false;
        for (const bool receive : {false, true})
        {
            const WorkQueue& queue = std::as_const(*vi).QueueOf(receive);
            isBound |= vi->CqOf(receive) == &cq;
            entries += vi->CqOf(receive) == &cq ? queue.completed - queue.FirstOpen() : 0;
        }
        entries += isBound ? vi->Extras().entries : 0; // maybe of its other queue
    }
    return entries;
}

void
Completions::Begin(const Completing& completing, Moment at)
{
    m_nic.Jobs().Begin(at.at, CompletionJob(m_nic, completing, at));
}

void
Completions::Finish(VirtualInterface& vi,
                    bool receive,
                    RingSerial serial,
                    std::uint32_t status,
                    std::uint32_t length,
                    Moment at)
{
    Begin(End(vi, receive, serial, status, length, at), at);
}

void
Completions::OnMessageLeft(const SentMessage& sent)
{
    VirtualInterface* vi = m_nic.FindVi(sent.vi);
    if (vi != nullptr && !vi->AwaitsResponse() && sent.kind != PacketKind::RDMA_READ_REQUEST)
    {
        const bool write = sent.kind == PacketKind::RDMA_WRITE;
        const std::uint32_t status = write ? Descriptor::DID_RDMA_WRITE : Descriptor::DID_SEND;
        const Completing sends = End(*vi, false, sent.item, status, sent.length, sent.left);
        m_nic.Jobs().BeginLast(CompletionJob(m_nic, sends, sent.left));
    }
}

void
Completions::FailSend(VirtualInterface& vi, RingSerial serial, std::uint32_t status, Moment at)
{
    WorkQueue& queue = vi.SendQueue();
    const bool isNext = queue.completed == serial;
    Finish(vi, false, serial, status | queue.items.Find(serial)->descriptor->Did(), 0, at);
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
    for (std::uint32_t i = queue.completed - queue.items.FrontSerial(); i < queue.items.Size(); ++i)
    {
        WorkItem& item = queue.items.At(i);
        if (!receive && !IsBefore(queue.items.FrontSerial() + i, queue.started))
        {
            m_nic.GetHost().GetWorld().messages.End(item.message, false); // it never left
        }
        if (!item.HasEnded()) // else it only waits for its turn, and keeps its own status
        {
            item.status = Descriptor::DONE | FlushedStatus(vi, receive, item);
        }
        item.rung = at;
    }
    Begin(Next(vi, receive, queue), at);
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
    Finish(vi,
           true,
           arrival.item,
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

Completing
Completions::ReadAnswered(VirtualInterface& vi, const Arrival& answer, Moment at)
{
    --vi.MakeExtras().readsOut;
    const std::uint32_t status = answer.status | Descriptor::DID_RDMA_READ;
    return End(vi, false, answer.item, status, answer.placed, at);
}

void
Completions::ReadEnded(VirtualInterface& vi, std::uint32_t status, Moment at)
{
    ViExtras& extras = vi.MakeExtras();
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
}

} // namespace via
} // namespace ns3
