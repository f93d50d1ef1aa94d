/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Long-running work during which Python handles its signals.

#include "via-watched.h"

#include "ns3/via-run-control.h"
#include "ns3/via-run-ticks.h"

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// Lets Python handle its signals, and ends the run if a handler raises an exception.
class PythonRunMonitor final : public RunMonitor
{
  public:
    PythonRunMonitor(PythonResults& results, const std::function<void()>& progress)
        : m_results(results),
          m_progress(progress)
    {
    }

    bool GoesOn() override
    {
        const py::gil_scoped_acquire python;
        if (!m_results.interrupt &&
            PyErr_CheckSignals() != 0) // runs handlers only in the main thread
        {
            m_results.StopRun(py::error_already_set());
        }
        if (!m_results.interrupt && m_progress)
        {
            Tell();
        }
        return !m_results.interrupt;
    }

  private:
    void Tell()
    {
        try
        {
            m_progress();
        }
        catch (const py::error_already_set& error)
        {
            m_results.StopRun(error);
        }
    }

    PythonResults& m_results;
    const std::function<void()>& m_progress; ///< empty: nobody is told
};

} // namespace

void
DoWatched(PythonResults& results,
          const std::function<void()>& work,
          std::uint32_t watchdog,
          const std::function<void()>& progress)
{
    PythonRunMonitor monitor(results, progress);
    const RunTicks ticks;
    const RunControl::Watch watch(monitor, watchdog);
    try
    {
        work();
    }
    catch (const RunStopped&)
    {
        const py::object error = std::move(results.interrupt);
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
        throw py::error_already_set();
    }
}

} // namespace via
} // namespace ns3
