/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Computes the load that fills the busiest wire of a fabric under raw traffic.

#include "ns3/via-traffic-run.h"

#include <algorithm>
#include <iterator>
#include <map>
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

/// Loads are divided at each switch; this is 1.
constexpr std::uint64_t UNIT = std::uint64_t{1} << 20;

/// Packets on each wire that leaves a switch, for 10^6 packets of each source, in parts of UNIT.
class WireLoads
{
  public:
    explicit WireLoads(const Topology& topology)
        : m_topology(topology),
          m_adjacency(topology),
          m_loads(topology.switches.size()),
          m_inflows(topology.hosts)
    {
        for (std::size_t i = 0; i < m_loads.size(); ++i)
        {
            m_loads[i].resize(topology.switches[i].ports);
        }
    }

    void Add(NodeId from, const Share& share)
    {
        Endpoint at = m_adjacency.hosts[from];
        if (at.isSwitch && Table(at.index).selection == PortSelection::ADAPTIVE)
        {
            Inflow& inflow = m_inflows[share.first];
            if (inflow.empty() || inflow.back().first != at.index) // hosts of a switch are in a row
            {
                inflow.emplace_back(at.index, 0);
            }
            inflow.back().second += share.second * UNIT;
            return;
        }
        while (at.isSwitch)
        {
            const std::uint32_t port = PortOf(at.index, from, share.first);
            m_loads[at.index][port] += share.second * UNIT;
            at = m_adjacency.switches[at.index][port];
        }
    }

    std::uint64_t Busiest()
    {
        SpreadAll();
        std::uint64_t most = TrafficPlan::ALL * UNIT; // the sources' own wires
        for (const auto& one : m_loads)
        {
            most = std::max(most, *std::max_element(one.begin(), one.end()));
        }
        return most / UNIT;
    }

  private:
    /// What comes to which switch.
    using Inflow = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

    const RouteTable& Table(std::uint32_t index) const
    {
        return m_topology.switches[index].table;
    }

    std::uint32_t PortOf(std::uint32_t index, NodeId from, NodeId to) const
    {
        const RouteTable& table = Table(index);
        const Route& route = table.To(to);
        if (route.choice == 0 || table.selection != PortSelection::FLOW_HASH)
        {
            return route.port;
        }
        const std::vector<std::uint16_t>& ports = table.choices[route.choice - 1];
        const std::uint32_t at = m_topology.hosts + index; // as TrafficRun numbers its components
        return ports[RouteTable::HashedChoice(from, to, at, ports.size())];
    }

    /// Sends what is left to be sent; each switch spreads it evenly over its choices.
    void SpreadAll()
    {
        for (NodeId to = 0; to < m_topology.hosts; ++to)
        {
            // the farthest switch first: all that it sends to that host has arrived by then
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> inflow;
            for (const auto& [index, load] : std::exchange(m_inflows[to], {}))
            {
                inflow[{HopsTo(to, index), index}] += load;
            }
            while (!inflow.empty())
            {
                const auto farthest = std::prev(inflow.end());
                const auto [place, load] = *farthest;
                inflow.erase(farthest);
                for (const auto& [next, part] : Spread(place.second, to, load))
                {
                    inflow[{HopsTo(to, next), next}] += part;
                }
            }
        }
    }

    std::uint32_t HopsTo(NodeId to, std::uint32_t index) const
    {
        return m_topology.HopsFromSwitch(m_adjacency, index, to);
    }

    /// Sends @p load of switch @p index for @p to. @return what arrives at which other switch
    Inflow Spread(std::uint32_t index, NodeId to, std::uint64_t load)
    {
        const RouteTable& table = Table(index);
        const Route& route = table.To(to);
        const std::vector<std::uint16_t> only{route.port};
        const auto& ports = route.choice == 0 ? only : table.choices[route.choice - 1];
        Inflow arrivals;
        for (const std::uint16_t port : ports)
        {
            m_loads[index][port] += load / ports.size();
            const Endpoint next = m_adjacency.switches[index][port];
            if (next.isSwitch)
            {
                arrivals.emplace_back(next.index, load / ports.size());
            }
        }
        return arrivals;
    }

    const Topology& m_topology;
    Adjacency m_adjacency;
    std::vector<std::vector<std::uint64_t>> m_loads;
    std::vector<Inflow> m_inflows; ///< of switches that spread it, for each host
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
