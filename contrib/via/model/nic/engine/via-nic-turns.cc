/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Decides which of one NIC's planners runs next.

#include "via-nic-turns.h"

#include "ns3/via-card-jobs.h"
#include "ns3/via-receive-engine.h"
#include "ns3/via-send-engine.h"

namespace ns3
{
namespace via
{

NicTurns::NicTurns(Host& host, CardJobs& jobs, SendEngine& send, ReceiveEngine& receive)
    : m_turn{host},
      m_jobs(jobs),
      m_send(send),
      m_receive(receive)
{
    host.AddPlanner(this);
}

Ps
NicTurns::NextAt()
{
    const Ps job = m_job = m_jobs.NextAt();
    const Ps send = m_sendStep = m_send.NextAt();
    const Ps receive = m_receive.NextAt();
    m_isShielded = receive != PS_NEVER && !m_receive.MayBePassed() && !m_send.HeedsNotices();
    if (send < std::min(job, receive))
    {
        m_whose = Whose::SEND;
        m_end = std::min(job, receive) - 1;
        return send;
    }
    if (receive < job)
    {
        m_whose = Whose::RECEIVE;
        m_end = std::min(job - 1, send);
        return receive;
    }
    m_whose = Whose::JOB;
    m_end = std::max(job, std::min({send, receive, m_jobs.SecondAt() - 1}));
    return job;
}

Ps
NicTurns::NoticedAt()
{
    return std::min({m_job, m_send.NoticedAt(m_sendStep), m_receive.NoticedAt()});
}

void
NicTurns::PlanStep()
{
    m_turn.end = m_end;
    switch (m_whose)
    {
    case Whose::JOB:
        m_jobs.PlanStep();
        break;
    case Whose::SEND:
        m_send.PlanStep();
        break;
    case Whose::RECEIVE:
        m_receive.PlanStep();
        break;
    }
    m_turn.end = -1;
}

void
NicTurns::Prefetch() const
{
    m_receive.PrefetchStep();
    m_send.Prefetch();
    m_jobs.Prefetch();
}

} // namespace via
} // namespace ns3
