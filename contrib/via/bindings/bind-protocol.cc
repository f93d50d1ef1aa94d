/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The base class of protocols written in Python: a native interpreter type, because its methods are
// called several times per message.

#include "via-bindings.h"
#include "via-protocol-await.h"
#include "via-python-arguments.h"

#include <array>
#include <string>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr Ps LAST_TIMER = PS_NEVER / 4; // limit of a timer: 26 days

PyTypeObject* g_partType = nullptr;

/// The Python object of an instance.
struct ProtocolObject
{
    PyObject_HEAD

        ProtocolSelf self;
};

ProtocolSelf&
PartOf(PyObject* object)
{
    return reinterpret_cast<ProtocolObject*>(object)->self;
}

PythonProtocol&
Running(PyObject* object)
{
    PythonProtocol* const process = PartOf(object).process;
    if (process == nullptr)
    {
        throw py::value_error("this protocol is not running");
    }
    return *process;
}

/// A possible peer's rank; a nonexistent one is refused by number.
Rank
PeerOf(const PythonProtocol& process, PyObject* value, const char* name)
{
    const auto rank = static_cast<Rank>(WholeNumber(value, name, UINT32_MAX));
    process.CheckPeer(rank);
    return rank;
}

Ps
DurationOf(PyObject* time, const char* option)
{
    const Ps duration =
        time != nullptr && PyUnicode_Check(time) != 0
            ? py::module_::import("via._base.units")
                  .attr("parse_time")(py::handle(time), option)
                  .cast<Ps>()
            : static_cast<Ps>(WholeNumber(time, option, static_cast<std::uint64_t>(LAST_TIMER)));
    if (duration > LAST_TIMER)
    {
        throw py::value_error(Given(option, time) + "it must be 0 or more, and at most 26 days");
    }
    return duration;
}

PyObject*
Send(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* byName)
{
    return Guarded([&] {
        const Arguments<2> arguments("send", {"to", "data"}, 2, given, count, byName);
        PythonProtocol& process = Running(self);
        process.Send(PeerOf(process, arguments[0], "to"), arguments.Given(1));
        return Py_NewRef(Py_None);
    });
}

PyObject*
Receive(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* byName)
{
    return Guarded([&] {
        const Arguments<2> arguments("recv", {"source", "timeout"}, 0, given, count, byName);
        const PythonProtocol& process = Running(self);
        Awaiting what{Awaiting::Kind::MESSAGE, ANYONE, PS_NEVER};
        if (arguments[0] != nullptr)
        {
            what.source = PeerOf(process, arguments[0], "source");
        }
        else if (process.IsSelective())
        {
            throw py::value_error("recv() of a selective protocol needs a source");
        }
        if (arguments[1] != nullptr)
        {
            what.duration = DurationOf(arguments[1], "timeout");
        }
        return ProtocolAwait::Make(self, PartOf(self), what);
    });
}

PyObject*
Sleep(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* byName)
{
    return Guarded([&] {
        const Arguments<1> arguments("sleep", {"duration"}, 1, given, count, byName);
        Running(self);
        return ProtocolAwait::Make(
            self,
            PartOf(self),
            {Awaiting::Kind::TIME, ANYONE, DurationOf(arguments[0], "duration")});
    });
}

/// A round is a table index, so it is limited to what a run can have.
std::uint64_t
RoundOf(PyObject* self, PyObject* round)
{
    const std::uint64_t rounds = Running(self).Rounds();
    const std::uint64_t wanted = WholeNumber(round, "round", UINT64_MAX);
    if (wanted >= rounds)
    {
        throw py::value_error("rounds are 0 to " + std::to_string(rounds - 1));
    }
    return wanted;
}

PyObject*
Enter(PyObject* self, PyObject* round)
{
    return Guarded([&] {
        Running(self).EnterRound(RoundOf(self, round));
        return Py_NewRef(Py_None);
    });
}

PyObject*
Leave(PyObject* self, PyObject* round)
{
    return Guarded([&] {
        Running(self).LeaveRound(RoundOf(self, round));
        return Py_NewRef(Py_None);
    });
}

EventKind
EventNamed(const std::string& name)
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
        if (name == EventName(kind))
        {
            return kind;
        }
        known += std::string(known.empty() ? "" : ", ") + EventName(kind);
    }
    throw ConfigError("event", name, "one of " + known);
}

PyObject*
Note(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* byName)
{
    return Guarded([&] {
        const Arguments<3> arguments("note", {"event", "key", "value"}, 2, given, count, byName);
        if (arguments[0] == nullptr || PyUnicode_Check(arguments[0]) == 0)
        {
            throw py::type_error("event must be the name of an event");
        }
        const EventKind kind = EventNamed(py::handle(arguments[0]).cast<std::string>());
        const std::uint64_t key = WholeNumber(arguments[1], "key", UINT64_MAX);
        const std::uint64_t value =
            arguments[2] == nullptr ? 0 : WholeNumber(arguments[2], "value", UINT64_MAX);
        Running(self).Report(kind, key, value);
        return Py_NewRef(Py_None);
    });
}

PyObject*
Random(PyObject* self, PyObject* what)
{
    return Guarded([&] {
        const std::uint64_t which = WholeNumber(what, "what", UINT64_MAX);
        return PyLong_FromUnsignedLongLong(Running(self).Random(which));
    });
}

PyObject*
GetRank(PyObject* self, void*)
{
    return Guarded([&] { return PyLong_FromUnsignedLong(Running(self).Self()); });
}

PyObject*
GetSize(PyObject* self, void*)
{
    return Guarded([&] { return PyLong_FromUnsignedLong(Running(self).Size()); });
}

PyObject*
GetRounds(PyObject* self, void*)
{
    return Guarded([&] { return PyLong_FromUnsignedLongLong(Running(self).Rounds()); });
}

PyObject*
GetNow(PyObject* self, void*)
{
    return Guarded([&] { return PyLong_FromLongLong(Running(self).Now()); });
}

PyObject*
Spawn(PyObject* self, PyObject* coroutine)
{
    return Guarded([&] {
        PythonProtocol& process = Running(self);
        return PyLong_FromUnsignedLong(
            process.Spawn(py::reinterpret_borrow<py::object>(coroutine)));
    });
}

std::uint32_t
TaskOf(PyObject* number)
{
    return static_cast<std::uint32_t>(WholeNumber(number, "number", UINT32_MAX));
}

PyObject*
Cancel(PyObject* self, PyObject* number)
{
    return Guarded([&] {
        py::object raised;
        if (PartOf(self).process != nullptr) // else all tasks are ending
        {
            raised = PartOf(self).process->Cancel(TaskOf(number));
        }
        return raised ? raised.release().ptr() : Py_NewRef(Py_None);
    });
}

PyObject*
Wake(PyObject* self, PyObject* number)
{
    return Guarded([&] {
        if (PartOf(self).process != nullptr) // else all tasks are ending
        {
            PartOf(self).process->Wake(TaskOf(number));
        }
        return Py_NewRef(Py_None);
    });
}

PyObject*
Park(PyObject* self, PyObject*)
{
    return Guarded([&] {
        Running(self);
        return ProtocolAwait::Make(self, PartOf(self), {Awaiting::Kind::WAKE, NOBODY, PS_NEVER});
    });
}

PyObject*
GetCurrent(PyObject* self, void*)
{
    return Guarded([&] { return PyLong_FromUnsignedLong(Running(self).Current()); });
}

using FastMethod = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

PyMethodDef
Fast(const char* name, FastMethod method)
{
    // the interpreter's calling convention: the flags select the type
    return {name,
            reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method)),
            METH_FASTCALL | METH_KEYWORDS,
            nullptr};
}

} // namespace

ProtocolSelf*
ProtocolSelf::Of(py::handle object)
{
    return PyObject_TypeCheck(object.ptr(), g_partType) != 0 ? &PartOf(object.ptr()) : nullptr;
}

void
BindProtocol(py::module_& module)
{
    ProtocolAwait::Register(module);
    static PyMethodDef methods[] = {Fast("send", &Send),
                                    Fast("recv", &Receive),
                                    Fast("sleep", &Sleep),
                                    Fast("note", &Note),
                                    {"enter", &Enter, METH_O, nullptr},
                                    {"leave", &Leave, METH_O, nullptr},
                                    {"random", &Random, METH_O, nullptr},
                                    {"_spawn", &Spawn, METH_O, nullptr},
                                    {"_cancel", &Cancel, METH_O, nullptr},
                                    {"_wake", &Wake, METH_O, nullptr},
                                    {"_park", &Park, METH_NOARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyGetSetDef properties[] = {{"rank", &GetRank, nullptr, nullptr, nullptr},
                                       {"size", &GetSize, nullptr, nullptr, nullptr},
                                       {"rounds", &GetRounds, nullptr, nullptr, nullptr},
                                       {"now", &GetNow, nullptr, nullptr, nullptr},
                                       {"_current", &GetCurrent, nullptr, nullptr, nullptr},
                                       {nullptr, nullptr, nullptr, nullptr, nullptr}};
    // the tables point into the texts of the stub, so these are never freed
    const py::object docs = py::module_::import("via._base.stub").attr("docstrings")();
    static const py::handle kept = docs.inc_ref();
    const auto docOf = [](const char* name) {
        return PyUnicode_AsUTF8(kept[("Protocol." + std::string(name)).c_str()].ptr());
    };
    for (PyMethodDef* each = methods; each->ml_name != nullptr; ++each)
    {
        each->ml_doc = docOf(each->ml_name);
    }
    for (PyGetSetDef* each = properties; each->name != nullptr; ++each)
    {
        each->doc = docOf(each->name);
    }
    static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                  {Py_tp_getset, properties},
                                  {0, nullptr}};
    static PyType_Spec spec = {"via._core.Protocol",
                               sizeof(ProtocolObject),
                               0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               slots};
    PyObject* type = PyType_FromSpec(&spec);
    if (type == nullptr)
    {
        throw py::error_already_set();
    }
    g_partType = reinterpret_cast<PyTypeObject*>(type);
    module.attr("Protocol") = py::handle(type);
}

} // namespace via
} // namespace ns3
