/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The part of a cluster that one rank simulates: the cables that leave it, and its results.

#ifndef VIA_RANK_CROSSINGS_H
#define VIA_RANK_CROSSINGS_H

#include "ns3/via-crossing.h"
#include "ns3/via-digest.h"
#include "ns3/via-rank-plan.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;
struct ClusterConfig;

/// What a rank is told when a cluster is built.
struct RankConfig
{
    RankPlan plan;
    CrossingCarrier* carrier{nullptr}; ///< must outlive the cluster
};

/**
 * @brief The crossings of a rank, numbered alike on all ranks: 2 for each cable of the topology,
 * whether it is cut or not; first from its end a.
 */
class RankCrossings
{
  public:
    /// @param first component number of crossing 0
    RankCrossings(const RankConfig& config, World& world, ComponentId first);

    /// The numbers that the agenda needs for @p topology.
    static ComponentId Count(const Topology& topology);

    /// The crossing in one direction of a cable, if it is cut and one of its ends is ours; or null.
    Crossing* Make(const Cable& cable, std::uint32_t index, Component& sender, Link& link);

    /// @throws ConfigError a cable between two ranks is too short to give a look-ahead
    void Check() const;

    /// A record for crossing @p index, see Crossing::Arrive.
    void Arrive(std::uint32_t index, bool towardsReceiver, Ps at, const CrossingRecord& record);

    /// Crossings between this rank and @p other, at least this long on the way; PS_NEVER: none.
    Ps LookaheadTo(std::uint32_t other) const;

    /// Ranks at the two ends of crossing @p index: the sender's, the receiver's.
    std::pair<std::uint32_t, std::uint32_t> EndsOf(std::uint32_t index) const
    {
        return m_ends[index];
    }

    const RankPlan& Plan() const
    {
        return m_config.plan;
    }

  private:
    RankConfig m_config;
    World& m_world;
    ComponentId m_first;
    std::vector<std::unique_ptr<Crossing>> m_crossings;           ///< by number; null: not cut
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_ends; ///< by number
};

/// @throws ConfigError something in @p cluster or its @p config does not run on several ranks yet
void RequireRanksCan(const Cluster& cluster, const ClusterConfig& config);

/// @throws ConfigError the workload @p name does not run on several ranks yet
void RequireRanksCan(const std::string& name, const std::map<std::string, std::string>& parameters);

/// Takes off the agenda what was planned for components of other ranks before time started.
void DropWorkOfOthers(Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_RANK_CROSSINGS_H
