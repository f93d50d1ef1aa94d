/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raw traffic over a fabric for Python.

#include "via-bindings.h"

#include "ns3/via-traffic-run.h"

#include <cstdint>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <string>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

py::array_t<std::int64_t>
Latencies(const TrafficReport& report)
{
    return py::array_t<std::int64_t>(static_cast<py::ssize_t>(report.latencies.size()),
                                     report.latencies.data());
}

TrafficReport
RunTraffic(const TrafficConfig& config)
{
    const py::gil_scoped_release free;
    return TrafficRun(config).Run();
}

void
SetPattern(TrafficConfig& config, const std::string& pattern)
{
    config.plan.pattern = ParseTrafficPattern(pattern);
}

void
BindTrafficConfig(py::module_& module)
{
    py::class_<TrafficConfig>(module, "TrafficConfig")
        .def(py::init<>())
        .def_readwrite("topology", &TrafficConfig::topology)
        .def_readwrite("nodes", &TrafficConfig::nodes)
        .def_readwrite("profile", &TrafficConfig::profile)
        .def_readwrite("overrides", &TrafficConfig::overrides)
        .def_readwrite("slotted", &TrafficConfig::slotted)
        .def_readwrite("reference", &TrafficConfig::reference)
        .def("set_pattern", &SetPattern)
        .def("set_load", [](TrafficConfig& c, std::uint64_t load) { c.plan.load = load; })
        .def("set_hot_share",
             [](TrafficConfig& c, std::uint64_t share) { c.plan.hotShare = share; })
        .def("set_packet_cells", [](TrafficConfig& c, std::uint32_t n) { c.plan.packetCells = n; })
        .def("set_slots",
             [](TrafficConfig& c, std::uint64_t warmUp, std::uint64_t slots) {
                 c.plan.warmUpSlots = warmUp;
                 c.plan.slots = slots;
             })
        .def("set_seed", [](TrafficConfig& c, std::uint64_t seed) { c.plan.seed = seed; })
        .def("set_vanish", [](TrafficConfig& c, std::uint64_t vanish) { c.loss.vanish = vanish; });
}

} // namespace

void
BindTraffic(py::module_& module)
{
    BindTrafficConfig(module);
    py::class_<TrafficReport>(module, "TrafficReport")
        .def_readonly("topology", &TrafficReport::topology)
        .def_readonly("nodes", &TrafficReport::nodes)
        .def_readonly("sent", &TrafficReport::sent)
        .def_readonly("delivered", &TrafficReport::delivered)
        .def_readonly("dropped", &TrafficReport::dropped)
        .def_readonly("spoiled", &TrafficReport::spoiled)
        .def_readonly("vanished", &TrafficReport::vanished)
        .def_readonly("disordered", &TrafficReport::disordered)
        .def_readonly("held", &TrafficReport::held)
        .def_readonly("throughput", &TrafficReport::throughput)
        .def_readonly("bound", &TrafficReport::bound)
        .def_readonly("hops", &TrafficReport::hops)
        .def_readonly("packet_hops", &TrafficReport::packetHops)
        .def_readonly("events", &TrafficReport::events)
        .def_readonly("notices", &TrafficReport::notices)
        .def_readonly("stalls", &TrafficReport::stalls)
        .def_readonly("peak_fill", &TrafficReport::peakFill)
        .def_readonly("slot_ps", &TrafficReport::slot)
        .def_readonly("end_ps", &TrafficReport::end)
        .def_readonly("digest", &TrafficReport::digest)
        .def_property_readonly("latencies", &Latencies);
    module.def("run_traffic", &RunTraffic);
}

} // namespace via
} // namespace ns3
