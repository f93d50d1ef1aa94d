/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process whose program is a Python coroutine or generator.

#include "via-python-process.h"

#include "via-python-vi.h"

#include "ns3/simulator.h"
#include "ns3/via-run-control.h"

#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// What SystemExit(@p code) means.
ProcessExit
ExitWith(const py::object& code)
{
    if (code.is_none())
    {
        return {};
    }
    if (py::isinstance<py::int_>(code))
    {
        return {static_cast<int>(PyLong_AsUnsignedLongMask(code.ptr()) & 0xff), ""};
    }
    return {1, py::str(code).cast<std::string>()};
}

/// Ends the coroutines of a process, outside of all fibers.
class CloseCoroutines final : public OutsideCall
{
  public:
    CloseCoroutines(PythonTask& program, PythonTask& handler)
        : m_program(program),
          m_handler(handler)
    {
    }

    void Run() override
    {
        m_program.Close();
        m_handler.Close();
    }

  private:
    PythonTask& m_program;
    PythonTask& m_handler;
};

} // namespace

void
PythonResults::StopRun(const py::error_already_set& error)
{
    if (error.trace())
    {
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    }
    if (!interrupt)
    {
        interrupt = error.value();
    }
    Simulator::Stop();
    RunControl::Ask(); // an agenda that runs on looks for this
}

ProcessExit
PythonResults::NoteError(std::uint32_t rank, py::error_already_set& error)
{
    const py::object describe = py::module_::import("via._programs.process").attr("describe");
    if (error.trace())
    {
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    }
    const py::module_ signals = py::module_::import("via._base.signals");
    if (signals.attr("raised_by_handler")(error.value()).cast<bool>())
    {
        StopRun(error);
    }
    else if (error.matches(PyExc_SystemExit))
    {
        return ExitWith(error.value().attr("code"));
    }
    else
    {
        errors[rank] = error.value();
    }
    return {1, describe(error.value()).cast<std::string>()};
}

int
PythonRun::Body(std::size_t index)
{
    // on the process' stack: no Python here, so the function is only passed on
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
    m_program.Drive([this] { return StartCoroutine(m_function, py::cast(shared_from_this())); });
    m_process->SetReport(m_report);
    return m_code;
}

PythonNotice*
PythonProcess::Keep(PythonNotice notice)
{
    m_notices.push_back(std::move(notice));
    return &m_notices.back();
}

void
PythonProcess::Forget(const PythonNotice* notice)
{
    m_notices.remove_if([notice](const PythonNotice& each) { return &each == notice; });
}

void
PythonProcess::Serve(PythonNotice& notice, const std::function<py::tuple()>& arguments)
{
    m_handler.Drive([this, &notice, &arguments]() -> py::object {
        const py::object function = notice.function;
        const py::tuple given = arguments();
        Forget(&notice);
        const py::object made = function(*given);
        return IsCoroutine(made) ? made : py::object();
    });
    if (m_failed)
    {
        m_process->Exit(m_code, m_report);
    }
}

void
PythonProcess::Ending::OnReturn(py::object value)
{
    if (m_isProgram)
    {
        m_process.m_run.results->returned[m_process.m_rank] = std::move(value);
    }
}

void
PythonProcess::Ending::OnError(py::error_already_set& error)
{
    m_process.Fail(error);
}

void
PythonProcess::Fail(py::error_already_set& error)
{
    m_failed = true;
    const ProcessExit exit = m_run.results->NoteError(m_rank, error);
    m_code = exit.code;
    m_report = exit.report;
}

void
PythonProcess::OnEnd()
{
    m_end = m_process->EndTime();
    m_process = nullptr;
    // a killed process: its `finally` blocks run now, as destructors do in C++
    CloseCoroutines closing(m_program, m_handler);
    Fiber::RunOutside(closing);
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
    m_program.Close();
    m_handler.Close();
    m_notices.clear();
    m_function = py::object();
    m_vis.clear();
    m_regions.Clear();
}

} // namespace via
} // namespace ns3
