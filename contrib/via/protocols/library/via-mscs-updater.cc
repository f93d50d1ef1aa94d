/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The global update of Microsoft Cluster Server: a lock, then an update of each member in turn.

#include "via-mscs-updater.h"

#include <algorithm>

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
    ++m_requests;
    m_wanted = value;
    if (Self() == 0)
    {
        m_queue.push_back({0, value, m_requests, 0});
        Grant();
    }
    else
    {
        m_isAsking = true;
        AskForLock();
    }
}

void
MscsUpdater::AskForLock()
{
    if (GetMessenger().MayLose())
    {
        SetTimer(ASKED, m_timeOut);
    }
    Send(0, {MscsMessage::LOCK, 0, m_requests, m_wanted});
}

void
MscsUpdater::AbandonRequest()
{
    m_isAsking = false;
    CancelTimer(ASKED);
}

std::uint64_t
MscsUpdater::Tries()
{
    constexpr std::uint64_t most = 8;
    return GetMessenger().MayLose() ? most : 1;
}

Ps
MscsUpdater::Patience()
{
    constexpr Ps least = 40 * PS_PER_MS; // a window that has lost its credits is shut for 10 ms
    return GetMessenger().MayLose() ? std::max(m_timeOut, least) : m_timeOut;
}

void
MscsUpdater::OnLock(Rank from, const MscsMessage& message)
{
    const auto granted = m_granted.find(from);
    if (granted != m_granted.end() && message.number <= granted->second.request)
    {
        if (message.number == granted->second.request)
        {
            SendGrant(granted->second); // the first one was lost, or is under way
        }
        return;
    }
    const bool isWaiting = std::any_of(m_queue.begin(), m_queue.end(), [&](const Request& request) {
        return request.writer == from && request.request == message.number;
    });
    if (!isWaiting)
    {
        m_queue.push_back({from, message.value, message.number, 0});
        Grant();
    }
    if (m_locked && m_holder.writer == from && m_holder.request < message.number && !m_spreading)
    {
        TakeOver(); // its UNLOCK was lost, or it has given up
    }
}

void
MscsUpdater::OnGrant(const MscsMessage& message)
{
    if (m_isAsking && message.stage == static_cast<std::uint32_t>(m_requests))
    {
        AbandonRequest();
        Apply(message.number, message.value);
        BeginSpread(message.number, message.value);
    }
}

void
MscsUpdater::SendGrant(const Request& granted)
{
    const auto request = static_cast<std::uint32_t>(granted.request);
    Send(granted.writer, {MscsMessage::GRANT, request, granted.number, granted.value});
}

void
MscsUpdater::OnMessage(Rank from, const MscsMessage& message)
{
    switch (message.kind)
    {
    case MscsMessage::LOCK:
        return OnLock(from, message);
    case MscsMessage::GRANT:
        return OnGrant(message);
    case MscsMessage::UPDATE:
        Apply(message.number, message.value);
        return Send(from, {MscsMessage::APPLIED, 0, message.number, 0});
    case MscsMessage::APPLIED:
        if (m_spreading && message.number == m_number && from == m_next)
        {
            ++m_next;
            m_tries = 0;
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
    m_holder.number = number;
    m_granted[m_holder.writer] = m_holder;
    Apply(number, m_holder.value);
    if (m_holder.writer == 0)
    {
        BeginSpread(number, m_holder.value);
        return;
    }
    SendGrant(m_holder);
    SetTimer(HOLDER, Patience() * Size());
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
    m_tries = 0;
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
        SendUpdate();
        return;
    }
    CancelTimer(ANSWER);
    m_spreading = false;
    OnSpread(m_value);
}

void
MscsUpdater::SendUpdate()
{
    ++m_tries;
    Send(m_next, {MscsMessage::UPDATE, 0, m_number, m_value});
    SetTimer(ANSWER, Patience() / static_cast<Ps>(Tries()));
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
    if (timer == ANSWER && m_tries < Tries())
    {
        SendUpdate();
    }
    else if (timer == ANSWER)
    {
        m_dead.insert(m_next);
        m_tries = 0;
        Spread();
    }
    else if (timer == ASKED)
    {
        AskForLock();
    }
    else if (timer == HOLDER)
    {
        TakeOver();
    }
}

void
MscsUpdater::TakeOver()
{
    // the updater is silent: the locker knows the update, and sends it to all
    CancelTimer(HOLDER);
    BeginSpread(m_applied - 1, m_holder.value);
}

} // namespace via
} // namespace ns3
