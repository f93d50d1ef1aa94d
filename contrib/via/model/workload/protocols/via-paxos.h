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
    std::uint32_t last; ///< PROMISE: slots told of in this answer that still follow
    std::uint64_t ballot;
    std::uint64_t slot;
    std::uint64_t accepted;
    std::uint64_t value;
};

/**
 * @brief Lamport's synod: every process is acceptor and learner, the first `proposers` propose.
 *
 *     proposer: PREPARE --majority of PROMISE--> ACCEPT --majority of ACCEPTED--> LEARN
 *
 * Each round is one decree, decided on its own: 5 (N - 1) messages with one proposer (LEARN
 * included). A proposer that is not answered, or hears of a higher ballot, waits a random time and
 * tries again with a higher ballot. Safe under any crash, delay and loss; decides while a majority
 * answers. Parameters: proposers (1), timeout-us (10000 and 100 for each node).
 * Source: Lamport, "The part-time parliament", ACM TOCS 16(2), 1998.
 */
class Paxos : public TypedProtocol<PaxosMessage>
{
  public:
    using TypedProtocol::OnMessage;

    Paxos(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const PaxosMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    static constexpr TimerId TIME_OUT = 0;

    /// What an acceptor remembers of a slot.
    struct Accepted
    {
        std::uint64_t ballot{0};
        std::uint64_t value{0};
    };

    /// A majority, unless a test wants less.
    virtual Rank Quorum() const
    {
        return MajorityOf(Size());
    }

    /// What to ask for, having heard what was accepted before: a proposer is not free.
    virtual std::uint64_t Choose(const Accepted& highest, std::uint64_t own) const
    {
        return highest.ballot > 0 ? highest.value : own;
    }

    bool IsProposer() const
    {
        return Self() < m_proposers;
    }

    /// Decides a slot; again, it has no effect unless the value differs.
    void Decide(std::uint64_t slot, std::uint64_t value);

    bool HasDecided(std::uint64_t slot) const
    {
        return m_decided.count(slot) > 0;
    }

    /// The value that this process would have in a slot.
    std::uint64_t Own(std::uint64_t slot) const
    {
        return slot * Size() + Self() + 1;
    }

    /// A higher ballot of this process than any it has seen.
    std::uint64_t NextBallot();

    std::uint64_t m_slot{0};   ///< being proposed
    std::uint64_t m_ballot{0}; ///< of this proposer
    std::uint64_t m_seen{0};   ///< highest ballot seen
    std::set<Rank> m_promises;
    std::set<Rank> m_accepts;
    Accepted m_highest; ///< of the promises

  private:
    void Propose();
    void OnPrepare(Rank from, const PaxosMessage& message);
    void OnAccept(Rank from, const PaxosMessage& message);
    void OnPromise(Rank from, const PaxosMessage& message);
    void OnAccepted(Rank from, const PaxosMessage& message);
    void Ask();
    void Learn(std::uint64_t slot, std::uint64_t value);

    Rank m_proposers;
    Ps m_timeOut;
    bool m_asking{false}; ///< in the second phase
    std::uint64_t m_tries{0};
    std::uint64_t m_value{0};                          ///< asked for
    std::map<std::uint64_t, std::uint64_t> m_promised; ///< ballot by slot
    std::map<std::uint64_t, Accepted> m_accepted;      ///< by slot
    std::map<std::uint64_t, std::uint64_t> m_decided;  ///< value by slot
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
class MultiPaxos : public TypedProtocol<PaxosMessage>
{
  public:
    using TypedProtocol::OnMessage;

    MultiPaxos(WorkloadParameters& parameters, std::uint32_t nodes);

    /// Acceptors talk to proposers alone.
    std::vector<Rank> Targets() const override;
    void OnStart() override;
    void OnMessage(Rank from, const PaxosMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    virtual Rank Quorum() const
    {
        return MajorityOf(Size());
    }

  private:
    static constexpr TimerId LEADER = 0;

    struct Accepted
    {
        std::uint64_t ballot{0};
        std::uint64_t value{0};
    };

    void Lead();
    void OnPrepare(Rank from, const PaxosMessage& message);
    void OnPromise(Rank from, const PaxosMessage& message);
    void OnAccept(Rank from, const PaxosMessage& message);
    void OnAccepted(Rank from, const PaxosMessage& message);
    void AskNext();
    void Decide(std::uint64_t slot, std::uint64_t value);
    void WaitForLeader();

    Ps m_timeOut;
    Rank m_proposers;
    std::uint64_t m_ballot{0};   ///< led with by this process
    std::uint64_t m_promised{0}; ///< highest promised, for all slots
    bool m_leads{false};
    std::uint64_t m_slot{0}; ///< the leader's; others: first undecided
    std::set<Rank> m_answers;
    std::map<std::uint64_t, Accepted> m_accepted; ///< by slot, of this acceptor
    std::map<std::uint64_t, Accepted> m_found;    ///< by slot, by the new leader
    std::map<std::uint64_t, std::uint64_t> m_decided;
};

/// Both by name.
std::vector<ProtocolKind> PaxosKinds();

} // namespace via
} // namespace ns3

#endif // VIA_PAXOS_H
