/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: heartbeats, regroup, global updates.

#ifndef VIA_MSCS_H
#define VIA_MSCS_H

#include "ns3/via-mscs-updater.h"
#include "ns3/via-protocol-kind.h"

#include <map>
#include <set>

namespace ns3
{
namespace via
{

/**
 * @brief Each node sends every other node a heartbeat in each interval.
 *
 * n (n - 1) messages in each interval: n (n - 1) / 1.2 s. A node that was silent for `missed`
 * intervals is suspected: 6 intervals of 1.2 s are 7.2 s. Nodes start at a random moment of the
 * first interval. Parameters: interval-us (1200000), missed (6). Rounds: intervals. Samples: one
 * per suspicion, from the last heartbeat heard to the suspicion. Source: Microsoft KB 892422.
 */
class MscsHeartbeat : public TypedProtocol<MscsMessage>
{
  public:
    using TypedProtocol::OnMessage;

    MscsHeartbeat(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const MscsMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// How long a peer may be silent.
    virtual Ps Patience() const;

  private:
    // a timer for each peer, by rank; its own is for the next heartbeat

    Ps m_interval;
    std::uint64_t m_missed;
    std::uint64_t m_beats{0};
    std::vector<Ps> m_heard; ///< by rank
};

/**
 * @brief Regroup: five stages; in each, every node sends its status to every other.
 *
 *     ACTIVATE -> CLOSING -> PRUNING -> CLEANUP 1 -> CLEANUP 2 -> stable: a new view
 *
 * A node advances when all members have reported the same stage of the same epoch: 5 n (n - 1)
 * messages. A node that does not answer within `patience` ticks is no member of the next epoch,
 * which begins with ACTIVATE. Members are the nodes heard in ACTIVATE; a node that finds a
 * disagreement begins again. The next ACTIVATE of a member that completed the regroup says so:
 * transports keep order only between two nodes, so it may overtake a third node's report of the
 * last stage. Parameters: tick-us (300000), patience (4). Rounds: regroups, one after the other.
 * Source: Vogels et al., "The design and architecture of the Microsoft Cluster Service", FTCS-28,
 * 1998; stages and tick are from memory (see published.csv), the message rule is ours.
 */
class MscsRegroup : public TypedProtocol<MscsMessage>
{
  public:
    using TypedProtocol::OnMessage;

    MscsRegroup(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const MscsMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    static constexpr std::uint32_t STAGES = 5;

    /// The view to install at the end.
    virtual std::uint64_t View() const
    {
        return HashOfMembers(m_members);
    }

  private:
    static constexpr TimerId PATIENCE = 0;

    void BeginEpoch(std::uint64_t epoch);
    void Tell();
    bool IsOver(const MscsMessage& message) const;
    bool IsAlone() const;
    void GoOn();
    void Stabilize();

    Ps m_patience;
    std::uint64_t m_epoch{0};
    std::uint32_t m_stage{0};
    std::uint64_t m_stable{0}; ///< number of completed regroups
    std::uint64_t m_ended{0};  ///< last completed epoch
    std::set<Rank> m_members;
    std::map<std::uint32_t, std::map<Rank, std::uint64_t>> m_heard; ///< by stage of this epoch
};

/**
 * @brief Global update: the locker first, then one member after the other, in order of seniority.
 *
 * See MscsUpdater for the messages: 2 n - 1, one after the other, so linear in n.
 * Parameters: writers (1: the youngest process; the w youngest), timeout-us (10000). Each writer
 * makes `rounds` updates. Samples: from the request to the unlock. Source: as MscsRegroup.
 */
class MscsGlobalUpdate : public MscsUpdater
{
  public:
    MscsGlobalUpdate(WorkloadParameters& parameters, std::uint32_t nodes);

    /// Members send only to the locker and to updaters.
    std::vector<Rank> Targets() const override;
    void OnStart() override;

  protected:
    void Apply(std::uint64_t number, std::uint64_t value) override;
    void OnSpread(std::uint64_t value) override;
    void OnUnlock() override;

  private:
    bool IsWriter(Rank rank) const
    {
        return rank + m_writers >= Size();
    }

    void Ask();
    void FinishIfComplete();

    Rank m_writers;
    std::uint64_t m_asked{0}; ///< number of updates that this writer requested
};

/// Only crashed processes are suspected.
std::string CheckSuspicions(const History& history);

/// The protocols of the cluster service by name.
std::vector<ProtocolKind> MscsKinds();

} // namespace via
} // namespace ns3

#endif // VIA_MSCS_H
