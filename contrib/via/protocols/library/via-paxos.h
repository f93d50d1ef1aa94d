/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Paxos: single decrees, and many decrees under one leader.

#ifndef VIA_PAXOS_H
#define VIA_PAXOS_H

#include "ns3/via-protocol-kind.h"

#include <map>
#include <set>

namespace ns3
{
namespace via
{

/// A message between proposers, acceptors and learners.
struct PaxosMessage
{
    enum Kind : std::uint32_t
    {
        PREPARE,  ///< may I lead with this ballot, from this slot on?
        PROMISE,  ///< yes; accepted: the ballot of the value that I accepted in the slot, or 0
        ACCEPT,   ///< accept this value
        ACCEPTED, ///< I accepted it
        LEARN,    ///< the value is decided
        MISSED,   ///< what was decided, from this slot on?
    };

    std::uint32_t kind;
    std::uint32_t parts; ///< PROMISE: number of messages of this answer, one per slot
    std::uint64_t ballot;
    std::uint64_t slot;
    std::uint64_t accepted;
    std::uint64_t value;
};

/// The common part of both kinds of Paxos: ballots, quorums, decisions.
class PaxosProcess : public TypedProtocol<PaxosMessage>
{
  public:
    using TypedProtocol::OnMessage;

    /**
     * @brief Parameters: timeout-us (10000 and 100 for each node); proposers: number of proposers.
     * @param proposers default of the parameter
     */
    PaxosProcess(WorkloadParameters& parameters, std::uint32_t nodes, Rank proposers);

    void OnMessage(Rank from, const PaxosMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// What an acceptor remembers of a slot.
    struct Accepted
    {
        std::uint64_t ballot{0};
        std::uint64_t value{0};
    };

    virtual void OnPrepare(Rank from, const PaxosMessage& message) = 0;
    virtual void OnPromise(Rank from, const PaxosMessage& message) = 0;
    virtual void OnAccept(Rank from, const PaxosMessage& message) = 0;
    virtual void OnAccepted(Rank from, const PaxosMessage& message) = 0;
    virtual void OnLearn(const PaxosMessage& message) = 0;
    virtual void OnSilence() = 0; ///< a proposer's timer has expired

    bool IsProposer() const
    {
        return Self() < m_proposers;
    }

    Rank Proposers() const
    {
        return m_proposers;
    }

    /// A process that only accepts asks a proposer for missed decisions after a time without
    /// messages.
    void WaitForDecisions();

    /// Sends all known decisions from slot @p first on.
    void TellMissed(Rank to, std::uint64_t first);

    /// A majority. Tests override it.
    virtual Rank Quorum() const
    {
        return MajorityOf(Size());
    }

    /// @p from has answered. @return whether @p answers are a quorum
    bool IsQuorumWith(Rank from, std::set<Rank>& answers) const;

    /// A ballot of this process, higher than all it has seen.
    std::uint64_t NextBallot();

    /// The value that this process proposes for a slot.
    std::uint64_t Own(std::uint64_t slot) const
    {
        return slot * Size() + Self() + 1;
    }

    /// Sends the decision to all others, and decides.
    void Learn(std::uint64_t slot, std::uint64_t value);

    /// Decides a slot; repeated calls have no effect unless the value differs.
    void Decide(std::uint64_t slot, std::uint64_t value);

    bool HasDecided(std::uint64_t slot) const
    {
        return m_decided.count(slot) > 0;
    }

    std::uint64_t DecisionOn(std::uint64_t slot) const
    {
        return m_decided.at(slot);
    }

    bool HasDecidedAll() const
    {
        return m_decided.size() == Rounds();
    }

    Ps TimeOut() const
    {
        return m_timeOut;
    }

    static constexpr TimerId SILENCE = 0; ///< of proposers

    std::uint64_t m_ballot{0};                    ///< ballot of this proposer or leader
    std::uint64_t m_slot{0};                      ///< slot in progress
    std::set<Rank> m_answers;                     ///< processes that answered in this phase
    std::map<std::uint64_t, Accepted> m_accepted; ///< by slot, of this acceptor

  private:
    static constexpr TimerId MISSED = 1; ///< of processes that only accept

    void AskForMissed();

    Ps m_timeOut;
    Rank m_proposers;
    Rank m_asked{0};                                  ///< number of requests for missed decisions
    Ps m_patience{1};                                 ///< doubled by each unanswered request
    std::uint64_t m_seen{0};                          ///< highest ballot seen
    std::map<std::uint64_t, std::uint64_t> m_decided; ///< value by slot
};

/**
 * @brief Lamport's synod: all processes are acceptors and learners, the first `proposers` propose.
 *
 *     proposer: PREPARE --majority of PROMISE--> ACCEPT --majority of ACCEPTED--> LEARN
 *
 * Each round decides one decree independently: 5 (N - 1) messages with one proposer, including
 * LEARN. A proposer without an answer, or that learns of a higher ballot, waits a random time and
 * tries again with a higher ballot. Safe under any crash, delay and loss; decides while a majority
 * answers. A process that only accepts and misses a LEARN asks a proposer for it after two
 * time-outs without a message. Parameters: proposers (1), timeout-us. Source: Lamport, "The
 * part-time parliament", ACM TOCS 16(2), 1998.
 */
class Paxos : public PaxosProcess
{
  public:
    Paxos(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;

  protected:
    void OnSilence() override;
    void OnPrepare(Rank from, const PaxosMessage& message) override;
    void OnPromise(Rank from, const PaxosMessage& message) override;
    void OnAccept(Rank from, const PaxosMessage& message) override;
    void OnAccepted(Rank from, const PaxosMessage& message) override;
    void OnLearn(const PaxosMessage& message) override;

  private:
    void Propose();
    void Ask();

    bool m_asking{false}; ///< true: in the second phase
    std::uint64_t m_tries{0};
    std::uint64_t m_value{0}; ///< value in progress
    Accepted m_highest;       ///< highest accepted value among the promises
    std::map<std::uint64_t, std::uint64_t> m_promised; ///< ballot by slot
};

/**
 * @brief Multi-decree Paxos: a leader prepares all slots at once, then proposes slot by slot.
 *
 * 2 (N - 1) messages to lead, then 3 (N - 1) for each slot: ACCEPT, ACCEPTED, LEARN. Process 0
 * leads first; a proposer that hears no leader for (1 + rank) time-outs tries to lead. Who has
 * decided the slot from which it wants to lead tells it the decisions instead of promising. A
 * process that only accepts asks for missed decisions, as in Paxos. A new leader proposes again for
 * slots in which the old leader may have had values accepted. Source: as Paxos; Lamport, "Paxos
 * made simple", ACM SIGACT News 32(4), 2001, section 3. Parameters: timeout-us; proposers (all):
 * the number of processes that may lead, from process 0.
 */
class MultiPaxos : public PaxosProcess
{
  public:
    MultiPaxos(WorkloadParameters& parameters, std::uint32_t nodes);

    /// Acceptors send only to proposers.
    std::vector<Rank> Targets() const override;
    void OnStart() override;

  protected:
    void OnSilence() override;
    void OnPrepare(Rank from, const PaxosMessage& message) override;
    void OnPromise(Rank from, const PaxosMessage& message) override;
    void OnAccept(Rank from, const PaxosMessage& message) override;
    void OnAccepted(Rank from, const PaxosMessage& message) override;
    void OnLearn(const PaxosMessage& message) override;

  private:
    void Lead();
    void AskNext();
    void GoOn();
    void WaitForLeader();

    std::uint64_t m_promised{0}; ///< highest ballot promised, for all slots
    bool m_leads{false};
    std::map<Rank, std::uint32_t> m_parts;     ///< parts received of each promise
    std::map<std::uint64_t, Accepted> m_found; ///< by slot, by the new leader
};

/// Both by name.
std::vector<ProtocolKind> PaxosKinds();

} // namespace via
} // namespace ns3

#endif // VIA_PAXOS_H
