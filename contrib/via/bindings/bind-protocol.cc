/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The base class of protocols written in Python.

#include "via-bindings.h"
#include "via-protocol-await.h"

#include <array>
#include <memory>
#include <pybind11/stl.h>
#include <string>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr Ps LAST = PS_NEVER / 4; // no timer is set for longer: 26 days

PythonProtocol&
Running(const ProtocolSelf& self)
{
    if (self.process == nullptr)
    {
        throw py::value_error("this protocol is not running");
    }
    return *self.process;
}

Ps
DurationOf(const py::object& time, const char* option)
{
    const Ps duration =
        py::isinstance<py::str>(time)
            ? py::module_::import("via.units").attr("parse_time")(time, option).cast<Ps>()
            : time.cast<Ps>();
    if (duration < 0 || duration > LAST)
    {
        throw py::value_error("a time is 0 or more, and at most 26 days");
    }
    return duration;
}

py::object
Receive(const py::object& self, const py::object& source, const py::object& timeout)
{
    auto& owner = self.cast<ProtocolSelf&>();
    const PythonProtocol& process = Running(owner);
    Awaiting what{Awaiting::Kind::MESSAGE, ANYONE, PS_NEVER};
    if (!source.is_none())
    {
        what.source = source.cast<std::uint32_t>();
        process.CheckPeer(what.source);
    }
    else if (process.IsSelective())
    {
        throw py::value_error("a selective protocol says whose message it waits for");
    }
    if (!timeout.is_none())
    {
        what.duration = DurationOf(timeout, "timeout");
    }
    return py::reinterpret_steal<py::object>(ProtocolAwait::Make(self, owner, what));
}

py::object
Sleep(const py::object& self, const py::object& duration)
{
    auto& owner = self.cast<ProtocolSelf&>();
    Running(owner);
    return py::reinterpret_steal<py::object>(
        ProtocolAwait::Make(self,
                            owner,
                            {Awaiting::Kind::TIME, ANYONE, DurationOf(duration, "sleep")}));
}

void
Note(const ProtocolSelf& self, const std::string& event, std::uint64_t key, std::uint64_t value)
{
    static const std::array<EventKind, 9> kinds = {EventKind::PROPOSE,
                                                   EventKind::VOTE,
                                                   EventKind::DECIDE,
                                                   EventKind::DELIVER,
                                                   EventKind::LEAD,
                                                   EventKind::ACQUIRE,
                                                   EventKind::RELEASE,
                                                   EventKind::SUSPECT,
                                                   EventKind::VIEW};
    std::string known;
    for (const EventKind kind : kinds)
    {
        if (event == EventName(kind))
        {
            Running(self).Report(kind, key, value);
            return;
        }
        known += std::string(known.empty() ? "" : ", ") + EventName(kind);
    }
    throw py::value_error("events are " + known);
}

/// A round is an index of a table: no more of them than a run can have.
std::uint64_t
RoundOf(const ProtocolSelf& self, std::uint64_t round)
{
    if (round >= Running(self).Rounds())
    {
        throw py::value_error("rounds are 0 to " + std::to_string(Running(self).Rounds() - 1));
    }
    return round;
}

} // namespace

void
BindProtocol(py::module_& module)
{
    ProtocolAwait::Register(module);
    py::class_<ProtocolSelf>(module, "Protocol", py::dynamic_attr())
        .def(py::init<>())
        .def_property_readonly("rank",
                               [](const ProtocolSelf& self) { return Running(self).Self(); })
        .def_property_readonly("size",
                               [](const ProtocolSelf& self) { return Running(self).Size(); })
        .def_property_readonly("rounds",
                               [](const ProtocolSelf& self) { return Running(self).Rounds(); })
        .def_property_readonly("now", [](const ProtocolSelf& self) { return Running(self).Now(); })
        .def(
            "send",
            [](const ProtocolSelf& self, std::uint32_t to, const py::object& data) {
                Running(self).Send(to, data);
            },
            py::arg("to"),
            py::arg("data"))
        .def("recv", &Receive, py::arg("source") = py::none(), py::arg("timeout") = py::none())
        .def("sleep", &Sleep, py::arg("duration"))
        .def("enter",
             [](const ProtocolSelf& self, std::uint64_t round) {
                 Running(self).EnterRound(RoundOf(self, round));
             })
        .def("leave",
             [](const ProtocolSelf& self, std::uint64_t round) {
                 Running(self).LeaveRound(RoundOf(self, round));
             })
        .def("note", &Note, py::arg("event"), py::arg("key"), py::arg("value") = 0)
        .def("random", [](const ProtocolSelf& self, std::uint64_t what) {
            return Running(self).Random(what);
        });
}

} // namespace via
} // namespace ns3
