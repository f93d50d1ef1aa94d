/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC: owns and connects its engines, its table and its queues.

#include "via-nic.h"

#include "ns3/abort.h"

#include <algorithm>

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
      m_completions(*this),
      m_postPath(*this),
      m_clock(host.MakeClock(costs->clock, NIC_CLOCK + CLOCKS_PER_CARD * card)),
      m_checks(m_tpt, limits),
      m_turns(host, m_jobs, m_send, m_receive),
      m_parts(*this, costs),
      m_transport(*this, costs),
      m_jobs(*this, m_turns.Turn()),
      m_send(*this, costs),
      m_receive(*this, costs),
      m_viConnections(*this),
      m_handles(*this)
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

void
Nic::RingAgain(const VirtualInterface& vi, Ps at)
{
    m_host.Schedule(std::max(at, m_host.Now()), TIMER_PORT, this, BELL, vi.id);
}

Packet*
Nic::NewControl(PacketKind kind, ConnectionId connection)
{
    Packet* packet = m_host.GetWorld().packets.NewPacket();
    packet->kind = kind;
    packet->connection = connection;
    packet->source = m_host.Id();
    return packet;
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

void
Nic::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == BELL)
    {
        m_send.OnDoorbell({{m_host.Now(), 0}, static_cast<ViId>(data), nullptr, false, true});
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
    PrefetchUpTo(this, &m_viConnections);
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
