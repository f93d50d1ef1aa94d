/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: a node joins and leaves.

#include "via-mscs-join.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// The value of an update: the node, and whether it joins or leaves.
std::uint64_t
Change(Rank rank, bool comes)
{
    return 2ULL * rank + (comes ? 1 : 0);
}

/// DATABASE: a part from here on is a page; an earlier one is the member of that rank.
constexpr std::uint32_t FIRST_PAGE = 1U << 31;

} // namespace

MscsJoin::MscsJoin(WorkloadParameters& parameters, std::uint32_t nodes)
    : MscsUpdater(parameters.Microseconds("timeout-us", 250'000)),
      m_founders(static_cast<Rank>(parameters.Number("founders", 1, 1, nodes - 1))),
      m_pages(parameters.Number("pages", 16, 0, 1'000'000)),
      m_pause(parameters.Microseconds("pause-us", 1'000))
{
}

void
MscsJoin::OnStart()
{
    if (Self() >= m_founders)
    {
        Pause();
        return;
    }
    m_isMember = true;
    for (Rank rank = 0; rank < m_founders; ++rank)
    {
        m_members.insert(rank);
    }
    Finish();
}

void
MscsJoin::Pause()
{
    SetTimer(PAUSE, 1 + static_cast<Ps>(Random(m_attempt) % static_cast<std::uint64_t>(m_pause)));
}

std::uint64_t
MscsJoin::RoundNumber() const
{
    return (Self() - m_founders) * Rounds() + m_joined;
}

void
MscsJoin::Discover()
{
    if (HasRounds())
    {
        Enter(RoundNumber());
    }
    AbandonRequest();
    ++m_attempt;
    m_isMember = false;
    m_isLeaving = false;
    m_isPetitioning = false;
    m_parts.clear();
    m_version = 0;
    SendToOthers({MscsMessage::DISCOVER, m_attempt, 0, 0});
    SetTimer(RETRY, TimeOut() * 2 * Size());
}

void
MscsJoin::OnTimer(TimerId timer)
{
    if (timer == NEWCOMER)
    {
        EndPetition();
    }
    else if (timer == AGAIN)
    {
        SendDatabase(m_petitions.front());
    }
    else if (timer == RETRY || (timer == PAUSE && !m_isMember))
    {
        Discover();
    }
    else if (timer != PAUSE)
    {
        MscsUpdater::OnTimer(timer);
    }
    else if (m_isSponsoring)
    {
        Pause(); // a newcomer waits for it
    }
    else
    {
        m_isLeaving = true;
        RequestUpdate(Change(Self(), false));
        SetTimer(RETRY, TimeOut() * 2 * Size()); // if the leave fails, it joins again
    }
}

void
MscsJoin::OnMessage(Rank from, const MscsMessage& message)
{
    switch (message.kind)
    {
    case MscsMessage::DISCOVER:
        if (m_isMember && !m_isLeaving)
        {
            Send(from, {MscsMessage::SPONSOR, message.stage, 0, 0});
        }
        return;
    case MscsMessage::SPONSOR:
        if (message.stage == m_attempt && !m_isMember && !m_isPetitioning)
        {
            m_isPetitioning = true;
            Send(from, {MscsMessage::PETITION, m_attempt, 0, 0});
        }
        return;
    case MscsMessage::PETITION:
        if (m_isMember && !m_isLeaving)
        {
            NotePetition({from, message.stage});
            TakePetition();
        }
        return;
    case MscsMessage::DATABASE:
        return OnDatabase(from, message);
    case MscsMessage::JOINED:
        if (m_isSponsoring && m_petitions.front().from == from &&
            m_petitions.front().attempt == message.stage)
        {
            EndPetition();
        }
        return;
    case MscsMessage::GRANT:
    case MscsMessage::UPDATE:
        return OnUpdate(from, message);
    default:
        return MscsUpdater::OnMessage(from, message);
    }
}

void
MscsJoin::NotePetition(const JoinRequest& petition)
{
    const auto waiting =
        std::find_if(m_petitions.begin() + (m_isSponsoring ? 1 : 0),
                     m_petitions.end(),
                     [&](const JoinRequest& one) { return one.from == petition.from; });
    if (waiting == m_petitions.end())
    {
        m_petitions.push_back(petition);
        return;
    }
    waiting->attempt = petition.attempt; // the node no longer wants to know of the earlier one
}

void
MscsJoin::TakePetition()
{
    if (!m_isSponsoring && !m_petitions.empty())
    {
        m_isSponsoring = true;
        RequestUpdate(Change(m_petitions.front().from, true));
    }
}

void
MscsJoin::OnUpdate(Rank from, const MscsMessage& message)
{
    if (m_isMember && message.number > NextToApply())
    {
        m_petitions.clear();
        m_isSponsoring = false;
        CancelTimer(NEWCOMER);
        CancelTimer(AGAIN);
        Discover(); // it has missed updates
    }
    else if (m_isMember) // an older GRANT: the locker has sent the update to all, itself
    {
        MscsUpdater::OnMessage(from, message);
    }
}

bool
MscsJoin::Concerns(std::uint64_t value, Rank rank) const
{
    return m_members.count(rank) > 0 && rank != value / 2; // a newcomer gets the database
}

void
MscsJoin::Apply(std::uint64_t number, std::uint64_t value)
{
    if (number != NextToApply())
    {
        return;
    }
    SetNextToApply(number + 1);
    const auto rank = static_cast<Rank>(value / 2);
    if (value % 2 == 1)
    {
        m_members.insert(rank);
        Revive(rank);
    }
    else
    {
        m_members.erase(rank);
    }
    if (rank != Self())
    {
        Note(EventKind::VIEW, number, View());
    }
}

void
MscsJoin::OnSpread(std::uint64_t value)
{
    if (m_isSponsoring && value == Change(m_petitions.front().from, true))
    {
        SendDatabase(m_petitions.front());
        SetTimer(NEWCOMER, TimeOut() * Size());
        return;
    }
    EndUpdate();
    if (m_isLeaving && value == Change(Self(), false))
    {
        CancelTimer(RETRY);
        m_isMember = false;
        m_isLeaving = false;
        Pause();
    }
}

void
MscsJoin::SendDatabase(const JoinRequest& petition)
{
    const std::uint64_t number = NextToApply() - 1;
    const auto send = [&](std::uint32_t part) {
        const std::uint64_t value = std::uint64_t{m_members.size()} << 32 | part;
        Send(petition.from, {MscsMessage::DATABASE, petition.attempt, number, value});
    };
    std::for_each(m_members.begin(), m_members.end(), send);
    for (std::uint32_t page = 0; page < m_pages; ++page)
    {
        send(FIRST_PAGE + page);
    }
    if (GetMessenger().MayLose())
    {
        SetTimer(AGAIN, TimeOut());
    }
}

void
MscsJoin::EndPetition()
{
    CancelTimer(NEWCOMER);
    CancelTimer(AGAIN);
    m_isSponsoring = false;
    m_petitions.pop_front();
    EndUpdate();
    TakePetition();
}

void
MscsJoin::OnDatabase(Rank from, const MscsMessage& message)
{
    if (message.stage != m_attempt || message.number < m_version)
    {
        return;
    }
    if (message.number > m_version && !m_isMember)
    {
        m_parts.clear(); // another update has passed since it was sent first
        m_version = message.number;
    }
    m_parts.insert(static_cast<std::uint32_t>(message.value));
    const std::uint64_t members = message.value >> 32;
    if (!m_isMember && m_parts.size() == members + m_pages)
    {
        BecomeMember(message.number);
        Send(from, {MscsMessage::JOINED, m_attempt, 0, 0});
    }
    else if (m_isMember && static_cast<std::uint32_t>(message.value) == *m_parts.rbegin())
    {
        // sent again: the first answer was lost, or is under way
        Send(from, {MscsMessage::JOINED, m_attempt, 0, 0});
    }
}

void
MscsJoin::BecomeMember(std::uint64_t number)
{
    CancelTimer(RETRY);
    m_isMember = true;
    m_members = {m_parts.begin(), m_parts.lower_bound(FIRST_PAGE)};
    SetNextToApply(number + 1);
    Note(EventKind::VIEW, number, View());
    if (HasRounds())
    {
        Leave(RoundNumber());
        ++m_joined;
    }
    if (HasRounds())
    {
        Pause();
    }
    else
    {
        Finish();
    }
}

} // namespace via
} // namespace ns3
