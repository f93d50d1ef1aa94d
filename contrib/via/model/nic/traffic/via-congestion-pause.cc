/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A card after a congestion notice: no message begins on the full path for a while.

#include "via-congestion-pause.h"

#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

CongestionPause::CongestionPause(Nic& nic)
    : m_nic(nic)
{
    nic.Sender().SetGate(*this);
}

void
CongestionPause::OnAgenda(std::uint32_t, std::uint64_t data)
{
    NoteClosed();
    m_until[static_cast<NodeId>(data)] = m_nic.GetHost().Now() + m_nic.Costs().feedbackPause;
}

bool
CongestionPause::MustWait(const VirtualInterface& vi, Moment at)
{
    const auto found = m_until.find(vi.peerNode);
    if (found == m_until.end() || found->second <= at.at)
    {
        return false;
    }
    Host& host = m_nic.GetHost();
    host.MixIntoDigest(at.at, vi.id, static_cast<std::uint64_t>(found->second));
    m_nic.RingAgain(vi, host.Wait(at, Stage::CONGESTION_WAIT, Engine::NIC_SEND, found->second));
    return true;
}

} // namespace via
} // namespace ns3
