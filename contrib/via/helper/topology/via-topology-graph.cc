/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Turns a graph with names into a topology with numbers, ports and routes.

#include "ns3/via-error.h"
#include "ns3/via-routing.h"
#include "ns3/via-topology-file.h"

#include <map>
#include <set>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_PORTS = 65535;

/// Numbers the names and connects the edges.
class Builder
{
  public:
    Builder(const GraphDescription& graph, std::uint32_t hosts, const std::string& name)
        : m_hosts(hosts)
    {
        m_topology.name = name;
        m_topology.family = "graph";
        m_topology.hosts = hosts;
        m_topology.switches.resize(graph.switches.size());
        m_taken.resize(graph.switches.size());
        Number(graph.hosts, false);
        Number(graph.switches, true);
        for (const GraphEdge& edge : graph.edges) // given ports first, then free ones
        {
            Take(EndOf(edge.a), edge.portA, edge);
            Take(EndOf(edge.b), edge.portB, edge);
        }
        for (const GraphEdge& edge : graph.edges)
        {
            Plug(edge);
        }
        for (std::size_t i = 0; i < m_taken.size(); ++i)
        {
            m_topology.switches[i].ports = m_taken[i].empty() ? 0 : *m_taken[i].rbegin() + 1;
        }
        RequireOneCableEach(graph);
    }

    Topology Result()
    {
        return std::move(m_topology);
    }

  private:
    [[noreturn]] void Refuse(const std::string& limit) const
    {
        throw ConfigError("--topology", m_topology.name, limit);
    }

    void Number(const std::vector<std::string>& names, bool isSwitch)
    {
        for (std::uint32_t i = 0; i < names.size(); ++i)
        {
            if (!m_ends.emplace(names[i], Endpoint{isSwitch, i, 0}).second)
            {
                Refuse("the name " + names[i] + " appears twice");
            }
        }
    }

    Endpoint EndOf(const std::string& name) const
    {
        const auto found = m_ends.find(name);
        if (found == m_ends.end())
        {
            Refuse("an edge ends at " + name + ", which is neither a host nor a switch");
        }
        return found->second;
    }

    void Take(const Endpoint& end, std::uint32_t port, const GraphEdge& edge)
    {
        if (!end.isSwitch && port != GraphEdge::ANY && port != 0)
        {
            Refuse("the edge of " + edge.a + " and " + edge.b + " has port " +
                   std::to_string(port) + " at a host, which has no ports to choose from");
        }
        if (!end.isSwitch || port == GraphEdge::ANY)
        {
            return;
        }
        if (port >= MOST_PORTS || !m_taken[end.index].insert(port).second)
        {
            Refuse("the edge of " + edge.a + " and " + edge.b + " has port " +
                   std::to_string(port) + ": taken before, or more than 65534");
        }
    }

    std::uint32_t PortOf(const Endpoint& end, std::uint32_t given)
    {
        if (!end.isSwitch || given != GraphEdge::ANY)
        {
            return end.isSwitch ? given : 0;
        }
        std::set<std::uint32_t>& taken = m_taken[end.index];
        std::uint32_t free = 0;
        while (!taken.insert(free).second)
        {
            ++free;
        }
        return free;
    }

    void Plug(const GraphEdge& edge)
    {
        CheckWire(edge.wire, "the edge of " + edge.a + " and " + edge.b, m_topology.name);
        Cable cable{EndOf(edge.a), EndOf(edge.b), edge.wire};
        if (cable.a.isSwitch == cable.b.isSwitch && cable.a.index == cable.b.index)
        {
            Refuse("an edge leads from " + edge.a + " to itself");
        }
        for (Endpoint* end : {&cable.a, &cable.b})
        {
            if (!end->isSwitch && end->index >= m_hosts)
            {
                return; // the cable of an absent host
            }
            if (!end->isSwitch)
            {
                ++m_cablesOf[end->index];
            }
        }
        cable.a.port = PortOf(cable.a, edge.portA);
        cable.b.port = PortOf(cable.b, edge.portB);
        m_topology.cables.push_back(cable);
    }

    void RequireOneCableEach(const GraphDescription& graph) const
    {
        for (std::uint32_t host = 0; host < m_hosts; ++host)
        {
            const auto found = m_cablesOf.find(host);
            const std::uint32_t count = found == m_cablesOf.end() ? 0 : found->second;
            if (count != 1)
            {
                Refuse("host " + graph.hosts[host] + " has " + std::to_string(count) +
                       " cables: a host can have only one");
            }
        }
    }

    std::uint32_t m_hosts;
    Topology m_topology;
    std::map<std::string, Endpoint> m_ends;
    std::vector<std::set<std::uint32_t>> m_taken;      ///< ports by switch
    std::map<std::uint32_t, std::uint32_t> m_cablesOf; ///< by host
};

} // namespace

Topology
FromGraph(const GraphDescription& graph, std::uint32_t hosts, const std::string& name)
{
    Topology topology = Builder(graph, hosts, name).Result();
    if (topology.switches.empty())
    {
        topology.routing = "shortest-path";
        return topology;
    }
    for (const Cable& cable : topology.cables)
    {
        if (!cable.a.isSwitch && !cable.b.isSwitch)
        {
            throw ConfigError("--topology",
                              name,
                              "two hosts on one cable must be the whole cluster, without switches");
        }
    }
    const std::uint32_t root = CentreOf(topology);
    return RouteUpDown(std::move(topology), root);
}

} // namespace via
} // namespace ns3
