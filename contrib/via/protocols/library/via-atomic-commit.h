/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Atomic commitment: two-phase and three-phase commit.

#ifndef VIA_ATOMIC_COMMIT_H
#define VIA_ATOMIC_COMMIT_H

#include "ns3/via-protocol-kind.h"

#include <set>

namespace ns3
{
namespace via
{

/// What is said about a transaction.
struct CommitMessage
{
    enum Kind : std::uint32_t
    {
        PREPARE,   ///< will you?
        VOTE,      ///< value: 1 for yes
        PRECOMMIT, ///< all will (three phases)
        READY,     ///< I know that all will
        DECISION,  ///< value: 1 for commit
        DONE,      ///< I have it
        INQUIRE,   ///< what became of it? (two phases: I have voted yes and heard nothing)
        STATE,     ///< value: where I am (three phases, after the coordinator's crash)
    };

    std::uint32_t kind;
    std::uint32_t value;
    std::uint64_t transaction;
};

/// What both protocols have in common: parameters, votes, decisions.
class CommitProtocol : public TypedProtocol<CommitMessage>
{
  public:
    using TypedProtocol::OnMessage;

    /// Parameters: abort-percent (0) of transactions for which a process votes no, timeout-us
    /// (10000 and 100 for each node).
    CommitProtocol(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;

  protected:
    static constexpr TimerId TIME_OUT = 0;

    /// Process 0 begins transaction @p transaction.
    void Begin(std::uint64_t transaction);

    /// What this process votes. @return 1 for yes
    virtual std::uint32_t VoteOn(std::uint64_t transaction);

    /// The coordinator decides by the votes: all @p yes of Size().
    virtual std::uint32_t Judge(Rank yes) const;

    /// This process decides; again, it has no effect. @return true the first time
    bool Decide(std::uint64_t transaction, std::uint32_t value);

    bool HasDecided(std::uint64_t transaction) const;
    std::uint32_t DecisionOn(std::uint64_t transaction) const;

    void Say(Rank to, CommitMessage::Kind kind, std::uint64_t transaction, std::uint32_t value = 0);
    void SayToOthers(CommitMessage::Kind kind, std::uint64_t transaction, std::uint32_t value = 0);

    Ps TimeOut() const
    {
        return m_timeOut;
    }

  private:
    static constexpr std::uint8_t OPEN = 2;

    std::uint64_t m_abortPercent;
    Ps m_timeOut;
    std::vector<std::uint8_t> m_decisions; ///< by transaction
    std::uint64_t m_decided{0};
};

/**
 * @brief Gray's two-phase commit with acknowledged decisions.
 *
 *     coordinator: PREPARE --votes, or time-out--> DECISION --all DONE, or 3 tries--> next
 *     participant: PREPARE --> VOTE --in doubt--> DECISION --> DONE
 *
 * 4 (N - 1) messages for a transaction without faults. Process 0 coordinates. Safe whatever
 * happens; a participant in doubt waits for the coordinator, for ever if that has crashed. Source:
 * Gray, "Notes on data base operating systems", LNCS 60, 1978.
 */
class TwoPhaseCommit : public CommitProtocol
{
  public:
    using CommitProtocol::CommitProtocol;

    /// Participants talk to the coordinator alone.
    std::vector<Rank> Targets() const override;
    void OnMessage(Rank from, const CommitMessage& message) override;
    void OnTimer(TimerId timer) override;

  private:
    void OnVote(Rank from, const CommitMessage& message);
    void OnDone(Rank from, const CommitMessage& message);
    void Conclude();
    void Next();

    void AskForMissed(std::uint64_t transaction);
    void InquireAgain();

    std::uint64_t m_current{0}; ///< the coordinator's
    std::uint64_t m_asked{0};   ///< a participant knows of all transactions before
    bool m_voting{true};
    Rank m_yes{0};
    std::set<Rank> m_heard;          ///< in this phase
    std::set<std::uint64_t> m_doubt; ///< voted yes, heard nothing
    std::uint32_t m_tries{0};
};

/**
 * @brief Skeen's three-phase commit: nobody waits for a crashed coordinator.
 *
 *     PREPARE -> VOTE -> PRECOMMIT -> READY -> DECISION -> DONE
 *
 * 6 (N - 1) messages for a committed transaction, DONE included, which only separates the rounds.
 * Who hears nothing for (1 + rank) time-outs takes over: it asks all for their state, and aborts
 * unless somebody is precommitted or has committed. Safe while messages are faster than the
 * time-out: it assumes crashes, no partition.
 * Source: Skeen, "Nonblocking commit protocols", SIGMOD 1981.
 */
class ThreePhaseCommit : public CommitProtocol
{
  public:
    using CommitProtocol::CommitProtocol;

    void OnStart() override;
    void OnMessage(Rank from, const CommitMessage& message) override;
    void OnTimer(TimerId timer) override;

  private:
    /// How far a process is, as STATE tells it.
    enum State : std::uint32_t
    {
        NOTHING,
        VOTED_YES,
        PRECOMMITTED,
        ABORTED,
        COMMITTED,
    };

    void OnAnswer(Rank from, const CommitMessage& message);
    void OnOrder(Rank from, const CommitMessage& message);
    void Lead();
    void EndPhase();
    void Precommit();
    void Announce(std::uint32_t value);
    void TakeOver();
    void Next();

    std::uint64_t m_current{0};
    State m_state{NOTHING};                           ///< in the current transaction
    CommitMessage::Kind m_phase{CommitMessage::VOTE}; ///< the answers that are collected
    bool m_leads{false};
    Rank m_yes{0};
    State m_furthest{NOTHING};
    std::set<Rank> m_heard;
    std::set<Rank> m_dead; ///< did not answer in time
};

/// Both by name.
std::vector<ProtocolKind> AtomicCommitKinds();

} // namespace via
} // namespace ns3

#endif // VIA_ATOMIC_COMMIT_H
