/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Awaitable operations: their part in Python's coroutine protocol.

#include "via-bindings.h"
#include "via-python-operation.h"
#include "via-python-process.h"
#include "via-python-stop.h"

namespace py = pybind11;

namespace ns3
{
namespace via
{

void
RaiseVipl(const CallResult& result)
{
    const py::object type = py::module_::import("via.errors").attr("ViplError");
    const py::object error = type(result.call, static_cast<int>(result.code), result.status);
    PyErr_SetObject(type.ptr(), error.ptr());
    throw py::error_already_set();
}

Operation::~Operation()
{
    if (m_stage == Stage::NEW && !m_claimed)
    {
        m_process->NoteForgotten(Forgotten());
    }
}

PySendResult
Operation::Send(PyObject* self, PyObject* value, PyObject** result)
{
    switch (m_stage)
    {
    case Stage::NEW:
        m_stage = Stage::UNDER_WAY;
        *result = Py_NewRef(self);
        return PYGEN_NEXT;
    case Stage::READY:
        m_stage = Stage::OVER;
        *result = Py_NewRef(value);
        return PYGEN_RETURN;
    case Stage::UNDER_WAY:
    case Stage::OVER:
        break;
    }
    PyErr_SetString(PyExc_RuntimeError, "an operation can be awaited only once");
    *result = nullptr;
    return PYGEN_ERROR;
}

namespace
{

PySendResult
SendTo(PyObject* self, PyObject* value, PyObject** result)
{
    return py::handle(self).cast<Operation&>().Send(self, value, result);
}

PyObject*
Next(PyObject* self)
{
    PyObject* result = nullptr;
    const PySendResult how = SendTo(self, Py_None, &result);
    return YieldedOrStop(how, result);
}

/// Python 3.12 and later resume what is awaited by this method, not by the slot am_send.
py::object
SendValue(const py::object& self, const py::object& value)
{
    PyObject* result = nullptr;
    const PySendResult how = SendTo(self.ptr(), value.ptr(), &result);
    PyObject* yielded = YieldedOrStop(how, result);
    if (yielded == nullptr)
    {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(yielded);
}

/// `for` and unpacking call it, where `await` was forgotten; so does `yield from` in a generator.
PyObject*
Iterate(PyObject* self)
{
    if (IsInAsyncFunction())
    {
        auto& operation = py::handle(self).cast<Operation&>();
        operation.Claim(); // told
        PyErr_SetString(PyExc_TypeError, operation.Forgotten().c_str());
        return nullptr;
    }
    return Py_NewRef(self);
}

void
SetUp(PyHeapTypeObject* heapType)
{
    heapType->as_async.am_await = PyObject_SelfIter;
    heapType->as_async.am_send = SendTo;
    heapType->ht_type.tp_as_async = &heapType->as_async;
    heapType->ht_type.tp_iter = Iterate;
    heapType->ht_type.tp_iternext = Next;
}

} // namespace

void
BindOperation(py::module_& module)
{
    py::class_<Operation>(
        module,
        "Operation",
        py::custom_type_setup(SetUp),
        "An operation that a process awaits or yields. It can be awaited only once.")
        .def("send", &SendValue, py::arg("value"), "Resume it with a value, as `await` does.")
        .def(
            "close",
            [](Operation& operation) { operation.Claim(); },
            "Withdraw it: nobody will await it.");
}

} // namespace via
} // namespace ns3
