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

void
CongestionPause::OnFlush(const VirtualInterface& vi)
{
    m_held.erase(vi.id);
}

bool
CongestionPause::MustWait(const VirtualInterface& vi, bool isAgain, Moment& at)
{
    const auto found = m_until.find(vi.peerNode);
    if (found == m_until.end() || found->second <= at.at)
    {
        if (const auto held = m_held.find(vi.id); held != m_held.end())
        {
            at = Exchange(held, isAgain, at);
        }
        return false;
    }
    Host& host = m_nic.GetHost();
    const Ps until = found->second;
    host.MixIntoDigest(at.at, vi.id, static_cast<std::uint64_t>(until));
    std::deque<Moment>& held = m_held[vi.id];
    if (!isAgain || held.empty()) // the doorbell that rings again may be that of a flushed message
    {
        held.push_back(at);
    }
    Moment& last = isAgain ? held.front() : held.back();
    last = host.Wait(last, Stage::CONGESTION_WAIT, Engine::NIC_SEND, until);
    m_nic.RingAgain(vi, until);
    return true;
}

Moment
CongestionPause::Exchange(HeldMessages::iterator held, bool isAgain, Moment at)
{
    std::deque<Moment>& messages = held->second;
    if (!isAgain)
    {
        messages.push_back(at); // the message that it was rung for goes later
    }
    const Moment own =
        m_nic.GetHost().Wait(messages.front(), Stage::ENGINE_WAIT, Engine::NIC_SEND, at.at);
    messages.pop_front();
    if (messages.empty())
    {
        m_held.erase(held);
    }
    return own;
}

} // namespace via
} // namespace ns3
