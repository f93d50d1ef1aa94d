/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ns-3 objects for Python, and the values of trace sources.

#include "via-bindings.h"
#include "via-ns3-access.h"

#include "ns3/via-run-report.h"

#include <pybind11/operators.h>

namespace py = pybind11;

namespace ns3
{
namespace via
{

void
BindNs3(py::module_& module)
{
    py::class_<Ns3Handle>(module, "Ns3Object")
        .def_property_readonly("type_name", &Ns3Handle::TypeName)
        .def("attributes", &Ns3Handle::Attributes)
        .def("trace_sources", &Ns3Handle::TraceSources)
        .def("get", &Ns3Handle::GetValue, py::arg("name"))
        .def("set", &Ns3Handle::SetValue, py::arg("name"), py::arg("value"))
        .def("connect", &Ns3Handle::Connect, py::arg("name"), py::arg("function"))
        .def("aggregated", &Ns3Handle::Aggregated)
        .def("__eq__", [](const Ns3Handle& one, const py::object& other) {
            return py::isinstance<Ns3Handle>(other) && one == other.cast<const Ns3Handle&>();
        });

    py::class_<MessageRow>(module, "TracedMessage")
        .def_readonly("src_rank", &MessageRow::sourceRank)
        .def_readonly("dst_rank", &MessageRow::destinationRank)
        .def_readonly("vi", &MessageRow::vi)
        .def_readonly("seq", &MessageRow::sequence)
        .def_readonly("op", &MessageRow::op)
        .def_readonly("bytes", &MessageRow::bytes)
        .def_readonly("dropped", &MessageRow::dropped)
        .def_readonly("posted_ps", &MessageRow::posted)
        .def_readonly("end_ps", &MessageRow::end);

    py::class_<TracedPacket>(module, "TracedPacket")
        .def_readonly("uid", &TracedPacket::uid)
        .def_property_readonly("data",
                               [](const TracedPacket& packet) { return py::bytes(packet.bytes); })
        .def("__len__", [](const TracedPacket& packet) { return packet.bytes.size(); });
}

} // namespace via
} // namespace ns3
