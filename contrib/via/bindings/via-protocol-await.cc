/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a Python protocol awaits.

#include "via-protocol-await.h"

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

PyTypeObject* g_type = nullptr;

ProtocolAwait&
Of(PyObject* object)
{
    return *reinterpret_cast<ProtocolAwait*>(object);
}

PySendResult
Send(PyObject* object, PyObject* value, PyObject** result)
{
    ProtocolAwait& mine = Of(object);
    if (mine.underWay)
    {
        *result = Py_NewRef(value);
        return PYGEN_RETURN;
    }
    if (mine.owner->process == nullptr)
    {
        PyErr_SetString(PyExc_RuntimeError, "this protocol is not running");
        *result = nullptr;
        return PYGEN_ERROR;
    }
    PyObject* message = mine.owner->process->TakeNow(mine.what);
    if (message != nullptr || PyErr_Occurred() != nullptr)
    {
        *result = message;
        return message != nullptr ? PYGEN_RETURN : PYGEN_ERROR;
    }
    mine.underWay = true;
    *result = Py_NewRef(object);
    return PYGEN_NEXT;
}

PyObject*
Next(PyObject* object)
{
    PyObject* result = nullptr;
    const PySendResult how = Send(object, Py_None, &result);
    if (how == PYGEN_RETURN)
    {
        PyErr_SetObject(PyExc_StopIteration, result);
        Py_DECREF(result);
        return nullptr;
    }
    return how == PYGEN_NEXT ? result : nullptr;
}

void
Free(PyObject* object)
{
    PyTypeObject* type = Py_TYPE(object);
    Py_XDECREF(Of(object).self);
    type->tp_free(object);
    Py_DECREF(reinterpret_cast<PyObject*>(type));
}

} // namespace

void
ProtocolAwait::Register(py::module_& module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&Free)},
                                  {Py_am_await, reinterpret_cast<void*>(&PyObject_SelfIter)},
                                  {Py_am_send, reinterpret_cast<void*>(&Send)},
                                  {Py_tp_iter, reinterpret_cast<void*>(&PyObject_SelfIter)},
                                  {Py_tp_iternext, reinterpret_cast<void*>(&Next)},
                                  {0, nullptr}};
    static PyType_Spec spec = {"via._core.ProtocolAwait",
                               sizeof(ProtocolAwait),
                               0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    PyObject* type = PyType_FromSpec(&spec);
    if (type == nullptr)
    {
        throw py::error_already_set();
    }
    g_type = reinterpret_cast<PyTypeObject*>(type);
    module.attr("ProtocolAwait") = py::handle(type);
}

PyObject*
ProtocolAwait::Make(PyObject* self, ProtocolSelf& owner, const Awaiting& what)
{
    PyObject* object = g_type->tp_alloc(g_type, 0);
    if (object == nullptr)
    {
        throw py::error_already_set();
    }
    ProtocolAwait& mine = Of(object);
    mine.self = Py_NewRef(self);
    mine.owner = &owner;
    mine.what = what;
    mine.underWay = false;
    return object;
}

const ProtocolAwait*
ProtocolAwait::From(PyObject* object)
{
    return Py_TYPE(object) == g_type ? reinterpret_cast<ProtocolAwait*>(object) : nullptr;
}

} // namespace via
} // namespace ns3
