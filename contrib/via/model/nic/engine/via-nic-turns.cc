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
      m_receive(receive),
      m_isReference(host.GetWorld().reference)
{
    host.AddPlanner(this);
}

Ps
NicTurns::NextAt()
{
    const Ps completion = m_sendCompletions.NextAt();
    const Ps send = m_send.NextAt();
    const Ps receive = m_receive.NextAt();
    const Ps first = std::min(completion, send);
    if (receive < first)
    {
        m_whose = Whose::RECEIVE;
        m_end = first;
        return receive;
    }
    m_whose = send < completion ? Whose::SEND : Whose::COMPLETION;
    m_end = std::min(std::max(completion, send), receive);
    return first;
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
NicTurns::OnStop()
{
    m_send.OnStop();
}

} // namespace via
} // namespace ns3
