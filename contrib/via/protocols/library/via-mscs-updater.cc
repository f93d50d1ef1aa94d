/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The global update of Microsoft Cluster Server: a lock, then an update of each member in turn.

#include "via-mscs-updater.h"

namespace ns3
{
namespace via
{

MscsUpdater::MscsUpdater(Ps timeOut)
    : m_timeOut(timeOut)
{
}

void
MscsUpdater::RequestUpdate(std::uint64_t value)
{
    if (Self() == 0)
    {
        m_queue.push_back({0, value});
        Grant();
    }
    else
    {
        Send(0, {MscsMessage::LOCK, 0, 0, value});
    }
}

void
MscsUpdater::OnMessage(Rank from, const MscsMessage& message)
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
        if (m_locked && message.number + 1 == m_applied && message.value == m_holder.value)
        {
            Release();
        }
        return;
    default:
        return;
    }
}

void
MscsUpdater::Grant()
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
    if (m_holder.writer == 0)
    {
        BeginSpread(number, m_holder.value);
        return;
    }
    Send(m_holder.writer, {MscsMessage::GRANT, 0, number, m_holder.value});
    SetTimer(HOLDER, m_timeOut * Size());
}

void
MscsUpdater::Release()
{
    CancelTimer(HOLDER);
    CancelTimer(ANSWER); // the updater was only slow, and has sent to all what the locker sends
    m_spreading = false;
    m_locked = false;
    OnUnlock();
    Grant();
}

void
MscsUpdater::BeginSpread(std::uint64_t number, std::uint64_t value)
{
    m_number = number;
    m_value = value;
    m_next = 1;
    m_spreading = true;
    Spread();
}

void
MscsUpdater::Spread()
{
    while (m_next < Size() &&
           (m_next == Self() || m_dead.count(m_next) > 0 || !Concerns(m_value, m_next)))
    {
        ++m_next;
    }
    if (m_next < Size())
    {
        Send(m_next, {MscsMessage::UPDATE, 0, m_number, m_value});
        SetTimer(ANSWER, m_timeOut);
        return;
    }
    CancelTimer(ANSWER);
    m_spreading = false;
    OnSpread(m_value);
}

void
MscsUpdater::EndUpdate()
{
    if (Self() == 0)
    {
        Release();
    }
    else
    {
        Send(0, {MscsMessage::UNLOCK, 0, m_number, m_value});
    }
}

void
MscsUpdater::OnTimer(TimerId timer)
{
    if (timer == ANSWER)
    {
        m_dead.insert(m_next);
        Spread();
    }
    else if (timer == HOLDER)
    {
        // the updater is silent: the locker knows the update, and sends it to all
        BeginSpread(m_applied - 1, m_holder.value);
    }
}

} // namespace via
} // namespace ns3
