/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messages whose last cell has got its time on the wire, until that time has come.

#include "via-departures.h"

#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

void
Departures::PlanStep()
{
    const Departure departure = m_departures.Front();
    m_departures.Pop();
    m_nic.OnMessageLeft(departure);
}

} // namespace via
} // namespace ns3
