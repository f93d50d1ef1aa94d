/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies for Python: the graph, its routes, and their deadlock check.

#include "via-bindings.h"
#include "via-watched.h"

#include "ns3/via-channel-graph.h"
#include "ns3/via-routing.h"
#include "ns3/via-topology-file.h"
#include "ns3/via-topology-json.h"

#include <algorithm>
#include <map>
#include <memory>
#include <pybind11/stl.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// The name of a cable's end: "n3" for a host, "s0.5" for port 5 of a switch.
std::string
EndName(const Endpoint& end)
{
    return end.isSwitch ? "s" + std::to_string(end.index) + "." + std::to_string(end.port)
                        : "n" + std::to_string(end.index);
}

std::vector<std::uint32_t>
SwitchPorts(const Topology& topology)
{
    std::vector<std::uint32_t> ports;
    for (const SwitchShape& shape : topology.switches)
    {
        ports.push_back(shape.ports);
    }
    return ports;
}

std::vector<std::pair<std::string, std::string>>
CableNames(const Topology& topology)
{
    std::vector<std::pair<std::string, std::string>> names;
    for (const Cable& cable : topology.cables)
    {
        names.emplace_back(EndName(cable.a), EndName(cable.b));
    }
    return names;
}

/// One attribute of each cable, by its name; 0: the profile's.
std::map<std::string, std::vector<std::uint32_t>>
Wires(const Topology& topology)
{
    std::map<std::string, std::vector<std::uint32_t>> wires;
    for (const WireSpec::Attribute& one : WireSpec::Attributes())
    {
        std::vector<std::uint32_t>& column = wires[one.name];
        for (const Cable& cable : topology.cables)
        {
            column.push_back(cable.wire.*one.field);
        }
    }
    return wires;
}

std::map<std::string, std::uint32_t>
MostOfWires()
{
    std::map<std::string, std::uint32_t> most;
    for (const WireSpec::Attribute& one : WireSpec::Attributes())
    {
        most[one.name] = one.most;
    }
    return most;
}

std::vector<std::vector<std::uint32_t>>
Places(const Topology& topology)
{
    std::vector<std::vector<std::uint32_t>> places;
    for (const SwitchShape& shape : topology.switches)
    {
        places.push_back(shape.place);
    }
    return places;
}

void
CheckIndex(const char* what, std::size_t index, std::size_t count)
{
    if (index >= count)
    {
        throw py::index_error(std::string(what) + " are 0 to " + std::to_string(count - 1));
    }
}

std::uint32_t
HopsBetween(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
    CheckIndex("hosts", std::max(from, to), topology.hosts);
    return topology.Hops(from, to);
}

std::vector<std::uint32_t>
HopsFrom(const Topology& topology, std::uint32_t from)
{
    CheckIndex("hosts", from, topology.hosts);
    const Adjacency graph(topology);
    std::vector<std::uint32_t> hops;
    for (std::uint32_t to = 0; to < topology.hosts; ++to)
    {
        hops.push_back(topology.Hops(graph, from, to));
    }
    return hops;
}

using RouteRow = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint16_t>>;

/// For each host: port, lane, and alternative ports.
std::vector<RouteRow>
RoutesOf(const Topology& topology, std::uint32_t one)
{
    CheckIndex("switches", one, topology.switches.size());
    const RouteTable& table = topology.switches[one].table;
    std::vector<RouteRow> rows;
    for (const Route& route : table.All())
    {
        rows.emplace_back(route.port,
                          route.lane,
                          route.choice == 0 ? std::vector<std::uint16_t>{route.port}
                                            : table.choices[route.choice - 1]);
    }
    return rows;
}

std::vector<std::string>
CycleNames(const Topology& topology)
{
    std::vector<std::string> names;
    for (const WireLane& channel : ChannelGraph(topology).Cycle())
    {
        names.push_back(channel.Name());
    }
    return names;
}

/// Ends, ports (-1: any free one), attributes by name.
using EdgeRow =
    std::tuple<std::string, std::string, int, int, std::map<std::string, std::uint32_t>>;

WireSpec
WireOf(const std::map<std::string, std::uint32_t>& attributes)
{
    WireSpec wire;
    for (const WireSpec::Attribute& one : WireSpec::Attributes())
    {
        const auto found = attributes.find(one.name);
        wire.*one.field = found == attributes.end() ? 0 : found->second;
    }
    return wire;
}

/// The same topology with other wires. @param wires attributes by number of the cable
Topology
WithWires(Topology topology,
          const std::map<std::uint32_t, std::map<std::string, std::uint32_t>>& wires,
          const std::string& name)
{
    topology.name = name;
    for (const auto& [index, attributes] : wires)
    {
        Cable& cable = topology.cables.at(index);
        cable.wire = WireOf(attributes);
        CheckWire(cable.wire,
                  "the cable of " + EndName(cable.a) + " and " + EndName(cable.b),
                  name);
    }
    return topology;
}

Topology
TopologyFromGraph(const std::vector<std::string>& hosts,
                  const std::vector<std::string>& switches,
                  const std::vector<EdgeRow>& edges,
                  const std::string& name,
                  const std::string& routing,
                  bool mayDeadlock)
{
    GraphDescription graph{hosts, switches, {}};
    for (const auto& [a, b, portA, portB, attributes] : edges)
    {
        graph.edges.push_back({a,
                               b,
                               portA < 0 ? GraphEdge::ANY : static_cast<std::uint32_t>(portA),
                               portB < 0 ? GraphEdge::ANY : static_cast<std::uint32_t>(portB),
                               WireOf(attributes)});
    }
    return WithRouting(FromGraph(graph, static_cast<std::uint32_t>(hosts.size()), name),
                       routing,
                       mayDeadlock);
}

} // namespace

void
BindTopology(py::module_& module)
{
    module.attr("MOST_HOSTS") = MOST_HOSTS;
    module.attr("MOST_OF_WIRES") = MostOfWires();
    py::class_<Topology, std::shared_ptr<Topology>>(module, "Topology")
        .def_readonly("name", &Topology::name)
        .def_readonly("family", &Topology::family)
        .def_readonly("routing", &Topology::routing)
        .def_readonly("hosts", &Topology::hosts)
        .def_readonly("lanes", &Topology::lanes)
        .def_readonly("rails", &Topology::rails)
        .def_readonly("bisection", &Topology::bisection)
        .def_property_readonly("switch_ports", &SwitchPorts)
        .def_property_readonly("cables", &CableNames)
        .def_property_readonly("wires", &Wires)
        .def_property_readonly("places", &Places)
        .def("hops", &HopsBetween, py::arg("source"), py::arg("destination"))
        .def("hops_from", &HopsFrom, py::arg("source"))
        .def("routes", &RoutesOf, py::arg("switch"))
        .def("diameter", &DiameterOf)
        .def("cycle", &CycleNames);

    module.def(
        "parse_topology",
        [](const std::string& text, std::uint32_t hosts, const ProviderProfile& profile) {
            return MakeWatched([&] { return ParseTopology(text, hosts, profile); });
        },
        py::arg("text"),
        py::arg("hosts"),
        py::arg("profile"));
    module.def("topology_to_json", &TopologyToJson, py::arg("topology"));
    module.def("with_rails", &WithRails, py::arg("topology"), py::arg("rails"));
    module.def("with_wires", &WithWires, py::arg("topology"), py::arg("wires"), py::arg("name"));
    module.def("topology_from_graph",
               &TopologyFromGraph,
               py::arg("hosts"),
               py::arg("switches"),
               py::arg("edges"),
               py::arg("name"),
               py::arg("routing"),
               py::arg("may_deadlock"));
}

} // namespace via
} // namespace ns3
