/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Computes the load that fills the busiest wire of a fabric under raw traffic.

#include "ns3/via-traffic-run.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

using Share = std::pair<NodeId, std::uint64_t>; // of 10^6 packets

/// The destinations of the packets of @p node.
std::vector<Share>
SharesOf(const TrafficPlan& plan, std::uint32_t node, std::uint32_t nodes)
{
    const bool isHot = plan.pattern == TrafficPattern::HOT_SPOT;
    if (!isHot && plan.pattern != TrafficPattern::UNIFORM &&
        plan.pattern != TrafficPattern::ALL_TO_ALL)
    {
        return {{plan.Destination(node, 0, nodes), TrafficPlan::ALL}};
    }
    const std::uint64_t hot = isHot && node != 0 ? plan.hotShare : 0;
    std::vector<Share> shares;
    for (NodeId other = 0; other < nodes; ++other)
    {
        if (other != node)
        {
            const std::uint64_t even = (TrafficPlan::ALL - hot) / (nodes - 1);
            shares.emplace_back(other, even + (other == 0 ? hot : 0));
        }
    }
    return shares;
}

/// Packets on each wire that leaves a switch, for 10^6 packets of each source.
class WireLoads
{
  public:
    explicit WireLoads(const Topology& topology)
        : m_topology(topology),
          m_adjacency(topology),
          m_loads(topology.switches.size())
    {
        for (std::size_t i = 0; i < m_loads.size(); ++i)
        {
            m_loads[i].resize(topology.switches[i].ports);
        }
    }

    void Add(NodeId from, const Share& share)
    {
        Endpoint at = m_adjacency.hosts[from];
        while (at.isSwitch)
        {
            const Route& route = m_topology.switches[at.index].table.To(share.first);
            m_loads[at.index][route.port] += share.second;
            at = m_adjacency.switches[at.index][route.port];
        }
    }

    std::uint64_t Busiest() const
    {
        std::uint64_t most = TrafficPlan::ALL; // the sources' own wires
        for (const auto& one : m_loads)
        {
            most = std::max(most, *std::max_element(one.begin(), one.end()));
        }
        return most;
    }

  private:
    const Topology& m_topology;
    Adjacency m_adjacency;
    std::vector<std::vector<std::uint64_t>> m_loads;
};

} // namespace

std::uint64_t
ThroughputBound(const Topology& topology, const TrafficPlan& plan)
{
    WireLoads loads(topology);
    std::uint64_t sources = 0;
    for (std::uint32_t node = 0; node < topology.hosts; ++node)
    {
        const std::vector<Share> shares = SharesOf(plan, node, topology.hosts);
        if (shares[0].first == node)
        {
            continue; // the diagonal of a transposition
        }
        ++sources;
        for (const Share& share : shares)
        {
            loads.Add(node, share);
        }
    }
    return TrafficPlan::ALL * TrafficPlan::ALL / loads.Busiest() * sources / topology.hosts;
}

} // namespace via
} // namespace ns3
