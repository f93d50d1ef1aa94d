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

/// A message about a transaction.
struct CommitMessage
{
    enum Kind : std::uint32_t
    {
        PREPARE,   ///< can you commit?
        VOTE,      ///< value: 1 for yes
        PRECOMMIT, ///< all can (three phases)
        READY,     ///< I know that all can
        DECISION,  ///< value: 1 for commit
        DONE,      ///< I have it
        INQUIRE,   ///< what is the decision? (two phases: I voted yes and got no answer)
        STATE,     ///< value: my state (three phases, after the coordinator's crash)
    };

    std::uint32_t kind;
    std::uint32_t value;
    std::uint64_t transaction;
};

/// The common part of both protocols: parameters, votes, decisions.
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

    /// The vote of this process. @return 1 for yes
    virtual std::uint32_t VoteOn(std::uint64_t transaction);

    /// The coordinator's decision: commit if @p yes equals Size().
    virtual std::uint32_t Judge(Rank yes) const;

    /// Records the decision of this process; repeated calls have no effect. @return true the first
    /// time
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
 * 4 (N - 1) messages for a transaction without faults. Process 0 coordinates. Always safe; a
 * participant in doubt waits for the coordinator, forever if it has crashed. Source: Gray, "Notes
 * on data base operating systems", LNCS 60, 1978.
 */
class TwoPhaseCommit : public CommitProtocol
{
  public:
    using CommitProtocol::CommitProtocol;

    /// Participants send only to the coordinator.
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

    std::uint64_t m_current{0}; ///< current transaction of the coordinator
    std::uint64_t m_asked{0};   ///< a participant knows all transactions before this one
    bool m_voting{true};
    Rank m_yes{0};
    std::set<Rank> m_heard;          ///< processes that answered in this phase
    std::set<std::uint64_t> m_doubt; ///< transactions voted yes and still undecided
    std::uint32_t m_tries{0};
};

/**
 * @brief Skeen's three-phase commit: no process waits for a crashed coordinator.
 *
 *     PREPARE -> VOTE -> PRECOMMIT -> READY -> DECISION -> DONE
 *
 * 6 (N - 1) messages for a committed transaction, including DONE, which only separates the rounds.
 * A process that receives nothing for (2 + rank) time-outs takes over: it asks all for their state,
 * and aborts unless a process has precommitted or committed; or tells all the decision if it has
 * it. Safe while messages are faster than
 * the time-out: it tolerates crashes, but no network partition. Source: Skeen, "Nonblocking commit
 * protocols", SIGMOD 1981.
 */
class ThreePhaseCommit : public CommitProtocol
{
  public:
    using CommitProtocol::CommitProtocol;

    void OnStart() override;
    void OnMessage(Rank from, const CommitMessage& message) override;
    void OnTimer(TimerId timer) override;

  private:
    /// The state of a process, as reported by STATE.
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
    std::uint64_t m_announced{0}; ///< transactions before this one it has told the decision of
    State m_state{NOTHING};       ///< in the current transaction
    CommitMessage::Kind m_phase{CommitMessage::VOTE}; ///< kind of the answers being collected
    bool m_leads{false};
    Rank m_yes{0};
    State m_furthest{NOTHING};
    std::set<Rank> m_heard;
    std::set<Rank> m_dead; ///< processes that did not answer in time
};

/// Both by name.
std::vector<ProtocolKind> AtomicCommitKinds();

} // namespace via
} // namespace ns3

#endif // VIA_ATOMIC_COMMIT_H
