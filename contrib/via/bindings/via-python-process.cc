/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process whose program is a coroutine or a generator of Python.

#include "via-python-process.h"

#include "via-python-vi.h"

#include "ns3/simulator.h"

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

} // namespace

PySendResult
ResumeCoroutine(const py::object& coroutine,
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

void
CloseCoroutine(const py::object& coroutine)
{
    const py::object closed =
        py::reinterpret_steal<py::object>(PyObject_CallMethod(coroutine.ptr(), "close", nullptr));
    if (!closed)
    {
        PyErr_WriteUnraisable(coroutine.ptr());
    }
}

py::object
StartCoroutine(const py::object& function, const py::object& argument)
{
    py::object coroutine = argument ? function(argument) : function();
    if (PyCoro_CheckExact(coroutine.ptr()) == 0 && PyGen_CheckExact(coroutine.ptr()) == 0)
    {
        PyErr_SetString(PyExc_TypeError,
                        "the function of a process is an `async def` or a generator");
        throw py::error_already_set();
    }
    return coroutine;
}

std::string
PythonResults::NoteError(std::uint32_t rank, py::error_already_set& error)
{
    const py::object describe = py::module_::import("via.process").attr("describe");
    if (error.trace())
    {
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    }
    if (error.matches(PyExc_KeyboardInterrupt))
    {
        interrupt = error.value();
        Simulator::Stop();
    }
    else
    {
        errors[rank] = error.value();
    }
    return describe(error.value()).cast<std::string>();
}

int
PythonRun::Body(std::size_t index)
{
    // on the stack of the process: no Python here, so the function is only passed on
    processes.push_back(
        std::make_shared<PythonProcess>(*this, ViplProcess::Running(), functions[index]));
    return processes.back()->Main();
}

void
PythonRun::Close()
{
    for (const auto& process : processes)
    {
        process->Close();
    }
    processes.clear();
    functions.clear();
}

PythonProcess::PythonProcess(PythonRun& run, ViplProcess& process, py::object function)
    : m_run(run),
      m_process(&process),
      m_thread(&process.Runner()),
      m_function(std::move(function)),
      m_rank(process.Rank()),
      m_node(process.GetHost().Id()),
      m_size(run.size),
      m_hostName(process.GetHost().Name())
{
    process.SetEndListener([this] { OnEnd(); });
}

int
PythonProcess::Main()
{
    for (;;)
    {
        Fiber::RunOutside(*this);
        if (m_operation == nullptr)
        {
            m_process->SetReport(m_report);
            return m_code;
        }
        m_operation->Do();
    }
}

void
PythonProcess::Run()
{
    try
    {
        Step();
    }
    catch (py::error_already_set& error)
    {
        m_operation = nullptr;
        Fail(error);
    }
}

void
PythonProcess::Step()
{
    py::object value = py::none();
    py::object error;
    if (!m_coroutine)
    {
        m_coroutine = StartCoroutine(m_function, py::cast(shared_from_this()));
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
        m_operation = nullptr;
    }
    for (;;)
    {
        py::object produced;
        switch (ResumeCoroutine(m_coroutine, value, error, produced))
        {
        case PYGEN_ERROR:
            throw py::error_already_set();
        case PYGEN_RETURN:
            m_run.results->returned[m_rank] = std::move(produced);
            return;
        case PYGEN_NEXT:
            break;
        }
        if (Take(produced))
        {
            return;
        }
        error = py::reinterpret_borrow<py::object>(PyExc_TypeError)(
            "a process awaits its own operations, each of them once, not " +
            py::repr(produced).cast<std::string>());
    }
}

bool
PythonProcess::Take(py::object produced)
{
    if (!py::isinstance<Operation>(produced))
    {
        return false;
    }
    auto* operation = produced.cast<Operation*>();
    if (operation->Owner().get() != this || !operation->Claim())
    {
        return false;
    }
    m_operation = operation;
    m_awaited = std::move(produced);
    return true;
}

void
PythonProcess::Exit(const py::object& code)
{
    if (code.is_none())
    {
        return;
    }
    if (py::isinstance<py::int_>(code))
    {
        m_code = static_cast<int>(PyLong_AsUnsignedLongMask(code.ptr()) & 0xff);
        return;
    }
    m_code = 1;
    m_report = py::str(code).cast<std::string>();
}

void
PythonProcess::Fail(py::error_already_set& error)
{
    if (error.matches(PyExc_SystemExit))
    {
        Exit(error.value().attr("code"));
        return;
    }
    m_code = 1;
    m_report = m_run.results->NoteError(m_rank, error);
}

void
PythonProcess::OnEnd()
{
    m_end = m_thread->Clock().at;
    m_thread = nullptr;
    m_process = nullptr;
    if (m_coroutine)
    {
        // a process that was killed: its `finally` runs now, as destructors do in C++
        CloseCoroutine(std::exchange(m_coroutine, py::object()));
    }
}

void
PythonProcess::Enter(const std::shared_ptr<PythonVi>& vi, VIP_VI_HANDLE handle)
{
    m_vis[handle] = vi;
}

std::shared_ptr<PythonVi>
PythonProcess::FindVi(VIP_VI_HANDLE handle) const
{
    const auto found = m_vis.find(handle);
    return found == m_vis.end() ? nullptr : found->second;
}

void
PythonProcess::Close()
{
    m_operation = nullptr;
    m_awaited = py::object();
    m_coroutine = py::object();
    m_function = py::object();
    m_vis.clear();
    m_regions.Clear();
}

} // namespace via
} // namespace ns3
