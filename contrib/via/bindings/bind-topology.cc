/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies for Python: the graph, to be looked at.

#include "via-bindings.h"

#include "ns3/via-topology.h"

#include <pybind11/stl.h>
#include <string>
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

std::uint32_t
HopsBetween(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
    if (from >= topology.hosts || to >= topology.hosts)
    {
        throw py::index_error("hosts are 0 to " + std::to_string(topology.hosts - 1));
    }
    return topology.Hops(from, to);
}

} // namespace

void
BindTopology(py::module_& module)
{
    py::class_<Topology>(module, "Topology")
        .def_readonly("name", &Topology::name)
        .def_readonly("hosts", &Topology::hosts)
        .def_property_readonly("switch_ports", &SwitchPorts)
        .def_property_readonly("cables", &CableNames)
        .def("hops", &HopsBetween, py::arg("source"), py::arg("destination"));

    module.def("parse_topology",
               &ParseTopology,
               py::arg("text"),
               py::arg("hosts"),
               py::arg("profile"));
}

} // namespace via
} // namespace ns3
