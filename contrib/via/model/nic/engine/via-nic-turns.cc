/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whose turn it is among those who plan for one NIC.

#include "via-nic-turns.h"

#include "ns3/via-departures.h"
#include "ns3/via-receive-engine.h"
#include "ns3/via-send-engine.h"

namespace ns3
{
namespace via
{

NicTurns::NicTurns(Host& host, Departures& departures, SendEngine& send, ReceiveEngine& receive)
    : m_host(host),
      m_departures(departures),
      m_send(send),
      m_receive(receive),
      m_isReference(host.GetWorld().reference)
{
    host.AddPlanner(this);
}

Ps
NicTurns::NextAt()
{
    const Ps departure = m_departures.NextAt();
    const Ps send = m_send.NextAt();
    const Ps receive = m_receive.NextAt();
    const Ps first = std::min(departure, send);
    if (receive < first)
    {
        m_whose = Whose::RECEIVE;
        m_end = first;
        return receive;
    }
    m_whose = send < departure ? Whose::SEND : Whose::DEPARTURE;
    m_end = std::min(std::max(departure, send), receive);
    return first;
}

void
NicTurns::PlanStep()
{
    switch (m_whose)
    {
    case Whose::DEPARTURE:
        m_departures.PlanStep();
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
