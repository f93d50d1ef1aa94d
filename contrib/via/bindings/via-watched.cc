/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Work that takes long, during which Python handles its signals.

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

/// Lets Python handle its signals, and ends the run when one of its handlers raises something.
class PythonOverseer final : public Overseer
{
  public:
    explicit PythonOverseer(PythonResults& results)
        : m_results(results)
    {
    }

    bool GoesOn() override
    {
        const py::gil_scoped_acquire python;
        if (!m_results.interrupt &&
            PyErr_CheckSignals() != 0) // which only the main thread looks at
        {
            m_results.StopRun(py::error_already_set());
        }
        return !m_results.interrupt;
    }

  private:
    PythonResults& m_results;
};

} // namespace

void
DoWatched(PythonResults& results, const std::function<void()>& work, std::uint32_t watchdog)
{
    PythonOverseer overseer(results);
    const RunTicks ticks;
    const RunControl::Watch watch(overseer, watchdog);
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
