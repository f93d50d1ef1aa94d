/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies around one switch, or none: back-to-back, crossbar, star.

#include "ns3/via-error.h"
#include "ns3/via-topology-shapes.h"

namespace ns3
{
namespace via
{

Topology
BackToBack()
{
    Topology topology;
    topology.name = topology.family = "back-to-back";
    topology.hosts = 2;
    topology.cables = {{{false, 0, 0}, {false, 1, 0}}};
    topology.routing = "shortest-path";
    topology.bisection = 1;
    return topology;
}

Topology
Crossbar(std::uint32_t hosts)
{
    Topology topology;
    topology.name = topology.family = "crossbar";
    topology.hosts = hosts;
    topology.switches = {{hosts, {}, {0, 0}}};
    std::vector<Route> routes;
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        routes.push_back({static_cast<std::uint16_t>(host)});
        topology.cables.push_back({{false, host, 0}, {true, 0, host}});
    }
    topology.switches[0].table = RouteTable(routes);
    topology.routing = "shortest-path";
    topology.bisection = hosts / 2; // the cables of the smaller half's hosts
    return topology;
}

Topology
Star(std::uint32_t hosts, const std::vector<std::uint64_t>& portCounts)
{
    for (const std::uint64_t ports : portCounts)
    {
        if (hosts <= ports)
        {
            Topology topology = Crossbar(hosts);
            topology.name = topology.family = "star";
            topology.switches[0].ports = static_cast<std::uint32_t>(ports);
            return topology;
        }
    }
    const auto k = static_cast<std::uint32_t>(portCounts.back() / 2);
    if (k < 2) // no tree is possible
    {
        throw ConfigError("--topology",
                          "star",
                          "has room for " + std::to_string(portCounts.back()) + " nodes, not " +
                              std::to_string(hosts) +
                              ": a switch of the profile takes no more cables (switch.ports / "
                              "nic.ports), and a tree needs 4");
    }
    std::uint32_t n = 2;
    for (std::uint64_t room = std::uint64_t{k} * k; room < hosts; room *= k)
    {
        ++n;
    }
    Topology topology = FatTree(k, n, hosts);
    topology.name = "star";
    return topology;
}

} // namespace via
} // namespace ns3
