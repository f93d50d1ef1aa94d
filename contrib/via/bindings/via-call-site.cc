/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The line of Python code that made a call.

#include "via-call-site.h"

namespace py = pybind11;

namespace ns3
{
namespace via
{

CallSite
CallSite::Here()
{
    CallSite site;
    if (PyFrameObject* frame = PyEval_GetFrame()) // borrowed
    {
        site.m_code =
            py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
        site.m_at = PyFrame_GetLasti(frame);
    }
    return site;
}

std::string
CallSite::Text() const
{
    if (!m_code)
    {
        return "outside of Python code";
    }
    auto* code = reinterpret_cast<PyCodeObject*>(m_code.ptr());
    const std::string path = py::str(m_code.attr("co_filename"));
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(PyCode_Addr2Line(code, m_at)) +
           ", in " + py::str(m_code.attr("co_name")).cast<std::string>();
}

bool
IsInAsyncFunction()
{
    PyFrameObject* frame = PyEval_GetFrame();
    if (frame == nullptr)
    {
        return false;
    }
    PyCodeObject* code = PyFrame_GetCode(frame);
    const int flags = code->co_flags;
    Py_DECREF(code);
    return (flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0;
}

void
RaiseNotAwaited(const std::string& what)
{
    PyErr_SetString(PyExc_TypeError, what.c_str());
    throw py::error_already_set();
}

std::string
NotAwaited(const std::string& what, const CallSite& site)
{
    return what + " without `await` does nothing (" + site.Text() + ")";
}

} // namespace via
} // namespace ns3
