/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A barrier that the cards run themselves: the host announces its arrival and sees the end.

#include "via-nic-barrier.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

NicBarrier::NicBarrier(Nic& nic, Group group)
    : m_nic(nic),
      m_group(std::move(group)),
      m_steps(m_group.peers.size())
{
    if (!nic.Costs().mechanisms.barriers)
    {
        throw ConfigError("nic.barrier",
                          "none",
                          "nic-barrier needs cards that run barriers: nic.barrier = firmware");
    }
    nic.GetTraffic().Register(PacketKind::BARRIER, *this);
}

NicBarrier::~NicBarrier()
{
    m_nic.GetTraffic().Unregister(PacketKind::BARRIER);
}

Moment
NicBarrier::BeginSend(Nic& nic, Packet&, Piece&, Moment at)
{
    const Cycles work = nic.Costs().barrierSend;
    return nic.Parts().processor.Work(at, Stage::BARRIER_STEP, Engine::NIC_SEND, work);
}

Moment
NicBarrier::BeginReceive(Nic& nic, const Packet&, Moment at)
{
    const Cycles work = nic.Costs().barrierReceive;
    return nic.Parts().processor.Work(at, Stage::BARRIER_STEP, Engine::NIC_RECEIVE, work);
}

void
NicBarrier::Arrive(Moment rung)
{
    NS_ABORT_MSG_IF(m_sent > 0, "a host entered a barrier before the previous one had ended");
    m_at = rung;
    Send(0, rung);
    m_sent = 1;
    GoOn();
}

void
NicBarrier::Send(std::uint32_t step, Moment at)
{
    Packet* packet = m_nic.NewControl(PacketKind::BARRIER, 0);
    packet->destination = m_group.peers[step];
    packet->step = step;
    m_nic.SendControl(packet, at);
}

void
NicBarrier::OnReceived(Nic&, Packet& packet, Moment at)
{
    Step& step = m_steps[packet.step];
    ++step.taken;
    step.last = at;
    GoOn();
}

void
NicBarrier::GoOn()
{
    while (m_sent > 0 && m_steps[m_sent - 1].taken > m_finished)
    {
        m_at = Later(m_at, m_steps[m_sent - 1].last);
        if (m_sent < m_steps.size())
        {
            Send(m_sent++, m_at);
            continue;
        }
        m_sent = 0;
        ++m_finished;
        const Moment told = m_nic.Parts().dma.Write(m_at,
                                                    Stage::STATUS_WRITE,
                                                    Engine::NIC_RECEIVE,
                                                    m_nic.Costs().statusBytes);
        // the counter stays valid: the host arrives again only after it has seen this value
        m_nic.GetHost().Memory().CountAt(told.at, m_group.finished, m_finished, m_group.owner);
    }
}

} // namespace via
} // namespace ns3
