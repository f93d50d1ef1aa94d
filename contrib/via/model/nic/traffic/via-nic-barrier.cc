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

namespace
{

/// Writes the number of barriers that have ended to host memory.
class BarrierNotice final : public CardJob
{
  public:
    BarrierNotice(Nic& nic, const NicBarrier::Group& group, std::uint32_t finished, Moment at)
        : CardJob(nic.Parts().dma, Engine::NIC_RECEIVE, at),
          m_nic(&nic),
          m_to(group.finished),
          m_owner(group.owner),
          m_finished(finished)
    {
    }

    bool Continue() override
    {
        if (!std::exchange(m_isRequested, true))
        {
            Write(Stage::STATUS_WRITE, m_nic->Costs().statusBytes);
        }
        if (IsPending())
        {
            return false;
        }
        // the counter stays valid: the host arrives again only after it has seen this value
        m_nic->GetHost().Memory().CountAt(At().at, m_to, m_finished, m_owner);
        return true;
    }

  private:
    Nic* m_nic;
    std::uint32_t* m_to;
    std::uint32_t m_owner;
    std::uint32_t m_finished;
    bool m_isRequested{false};
};

} // namespace

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

void
NicBarrier::BeginSend(Nic& nic, Packet&, Piece&, CardTask& engine)
{
    engine.Work(Stage::BARRIER_STEP, nic.Costs().barrierSend);
}

void
NicBarrier::BeginReceive(Nic& nic, const Packet&, CardTask& engine)
{
    engine.Work(Stage::BARRIER_STEP, nic.Costs().barrierReceive);
}

void
NicBarrier::Arrive(Moment rung)
{
    NS_ABORT_MSG_IF(m_sent > 0, "a host entered a barrier before the previous one had ended");
    m_at = rung;
    Send(0, rung);
    m_sent = 1;
    GoOn(rung.at);
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
    GoOn(at.at);
}

void
NicBarrier::GoOn(Ps now)
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
        m_nic.Jobs().Begin(now, BarrierNotice(m_nic, m_group, m_finished, m_at));
    }
}

} // namespace via
} // namespace ns3
