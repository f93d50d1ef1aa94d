/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The queue objects of a Python process: completions, completion queues, connection requests.

#include "via-bindings.h"
#include "via-python-nic.h"

#include <pybind11/stl.h>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

using Vi = std::shared_ptr<PythonVi>;

/// An entry of a completion queue.
struct CqEntry
{
    bool found{false};
    VIP_VI_HANDLE vi{nullptr};
    VIP_BOOLEAN receive{VIP_FALSE};
};

py::object
EntryOf(const PythonProcess& process, const CqEntry& entry)
{
    if (!entry.found)
    {
        return py::none();
    }
    return py::make_tuple(process.FindVi(entry.vi), entry.receive != VIP_FALSE);
}

std::unique_ptr<Operation>
CqDone(const PythonCq& cq, bool poll)
{
    return MakeOperation(
        cq.process,
        CqEntry{},
        [handle = cq.handle, poll](CqEntry& entry) -> CallResult {
            VIP_RETURN code = VIP_NOT_DONE;
            do
            {
                code = VipCQDone(handle, &entry.vi, &entry.receive);
            } while (poll && code == VIP_NOT_DONE);
            entry.found = code == VIP_SUCCESS;
            return {"VipCQDone", code == VIP_NOT_DONE ? VIP_SUCCESS : code};
        },
        [process = cq.process.get()](CqEntry& entry) { return EntryOf(*process, entry); });
}

std::unique_ptr<Operation>
CqWait(const PythonCq& cq, bool poll, const py::object& timeout)
{
    const VIP_ULONG wait = TimeoutOf(timeout);
    if (poll)
    {
        if (!timeout.is_none())
        {
            throw py::value_error("poll=True and timeout cannot be combined");
        }
        return CqDone(cq, true);
    }
    return MakeOperation(
        cq.process,
        CqEntry{},
        [handle = cq.handle, wait](CqEntry& entry) -> CallResult {
            const VIP_RETURN code = VipCQWait(handle, wait, &entry.vi, &entry.receive);
            entry.found = code == VIP_SUCCESS;
            return {"VipCQWait", code};
        },
        [process = cq.process.get()](CqEntry& entry) { return EntryOf(*process, entry); });
}

std::unique_ptr<Operation>
DestroyCq(const PythonCq& cq)
{
    return MakeOperation(cq.process, [handle = cq.handle]() -> CallResult {
        return {"VipDestroyCQ", VipDestroyCQ(handle)};
    });
}

std::unique_ptr<Operation>
Accept(const PythonConnection& connection, const Vi& vi)
{
    return MakeOperation(connection.process, [handle = connection.handle, vi]() -> CallResult {
        return {"VipConnectAccept", VipConnectAccept(handle, vi->Handle())};
    });
}

std::unique_ptr<Operation>
Reject(const PythonConnection& connection)
{
    return MakeOperation(connection.process, [handle = connection.handle]() -> CallResult {
        return {"VipConnectReject", VipConnectReject(handle)};
    });
}

} // namespace

void
BindProcessQueues(py::module_& module)
{
    py::class_<PythonCompletion>(module, "Completion")
        .def_readonly("data", &PythonCompletion::data)
        .def_readonly("length", &PythonCompletion::length)
        .def_readonly("status", &PythonCompletion::status)
        .def_readonly("immediate", &PythonCompletion::immediate)
        .def_readonly("receive", &PythonCompletion::receive);

    py::class_<PythonCq>(module, "CompletionQueue")
        .def("done", [](const PythonCq& cq) { return CqDone(cq, false); })
        .def("wait",
             &CqWait,
             py::kw_only(),
             py::arg("poll") = false,
             py::arg("timeout") = py::none())
        .def("destroy", &DestroyCq);

    py::class_<PythonConnection>(module, "Connection")
        .def_readonly("node", &PythonConnection::node)
        .def_property_readonly(
            "discriminator",
            [](const PythonConnection& connection) { return py::bytes(connection.discriminator); })
        .def("accept", &Accept, py::arg("vi").none(false))
        .def("reject", &Reject);
}

} // namespace via
} // namespace ns3
