/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raft: elections, and a replicated log.

#ifndef VIA_RAFT_H
#define VIA_RAFT_H

#include "ns3/via-protocol-kind.h"

#include <set>

namespace ns3
{
namespace via
{

/// What the servers of Raft tell each other.
struct RaftMessage
{
    enum Kind : std::uint32_t
    {
        REQUEST_VOTE, ///< index, entryTerm: of the candidate's last entry
        VOTE,         ///< granted: 1 for yes
        APPEND,       ///< index, previousTerm: of the entry before; then at most one entry
        APPENDED,     ///< granted: 1 for yes; index: up to which both logs agree
    };

    std::uint32_t kind;
    std::uint32_t granted; ///< APPEND: 1 if it brings an entry
    std::uint64_t term;
    std::uint64_t index;
    std::uint64_t entryTerm;
    std::uint64_t previousTerm;
    std::uint64_t value;
    std::uint64_t commit;
};

/**
 * @brief A leader, elected for a term, appends a value a round to the logs of all.
 *
 * Election: 2 (N - 1) messages. A round: APPEND and APPENDED, 2 (N - 1); the next one, or a
 * heartbeat, tells that it is committed. Nobody has to be told: who hears nothing of a leader for a
 * random time of 1 to 2 `election-us` becomes a candidate. Entries travel one in a message. Safe
 * under any crash, delay and loss; goes on while a majority answers. Parameters: election-us
 * (20000 and 200 for each node), heartbeat-us (a quarter of it). Timed from the leader's append to
 * the last process' knowledge that it is committed. Source: Ongaro & Ousterhout, "In search of an
 * understandable consensus algorithm", USENIX ATC 2014.
 */
class Raft : public TypedProtocol<RaftMessage>
{
  public:
    using TypedProtocol::OnMessage;

    Raft(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const RaftMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    virtual Rank Quorum() const
    {
        return MajorityOf(Size());
    }

    /// May a candidate whose log ends so have this process' vote?
    virtual bool IsUpToDate(std::uint64_t lastTerm, std::uint64_t lastIndex) const;

  private:
    static constexpr TimerId ELECTION = 0;
    static constexpr TimerId HEARTBEAT = 1;

    enum class Role
    {
        FOLLOWER,
        CANDIDATE,
        LEADER,
    };

    struct Entry
    {
        std::uint64_t term{0};
        std::uint64_t value{0};
    };

    /// What the leader knows of a peer.
    struct Follower
    {
        std::uint64_t next{1};
        std::uint64_t match{0};
    };

    void StepDown(std::uint64_t term);
    void ResetElection();
    void Campaign();
    void BecomeLeader();
    void AppendNew();
    void Replicate(Rank peer);
    void ReplicateToAll();
    void OnRequestVote(Rank from, const RaftMessage& message);
    void OnAppend(Rank from, const RaftMessage& message);
    void OnAppended(Rank from, const RaftMessage& message);
    void AdvanceCommit();
    void Apply(std::uint64_t commit);

    Ps m_election;
    Ps m_heartbeat;
    Role m_role{Role::FOLLOWER};
    std::uint64_t m_term{0};
    std::uint64_t m_drawn{0}; ///< random times so far
    Rank m_votedFor;
    std::set<Rank> m_votes;
    std::vector<Entry> m_log; ///< from index 1; entry 0 is nothing
    std::uint64_t m_commit{0};
    std::vector<Follower> m_followers;
};

/// By name.
std::vector<ProtocolKind> RaftKinds();

} // namespace via
} // namespace ns3

#endif // VIA_RAFT_H
