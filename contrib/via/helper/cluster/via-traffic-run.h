/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raw traffic over a fabric of switches without hosts: throughput, latency and losses.

#ifndef VIA_TRAFFIC_RUN_H
#define VIA_TRAFFIC_RUN_H

#include "ns3/via-congestion-notices.h"
#include "ns3/via-pair-order.h"
#include "ns3/via-switch.h"
#include "ns3/via-topology.h"
#include "ns3/via-traffic.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Configuration of a run.
struct TrafficConfig
{
    std::string topology{"star"};
    std::uint32_t nodes{8};
    std::string profile{"giganet-clan1000"};
    std::map<std::string, std::string> overrides; ///< profile keys, as in ClusterConfig
    TrafficPlan plan;
    LinkLoss loss;         ///< of every wire
    bool slotted{false};   ///< all clocks in phase: packets start and arrive together
    bool reference{false}; ///< one event per cell
};

/// Result of a run.
struct TrafficReport
{
    std::string topology;
    std::uint32_t nodes{0};
    std::uint64_t sent{0};      ///< cells
    std::uint64_t delivered{0}; ///< cells
    std::uint64_t dropped{0};   ///< cells, by switches
    std::uint64_t spoiled{0};   ///< cells that arrived damaged or did not arrive, because of wires
    std::uint64_t corrupt{0};   ///< cells, by wires; one may be corrupt on several
    std::uint64_t vanished{0};  ///< cells, by wires
    std::uint64_t disordered{0};
    std::uint64_t held{0};       ///< packets that waited at the receiver for an earlier one
    std::uint64_t throughput{0}; ///< share of the nodes' wires, parts of 10^6, while measured
    std::vector<Ps> latencies;   ///< ascending, of packets that started while measured
    std::uint64_t bound{0};      ///< of the throughput, see ThroughputBound
    std::uint64_t hops{0};       ///< cells forwarded by switches
    std::uint64_t packetHops{0}; ///< packets forwarded by switches
    std::uint64_t events{0};
    std::uint64_t notices{0};  ///< congestion notices to sources
    std::uint64_t stalls{0};   ///< cells that waited at an input
    std::uint32_t peakFill{0}; ///< of any switch port, cells
    Ps slot{0};                ///< length of a slot
    Ps end{0};
    std::string digest;
};

/**
 * @brief The load that fills the busiest wire of a fabric, in parts of 10^6.
 *
 * All sources of the pattern send at the same rate. Let gamma be the packets on the busiest wire
 * per packet of a source: the bound is 1 / gamma, times the share of nodes that are sources. Paths
 * follow the tables; where these leave a choice, the first.
 */
std::uint64_t ThroughputBound(const Topology& topology, const TrafficPlan& plan);

/**
 * @brief A fabric with a TrafficNode in place of each host.
 *
 * Sources stop after the measured slots; then the fabric drains. Every build checks that cells in =
 * cells out + dropped for each switch, that sent = delivered + dropped + spoiled in total, and that
 * all credits have returned.
 */
class TrafficRun
{
  public:
    /// @throws ConfigError if @p config is wrong
    explicit TrafficRun(const TrafficConfig& config);

    /// As above, over a given graph.
    TrafficRun(const TrafficConfig& config, Topology topology);

    ~TrafficRun();
    TrafficRun(const TrafficRun&) = delete;
    TrafficRun& operator=(const TrafficRun&) = delete;

    /// Runs to the end.
    TrafficReport Run();

    TrafficNode& NodeAt(std::uint32_t i)
    {
        return *m_nodes[i];
    }

    /// Null: the product has none.
    const CongestionNotices* GetCongestionNotices() const
    {
        return m_congestionNotices.get();
    }

    World& GetWorld()
    {
        return m_world;
    }

  private:
    void Build();
    void BuildFeedback();
    Link& LinkFrom(const Endpoint& end);
    void Plug(const Endpoint& from, const Endpoint& to, Ps flight);
    TrafficReport Report();
    void CheckConservation(const TrafficReport& report);

    TrafficConfig m_config;
    ProviderProfile m_profile;
    Topology m_topology;
    Adjacency m_graph; ///< of m_topology
    World m_world;
    std::vector<std::unique_ptr<TrafficNode>> m_nodes;
    std::vector<std::unique_ptr<Switch>> m_switches;
    std::unique_ptr<CongestionNotices> m_congestionNotices; ///< null: the product has none
    std::vector<std::unique_ptr<PairOrder>> m_orders;       ///< by node, if packets may overtake
};

} // namespace via
} // namespace ns3

#endif // VIA_TRAFFIC_RUN_H
