/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raft: elections and a replicated log.

#include "via-raft.h"

#include <algorithm>
#include <functional>

namespace ns3
{
namespace via
{

Raft::Raft(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_votedFor(NOBODY),
      m_log(1)
{
    const std::uint64_t election =
        parameters.Number("election-us", 20'000 + 200ULL * nodes, 4, 1'000'000'000);
    m_election = static_cast<Ps>(election) * PS_PER_US;
    m_heartbeat =
        static_cast<Ps>(parameters.Number("heartbeat-us", election / 4, 1, election)) * PS_PER_US;
}

void
Raft::OnStart()
{
    ResetElection();
}

void
Raft::ResetElection()
{
    const auto range = static_cast<std::uint64_t>(m_election);
    SetTimer(ELECTION, m_election + static_cast<Ps>(Random(m_drawn++) % range));
}

void
Raft::StepDown(std::uint64_t term)
{
    m_term = term;
    m_role = Role::FOLLOWER;
    m_votedFor = NOBODY;
    CancelTimer(HEARTBEAT);
    ResetElection();
}

void
Raft::OnTimer(TimerId timer)
{
    if (timer == ELECTION)
    {
        Campaign();
    }
    else
    {
        ReplicateToAll();
        SetTimer(HEARTBEAT, m_heartbeat);
    }
}

void
Raft::Campaign()
{
    StepDown(m_term + 1);
    m_role = Role::CANDIDATE;
    m_votedFor = Self();
    m_votes = {Self()};
    SendToOthers(
        {RaftMessage::REQUEST_VOTE, 0, m_term, m_log.size() - 1, m_log.back().term, 0, 0, 0});
}

bool
Raft::IsUpToDate(std::uint64_t lastTerm, std::uint64_t lastIndex) const
{
    const std::uint64_t ownTerm = m_log.back().term;
    return lastTerm > ownTerm || (lastTerm == ownTerm && lastIndex >= m_log.size() - 1);
}

void
Raft::OnRequestVote(Rank from, const RaftMessage& message)
{
    const bool grant = message.term == m_term && (m_votedFor == NOBODY || m_votedFor == from) &&
                       IsUpToDate(message.entryTerm, message.index);
    if (grant)
    {
        m_votedFor = from;
        ResetElection();
    }
    Send(from, {RaftMessage::VOTE, grant ? 1U : 0U, m_term, 0, 0, 0, 0, 0});
}

void
Raft::OnMessage(Rank from, const RaftMessage& message)
{
    if (message.term > m_term)
    {
        StepDown(message.term);
    }
    switch (message.kind)
    {
    case RaftMessage::REQUEST_VOTE:
        return OnRequestVote(from, message);
    case RaftMessage::VOTE:
        if (m_role == Role::CANDIDATE && message.term == m_term && message.granted == 1)
        {
            m_votes.insert(from);
            if (m_votes.size() >= Quorum())
            {
                BecomeLeader();
            }
        }
        return;
    case RaftMessage::APPEND:
        return OnAppend(from, message);
    case RaftMessage::APPENDED:
        return OnAppended(from, message);
    default:
        return;
    }
}

void
Raft::BecomeLeader()
{
    m_role = Role::LEADER;
    Note(EventKind::LEAD, m_term);
    CancelTimer(ELECTION);
    m_followers.assign(Size(), {m_log.size(), 0});
    SetTimer(HEARTBEAT, m_heartbeat);
    AppendNew(); // only an entry of its own term can be committed by counting
}

void
Raft::AppendNew()
{
    // after the last round, only to commit entries of an old leader
    if (m_log.size() <= Rounds() || m_log.back().term != m_term)
    {
        const std::uint64_t index = m_log.size();
        const std::uint64_t value = m_term * Size() + Self();
        m_log.push_back({m_term, value});
        if (index <= Rounds())
        {
            Enter(index - 1);
        }
        Note(EventKind::PROPOSE, index, value);
    }
    ReplicateToAll();
}

void
Raft::ReplicateToAll()
{
    for (Rank step = 1; step < Size(); ++step)
    {
        Replicate((Self() + step) % Size());
    }
}

void
Raft::Replicate(Rank peer)
{
    Follower& follower = m_followers[peer];
    const std::uint64_t previous = follower.next - 1;
    const bool brings = follower.next < m_log.size();
    const Entry entry = brings ? m_log[follower.next] : Entry{};
    Send(peer,
         {RaftMessage::APPEND,
          brings ? 1U : 0U,
          m_term,
          previous,
          entry.term,
          m_log[previous].term,
          entry.value,
          m_commit});
    follower.next += brings ? 1 : 0; // a rejection reverts it
}

void
Raft::OnAppend(Rank from, const RaftMessage& message)
{
    if (message.term < m_term)
    {
        return Send(from, {RaftMessage::APPENDED, 0, m_term, 0, 0, 0, 0, 0});
    }
    m_role = Role::FOLLOWER;
    ResetElection();
    const std::uint64_t previous = message.index;
    if (previous >= m_log.size() || m_log[previous].term != message.previousTerm)
    {
        const std::uint64_t hint = std::min<std::uint64_t>(previous, m_log.size()) - 1;
        return Send(from, {RaftMessage::APPENDED, 0, m_term, hint, 0, 0, 0, 0});
    }
    std::uint64_t match = previous;
    if (message.granted == 1)
    {
        ++match;
        if (match < m_log.size() && m_log[match].term != message.entryTerm)
        {
            m_log.resize(match);
        }
        if (match == m_log.size())
        {
            m_log.push_back({message.entryTerm, message.value});
        }
    }
    Apply(std::min(message.commit, match));
    Send(from, {RaftMessage::APPENDED, 1, m_term, match, 0, 0, 0, 0});
}

void
Raft::OnAppended(Rank from, const RaftMessage& message)
{
    if (m_role != Role::LEADER || message.term != m_term)
    {
        return;
    }
    Follower& follower = m_followers[from];
    if (message.granted == 0)
    {
        follower.next =
            std::max<std::uint64_t>(follower.match + 1, std::min(follower.next, message.index + 1));
        return Replicate(from);
    }
    follower.match = std::max(follower.match, message.index);
    follower.next = std::max(follower.next, follower.match + 1);
    if (follower.next < m_log.size())
    {
        Replicate(from);
    }
    AdvanceCommit();
}

void
Raft::AdvanceCommit()
{
    m_followers[Self()].match = m_log.size() - 1;
    std::vector<std::uint64_t> matches;
    for (const Follower& follower : m_followers)
    {
        matches.push_back(follower.match);
    }
    std::sort(matches.begin(), matches.end(), std::greater<>());
    const std::uint64_t commit = matches[Quorum() - 1];
    if (commit > m_commit && m_log[commit].term == m_term)
    {
        Apply(commit);
        AppendNew();
    }
}

void
Raft::Apply(std::uint64_t commit)
{
    while (m_commit < commit)
    {
        ++m_commit;
        Note(EventKind::DECIDE, m_commit, m_log[m_commit].value);
        if (m_commit <= Rounds())
        {
            Leave(m_commit - 1);
        }
    }
    if (m_commit >= Rounds())
    {
        Finish();
    }
}

std::vector<ProtocolKind>
RaftKinds()
{
    return {KindWith<Raft>("raft",
                           RoundSpan::FIRST_ENTRY_TO_LAST_EXIT,
                           {&CheckAgreement, &CheckValidity, &CheckOneLeader})};
}

} // namespace via
} // namespace ns3
