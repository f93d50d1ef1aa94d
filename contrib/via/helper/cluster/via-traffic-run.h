/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raw traffic over a fabric of switches, without hosts: throughput, latency, and what was lost.

#ifndef VIA_TRAFFIC_RUN_H
#define VIA_TRAFFIC_RUN_H

#include "ns3/via-feedback.h"
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

/// What is to be simulated.
struct TrafficConfig
{
    std::string topology{"star"};
    std::uint32_t nodes{8};
    std::string profile{"giganet-clan1000"};
    std::map<std::string, std::string> overrides; ///< profile keys, as of ClusterConfig
    TrafficPlan plan;
    LinkLoss loss;         ///< of every wire
    bool slotted{false};   ///< all clocks in step: packets are born, and arrive, together
    bool reference{false}; ///< an event for each cell
};

/// What came out.
struct TrafficReport
{
    std::string topology;
    std::uint32_t nodes{0};
    std::uint64_t sent{0};      ///< cells
    std::uint64_t delivered{0}; ///< cells
    std::uint64_t dropped{0};   ///< cells, by switches
    std::uint64_t corrupt{0};   ///< cells, by wires
    std::uint64_t vanished{0};  ///< cells, by wires
    std::uint64_t disordered{0};
    std::uint64_t held{0};       ///< packets that waited at their end for one that left before
    std::uint64_t throughput{0}; ///< of the nodes' wires, in parts of 10^6, while measured
    std::vector<Ps> latencies;   ///< rising, of the packets born while measured
    std::uint64_t bound{0};      ///< of it, see ThroughputBound
    std::uint64_t hops{0};       ///< cells that switches sent on
    std::uint64_t packetHops{0}; ///< packets that switches sent on
    std::uint64_t events{0};
    std::uint64_t notices{0};  ///< that told a source of congestion
    std::uint64_t stalls{0};   ///< bursts that waited at an input for their turn
    std::uint32_t peakFill{0}; ///< of any port of a switch, cells
    Ps slot{0};                ///< ps
    Ps end{0};
    std::string digest;
};

/**
 * @brief The load at which the busiest wire of a fabric is full, in parts of 10^6.
 *
 * All sources of the pattern send the same. With gamma the packets that cross the busiest wire for
 * each packet of a source, it is 1 / gamma, times the share of the nodes that are sources. Paths
 * are those of the tables; where these leave a choice, their first.
 */
std::uint64_t ThroughputBound(const Topology& topology, const TrafficPlan& plan);

/**
 * @brief A fabric with a TrafficNode at the place of each host.
 *
 * Sources fall silent after the slots that are measured; then the fabric runs empty, and in every
 * build cells in = cells out + dropped for each switch, sent = delivered + dropped + spoiled for
 * all, and all credits are home.
 */
class TrafficRun
{
  public:
    /// @throws ConfigError what is wrong with @p config
    explicit TrafficRun(const TrafficConfig& config);

    /// As above, over a graph that was made elsewhere.
    TrafficRun(const TrafficConfig& config, Topology topology);

    ~TrafficRun();
    TrafficRun(const TrafficRun&) = delete;
    TrafficRun& operator=(const TrafficRun&) = delete;

    /// To the end.
    TrafficReport Run();

    Switch& SwitchAt(std::uint32_t i)
    {
        return *m_switches[i];
    }

    TrafficNode& NodeAt(std::uint32_t i)
    {
        return *m_nodes[i];
    }

    World& GetWorld()
    {
        return m_world;
    }

  private:
    void Build();
    void BuildFeedback();
    Link& LinkFrom(const Endpoint& end);
    void Plug(const Endpoint& from, const Endpoint& to, std::uint32_t lengthMm);
    TrafficReport Report();
    void CheckConservation(const TrafficReport& report);

    TrafficConfig m_config;
    ProviderProfile m_profile;
    Topology m_topology;
    Adjacency m_graph; ///< of m_topology
    World m_world;
    std::vector<std::unique_ptr<TrafficNode>> m_nodes;
    std::vector<std::unique_ptr<Switch>> m_switches;
    std::unique_ptr<Feedback> m_feedback;             ///< null: the product has none
    std::vector<std::unique_ptr<PairOrder>> m_orders; ///< of nodes, if packets may overtake
};

} // namespace via
} // namespace ns3

#endif // VIA_TRAFFIC_RUN_H
