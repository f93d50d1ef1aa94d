/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the methods __next__ and send of something that is awaited return.

#ifndef VIA_PYTHON_STOP_H
#define VIA_PYTHON_STOP_H

#include <Python.h>

namespace ns3
{
namespace via
{

/// Returns what is yielded; for what is returned, null with a StopIteration that has it as its
/// value.
inline PyObject*
YieldedOrStop(PySendResult how, PyObject* result)
{
    if (how != PYGEN_RETURN)
    {
        return how == PYGEN_NEXT ? result : nullptr;
    }
    // made here: from a tuple, PyErr_SetObject would make one with several arguments
    PyObject* stop = PyObject_CallOneArg(PyExc_StopIteration, result);
    Py_DECREF(result);
    if (stop != nullptr)
    {
        PyErr_SetObject(PyExc_StopIteration, stop);
        Py_DECREF(stop);
    }
    return nullptr;
}

} // namespace via
} // namespace ns3

#endif /* VIA_PYTHON_STOP_H */
