/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: the global update protocol.

#include "via-mscs.h"

#include <algorithm>

namespace ns3
{
namespace via
{

MscsGlobalUpdate::MscsGlobalUpdate(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_writers(static_cast<Rank>(parameters.Number("writers", 1, 1, nodes > 2 ? nodes - 1 : 1))),
      m_timeOut(static_cast<Ps>(parameters.Number("timeout-us", 10'000, 1, 1'000'000'000)) *
                PS_PER_US)
{
}

std::vector<Rank>
MscsGlobalUpdate::Targets() const
{
    std::vector<Rank> targets = TypedProtocol::Targets();
    if (Self() > 0 && !IsWriter(Self()))
    {
        const auto isMember = [this](Rank rank) { return rank > 0 && !IsWriter(rank); };
        targets.erase(std::remove_if(targets.begin(), targets.end(), isMember), targets.end());
    }
    return targets;
}

void
MscsGlobalUpdate::OnStart()
{
    if (IsWriter(Self()))
    {
        Ask();
    }
}

void
MscsGlobalUpdate::Ask()
{
    m_value = static_cast<std::uint64_t>(Self()) * Rounds() + m_asked;
    Enter(m_value);
    Note(EventKind::PROPOSE, m_value, m_value);
    Send(0, {MscsMessage::LOCK, 0, 0, m_value});
}

void
MscsGlobalUpdate::OnMessage(Rank from, const MscsMessage& message)
{
    switch (message.kind)
    {
    case MscsMessage::LOCK:
        m_queue.push_back({from, message.value});
        return Grant();
    case MscsMessage::GRANT:
        Apply(message.number, message.value);
        return BeginSpread(message.number, message.value);
    case MscsMessage::UPDATE:
        Apply(message.number, message.value);
        return Send(from, {MscsMessage::APPLIED, 0, message.number, 0});
    case MscsMessage::APPLIED:
        if (m_spreading && message.number == m_number && from == m_next)
        {
            ++m_next;
            Spread();
        }
        return;
    case MscsMessage::UNLOCK:
        if (m_locked && message.value == m_holder.value)
        {
            Release();
        }
        return;
    default:
        return;
    }
}

void
MscsGlobalUpdate::Grant()
{
    if (m_locked || m_queue.empty())
    {
        return;
    }
    m_locked = true;
    m_holder = m_queue.front();
    m_queue.pop_front();
    const std::uint64_t number = m_applied;
    Apply(number, m_holder.value);
    Send(m_holder.writer, {MscsMessage::GRANT, 0, number, m_holder.value});
    SetTimer(HOLDER, m_timeOut * Size());
}

void
MscsGlobalUpdate::Release()
{
    CancelTimer(HOLDER);
    m_locked = false;
    FinishIfComplete();
    Grant();
}

void
MscsGlobalUpdate::BeginSpread(std::uint64_t number, std::uint64_t value)
{
    m_number = number;
    m_value = value;
    m_next = 1;
    m_spreading = true;
    Spread();
}

void
MscsGlobalUpdate::Spread()
{
    while (m_next == Self() || m_dead.count(m_next) > 0)
    {
        ++m_next;
    }
    if (m_next >= Size())
    {
        EndSpread();
        return;
    }
    Send(m_next, {MscsMessage::UPDATE, 0, m_number, m_value});
    SetTimer(ANSWER, m_timeOut);
}

void
MscsGlobalUpdate::EndSpread()
{
    CancelTimer(ANSWER);
    m_spreading = false;
    Leave(m_value);
    if (Self() == 0)
    {
        Release();
        return;
    }
    Send(0, {MscsMessage::UNLOCK, 0, m_number, m_value});
    if (++m_asked < Rounds())
    {
        Ask();
    }
    FinishIfComplete();
}

void
MscsGlobalUpdate::Apply(std::uint64_t number, std::uint64_t value)
{
    if (number == m_applied)
    {
        ++m_applied;
        Note(EventKind::DELIVER, number, value);
        FinishIfComplete();
    }
}

void
MscsGlobalUpdate::FinishIfComplete()
{
    if (m_applied == m_writers * Rounds() && !m_spreading && !m_locked)
    {
        Finish();
    }
}

void
MscsGlobalUpdate::OnTimer(TimerId timer)
{
    if (timer == ANSWER)
    {
        m_dead.insert(m_next);
        Spread();
    }
    else // the updater is silent: the locker knows the update, and brings it to all
    {
        BeginSpread(m_applied - 1, m_holder.value);
    }
}

} // namespace via
} // namespace ns3
