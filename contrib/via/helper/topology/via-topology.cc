/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology: hosts, switches, cables, and the routes of each switch.

#include "via-topology.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace via
{

const std::vector<WireSpec::Attribute>&
WireSpec::Attributes()
{
    static const std::vector<Attribute> all{
        {"length_mm", &WireSpec::lengthMm, 999'999'999},
        {"latency_ns", &WireSpec::latencyNs, 999'999'999},
        {"rate_mbit_s", &WireSpec::rateMbitS, 1'000'000},
        {"wires", &WireSpec::wires, 4},
        {"cells", &WireSpec::cells, 65'535},
    };
    return all;
}

void
CheckWire(const WireSpec& wire, const std::string& whose, const std::string& topology)
{
    for (const WireSpec::Attribute& one : WireSpec::Attributes())
    {
        if (wire.*one.field > one.most)
        {
            throw ConfigError("--topology",
                              topology,
                              one.name + (" of " + whose) + " is " +
                                  std::to_string(wire.*one.field) + ": at most " +
                                  std::to_string(one.most));
        }
    }
    if (wire.lengthMm > 0 && wire.latencyNs > 0)
    {
        throw ConfigError("--topology",
                          topology,
                          whose + " has length_mm and latency_ns: one of them is the flight time");
    }
}

Adjacency::Adjacency(const Topology& topology)
    : switches(topology.switches.size()),
      hosts(topology.hosts)
{
    for (std::size_t i = 0; i < switches.size(); ++i)
    {
        switches[i].resize(topology.switches[i].ports);
    }
    const auto plug = [this](const Endpoint& end, const Endpoint& other) {
        if (end.isSwitch)
        {
            switches[end.index][end.port] = other;
        }
        else if (end.port == 0)
        {
            hosts[end.index] = other;
        }
    };
    for (const Cable& cable : topology.cables)
    {
        plug(cable.a, cable.b);
        plug(cable.b, cable.a);
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
Topology::LeastRoom() const
{
    std::uint32_t least = UINT32_MAX;
    for (const Cable& cable : cables)
    {
        least = cable.wire.cells > 0 ? std::min(least, cable.wire.cells) : least;
    }
    return least;
}

std::uint32_t
Topology::Hops(std::uint32_t from, std::uint32_t to) const
{
    return Hops(Adjacency(*this), from, to);
}

std::uint32_t
Topology::Hops(const Adjacency& graph, std::uint32_t from, std::uint32_t to) const
{
    const Endpoint& first = graph.hosts[from];
    if (first.isSwitch)
    {
        return HopsFromSwitch(graph, first.index, to);
    }
    NS_ABORT_MSG_IF(from != to && first.index != to, "no path from host " << from << " to " << to);
    return 0;
}

void
Topology::ForEachHop(const Adjacency& graph,
                     std::uint32_t from,
                     std::uint32_t to,
                     const std::function<void(const Endpoint& out)>& visit) const
{
    std::uint32_t hops = 0;
    Endpoint at{true, from, 0};
    while (at.isSwitch)
    {
        ++hops;
        NS_ABORT_MSG_IF(hops > switches.size(), "the routes of " << name << " contain a loop");
        const RouteTable& table = switches[at.index].table;
        NS_ABORT_MSG_IF(!table.Has(to), "a switch of " << name << " has no route to host " << to);
        at.port = table.To(to).port;
        visit(at);
        at = graph.switches[at.index][at.port];
    }
    NS_ABORT_MSG_IF(at.index != to, "the routes of " << name << " lead to the wrong host");
}

std::uint32_t
Topology::HopsFromSwitch(const Adjacency& graph, std::uint32_t from, std::uint32_t to) const
{
    std::uint32_t hops = 0;
    ForEachHop(graph, from, to, [&hops](const Endpoint&) { ++hops; });
    return hops;
}

std::vector<std::shared_ptr<const std::vector<std::uint8_t>>>
SwitchesAhead(const Topology& topology, const Adjacency& graph)
{
    std::vector<std::shared_ptr<const std::vector<std::uint8_t>>> ahead(topology.switches.size());
    std::map<std::vector<std::uint8_t>, std::uint32_t> known; // to the first switch that has it
    for (std::uint32_t one = 0; one < topology.switches.size(); ++one)
    {
        const std::uint32_t first = one % topology.PlaneSize(); // all planes are identical
        std::vector<std::uint8_t> hops(topology.hosts);
        for (std::uint32_t to = 0; to < topology.hosts; ++to)
        {
            const bool isKnown = topology.switches[one].table.Has(to);
            const std::uint32_t count = isKnown ? topology.HopsFromSwitch(graph, first, to) : 0;
            if (count > UINT8_MAX)
            {
                throw ConfigError("link.route_bytes",
                                  "a path of " + std::to_string(count) + " switches",
                                  "a source route holds at most 255");
            }
            hops[to] = static_cast<std::uint8_t>(count);
        }
        const auto [same, isNew] = known.emplace(std::move(hops), one);
        ahead[one] = isNew ? std::make_shared<const std::vector<std::uint8_t>>(same->first)
                           : ahead[same->second];
    }
    return ahead;
}

Topology
WithRails(Topology topology, std::uint32_t rails)
{
    if (rails < 1 || rails > MOST_RAILS || (rails > 1 && topology.rails > 1))
    {
        throw ConfigError("rails",
                          std::to_string(rails),
                          "1 to " + std::to_string(MOST_RAILS) +
                              " planes, of a topology with one plane");
    }
    const std::vector<SwitchShape> plane = topology.switches;
    const std::vector<Cable> cables = topology.cables;
    const auto shift = [&plane](Endpoint end, std::uint32_t rail) {
        (end.isSwitch ? end.index : end.port) +=
            end.isSwitch ? rail * static_cast<std::uint32_t>(plane.size()) : rail;
        return end;
    };
    for (std::uint32_t rail = 1; rail < rails; ++rail)
    {
        topology.switches.insert(topology.switches.end(), plane.begin(), plane.end());
        for (const Cable& cable : cables)
        {
            topology.cables.push_back({shift(cable.a, rail), shift(cable.b, rail), cable.wire});
        }
    }
    topology.name += rails > 1 ? ",rails=" + std::to_string(rails) : "";
    topology.rails *= rails;
    topology.bisection *= rails;
    return topology;
}

} // namespace via
} // namespace ns3
