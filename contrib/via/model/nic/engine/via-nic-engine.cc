/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Base of a NIC's engines: steps that plan ahead of time, and pauses.

#include "via-nic-engine.h"

#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

NicEngine::NicEngine(Nic& nic, const Shared<NicCosts>& costs, Engine engine, AgendaPort port)
    : m_nic(nic),
      m_turns(nic.Turns()),
      m_parts(nic.Parts()),
      m_costs(costs),
      m_engine(engine),
      m_port(port)
{
}

void
NicEngine::OnAgenda(std::uint32_t, std::uint64_t)
{
    m_planned = false;
    Advance();
}

void
NicEngine::Work(Stage stage, Cycles n)
{
    m_at = m_parts.processor.Work(m_at, stage, m_engine, n);
}

void
NicEngine::Advance()
{
    m_waits = false;
    m_nic.GetHost().Replan();
}

bool
NicEngine::PauseUntil(Ps at)
{
    Host& host = m_nic.GetHost();
    if (at <= host.Now())
    {
        return true;
    }
    m_planned = true;
    m_pause = host.Schedule(at, m_port, this, 0);
    return false;
}

void
NicEngine::CancelPause()
{
    if (std::exchange(m_planned, false))
    {
        Host& host = m_nic.GetHost();
        host.GetWorld().agenda.Cancel(host.Id(), m_pause);
    }
}

bool
NicEngine::MayGoOn(Ps at)
{
    if (m_turns.IsReference())
    {
        return PauseUntil(at);
    }
    m_stopped = at > m_turns.End();
    return !m_stopped;
}

} // namespace via
} // namespace ns3
