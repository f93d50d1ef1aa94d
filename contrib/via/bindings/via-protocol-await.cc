/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a Python protocol awaits.

#include "via-protocol-await.h"

#include "via-python-stop.h"

#include <new>

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

const char*
NameOf(Awaiting::Kind kind)
{
    switch (kind)
    {
    case Awaiting::Kind::MESSAGE:
        return "self.recv()";
    case Awaiting::Kind::TIME:
        return "self.sleep()";
    default:
        return "a wait for tasks";
    }
}

/// Tells a user that @p object should have been awaited.
void
RefuseToBeUsed(PyObject* object)
{
    ProtocolAwait& mine = Of(object);
    mine.isUsed = true;
    PyErr_SetString(PyExc_TypeError, NotAwaited(NameOf(mine.what.kind), mine.site).c_str());
}

PySendResult
SendStep(PyObject* object, PyObject* value, PyObject** result)
{
    ProtocolAwait& mine = Of(object);
    mine.isUsed = true;
    *result = nullptr;
    if (mine.stage == ProtocolAwait::Stage::READY)
    {
        mine.stage = ProtocolAwait::Stage::OVER;
        *result = Py_NewRef(value);
        return PYGEN_RETURN;
    }
    if (mine.stage != ProtocolAwait::Stage::NEW)
    {
        PyErr_Format(PyExc_RuntimeError,
                     "%s can be awaited only once: call it again",
                     NameOf(mine.what.kind));
        return PYGEN_ERROR;
    }
    if (mine.owner->process == nullptr)
    {
        PyErr_SetString(PyExc_RuntimeError, "this protocol is not running");
        return PYGEN_ERROR;
    }
    PyObject* message = mine.owner->process->TakeNow(mine.what);
    if (message != nullptr || PyErr_Occurred() != nullptr)
    {
        mine.stage = ProtocolAwait::Stage::OVER;
        *result = message;
        return message != nullptr ? PYGEN_RETURN : PYGEN_ERROR;
    }
    mine.stage = ProtocolAwait::Stage::ASKED;
    *result = Py_NewRef(object);
    return PYGEN_NEXT;
}

/// Python 3.12 and later resume what is awaited by this method, not by the slot am_send.
PyObject*
Send(PyObject* object, PyObject* value)
{
    PyObject* result = nullptr;
    const PySendResult how = SendStep(object, value, &result);
    return YieldedOrStop(how, result);
}

PyObject*
NextStep(PyObject* object)
{
    return Send(object, Py_None);
}

/// `for` and unpacking call it, where `await` was forgotten; so does `yield from` in a generator.
PyObject*
IterateSteps(PyObject* object)
{
    if (IsInAsyncFunction())
    {
        RefuseToBeUsed(object);
        return nullptr;
    }
    return Py_NewRef(object);
}

PyObject*
Subscript(PyObject* object, PyObject*)
{
    RefuseToBeUsed(object);
    return nullptr;
}

/// Withdraws it: nobody will await it.
PyObject*
Close(PyObject* object, PyObject*)
{
    Of(object).isUsed = true;
    Of(object).stage = ProtocolAwait::Stage::OVER;
    return Py_NewRef(Py_None);
}

void
Free(PyObject* object)
{
    PyTypeObject* type = Py_TYPE(object);
    ProtocolAwait& mine = Of(object);
    if (!mine.isUsed && mine.owner->process != nullptr)
    {
        mine.owner->process->NoteForgotten(NotAwaited(NameOf(mine.what.kind), mine.site));
    }
    mine.site.~CallSite();
    Py_XDECREF(mine.self);
    type->tp_free(object);
    Py_DECREF(reinterpret_cast<PyObject*>(type));
}

} // namespace

bool
ProtocolAwait::Claim()
{
    isUsed = true;
    if (stage != Stage::NEW && stage != Stage::ASKED)
    {
        return false;
    }
    stage = stage == Stage::NEW ? Stage::YIELDED : Stage::UNDER_WAY;
    return true;
}

void
ProtocolAwait::Release()
{
    stage = stage == Stage::UNDER_WAY ? Stage::READY : Stage::OVER;
}

void
ProtocolAwait::Register(py::module_& module)
{
    static PyMethodDef methods[] = {{"close", &Close, METH_NOARGS, nullptr},
                                    {"send", &Send, METH_O, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                  {Py_mp_subscript, reinterpret_cast<void*>(&Subscript)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(&Free)},
                                  {Py_am_await, reinterpret_cast<void*>(&PyObject_SelfIter)},
                                  {Py_am_send, reinterpret_cast<void*>(&SendStep)},
                                  {Py_tp_iter, reinterpret_cast<void*>(&IterateSteps)},
                                  {Py_tp_iternext, reinterpret_cast<void*>(&NextStep)},
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
    mine.isUsed = false;
    mine.stage = Stage::NEW;
    new (&mine.site) CallSite(CallSite::Here());
    return object;
}

ProtocolAwait*
ProtocolAwait::From(PyObject* object)
{
    return Py_TYPE(object) == g_type ? reinterpret_cast<ProtocolAwait*>(object) : nullptr;
}

} // namespace via
} // namespace ns3
