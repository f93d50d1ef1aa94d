/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Atomic commitment: two-phase and three-phase commit.

#include "via-atomic-commit.h"

#include <algorithm>

namespace ns3
{
namespace via
{

CommitProtocol::CommitProtocol(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_abortPercent(parameters.Number("abort-percent", 0, 0, 100)),
      m_timeOut(static_cast<Ps>(
                    parameters.Number("timeout-us", 10'000 + 100ULL * nodes, 1, 1'000'000'000)) *
                PS_PER_US)
{
}

void
CommitProtocol::OnStart()
{
    m_decisions.assign(Rounds(), OPEN);
    if (Self() == 0)
    {
        Begin(0);
    }
}

void
CommitProtocol::Begin(std::uint64_t transaction)
{
    Enter(transaction);
    SayToOthers(CommitMessage::PREPARE, transaction);
    SetTimer(TIME_OUT, m_timeOut);
}

std::uint32_t
CommitProtocol::VoteOn(std::uint64_t transaction)
{
    const std::uint32_t vote = Random(transaction) % 100 < m_abortPercent ? 0 : 1;
    Note(EventKind::VOTE, transaction, vote);
    return vote;
}

std::uint32_t
CommitProtocol::Judge(Rank yes) const
{
    return yes == Size() ? 1 : 0;
}

bool
CommitProtocol::Decide(std::uint64_t transaction, std::uint32_t value)
{
    if (HasDecided(transaction) && DecisionOn(transaction) == value)
    {
        return false;
    }
    Note(EventKind::DECIDE, transaction, value); // a second one that differs is for the checker
    if (HasDecided(transaction))
    {
        return false;
    }
    m_decisions[transaction] = static_cast<std::uint8_t>(value);
    Leave(transaction);
    if (++m_decided == Rounds())
    {
        Finish();
    }
    return true;
}

bool
CommitProtocol::HasDecided(std::uint64_t transaction) const
{
    return m_decisions[transaction] != OPEN;
}

std::uint32_t
CommitProtocol::DecisionOn(std::uint64_t transaction) const
{
    return m_decisions[transaction];
}

void
CommitProtocol::Say(Rank to,
                    CommitMessage::Kind kind,
                    std::uint64_t transaction,
                    std::uint32_t value)
{
    Send(to, {kind, value, transaction});
}

void
CommitProtocol::SayToOthers(CommitMessage::Kind kind,
                            std::uint64_t transaction,
                            std::uint32_t value)
{
    SendToOthers({kind, value, transaction});
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
    Decide(m_current, value); // written down before anybody hears of it
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
        Conclude(); // somebody did not vote
        return;
    }
    if (++m_tries == tries)
    {
        Next(); // who comes back will ask
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
    constexpr std::uint32_t tries = 10; // behind them it is blocked, which is what it is known for
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
    m_heard.clear();
    Decide(m_current, value);
    SayToOthers(CommitMessage::DECISION, m_current, value);
    SetTimer(TIME_OUT, TimeOut());
}

void
ThreePhaseCommit::TakeOver()
{
    if (HasDecided(m_current))
    {
        Next();
        return;
    }
    m_leads = true;
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

std::vector<ProtocolKind>
AtomicCommitKinds()
{
    const RoundSpan span = RoundSpan::FIRST_ENTRY_TO_LAST_EXIT;
    const std::vector<Checker> checkers = {&CheckAgreement, &CheckAtomicity};
    return {KindWith<TwoPhaseCommit>("two-phase-commit", span, checkers),
            KindWith<ThreePhaseCommit>("three-phase-commit", span, checkers)};
}

} // namespace via
} // namespace ns3
