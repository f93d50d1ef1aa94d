/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC: owns and connects its engines, its table and its queues.

#include "via-nic.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{
/// Number of the NIC's clock among the clocks of its host; determines its phase.
constexpr std::uint32_t NIC_CLOCK = 2;
constexpr std::uint32_t CLOCKS_PER_CARD = 16;

/// Bytes that a waiting process reads to find its next step.
constexpr std::size_t WAITER_BYTES = 320;
} // namespace

Nic::Nic(Host& host,
         const Shared<NicCosts>& costs,
         const Shared<NicLimits>& limits,
         std::uint32_t card)
    : m_host(host),
      m_costs(costs),
      m_limits(limits),
      m_card(card),
      m_clock(host.MakeClock(costs->clock, NIC_CLOCK + CLOCKS_PER_CARD * card)),
      m_checks(m_tpt, limits),
      m_parts(*this, costs),
      m_transport(*this, costs),
      m_turns(host, m_sendCompletions, m_send, m_receive),
      m_sendCompletions(*this),
      m_send(*this, costs),
      m_receive(*this, costs)
{
}

void
Nic::Plug(OutPort* out, InPort* upstream, std::uint32_t room)
{
    m_send.SetPort(out);
    m_receive.SetUpstream(m_parts.kernelReceiver == nullptr ? upstream : nullptr, room);
    if (m_parts.kernelReceiver != nullptr)
    {
        m_parts.kernelReceiver->SetUpstream(upstream); // its ring takes the frames
    }
}

std::string
Nic::PlugInName() const
{
    return m_parts.plugIn == nullptr ? "" : m_parts.plugIn->Name();
}

std::uint32_t
Nic::Open(AsyncListener* listener)
{
    m_owners.push_back(listener);
    return static_cast<std::uint32_t>(m_owners.size() - 1);
}

bool
Nic::HasObjects(std::uint32_t owner) const
{
    const auto isOurs = [owner](const auto* vi) { return vi->owner == owner; };
    const auto cqIsOurs = [owner](const auto& cq) { return cq->Owner() == owner; };
    const auto vis = m_vis.All();
    return std::any_of(vis.begin(), vis.end(), isOurs) ||
           std::any_of(m_cqs.begin(), m_cqs.end(), cqIsOurs) || !m_tpt.HandlesOf(owner).empty() ||
           !m_tpt.TagsOf(owner).empty();
}

void
Nic::CloseAll(std::uint32_t owner, Moment at)
{
    m_owners[owner] = nullptr;
    if (m_connections != nullptr)
    {
        m_connections->CloseAll(owner, at);
    }
    for (VirtualInterface* vi : m_vis.All())
    {
        if (vi->owner == owner)
        {
            Disconnect(*vi, at);
            DestroyVi(vi->id);
        }
    }
    for (const MemoryHandle handle : m_tpt.HandlesOf(owner))
    {
        m_tpt.Deregister(handle);
    }
    for (const Ptag tag : m_tpt.TagsOf(owner))
    {
        m_tpt.DestroyTag(tag);
    }
    const auto isOurs = [owner](const auto& cq) { return cq->Owner() == owner; };
    m_cqs.erase(std::remove_if(m_cqs.begin(), m_cqs.end(), isOurs), m_cqs.end());
}

VirtualInterface&
Nic::CreateVi(const ViAttributes& attributes,
              std::uint32_t owner,
              std::uint32_t rank,
              CompletionQueue* sendCq,
              CompletionQueue* receiveCq)
{
    VirtualInterface& vi = m_vis.Create();
    vi.owner = owner;
    vi.rank = rank;
    vi.attributes = attributes;
    if (sendCq != nullptr)
    {
        vi.MakeExtras().sendCq = sendCq;
        ++sendCq->bindings;
    }
    if (receiveCq != nullptr)
    {
        vi.MakeExtras().receiveCq = receiveCq;
        ++receiveCq->bindings;
    }
    return vi;
}

void
Nic::DestroyVi(ViId id)
{
    VirtualInterface& vi = *FindVi(id);
    for (CompletionQueue* cq : {vi.CqOf(false), vi.CqOf(true)})
    {
        if (cq != nullptr)
        {
            cq->Purge(id);
            --cq->bindings;
        }
    }
    if (m_connections != nullptr)
    {
        m_connections->Forget(id);
    }
    m_send.OnDestroyed(id);
    m_vis.Destroy(id);
}

std::uint32_t
Nic::VisBefore(ViId id) const
{
    std::uint32_t count = 0;
    for (ViId before = 0; before < id && before < m_vis.End(); ++before)
    {
        count += m_vis.Find(before) != nullptr ? 1 : 0;
    }
    return count;
}

std::uint32_t
Nic::VisWithTag(Ptag tag) const
{
    const auto vis = m_vis.All();
    const auto carries = [tag](const auto* vi) { return vi->attributes.tag == tag; };
    return static_cast<std::uint32_t>(std::count_if(vis.begin(), vis.end(), carries));
}

CompletionQueue&
Nic::CreateCq(std::uint32_t entries, std::uint32_t owner)
{
    m_cqs.push_back(std::make_unique<CompletionQueue>(entries, owner));
    return *m_cqs.back();
}

void
Nic::DestroyCq(CompletionQueue* cq)
{
    m_cqs.erase(std::find_if(m_cqs.begin(), m_cqs.end(), [cq](const auto& other) {
        return other.get() == cq;
    }));
}

bool
Nic::Overruns(VirtualInterface& vi, const WorkQueue& queue, const WorkItem& item)
{
    if (queue.items.Size() < m_limits->queueDepth)
    {
        return false;
    }
    Raise(vi, AsyncCode::VI_OVERRUN, item.rung.at, nullptr, item.descriptor);
    Break(vi, item.rung, true);
    return true;
}

Moment
Nic::TellOfSend(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    m_parts.descriptors->Post(process, vi, false, m_checks.Bytes(item));
    return vi.defersSends ? process.Clock() : m_parts.doorbells->RingSend(process, vi, item);
}

Moment
Nic::TellOfReceive(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    m_parts.descriptors->Post(process, vi, true, m_checks.Bytes(item));
    return m_parts.doorbells->RingReceive(process, vi, item);
}

void
Nic::NotePost(const VirtualInterface& vi, bool receive, bool rings, Ps at)
{
    if (m_listener == nullptr)
    {
        return;
    }
    m_listener->OnQueue(vi, receive, at);
    if (rings)
    {
        m_listener->OnDoorbell(vi, receive, at);
    }
}

void
Nic::PostSend(VirtualInterface& vi, const WorkItem& item)
{
    WorkQueue& queue = vi.SendQueue();
    if (Overruns(vi, queue, item))
    {
        return;
    }
    if (queue.items.IsFull())
    {
        m_vis.LendRoom(queue.items);
    }
    WorkItem& posted = queue.items.Push(item);
    NotePost(vi, false, !vi.defersSends, item.rung.at);
    if (vi.state != ViState::CONNECTED)
    {
        ++queue.started;
        Complete(vi, false, posted, Descriptor::FLUSHED, 0, item.rung);
        return;
    }
    ++vi.sequence;
    if (vi.defersSends)
    {
        ++vi.deferred;
        return;
    }
    m_parts.doorbells->OnRung();
    World& world = m_host.GetWorld();
    world.inbound.Add(vi.peerNode, item.rung.at + world.leads.send);
    m_send.OnDoorbell({item.rung, vi.id, nullptr, true});
}

void
Nic::RingDeferred(VirtualInterface& vi, Moment rung)
{
    Ring<WorkItem>& items = vi.SendQueue().items;
    const std::uint32_t size = items.Size();
    const std::uint32_t first = size - std::exchange(vi.deferred, 0);
    if (first == size)
    {
        return; // flushed while the program was ringing
    }
    for (std::uint32_t i = first; i < size; ++i)
    {
        items.At(i).rung = rung;
    }
    if (m_listener != nullptr)
    {
        m_listener->OnDoorbell(vi, false, rung.at);
    }
    World& world = m_host.GetWorld();
    m_parts.doorbells->OnRung(); // one ring for all of them
    for (std::uint32_t i = first; i < size; ++i)
    {
        world.inbound.Add(vi.peerNode, rung.at + world.leads.send);
        m_send.OnDoorbell({rung, vi.id, nullptr, i == first});
    }
}

void
Nic::PostReceive(VirtualInterface& vi, const WorkItem& item)
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
        Complete(vi, true, posted, Descriptor::FLUSHED | Descriptor::DID_RECEIVE, 0, item.rung);
        return;
    }
    m_parts.descriptors->OnPosted(queue);
}

void
Nic::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == BELL)
    {
        RingAgain({{m_host.Now(), 0}, static_cast<ViId>(data)});
        return;
    }
    if (kind == CONGESTION)
    {
        if (m_heldBack == nullptr)
        {
            m_heldBack = std::make_unique<std::map<NodeId, Ps>>();
        }
        (*m_heldBack)[static_cast<NodeId>(data)] = m_host.Now() + m_costs->feedbackPause;
        return;
    }
    auto* cell = reinterpret_cast<Cell*>(data);
    if (m_parts.kernelReceiver != nullptr)
    {
        m_parts.kernelReceiver->Accept(cell);
        return;
    }
    m_receive.Accept(cell);
}

Leads
Nic::LeastLeads() const
{
    const bool hasKernel = m_parts.sendRing != nullptr || m_parts.receiveRing != nullptr;
    if (hasKernel || !m_traffic.IsPlain() || m_parts.plugIn != nullptr)
    {
        // kernels, IP and barriers have turns of their own; a plug-in may do anything at once
        return {};
    }
    constexpr Ps rounding = 8; // more than one for each span
    const auto span = [this](Cycles n) { return m_clock.Span(n); };
    const Ps decode = span(m_costs->decodeDoorbell) - rounding;
    const Ps send = decode + m_parts.descriptors->LeastTake() + span(m_costs->segment) +
                    span(m_costs->sendResidual);
    const Ps control = decode + span(m_costs->connection); // answers: see BuildPacket
    const Ps program = std::min(m_host.LeastStoreSpan() + send, control);
    return {std::max(program, Ps{0}), 0, std::max(send, Ps{0}), std::max(control, Ps{0})};
}

void
Nic::PrefetchEarlyUse() const
{
    PrefetchUpTo(this, &m_connections);
}

void
Nic::PrefetchUse() const
{
    m_parts.Prefetch();
    m_send.PrefetchWire();
}

void
Nic::PrefetchArrival(const Cell& cell) const
{
    PrefetchUpTo(cell.packet, &cell.packet->order + 1);
    m_vis.PrefetchEarly(cell.vi);
    PrefetchLine(&cell.last);
}

void
Nic::Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data)
{
    if (kind != CELL)
    {
        return;
    }
    const Cell& cell = *reinterpret_cast<const Cell*>(data);
    switch (hint)
    {
    case Hint::FAR:
        PrefetchEarlyUse();
        break;
    case Hint::SOON:
        PrefetchArrival(cell);
        m_host.PrefetchUse();
        break;
    case Hint::NEXT:
        PrefetchReceive(cell);
        m_parts.Prefetch();
        m_receive.PrefetchWire();
        break;
    case Hint::NOW:
        PrefetchDescriptor(cell);
        break;
    }
}

void
Nic::PrefetchReceive(const Cell& cell) const
{
    const VirtualInterface* vi = m_vis.Find(cell.vi);
    if (vi == nullptr)
    {
        return;
    }
    PrefetchLine(vi->channel);
    PrefetchLine(vi->ReceiveQueue().Next());
    if (const Waiter* waiter = vi->ReceiveQueue().waiter)
    {
        PrefetchUpTo(waiter, reinterpret_cast<const char*>(waiter) + WAITER_BYTES);
    }
}

void
Nic::PrefetchDescriptor(const Cell& cell) const
{
    const VirtualInterface* vi = m_vis.Find(cell.vi);
    const WorkItem* item = vi == nullptr ? nullptr : vi->ReceiveQueue().Next();
    if (item != nullptr)
    {
        PrefetchLine(item->descriptor);
    }
}

} // namespace via
} // namespace ns3
