/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raft: elections and a replicated log.

#ifndef VIA_RAFT_H
#define VIA_RAFT_H

#include "ns3/via-protocol-kind.h"

#include <set>

namespace ns3
{
namespace via
{

/// A message between servers.
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
    std::uint32_t granted; ///< APPEND: 1 if it contains an entry
    std::uint64_t term;
    std::uint64_t index;
    std::uint64_t entryTerm;
    std::uint64_t previousTerm;
    std::uint64_t value;
    std::uint64_t commit;
};

/**
 * @brief A leader, elected for a term, appends one value per round to all logs.
 *
 * Election: 2 (N - 1) messages. Round: 2 (N - 1) messages, APPEND and APPENDED; the next round or a
 * heartbeat announces the commit. A server that hears no leader for a random time of 1 to 2
 * `election-us` becomes a candidate. Each message carries at most one entry. Safe under any crash,
 * delay and loss; makes progress while a majority answers. Parameters: election-us (20000 and 200
 * for each node), heartbeat-us (a quarter of it). Timed from the leader's append until the last
 * process knows of the commit. Source: Ongaro & Ousterhout, "In search of an understandable
 * consensus algorithm", USENIX ATC 2014.
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

    /// Is a log that ends this way recent enough to get this process' vote?
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

    /// The leader's record of a peer.
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
    std::uint64_t m_drawn{0}; ///< number of random times drawn so far
    Rank m_votedFor;
    std::set<Rank> m_votes;
    std::vector<Entry> m_log; ///< from index 1; entry 0 is unused
    std::uint64_t m_commit{0};
    std::vector<Follower> m_followers;
};

/// By name.
std::vector<ProtocolKind> RaftKinds();

} // namespace via
} // namespace ns3

#endif // VIA_RAFT_H
