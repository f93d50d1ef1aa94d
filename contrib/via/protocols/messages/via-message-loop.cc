/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The message loop of a protocol's process: handles messages and timers one at a time.

#include "via-message-loop.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Size of a message that only returns credits. Messages of protocols are longer.
constexpr std::uint32_t CREDIT_BYTES = 4;

} // namespace

MessageLoop::MessageLoop(WorkloadProcess& process,
                         std::unique_ptr<MessagePath> path,
                         std::uint32_t least,
                         std::uint32_t most,
                         const ProcessFaults* faults)
    : m_process(process),
      m_path(std::move(path)),
      m_faults(faults),
      m_least(least),
      m_most(most)
{
}

void
MessageLoop::LimitWindow(std::uint32_t window, const std::vector<Rank>& peers)
{
    m_window = window;
    for (const Rank peer : peers)
    {
        m_credits.push_back({peer, window, 0, 0});
    }
}

MessageLoop::Credit&
MessageLoop::CreditOf(Rank peer)
{
    return *std::lower_bound(m_credits.begin(),
                             m_credits.end(),
                             peer,
                             [](const Credit& one, Rank wanted) { return one.peer < wanted; });
}

void
MessageLoop::Send(Rank to, const void* data, std::uint32_t length)
{
    NS_ABORT_MSG_IF(length > m_most || length <= CREDIT_BYTES,
                    "a protocol's message has " << length << " bytes, not 5 to " << m_most);
    if (m_window > 0)
    {
        Credit& credit = CreditOf(to);
        if (credit.left == 0)
        {
            m_waiting.push_back({to, {data, length}});
            if (++credit.waiting == 1)
            {
                AwaitCredit(credit);
            }
            return;
        }
        --credit.left;
    }
    SendNow(to, data, length);
}

void
MessageLoop::NoteTaken(Rank from)
{
    Credit& credit = CreditOf(from);
    if (++credit.taken >= (m_window + 1) / 2)
    {
        SendNow(from, &credit.taken, CREDIT_BYTES);
        credit.taken = 0;
    }
}

void
MessageLoop::NoteCredit(const ArrivedMessage& message)
{
    Credit& credit = CreditOf(message.from);
    std::uint32_t more = 0;
    std::memcpy(&more, message.data, sizeof(more));
    credit.left = std::min(m_window, credit.left + more); // it may have been opened meanwhile
    SendWaiting(credit);
}

void
MessageLoop::AwaitCredit(Credit& credit)
{
    if (m_path->MayLose())
    {
        SetTimer(FIRST_REOPENING + credit.peer, REOPEN_AFTER);
    }
}

void
MessageLoop::SendWaiting(Credit& credit)
{
    if (credit.waiting == 0)
    {
        return;
    }
    for (auto letter = m_waiting.begin(); credit.waiting > 0 && credit.left > 0;)
    {
        if (letter->to != credit.peer)
        {
            ++letter;
            continue;
        }
        SendNow(letter->to, letter->message.Data(), letter->message.Length());
        letter = m_waiting.erase(letter);
        --credit.waiting;
        --credit.left;
    }
    CancelTimer(FIRST_REOPENING + credit.peer);
    if (credit.waiting > 0)
    {
        AwaitCredit(credit);
    }
}

void
MessageLoop::SendNow(Rank to, const void* data, std::uint32_t length)
{
    if (!m_posted && m_outbox.IsEmpty() && m_path->HasRoom(to))
    {
        Post(to, data, length);
        return;
    }
    m_outbox.Push({to, {data, length}});
}

void
MessageLoop::Post(Rank to, const void* data, std::uint32_t length)
{
    const bool credit = length == CREDIT_BYTES;
    m_path->Send(to, data, length, credit ? length : std::max(length, m_least));
    m_posted = true;
    m_sent += credit ? 0 : 1;
}

void
MessageLoop::SetTimer(TimerId timer, Ps after)
{
    CancelTimer(timer);
    const Timer one{Now() + after, timer};
    if (one.due > m_limit)
    {
        return;
    }
    const auto later = std::find_if(m_timers.begin(), m_timers.end(), [&](const Timer& other) {
        return other.due > one.due;
    });
    m_timers.insert(later, one);
}

void
MessageLoop::CancelTimer(TimerId timer)
{
    const auto found = std::find_if(m_timers.begin(), m_timers.end(), [timer](const Timer& one) {
        return one.id == timer;
    });
    if (found != m_timers.end())
    {
        m_timers.erase(found);
    }
}

void
MessageLoop::SetAlarm()
{
    if (m_alarm <= m_process.GetHost().Now())
    {
        m_alarm = PS_NEVER; // it has fired
    }
    if (DueTimer() < m_alarm)
    {
        m_alarm = DueTimer();
        m_process.SetAlarm(m_alarm);
    }
}

bool
MessageLoop::OnAlarm()
{
    if (m_crashed || m_process.HasFinished())
    {
        return false;
    }
    if (DueTimer() <= m_process.GetHost().Now())
    {
        return true;
    }
    SetAlarm(); // the timer was postponed: cheaper than cancelling its alarm each time
    return false;
}

void
MessageLoop::Step()
{
    if (m_process.HasFinished())
    {
        return; // the process ended after this step was planned
    }
    m_posted = false;
    if (m_outbox.IsEmpty())
    {
        Handle();
    }
    else if (const Letter& next = m_outbox.Front(); m_path->HasRoom(next.to))
    {
        Post(next.to, next.message.Data(), next.message.Length());
        m_outbox.Pop();
    }
    if (!m_outbox.IsEmpty())
    {
        const Rank to = m_outbox.Front().to;
        m_path->HasRoom(to) ? m_process.Continue() : m_path->AwaitRoom(to);
        return;
    }
    m_path->Release();
    if (m_process.HasFinished())
    {
        return;
    }
    if (m_late != nullptr || DueTimer() <= Now())
    {
        m_process.Continue();
        return;
    }
    m_path->Await(m_crashed && m_listener->Awaited() != ANYONE ? NOBODY : m_listener->Awaited());
    if (!m_timers.empty())
    {
        m_process.MaySendFirst();
    }
    SetAlarm();
}

void
MessageLoop::Handle()
{
    ArrivedMessage message;
    if (!m_started)
    {
        m_started = true;
        m_listener->OnStart();
    }
    else if (m_late != nullptr)
    {
        const Letter late = std::move(*std::exchange(m_late, nullptr));
        m_listener->OnBytes(late.to, late.message.Data(), late.message.Length());
    }
    else if (DueTimer() <= Now())
    {
        HandleTimer();
    }
    else if (m_path->Take(m_listener->Awaited(), message))
    {
        HandleMessage(message);
    }
}

void
MessageLoop::HandleTimer()
{
    const TimerId timer = m_timers.front().id;
    m_timers.erase(m_timers.begin());
    m_process.Spend(Stage::CALL_CLOCK, m_process.GetHost().Costs().clockCall);
    if (timer < FIRST_REOPENING)
    {
        m_listener->OnTimer(timer);
        return;
    }
    Credit& credit = CreditOf(timer - FIRST_REOPENING);
    credit.left = m_window;
    SendWaiting(credit);
}

void
MessageLoop::HandleMessage(const ArrivedMessage& message)
{
    if (m_window > 0 && message.length == CREDIT_BYTES)
    {
        NoteCredit(message);
        return;
    }
    ++m_received;
    if (m_faults == nullptr || !Suffers(message))
    {
        m_listener->OnBytes(message.from, message.data, message.length);
    }
    if (m_window > 0)
    {
        NoteTaken(message.from);
    }
}

bool
MessageLoop::Suffers(const ArrivedMessage& message)
{
    const Rank self = m_process.Rank();
    if (!m_crashed && m_faults->Crashes(self, m_received))
    {
        m_crashed = true;
        m_timers.clear();
        m_listener->OnCrash();
    }
    if (m_crashed)
    {
        ++m_hits.crashed;
        return true;
    }
    if (m_faults->Separates(self, message.from, Now()))
    {
        ++m_hits.lost;
        return true;
    }
    if (const Ps delay = m_faults->DelayOf(self, m_received); delay > 0)
    {
        ++m_hits.delayed;
        m_late = std::make_unique<Letter>(Letter{message.from, {message.data, message.length}});
        m_process.Busy({Now() + delay, 0}, Stage::COMPUTE);
        return true;
    }
    return false;
}

} // namespace via
} // namespace ns3
