/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The part of a cluster that one rank simulates: the cables that leave it, and its results.

#ifndef VIA_RANK_CROSSINGS_H
#define VIA_RANK_CROSSINGS_H

#include "ns3/via-crossing.h"
#include "ns3/via-feedback.h"
#include "ns3/via-rank-plan.h"
#include "ns3/via-workload-ranks.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;
struct ClusterConfig;

/// Takes records to other ranks.
class RankSender
{
  public:
    virtual ~RankSender() = default;

    /**
     * @brief Takes @p record to rank @p rank, whole, and behind those that were sent there before
     * for the same @p index: RankCrossings::Arrive is to be called there 1 ps before @p at.
     */
    virtual void Send(std::uint32_t rank,
                      std::uint32_t index,
                      bool towardsReceiver,
                      Ps at,
                      const CrossingRecord& record) = 0;

    /// See WorkloadRanks.
    virtual std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) = 0;
};

/// What a rank is told when a cluster is built.
struct RankConfig
{
    RankPlan plan;
    RankSender* sender{nullptr}; ///< must outlive the cluster; null: there is but one rank
};

/**
 * @brief The crossings of a rank, numbered alike on all ranks: 2 for each cable of the topology,
 * the first one from its end a.
 *
 * All cables that have an end here are crossings, also those from this rank to itself: what is
 * known of the other end, and when, does not depend on where it is simulated. Behind the numbers
 * of crossings are those of hosts, for news of congestion, and those of hosts again, for news of
 * their processes.
 */
class RankCrossings final : public CrossingCarrier, public WorkloadRanks
{
  public:
    /// @param first component number of crossing 0
    RankCrossings(const RankConfig& config,
                  const Topology& topology,
                  World& world,
                  ComponentId first);

    /// The component numbers that the crossings of @p topology need.
    static ComponentId Count(const Topology& topology);

    /// The crossing in one direction of a cable; null if neither end is ours.
    Crossing* Make(std::uint32_t index, Component& sender, Link& link);

    /// Who is told of congestion: the hosts' sinks.
    void SetSinks(std::vector<Feedback::Sink> sinks);

    void Carry(std::uint32_t crossing,
               bool towardsReceiver,
               Ps at,
               const CrossingRecord& record) override;

    /// News for host @p source: at switch @p where its way to host @p destination is full.
    void Tell(NodeId source, std::uint32_t where, NodeId destination, Ps at);

    /// Some cable has that flight.
    void NoteFlight(Ps flight)
    {
        m_longest = std::max(m_longest, flight);
    }

    bool IsOurs(NodeId node) const override
    {
        return Plan().hosts[node] == Plan().self;
    }

    std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) override;

    void SetListener(AgendaTarget* listener) override
    {
        m_listener = listener;
    }

    void TellAll(NodeId node, Ps at, std::uint64_t data) override;

    /// @throws ConfigError a cable between two ranks is too short to give a look-ahead
    void Check() const;

    /// A record for crossing or host @p index, see Crossing::Arrive.
    void Arrive(std::uint32_t index, bool towardsReceiver, Ps at, const CrossingRecord& record);

    /// What leaves this rank is under way so long at least; PS_NEVER: nothing does.
    Ps Lookahead() const;

    /// Records that went to other ranks.
    std::uint64_t Sent() const
    {
        return m_sent;
    }

    const RankPlan& Plan() const
    {
        return m_config.plan;
    }

  private:
    void Send(std::uint32_t rank,
              std::uint32_t index,
              bool towardsReceiver,
              Ps at,
              const CrossingRecord& record);
    void ArriveCongestion(NodeId source, Ps at, const CrossingRecord& record);
    void ArriveWord(NodeId node, Ps at, const CrossingRecord& record);

    RankConfig m_config;
    const Topology& m_topology;
    World& m_world;
    ComponentId m_first;
    std::vector<std::unique_ptr<Crossing>> m_crossings; ///< by number; null: not on this rank
    std::vector<Feedback::Sink> m_sinks;                ///< by host
    AgendaTarget* m_listener{nullptr};                  ///< of the workload
    Ps m_longest{0};                                    ///< flight of all cables
    std::uint64_t m_sent{0};
};

/// @throws ConfigError something in @p cluster or its @p config does not run on several ranks yet
void RequireRanksCan(const Cluster& cluster, const ClusterConfig& config);

/// Takes off the agenda what was planned for components of other ranks before time started.
void DropWorkOfOthers(Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_RANK_CROSSINGS_H
