/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Which classes of traffic all cards have.

#include "via-traffic-class.h"

#include "ns3/via-card-traffic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

TrafficClass&
Traffic::Of(PacketKind kind) const
{
    for (const auto& [registered, traffic] : m_registered)
    {
        if (registered == kind)
        {
            return *traffic;
        }
    }
    return CardTraffic(kind);
}

void
Traffic::Unregister(PacketKind kind)
{
    const auto isOfKind = [kind](const auto& entry) { return entry.first == kind; };
    m_registered.erase(std::remove_if(m_registered.begin(), m_registered.end(), isOfKind),
                       m_registered.end());
}

bool
Traffic::OnCrash() const
{
    bool returns = false;
    for (const auto& entry : m_registered)
    {
        returns |= entry.second->OnCrash();
    }
    return returns;
}

void
Traffic::OnReturn() const
{
    for (const auto& entry : m_registered)
    {
        entry.second->OnReturn();
    }
}

} // namespace via
} // namespace ns3
