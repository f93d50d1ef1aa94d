/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Paxos: one decree at a time, and many under one leader.

#ifndef VIA_PAXOS_H
#define VIA_PAXOS_H

#include "ns3/via-protocol-kind.h"

#include <map>
#include <set>

namespace ns3
{
namespace via
{

/// What proposers, acceptors and learners tell each other.
struct PaxosMessage
{
    enum Kind : std::uint32_t
    {
        PREPARE,  ///< may I lead with this ballot, from this slot on?
        PROMISE,  ///< yes; accepted: the ballot of what I have accepted in the slot, or 0
        ACCEPT,   ///< take this value
        ACCEPTED, ///< I have
        LEARN,    ///< it is decided
    };

    std::uint32_t kind;
    std::uint32_t parts; ///< PROMISE: messages of this answer, one for each slot
    std::uint64_t ballot;
    std::uint64_t slot;
    std::uint64_t accepted;
    std::uint64_t value;
};

/// What both kinds of Paxos have in common: ballots, quorums, decisions.
class PaxosProcess : public TypedProtocol<PaxosMessage>
{
  public:
    using TypedProtocol::OnMessage;

    /// Parameter: timeout-us (10000 and 100 for each node).
    PaxosProcess(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnMessage(Rank from, const PaxosMessage& message) override;

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

    /// A majority, unless a test wants less.
    virtual Rank Quorum() const
    {
        return MajorityOf(Size());
    }

    /// @p from has answered. @return whether @p answers are a quorum
    bool IsQuorumWith(Rank from, std::set<Rank>& answers) const;

    /// A higher ballot of this process than any it has seen.
    std::uint64_t NextBallot();

    /// The value that this process would have in a slot.
    std::uint64_t Own(std::uint64_t slot) const
    {
        return slot * Size() + Self() + 1;
    }

    /// Tells all others, and decides.
    void Learn(std::uint64_t slot, std::uint64_t value);

    /// Decides a slot; again, it has no effect unless the value differs.
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

    std::uint64_t m_ballot{0};                    ///< of this proposer or leader
    std::uint64_t m_slot{0};                      ///< being asked for
    std::set<Rank> m_answers;                     ///< of the present phase
    std::map<std::uint64_t, Accepted> m_accepted; ///< by slot, of this acceptor

  private:
    Ps m_timeOut;
    std::uint64_t m_seen{0};                          ///< highest ballot seen
    std::map<std::uint64_t, std::uint64_t> m_decided; ///< value by slot
};

/**
 * @brief Lamport's synod: every process is acceptor and learner, the first `proposers` propose.
 *
 *     proposer: PREPARE --majority of PROMISE--> ACCEPT --majority of ACCEPTED--> LEARN
 *
 * Each round is one decree, decided on its own: 5 (N - 1) messages with one proposer (LEARN
 * included). A proposer that is not answered, or hears of a higher ballot, waits a random time and
 * tries again with a higher ballot. Safe under any crash, delay and loss; decides while a majority
 * answers. Parameters: proposers (1), timeout-us.
 * Source: Lamport, "The part-time parliament", ACM TOCS 16(2), 1998.
 */
class Paxos : public PaxosProcess
{
  public:
    Paxos(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnTimer(TimerId timer) override;

  protected:
    void OnPrepare(Rank from, const PaxosMessage& message) override;
    void OnPromise(Rank from, const PaxosMessage& message) override;
    void OnAccept(Rank from, const PaxosMessage& message) override;
    void OnAccepted(Rank from, const PaxosMessage& message) override;
    void OnLearn(const PaxosMessage& message) override;

  private:
    static constexpr TimerId TIME_OUT = 0;

    bool IsProposer() const
    {
        return Self() < m_proposers;
    }

    void Propose();
    void Ask();

    Rank m_proposers;
    bool m_asking{false}; ///< in the second phase
    std::uint64_t m_tries{0};
    std::uint64_t m_value{0};                          ///< asked for
    Accepted m_highest;                                ///< of the promises
    std::map<std::uint64_t, std::uint64_t> m_promised; ///< ballot by slot
};

/**
 * @brief Multi-decree Paxos: a leader prepares all slots at once, and then asks slot by slot.
 *
 * 2 (N - 1) messages to lead, then 3 (N - 1) for each slot: ACCEPT, ACCEPTED, LEARN. Process 0
 * leads first; who hears nothing of a leader for (1 + rank) time-outs tries to. Slots in which the
 * old leader may have left something are asked for again. Source: as Paxos; Lamport, "Paxos made
 * simple", ACM SIGACT News 32(4), 2001, section 3.
 * Parameters: timeout-us; proposers (all): so many of the first processes may lead.
 */
class MultiPaxos : public PaxosProcess
{
  public:
    MultiPaxos(WorkloadParameters& parameters, std::uint32_t nodes);

    /// Acceptors talk to proposers alone.
    std::vector<Rank> Targets() const override;
    void OnStart() override;
    void OnTimer(TimerId timer) override;

  protected:
    void OnPrepare(Rank from, const PaxosMessage& message) override;
    void OnPromise(Rank from, const PaxosMessage& message) override;
    void OnAccept(Rank from, const PaxosMessage& message) override;
    void OnAccepted(Rank from, const PaxosMessage& message) override;
    void OnLearn(const PaxosMessage& message) override;

  private:
    static constexpr TimerId LEADER = 0;

    void Lead();
    void AskNext();
    void GoOn();
    void WaitForLeader();

    Rank m_proposers;
    std::uint64_t m_promised{0}; ///< highest promised, for all slots
    bool m_leads{false};
    std::map<Rank, std::uint32_t> m_parts;     ///< of each promise that have come
    std::map<std::uint64_t, Accepted> m_found; ///< by slot, by the new leader
};

/// Both by name.
std::vector<ProtocolKind> PaxosKinds();

} // namespace via
} // namespace ns3

#endif // VIA_PAXOS_H
