/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Atomic commitment: three phases.

#include "via-atomic-commit.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
ThreePhaseCommit::OnMessage(Rank from, const CommitMessage& message)
{
    if (message.transaction < m_current)
    {
        return; // of a transaction that is over
    }
    const bool answer = message.kind == CommitMessage::VOTE ||
                        message.kind == CommitMessage::READY ||
                        message.kind == CommitMessage::DONE || message.kind == CommitMessage::STATE;
    answer ? OnAnswer(from, message) : OnOrder(from, message);
}

void
ThreePhaseCommit::OnOrder(Rank from, const CommitMessage& message)
{
    if (message.transaction > m_current)
    {
        m_current = message.transaction;
        m_state = NOTHING;
    }
    m_leads = false;
    SetTimer(TIME_OUT, (2 + Self()) * TimeOut());
    switch (message.kind)
    {
    case CommitMessage::PREPARE:
        m_state = VoteOn(m_current) == 1 ? VOTED_YES : ABORTED;
        Say(from, CommitMessage::VOTE, m_current, m_state == VOTED_YES ? 1 : 0);
        if (m_state == ABORTED)
        {
            Decide(m_current, 0);
        }
        return;
    case CommitMessage::PRECOMMIT:
        m_state = std::max(m_state, PRECOMMITTED);
        return Say(from, CommitMessage::READY, m_current);
    case CommitMessage::INQUIRE:
        return Say(from, CommitMessage::STATE, m_current, m_state);
    case CommitMessage::DECISION:
        m_state = message.value == 1 ? COMMITTED : ABORTED;
        Decide(m_current, message.value);
        return Say(from, CommitMessage::DONE, m_current);
    default:
        return;
    }
}

void
ThreePhaseCommit::OnStart()
{
    CommitProtocol::OnStart();
    if (Self() == 0)
    {
        Lead();
    }
    else
    {
        SetTimer(TIME_OUT, (2 + Self()) * TimeOut());
    }
}

void
ThreePhaseCommit::Lead()
{
    m_leads = true;
    m_phase = CommitMessage::VOTE;
    m_heard.clear();
    m_yes = VoteOn(m_current);
    m_state = m_yes == 1 ? VOTED_YES : NOTHING;
}

void
ThreePhaseCommit::OnAnswer(Rank from, const CommitMessage& message)
{
    if (!m_leads || message.kind != m_phase || message.transaction != m_current ||
        !m_heard.insert(from).second)
    {
        return;
    }
    if (m_phase == CommitMessage::VOTE)
    {
        m_yes += message.value;
    }
    else if (m_phase == CommitMessage::STATE)
    {
        m_furthest = std::max(m_furthest, static_cast<State>(message.value));
    }
    const auto missing = std::count_if(m_dead.begin(), m_dead.end(), [this](Rank rank) {
        return m_heard.count(rank) == 0;
    });
    if (m_heard.size() + static_cast<std::size_t>(missing) + 1 == Size())
    {
        EndPhase();
    }
}

void
ThreePhaseCommit::OnTimer(TimerId)
{
    if (!m_leads)
    {
        TakeOver();
        return;
    }
    for (Rank rank = 0; rank < Size(); ++rank)
    {
        if (rank != Self() && m_heard.count(rank) == 0)
        {
            m_dead.insert(rank);
        }
    }
    EndPhase();
}

void
ThreePhaseCommit::EndPhase()
{
    switch (m_phase)
    {
    case CommitMessage::VOTE:
        return Judge(m_yes) == 1 ? Precommit() : Announce(0);
    case CommitMessage::READY:
        return Announce(1);
    case CommitMessage::STATE:
        if (m_furthest == PRECOMMITTED)
        {
            return Precommit();
        }
        return Announce(m_furthest == COMMITTED ? 1 : 0);
    default:
        return Next();
    }
}

void
ThreePhaseCommit::Precommit()
{
    m_state = PRECOMMITTED;
    m_phase = CommitMessage::READY;
    m_heard.clear();
    SayToOthers(CommitMessage::PRECOMMIT, m_current);
    SetTimer(TIME_OUT, TimeOut());
}

void
ThreePhaseCommit::Announce(std::uint32_t value)
{
    m_state = value == 1 ? COMMITTED : ABORTED;
    m_phase = CommitMessage::DONE;
    m_announced = m_current + 1;
    m_heard.clear();
    Decide(m_current, value);
    SayToOthers(CommitMessage::DECISION, m_current, value);
    SetTimer(TIME_OUT, TimeOut());
}

void
ThreePhaseCommit::TakeOver()
{
    if (m_announced > m_current)
    {
        return Next(); // the others had their time to hear it
    }
    m_leads = true;
    if (HasDecided(m_current))
    {
        return Announce(DecisionOn(m_current)); // who led may not have come to tell all
    }
    m_phase = CommitMessage::STATE;
    m_furthest = m_state;
    m_heard.clear();
    SayToOthers(CommitMessage::INQUIRE, m_current);
    SetTimer(TIME_OUT, TimeOut());
}

void
ThreePhaseCommit::Next()
{
    CancelTimer(TIME_OUT);
    if (m_current + 1 < Rounds())
    {
        ++m_current;
        Lead();
        Begin(m_current);
    }
}

} // namespace via
} // namespace ns3
