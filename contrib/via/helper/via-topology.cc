/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as a value: hosts, switches, cables, and the routes of each switch.

#include "via-topology.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace via
{

Adjacency::Adjacency(const Topology& topology)
    : switches(topology.switches.size()),
      hosts(topology.hosts)
{
    for (std::size_t i = 0; i < switches.size(); ++i)
    {
        switches[i].resize(topology.switches[i].ports);
    }
    for (const Cable& cable : topology.cables)
    {
        (cable.a.isSwitch ? switches[cable.a.index][cable.a.port] : hosts[cable.a.index]) = cable.b;
        (cable.b.isSwitch ? switches[cable.b.index][cable.b.port] : hosts[cable.b.index]) = cable.a;
    }
}

bool
Topology::MayOvertake() const
{
    return std::any_of(switches.begin(), switches.end(), [](const SwitchShape& one) {
        return one.table.HasChoices() && one.table.selection == PortSelection::ADAPTIVE;
    });
}

std::uint32_t
Topology::Hops(std::uint32_t from, std::uint32_t to) const
{
    return Hops(Adjacency(*this), from, to);
}

std::uint32_t
Topology::Hops(const Adjacency& graph, std::uint32_t from, std::uint32_t to) const
{
    std::uint32_t hops = 0;
    Endpoint at =
        from == to && !graph.hosts[from].isSwitch ? Endpoint{false, to, 0} : graph.hosts[from];
    while (at.isSwitch)
    {
        ++hops;
        NS_ABORT_MSG_IF(hops > switches.size(), "the routes of " << name << " run in a circle");
        at = graph.switches[at.index][switches[at.index].table.routes.at(to).port];
    }
    NS_ABORT_MSG_IF(at.index != to, "the routes of " << name << " lead to the wrong host");
    return hops;
}

} // namespace via
} // namespace ns3
