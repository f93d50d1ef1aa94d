/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// View-synchronous membership: multicasts within a view, and the checker.

#include "via-view-synchrony.h"

#include "ns3/via-error.h"

#include <set>
#include <string>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_MEMBERS = 64;

} // namespace

ViewSynchrony::ViewSynchrony(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_timeOut(parameters.Microseconds("timeout-us", 10'000 + 100ULL * nodes)),
      m_lastSign(nodes, 0),
      m_heard(nodes)
{
    if (nodes > MOST_MEMBERS)
    {
        throw ConfigError("nodes",
                          std::to_string(nodes),
                          "a group of view-synchrony has at most 64 members");
    }
}

GroupMessage
ViewSynchrony::Make(GroupMessage::Kind kind, std::uint64_t ballot) const
{
    return {kind, Self(), m_view, ballot, 0, 0, 0};
}

void
ViewSynchrony::SendTo(std::uint64_t members, const GroupMessage& message)
{
    for (Rank step = 1; step < Size(); ++step)
    {
        const Rank to = (Self() + step) % Size();
        if ((members & Bit(to)) != 0)
        {
            Send(to, message);
        }
    }
}

void
ViewSynchrony::OnStart()
{
    for (Rank rank = 0; rank < Size(); ++rank)
    {
        m_members |= Bit(rank);
    }
    Note(EventKind::VIEW, m_view, m_members);
    SetTimer(TICK, m_timeOut / 4);
    Multicast();
}

void
ViewSynchrony::Multicast()
{
    Heard& own = m_heard[Self()];
    if (own.count == Rounds() || IsBlocked())
    {
        FinishIfComplete();
        return;
    }
    const std::uint64_t value = Self() * Rounds() + own.count;
    Enter(value);
    Note(EventKind::PROPOSE, value, value);
    m_acked = Bit(Self());
    GroupMessage data = Make(GroupMessage::DATA);
    data.count = own.count + 1;
    data.value = value;
    Deliver(Self(), {data.count, value});
    SendTo(m_members, data);
    if (m_members == m_acked)
    {
        SetTimer(TICK, 1); // alone: no answer to wait for, but a step must not be endless
    }
}

void
ViewSynchrony::Deliver(Rank sender, const Heard& heard)
{
    m_heard[sender] = heard;
    Note(EventKind::DELIVER, m_view, heard.value);
    Leave(heard.value);
}

void
ViewSynchrony::OnData(Rank from, const GroupMessage& message)
{
    if (IsBlocked())
    {
        return;
    }
    if (message.count == m_heard[from].count + 1)
    {
        Deliver(from, {message.count, message.value});
    }
    GroupMessage answer = Make(GroupMessage::ACK);
    answer.count = message.count;
    Send(from, answer);
    FinishIfComplete();
}

void
ViewSynchrony::OnAck(Rank from, const GroupMessage& message)
{
    const bool wasStable = (m_members & ~m_acked) == 0;
    if (message.count == m_heard[Self()].count && !wasStable)
    {
        m_acked |= Bit(from);
        if ((m_members & ~m_acked) == 0)
        {
            Multicast();
        }
    }
}

void
ViewSynchrony::FinishIfComplete()
{
    for (Rank rank = 0; rank < Size(); ++rank)
    {
        if ((m_members & Bit(rank)) != 0 && m_heard[rank].count < Rounds())
        {
            return;
        }
    }
    if ((m_members & ~m_acked) == 0)
    {
        Finish();
    }
}

void
ViewSynchrony::Exclude()
{
    m_excluded = true;
    CancelTimer(TICK);
    Finish();
}

void
ViewSynchrony::OnTimer(TimerId)
{
    std::uint64_t silent = 0;
    for (Rank rank = 0; rank < Size(); ++rank)
    {
        const bool isOther = rank != Self() && (m_members & Bit(rank)) != 0;
        if (isOther && Now() - m_lastSign[rank] > m_timeOut)
        {
            silent |= Bit(rank);
        }
    }
    Suspect(silent);
    if (m_excluded)
    {
        return;
    }
    SendTo(m_members, Make(GroupMessage::HEARTBEAT));
    SetTimer(TICK, m_timeOut / 4);
    if ((m_members & ~m_acked) == 0)
    {
        Multicast();
    }
    else if (!IsBlocked())
    {
        GroupMessage again = Make(GroupMessage::DATA);
        again.count = m_heard[Self()].count;
        again.value = m_heard[Self()].value;
        SendTo(m_members & ~m_acked, again);
    }
}

void
ViewSynchrony::OnMessage(Rank from, const GroupMessage& message)
{
    if (m_excluded)
    {
        return;
    }
    if (message.kind == GroupMessage::EXCLUDED)
    {
        Exclude();
    }
    else if (message.view < m_view)
    {
        AnswerStraggler(from, message);
    }
    else if (message.view == m_view)
    {
        m_lastSign[from] = Now();
        OnGroupMessage(from, message);
    }
}

void
ViewSynchrony::AnswerStraggler(Rank from, const GroupMessage& message)
{
    const bool isMember = (m_members & Bit(from)) != 0;
    if (message.kind != GroupMessage::HEARTBEAT || (isMember && message.view + 1 < m_view))
    {
        return;
    }
    GroupMessage answer =
        Make(isMember ? GroupMessage::INSTALL : GroupMessage::EXCLUDED, m_lastBallot);
    answer.view = message.view;
    answer.members = m_members;
    Send(from, answer);
}

void
ViewSynchrony::OnGroupMessage(Rank from, const GroupMessage& message)
{
    switch (message.kind)
    {
    case GroupMessage::SUSPECT:
        return Suspect(message.members & ~Bit(Self()));
    case GroupMessage::DATA:
        return OnData(from, message);
    case GroupMessage::ACK:
        return OnAck(from, message);
    case GroupMessage::FLUSH:
        return OnFlush(from, message);
    case GroupMessage::REPORT:
    case GroupMessage::FLUSHED:
        return OnFlushed(from, message);
    case GroupMessage::FORWARD:
    case GroupMessage::PROPOSE:
        return OnPropose(from, message);
    case GroupMessage::ACCEPT:
        return OnAccept(from, message);
    case GroupMessage::INSTALL:
        return OnInstall(message);
    default:
        return;
    }
}

std::string
CheckViewSynchrony(const History& history)
{
    std::set<std::uint64_t> sent;
    std::map<Rank, std::set<std::uint64_t>> all;
    std::map<Rank, std::map<std::uint64_t, std::set<std::uint64_t>>> heard; // by view
    for (const HistoryEvent& event : history.Events())
    {
        const std::string who = "process " + std::to_string(event.rank);
        if (event.kind == EventKind::PROPOSE)
        {
            sent.insert(event.value);
        }
        else if (event.kind == EventKind::VIEW)
        {
            heard[event.rank][event.key];
        }
        else if (event.kind == EventKind::DELIVER)
        {
            heard[event.rank][event.key].insert(event.value);
            if (sent.count(event.value) == 0 || !all[event.rank].insert(event.value).second)
            {
                return "view synchrony: " + who + " received " + std::to_string(event.value) +
                       " twice, or it was never sent";
            }
        }
    }
    std::map<std::uint64_t, std::pair<Rank, const std::set<std::uint64_t>*>> first; // by view
    for (const auto& [rank, views] : heard)
    {
        for (const auto& [view, values] : views)
        {
            if (views.count(view + 1) == 0)
            {
                continue; // it did not continue from there
            }
            const auto& other = first.emplace(view, std::make_pair(rank, &values)).first->second;
            if (*other.second != values)
            {
                return "view synchrony: processes " + std::to_string(other.first) + " and " +
                       std::to_string(rank) + " did not receive the same messages in view " +
                       std::to_string(view);
            }
        }
    }
    return {};
}

std::vector<ProtocolKind>
ViewSynchronyKinds()
{
    return {KindWith<ViewSynchrony>("view-synchrony",
                                    RoundSpan::FIRST_ENTRY_TO_LAST_EXIT,
                                    {&CheckViews, &CheckViewSynchrony})};
}

} // namespace via
} // namespace ns3
