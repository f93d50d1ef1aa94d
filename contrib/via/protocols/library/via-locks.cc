/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Distributed locks: a lock server, and permission from all processes.

#include "via-locks.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

LockProtocol::LockProtocol(WorkloadParameters& parameters, std::uint32_t)
    : m_hold(parameters.Microseconds("hold-us", 10))
{
}

void
LockProtocol::Ask()
{
    Enter(Self() * Rounds() + m_round);
    Request();
}

void
LockProtocol::Acquire()
{
    Note(EventKind::ACQUIRE, 0);
    Leave(Self() * Rounds() + m_round);
    SetTimer(0, m_hold);
}

void
LockProtocol::OnTimer(TimerId)
{
    Note(EventKind::RELEASE, 0);
    Release();
    if (++m_round < Rounds())
    {
        Ask();
    }
    else
    {
        Finish();
    }
}

void
LockServer::OnStart()
{
    if (Self() == 0)
    {
        Finish(); // the requesting processes decide when the run is over
    }
    else
    {
        Ask();
    }
}

void
LockServer::Request()
{
    Send(0, {LockMessage::REQUEST, 0, 0});
}

void
LockServer::Release()
{
    Send(0, {LockMessage::RELEASE, 0, 0});
}

void
LockServer::OnMessage(Rank from, const LockMessage& message)
{
    switch (message.kind)
    {
    case LockMessage::GRANT:
        return Acquire();
    case LockMessage::REQUEST:
        m_queue.push_back(from);
        return Grant();
    default:
        m_held = false;
        return Grant();
    }
}

void
LockServer::Grant()
{
    if (IsFree() && !m_queue.empty())
    {
        m_held = true;
        Send(m_queue.front(), {LockMessage::GRANT, 0, 0});
        m_queue.pop_front();
    }
}

void
RicartAgrawala::OnStart()
{
    Ask();
}

void
RicartAgrawala::Request()
{
    m_stamp = ++m_clock;
    m_permissions = 0;
    SendToOthers({LockMessage::REQUEST, 0, m_stamp});
}

bool
RicartAgrawala::IsFirst(Rank from, std::uint64_t stamp) const
{
    return m_stamp != 0 && std::pair(m_stamp, Self()) < std::pair(stamp, from);
}

void
RicartAgrawala::OnMessage(Rank from, const LockMessage& message)
{
    if (message.kind == LockMessage::GRANT)
    {
        if (++m_permissions + 1 == Size())
        {
            Acquire();
        }
        return;
    }
    m_clock = std::max(m_clock, message.stamp);
    if (IsFirst(from, message.stamp))
    {
        m_deferred.push_back(from);
    }
    else
    {
        Send(from, {LockMessage::GRANT, 0, 0});
    }
}

void
RicartAgrawala::Release()
{
    m_stamp = 0;
    for (const Rank rank : std::exchange(m_deferred, {}))
    {
        Send(rank, {LockMessage::GRANT, 0, 0});
    }
}

std::vector<ProtocolKind>
LockKinds()
{
    const RoundSpan span = RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT;
    return {KindWith<LockServer>("lock-server", span, {&CheckMutualExclusion}),
            KindWith<RicartAgrawala>("ricart-agrawala", span, {&CheckMutualExclusion})};
}

} // namespace via
} // namespace ns3
