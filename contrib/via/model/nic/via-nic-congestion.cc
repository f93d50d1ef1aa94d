/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A NIC after a congestion notice: no message begins on the full path for a while.

#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

bool
Nic::WaitsForPeer(const VirtualInterface& vi, Ps at)
{
    const auto found = m_heldBack->find(vi.peerNode);
    if (found == m_heldBack->end() || found->second <= at)
    {
        return false;
    }
    m_host.MixIntoDigest(at, vi.id, static_cast<std::uint64_t>(found->second));
    m_host.Schedule(std::max(found->second, m_host.Now()), TIMER_PORT, this, BELL, vi.id);
    return true;
}

} // namespace via
} // namespace ns3
