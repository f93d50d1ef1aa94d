/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A card without VIA: its receive ring, its interrupts and the interrupt handler.

#include "ns3/via-kernel-path.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

/// Writes a frame into the ring.
class KernelReceiver::RingJob final : public CardJob
{
  public:
    RingJob(KernelReceiver& receiver, DmaEngines& dma, Moment at)
        : CardJob(dma, Engine::NIC_RECEIVE, at),
          m_receiver(&receiver)
    {
    }

    bool Continue() override
    {
        if (!std::exchange(m_hasBegun, true))
        {
            m_receiver->WriteRing(*m_receiver->m_arrived.Front().cell, *this);
        }
        if (IsPending())
        {
            return false;
        }
        m_receiver->m_writes = false;
        m_receiver->OnWritten(At());
        m_receiver->WriteFrames();
        return true;
    }

  private:
    KernelReceiver* m_receiver;
    bool m_hasBegun{false};
};

void
KernelReceiver::Accept(Cell* cell)
{
    m_arrived.Push({cell, cell->last});
    if (!m_writes)
    {
        WriteFrames();
    }
}

void
KernelReceiver::WriteFrames()
{
    while (!m_writes && !m_arrived.IsEmpty())
    {
        const Entry& next = m_arrived.Front();
        if (!next.HasArrived())
        {
            OnWritten(next.ready);
            continue;
        }
        const Cell& cell = *next.cell;
        const bool goesOn = m_cardOn == cell.packet && cell.index > 0;
        const Moment at = goesOn ? Later(m_cardAt, cell.last)
                                 : m_nic.GetHost().Wait(cell.last,
                                                        Stage::ENGINE_WAIT,
                                                        Engine::NIC_RECEIVE,
                                                        m_cardAt.at);
        m_cardOn = cell.packet;
        m_writes = true;
        m_nic.Jobs().Begin(m_cardAt.at, RingJob(*this, m_nic.Parts().dma, at));
    }
}

void
KernelReceiver::OnWritten(Moment at)
{
    Entry entry = m_arrived.Front();
    m_arrived.Pop();
    if (entry.HasArrived())
    {
        m_cardAt = at;
        entry.ready = at;
    }
    Cell& cell = *entry.cell;
    if (!cell.vanished && !cell.roomGiven)
    {
        const Ps now = m_nic.GetHost().Now();
        m_upstream->ReturnCredits(1, std::max({m_cardAt.at, cell.last.at, now}));
    }
    m_ring.Push(entry);
    if (!m_handles && !m_passes)
    {
        Plan();
    }
}

void
KernelReceiver::WriteRing(const Cell& cell, CardTask& card) const
{
    const Packet& packet = *cell.packet;
    if (cell.index == 0)
    {
        const bool isMessage = packet.IsMessage() || packet.kind == PacketKind::DATAGRAM;
        card.Work(Stage::DEMUX, m_costs->ringDemux);
        card.Work(Stage::RESIDUAL, isMessage ? m_costs->ringResidual : Cycles(0));
    }
    card.Read(Stage::RING_FETCH, m_costs->mechanisms.ringEntryBytes);
    // the header is written with the payload
    std::uint32_t left = FrameBytes(*m_costs, packet.length, cell.index).count +
                         (cell.index == 0 ? std::max(m_costs->messageHeader, 1U) : 0);
    for (bool first = true; left > 0; first = false)
    {
        const std::uint32_t bytes = std::min(left, m_costs->dmaBurst);
        card.Write(Stage::PAYLOAD_WRITE, bytes, first);
        left -= bytes;
    }
}

Ps
KernelReceiver::DueAt()
{
    const MechanismCosts& costs = m_costs->mechanisms;
    Ps due = m_ring.Front().ready.at + costs.coalesceDelay;
    std::uint64_t frames = 0;
    for (std::uint32_t i = 0; i < m_ring.Size() && frames < costs.coalesceFrames; ++i)
    {
        frames += m_ring.At(i).HasArrived() ? 1 : 0;
        if (frames == costs.coalesceFrames)
        {
            due = std::min(due, m_ring.At(i).ready.at);
        }
    }
    return std::max(due, m_nic.GetHost().Now());
}

void
KernelReceiver::Plan()
{
    if (!m_ring.Front().HasArrived())
    {
        m_passes = true; // no handler runs, and none is needed
        Handle();
        return;
    }
    Host& host = m_nic.GetHost();
    const Ps due = DueAt();
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
    m_plan = host.Schedule(due, Nic::RECEIVE_PORT, this, INTERRUPT);
}

void
KernelReceiver::OnAgenda(std::uint32_t kind, std::uint64_t)
{
    if (kind == INTERRUPT)
    {
        Interrupt();
        return;
    }
    const bool goesOn =
        m_handles && !m_ring.IsEmpty() && m_ring.Front().ready.at <= m_nic.GetHost().Now();
    m_passes = false;
    if (goesOn)
    {
        HandleNext();
        return;
    }
    m_handles = false;
    if (!m_ring.IsEmpty())
    {
        Plan();
    }
}

void
KernelReceiver::Interrupt()
{
    Host& host = m_nic.GetHost();
    m_planned = false;
    m_handles = true;
    ++m_interrupts;
    const Entry& first = m_ring.Front();
    m_kernelAt = host.Wait(first.ready, Stage::COALESCE, Engine::NIC_RECEIVE, host.Now());
    m_kernelAt = host.KernelSpend(m_kernelAt, Stage::INTERRUPT, host.Costs().interrupt);
    m_kernelOn = first.cell->packet;
    Handle();
}

void
KernelReceiver::HandleNext()
{
    const Entry& next = m_ring.Front();
    if (next.HasArrived())
    {
        const bool goesOn = m_kernelOn == next.cell->packet && next.cell->index > 0;
        m_kernelAt =
            goesOn ? Later(m_kernelAt, next.ready)
                   : m_nic.GetHost().Wait(next.ready, Stage::CPU_WAIT, Engine::CPU, m_kernelAt.at);
        m_kernelOn = next.cell->packet;
    }
    Handle();
}

void
KernelReceiver::Handle()
{
    const Entry entry = m_ring.Front();
    m_ring.Pop();
    Moment at = Later(m_kernelAt, entry.ready);
    if (entry.HasArrived())
    {
        Pay(*entry.cell);
        at = m_kernelAt;
    }
    entry.cell->first = at;
    entry.cell->last = at;
    m_nic.Receiver().Accept(entry.cell);
}

void
KernelReceiver::Pay(const Cell& cell)
{
    const MechanismCosts& costs = m_costs->mechanisms;
    Host& host = m_nic.GetHost();
    if (cell.packet->kind != PacketKind::DATAGRAM) // the IP kernel adds the cost of a datagram
    {
        m_kernelAt = host.KernelSpend(m_kernelAt, Stage::KERNEL_RECEIVE, costs.kernelReceive);
    }
    if (cell.index == 0 && cell.packet->IsMessage())
    {
        m_kernelAt = host.KernelSpend(m_kernelAt, Stage::KERNEL_RESIDUAL, costs.kernelResidual);
    }
}

void
KernelReceiver::OnDone(Moment at)
{
    m_kernelAt = Later(m_kernelAt, at);
    Host& host = m_nic.GetHost();
    host.Schedule(std::max(m_kernelAt.at, host.Now()), Nic::RECEIVE_PORT, this, NEXT);
}

} // namespace via
} // namespace ns3
