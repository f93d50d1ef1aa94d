/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Atomic commitment: two phases.

#include "via-atomic-commit.h"

namespace ns3
{
namespace via
{

std::vector<Rank>
TwoPhaseCommit::Targets() const
{
    return Self() == 0 ? CommitProtocol::Targets() : std::vector<Rank>{0};
}

void
TwoPhaseCommit::OnMessage(Rank from, const CommitMessage& message)
{
    switch (message.kind)
    {
    case CommitMessage::PREPARE:
        AskForMissed(message.transaction);
        if (const std::uint32_t vote = VoteOn(message.transaction); vote == 1)
        {
            Say(from, CommitMessage::VOTE, message.transaction, vote);
            m_doubt.insert(message.transaction);
            m_tries = 0;
            SetTimer(TIME_OUT, 2 * TimeOut());
        }
        else
        {
            Say(from, CommitMessage::VOTE, message.transaction, vote);
            Decide(message.transaction, 0);
        }
        return;
    case CommitMessage::DECISION:
        m_doubt.erase(message.transaction);
        Decide(message.transaction, message.value);
        Say(from, CommitMessage::DONE, message.transaction);
        return;
    case CommitMessage::VOTE:
        return OnVote(from, message);
    case CommitMessage::DONE:
        return OnDone(from, message);
    case CommitMessage::INQUIRE:
        if (HasDecided(message.transaction))
        {
            Say(from,
                CommitMessage::DECISION,
                message.transaction,
                DecisionOn(message.transaction));
        }
        return;
    default:
        return;
    }
}

void
TwoPhaseCommit::AskForMissed(std::uint64_t transaction)
{
    for (; m_asked < transaction; ++m_asked)
    {
        if (!HasDecided(m_asked) && m_doubt.insert(m_asked).second)
        {
            Say(0, CommitMessage::INQUIRE, m_asked);
        }
    }
}

void
TwoPhaseCommit::OnVote(Rank from, const CommitMessage& message)
{
    if (message.transaction != m_current || !m_voting || !m_heard.insert(from).second)
    {
        return;
    }
    m_yes += message.value;
    if (m_heard.size() + 1 == Size())
    {
        Conclude();
    }
}

void
TwoPhaseCommit::Conclude()
{
    m_voting = false;
    m_heard.clear();
    m_tries = 0;
    const std::uint32_t value = Judge(m_yes + VoteOn(m_current));
    Decide(m_current, value); // recorded before it is sent
    SayToOthers(CommitMessage::DECISION, m_current, value);
    SetTimer(TIME_OUT, TimeOut());
}

void
TwoPhaseCommit::OnDone(Rank from, const CommitMessage& message)
{
    if (message.transaction == m_current && !m_voting && m_heard.insert(from).second &&
        m_heard.size() + 1 == Size())
    {
        Next();
    }
}

void
TwoPhaseCommit::Next()
{
    CancelTimer(TIME_OUT);
    if (m_current + 1 < Rounds())
    {
        ++m_current;
        m_voting = true;
        m_yes = 0;
        m_heard.clear();
        Begin(m_current);
    }
}

void
TwoPhaseCommit::OnTimer(TimerId)
{
    constexpr std::uint32_t tries = 3;
    if (Self() != 0)
    {
        InquireAgain();
        return;
    }
    if (m_voting)
    {
        Conclude(); // a vote is missing
        return;
    }
    if (++m_tries == tries)
    {
        Next(); // a process that returns will ask
        return;
    }
    for (Rank rank = 1; rank < Size(); ++rank)
    {
        if (m_heard.count(rank) == 0)
        {
            Say(rank, CommitMessage::DECISION, m_current, DecisionOn(m_current));
        }
    }
    SetTimer(TIME_OUT, TimeOut());
}

void
TwoPhaseCommit::InquireAgain()
{
    constexpr std::uint32_t tries =
        10; // then it stays blocked, the known weakness of this protocol
    if (m_doubt.empty() || ++m_tries > tries)
    {
        return;
    }
    for (const std::uint64_t transaction : m_doubt)
    {
        Say(0, CommitMessage::INQUIRE, transaction);
    }
    SetTimer(TIME_OUT, 2 * TimeOut());
}

} // namespace via
} // namespace ns3
