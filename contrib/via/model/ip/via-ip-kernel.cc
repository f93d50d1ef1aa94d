/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel of one host between its IP stack and the card: the path of a frame.

#include "via-ip-kernel.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

IpKernel::IpKernel(Nic& nic,
                   const Shared<KernelCosts>& costs,
                   std::uint32_t hosts,
                   IpKernelUser& user)
    : m_nic(nic),
      m_costs(costs),
      m_hosts(hosts),
      m_user(user)
{
    m_nic.GetTraffic().Register(PacketKind::DATAGRAM, *this);
    m_nic.GetHost().GetWorld().agenda.Heed();
    m_nic.GetHost().Cpus().ExpectInterrupts();
}

IpKernel::~IpKernel()
{
    m_nic.GetTraffic().Unregister(PacketKind::DATAGRAM);
}

void
IpKernel::Kick(Ps now)
{
    if (!m_sendPlanned && m_sending == nullptr)
    {
        m_sendPlanned = true;
        Plan(now, SEND);
    }
}

void
IpKernel::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind != LEFT && data != m_life)
    {
        return; // the machine that planned it has crashed
    }
    switch (kind)
    {
    case SEND:
        return Send();
    case START:
        return Start();
    case LEFT:
        return Left(reinterpret_cast<Packet*>(data));
    case INTERRUPT:
        return Interrupt();
    case NEXT:
        return HandleNext();
    case DELIVER:
        return Deliver();
    }
    NS_ABORT_MSG("a kernel has no such work: " << kind);
}

void
IpKernel::Plan(Ps at, std::uint32_t kind)
{
    m_nic.GetHost().Schedule(at, PORT, this, kind, m_life);
}

void
IpKernel::Send()
{
    m_sendPlanned = false;
    if (m_inRing >= m_costs->transmitRing)
    {
        return; // the next frame that leaves calls again
    }
    m_sending = m_user.TakeNext();
    if (m_sending == nullptr)
    {
        return;
    }
    const bool isCopied = m_sending->destination == EVERYBODY;
    m_sendAt = PayForSend(DatagramKind::Of(m_sending->bytes.data(), m_sending->frame),
                          isCopied ? m_hosts - 1 : 1,
                          {m_nic.GetHost().Now(), m_sending->after});
    Plan(m_sendAt.at, START);
}

std::vector<Packet*>
IpKernel::CopiesOf(Packet* packet)
{
    if (packet->destination != EVERYBODY)
    {
        return {packet};
    }
    PacketPool& packets = m_nic.GetHost().GetWorld().packets;
    std::vector<Packet*> copies;
    for (NodeId to = 0; to < m_hosts; ++to)
    {
        if (to != packet->source)
        {
            Packet* copy = packets.NewPacket();
            copy->kind = packet->kind;
            copy->source = packet->source;
            copy->destination = to;
            copy->length = packet->length;
            copy->frame = packet->frame;
            copy->bytes = packet->bytes;
            copies.push_back(copy);
        }
    }
    packets.Release(packet);
    std::reverse(copies.begin(), copies.end());
    return copies;
}

void
IpKernel::Start()
{
    Host& host = m_nic.GetHost();
    if (m_copies.empty())
    {
        PacketPool::Hold(m_sending); // until the user has seen it handed to the card
        m_copies = CopiesOf(m_sending);
    }
    if (!m_copies.empty()) // else there is nobody else
    {
        Packet* copy = m_copies.back();
        m_copies.pop_back();
        m_sendAt = host.MmioStore(m_sendAt, m_nic.Card());
        ++m_inRing;
        m_nic.SendControl(copy, m_sendAt);
    }
    if (!m_copies.empty())
    {
        Plan(m_sendAt.at, START); // its store is made when this one has been
        return;
    }
    Packet* sent = std::exchange(m_sending, nullptr);
    m_user.OnStarted(*sent, m_sendAt);
    host.GetWorld().packets.Release(sent);
    Kick(host.Now());
}

void
IpKernel::OnLeft(const Packet& packet, Ps at)
{
    Host& host = m_nic.GetHost();
    auto* left = const_cast<Packet*>(&packet); // only its reference count changes
    PacketPool::Hold(left);
    host.Schedule(std::max(at, host.Now()),
                  PORT,
                  this,
                  LEFT,
                  reinterpret_cast<std::uint64_t>(left));
}

void
IpKernel::Left(Packet* packet)
{
    Host& host = m_nic.GetHost();
    --m_inRing;
    m_user.OnSent(*packet);
    host.GetWorld().packets.Release(packet);
    Kick(host.Now());
}

void
IpKernel::FetchEntry(CardTask& engine)
{
    // an entry holds the same data as a descriptor with one segment, and is as long
    constexpr std::uint32_t bytes = Descriptor::CONTROL_BYTES + Descriptor::SEGMENT_BYTES;
    engine.Read(Stage::RING_FETCH, bytes);
}

void
IpKernel::BeginSend(Nic& nic, Packet&, Piece&, CardTask& engine)
{
    if (nic.Parts().sendRing == nullptr)
    {
        FetchEntry(engine);
    }
    engine.Work(Stage::SEGMENT, nic.Costs().segment);
    engine.Work(Stage::RESIDUAL, nic.Costs().sendResidual);
}

void
IpKernel::BeginReceive(Nic& nic, const Packet&, CardTask& engine)
{
    engine.Work(Stage::RESIDUAL, nic.Costs().residual);
    if (nic.Parts().receiveRing == nullptr)
    {
        FetchEntry(engine);
    }
}

std::uint32_t
IpKernel::BytesToPlace(const Nic& nic, const Cell& cell) const
{
    if (nic.Parts().receiveRing != nullptr)
    {
        return 0; // its ring already holds the frame
    }
    const std::uint32_t cellPayload = nic.Costs().cellPayload;
    const std::uint32_t content = cell.packet->length + nic.Costs().messageHeader;
    return std::min(cellPayload, content - cell.index * cellPayload);
}

void
IpKernel::OnReceived(Nic&, Packet& packet, Moment at)
{
    if (packet.placed == packet.cells)
    {
        Take(packet, at);
    }
    else
    {
        m_user.OnLost(packet); // cells of it are missing: the rest is useless
    }
}

void
IpKernel::Take(Packet& packet, Moment at)
{
    if (m_isDown || m_arrived.Size() >= m_costs->receiveRing)
    {
        m_user.OnLost(packet);
        return;
    }
    PacketPool::Hold(&packet);
    m_arrived.Push({&packet, at});
    if (m_handles)
    {
        return; // the running interrupt reaches the frame in its turn
    }
    // an interrupt handler that already runs takes it next
    m_interrupted = m_nic.Parts().receiveRing != nullptr;
    Await(at);
}

void
IpKernel::Await(Moment at)
{
    if (!m_interrupted)
    {
        PlanInterrupt();
        return;
    }
    m_handles = true; // the handler of the card's interrupt goes on to the new frame
    m_receiveAt = at;
    m_continues = true;
    Host& host = m_nic.GetHost();
    Plan(std::max(at.at, host.Now()), NEXT);
}

bool
IpKernel::OnCrash()
{
    if (std::exchange(m_isDown, true))
    {
        return true;
    }
    ++m_life;
    Host& host = m_nic.GetHost();
    PacketPool& packets = host.GetWorld().packets;
    if (std::exchange(m_planned, false))
    {
        host.GetWorld().agenda.Cancel(host.Id(), m_plan);
    }
    for (Packet* copy : std::exchange(m_copies, {}))
    {
        packets.Release(copy);
    }
    if (m_sending != nullptr)
    {
        m_user.OnUnsent(*m_sending);
        packets.Release(std::exchange(m_sending, nullptr));
    }
    if (m_handled != nullptr)
    {
        m_user.OnLost(*m_handled);
        packets.Release(std::exchange(m_handled, nullptr));
    }
    for (; !m_arrived.IsEmpty(); m_arrived.Pop())
    {
        m_user.OnLost(*m_arrived.Front().packet);
        packets.Release(m_arrived.Front().packet);
    }
    m_sendPlanned = false;
    m_handles = false;
    m_continues = false;
    m_interrupted = false;
    m_user.OnCrash();
    return true;
}

void
IpKernel::OnReturn()
{
    if (std::exchange(m_isDown, false))
    {
        m_user.OnReturn();
    }
}

void
IpKernel::PlanInterrupt()
{
    Host& host = m_nic.GetHost();
    Ps due = m_arrived.At(0).ready.at + m_costs->coalesceDelay;
    if (m_arrived.Size() >= m_costs->coalesceFrames)
    {
        due = std::min(due, m_arrived.At(m_costs->coalesceFrames - 1).ready.at);
    }
    due = std::max(due, host.Now());
    if (m_planned && m_due <= due)
    {
        return;
    }
    if (m_planned)
    {
        host.GetWorld().agenda.Cancel(host.Id(), m_plan);
    }
    m_planned = true;
    m_due = due;
    m_plan = host.Schedule(due, PORT, this, INTERRUPT, m_life);
}

void
IpKernel::Interrupt()
{
    Host& host = m_nic.GetHost();
    m_planned = false;
    m_handles = true;
    ++m_interrupts;
    const Moment first = m_arrived.At(0).ready;
    Moment at = host.Wait(first, Stage::COALESCE, Engine::NIC_RECEIVE, host.Now());
    at = Spend(at, Stage::INTERRUPT, host.Costs().interrupt);
    m_receiveAt = Spend(at, Stage::SOFT_INTERRUPT, m_costs->softInterrupt);
    m_continues = true;
    HandleNext();
}

void
IpKernel::HandleNext()
{
    Host& host = m_nic.GetHost();
    if (m_arrived.IsEmpty() || m_arrived.At(0).ready.at > std::max(m_receiveAt.at, host.Now()))
    {
        m_handles = false;
        if (!m_arrived.IsEmpty())
        {
            Await(m_arrived.At(0).ready);
        }
        return;
    }
    const Arrived next = m_arrived.Front();
    m_arrived.Pop();
    m_handled = next.packet;
    const bool isFirst = std::exchange(m_continues, false);
    const Moment from =
        isFirst ? m_receiveAt : host.Wait(next.ready, Stage::CPU_WAIT, Engine::CPU, m_receiveAt.at);
    const DatagramKind kind = DatagramKind::Of(m_handled->bytes.data(), m_handled->frame);
    m_receiveAt = PayForReceive(kind, from);
    Plan(std::max(m_receiveAt.at, host.Now()), DELIVER);
}

void
IpKernel::Deliver()
{
    m_user.OnReceived(*m_handled, m_receiveAt);
}

void
IpKernel::OnDelivered(Ps now)
{
    Host& host = m_nic.GetHost();
    host.GetWorld().packets.Release(std::exchange(m_handled, nullptr));
    m_receiveAt.at = std::max(m_receiveAt.at, now);
    Plan(now, NEXT);
}

} // namespace via
} // namespace ns3
