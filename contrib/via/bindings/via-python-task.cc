/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A coroutine of a simulated process: its program, or a handler of completions.

#include "via-python-task.h"

#include "via-python-process.h"

#include <string>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// The value of the StopIteration that is raised.
py::object
TakeStopValue()
{
    const py::error_already_set stop;
    return stop.value().attr("value");
}

/// Resumes @p coroutine with @p value or, unless it is null, by throwing @p error into it.
PySendResult
Resume(const py::object& coroutine,
       const py::object& value,
       const py::object& error,
       py::object& out)
{
    PyObject* result = nullptr;
    if (!error)
    {
        const PySendResult how = PyIter_Send(coroutine.ptr(), value.ptr(), &result);
        out = py::reinterpret_steal<py::object>(result);
        return how;
    }
    const py::str name("throw");
    result = PyObject_CallMethodOneArg(coroutine.ptr(), name.ptr(), error.ptr());
    if (result == nullptr && PyErr_ExceptionMatches(PyExc_StopIteration) != 0)
    {
        out = TakeStopValue();
        return PYGEN_RETURN;
    }
    out = py::reinterpret_steal<py::object>(result);
    return result == nullptr ? PYGEN_ERROR : PYGEN_NEXT;
}

} // namespace

py::object
RunCoroutine(const py::object& coroutine,
             const py::object& value,
             py::object error,
             const char* awaits,
             const std::function<bool(py::object&&)>& takes)
{
    for (;;)
    {
        py::object produced;
        switch (Resume(coroutine, value, error, produced))
        {
        case PYGEN_ERROR:
            throw py::error_already_set();
        case PYGEN_RETURN:
            return produced;
        case PYGEN_NEXT:
            break;
        }
        if (takes(std::move(produced)))
        {
            return {};
        }
        error = py::reinterpret_borrow<py::object>(PyExc_TypeError)(
            std::string(awaits) + ", not " + py::repr(produced).cast<std::string>());
    }
}

py::object
EndCoroutine(const py::object& coroutine)
{
    const py::object closed =
        py::reinterpret_steal<py::object>(PyObject_CallMethod(coroutine.ptr(), "close", nullptr));
    return closed ? py::object() : py::error_already_set().value();
}

void
CloseCoroutine(const py::object& coroutine)
{
    if (const py::object error = EndCoroutine(coroutine))
    {
        PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
        PyErr_WriteUnraisable(coroutine.ptr());
    }
}

bool
IsCoroutine(const py::object& made)
{
    return PyCoro_CheckExact(made.ptr()) != 0 || PyGen_CheckExact(made.ptr()) != 0;
}

py::object
StartCoroutine(const py::object& function, const py::object& argument)
{
    py::object coroutine = argument ? function(argument) : function();
    if (!IsCoroutine(coroutine))
    {
        PyErr_SetString(PyExc_TypeError,
                        "the function of a process must be an `async def` or a generator");
        throw py::error_already_set();
    }
    return coroutine;
}

void
PythonTask::Drive(const Starter& start)
{
    m_start = &start;
    for (;;)
    {
        Fiber::RunOutside(*this);
        if (m_operation == nullptr)
        {
            return;
        }
        m_operation->Do();
    }
}

void
PythonTask::Close()
{
    m_operation = nullptr;
    m_awaited = py::object();
    if (m_coroutine)
    {
        CloseCoroutine(std::exchange(m_coroutine, py::object()));
    }
}

void
PythonTask::Run()
{
    try
    {
        Step();
    }
    catch (py::error_already_set& error)
    {
        m_operation = nullptr;
        m_owner.OnError(error);
    }
}

void
PythonTask::Step()
{
    py::object value = py::none();
    py::object error;
    if (m_start != nullptr)
    {
        m_coroutine = (*std::exchange(m_start, nullptr))();
        if (!m_coroutine)
        {
            return;
        }
    }
    if (m_operation != nullptr)
    {
        try
        {
            value = m_operation->Result();
        }
        catch (py::error_already_set& failed)
        {
            error = failed.value();
        }
        m_operation->Release(!error);
        m_operation = nullptr;
    }
    m_process.TakeForgotten(); // of an exception, which may come from a signal's handler
    py::object returned =
        RunCoroutine(m_coroutine,
                     value,
                     std::move(error),
                     "a process may await only its own operations, each once",
                     [this](py::object&& produced) { return Take(std::move(produced)); });
    const std::string forgotten = m_process.TakeForgotten();
    if (!forgotten.empty())
    {
        RaiseNotAwaited(forgotten);
    }
    if (returned)
    {
        m_owner.OnReturn(std::move(returned));
    }
}

bool
PythonTask::Take(py::object&& produced)
{
    if (!py::isinstance<Operation>(produced))
    {
        return false;
    }
    auto* operation = produced.cast<Operation*>();
    if (operation->Owner().get() != &m_process || !operation->Claim())
    {
        return false;
    }
    m_operation = operation;
    m_awaited = std::move(produced);
    return true;
}

} // namespace via
} // namespace ns3
