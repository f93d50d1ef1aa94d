/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Base of a NIC's engines: steps that plan ahead of time.

#include "via-nic-engine.h"

#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

NicEngine::NicEngine(Nic& nic, const Shared<NicCosts>& costs, Engine engine)
    : CardTask(nic.Parts().dma, engine),
      m_nic(nic),
      m_turns(nic.Turns()),
      m_parts(nic.Parts()),
      m_costs(costs)
{
}

void
NicEngine::Advance()
{
    m_nic.GetHost().Replan();
}

} // namespace via
} // namespace ns3
