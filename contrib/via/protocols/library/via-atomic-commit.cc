/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Atomic commitment: votes and decisions.

#include "via-atomic-commit.h"

namespace ns3
{
namespace via
{

CommitProtocol::CommitProtocol(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_abortPercent(parameters.Number("abort-percent", 0, 0, 100)),
      m_timeOut(parameters.Microseconds("timeout-us", 10'000 + 100ULL * nodes))
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
    Note(EventKind::DECIDE, transaction, value); // the checker finds a second one that differs
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
