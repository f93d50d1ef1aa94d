/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Decides which of one NIC's planners runs next.

#include "via-nic-turns.h"

#include "ns3/via-receive-engine.h"
#include "ns3/via-send-completions.h"
#include "ns3/via-send-engine.h"

namespace ns3
{
namespace via
{

NicTurns::NicTurns(Host& host,
                   SendCompletions& completions,
                   SendEngine& send,
                   ReceiveEngine& receive)
    : m_host(host),
      m_sendCompletions(completions),
      m_send(send),
      m_receive(receive)
{
    host.AddPlanner(this);
}

Ps
NicTurns::NextAt()
{
    const Ps completion = m_completion = m_sendCompletions.NextAt();
    const Ps send = m_sendStep = m_send.NextAt();
    const Ps receive = m_receive.NextAt();
    m_isShielded = receive != PS_NEVER && !m_receive.MayBePassed() && !m_send.HeedsNotices();
    if (send < std::min(completion, receive))
    {
        m_whose = Whose::SEND;
        m_end = std::min(completion, receive) - 1;
        return send;
    }
    if (receive < completion)
    {
        m_whose = Whose::RECEIVE;
        m_end = std::min(completion - 1, send);
        return receive;
    }
    m_whose = Whose::COMPLETION;
    return completion;
}

Ps
NicTurns::NoticedAt()
{
    return std::min({m_completion, m_send.NoticedAt(m_sendStep), m_receive.NoticedAt()});
}

void
NicTurns::PlanStep()
{
    switch (m_whose)
    {
    case Whose::COMPLETION:
        m_sendCompletions.PlanStep();
        break;
    case Whose::SEND:
        m_send.PlanStep();
        break;
    case Whose::RECEIVE:
        m_receive.PlanStep();
        break;
    }
}

void
NicTurns::Prefetch() const
{
    m_receive.PrefetchStep();
    m_send.Prefetch();
    m_sendCompletions.Prefetch();
}

} // namespace via
} // namespace ns3
