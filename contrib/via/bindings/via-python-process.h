/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process whose program is a coroutine or a generator of Python.

#ifndef VIA_PYTHON_PROCESS_H
#define VIA_PYTHON_PROCESS_H

#include "via-python-memory.h"
#include "via-python-task.h"

#include "ns3/via-vipl-process.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class PythonProcess;
class PythonVi;

/// What Python code in a run has left behind.
struct PythonResults
{
    std::map<std::uint32_t, pybind11::object> returned; ///< by rank
    std::map<std::uint32_t, pybind11::object> errors;   ///< what ended a process, by rank
    pybind11::object interrupt;                         ///< ends the run, raised from there

    /// @p error ends the simulation: whoever runs it raises it. The first one counts.
    void StopRun(const pybind11::error_already_set& error);

    /**
     * @brief Process @p rank has ended with @p error. Ctrl-C stops the simulation.
     * @return what people are told
     */
    std::string NoteError(std::uint32_t rank, pybind11::error_already_set& error);
};

/// What the Python processes of one run have in common.
struct PythonRun
{
    PythonResults* results{nullptr};
    std::vector<pybind11::object> functions;               ///< of the processes, as given
    std::vector<std::shared_ptr<PythonProcess>> processes; ///< all that have begun
    std::uint32_t size{0};                                 ///< processes, of any kind

    /// Runs function @p index as the body of the simulated process that calls. @return exit code
    int Body(std::size_t index);

    /// Nothing is simulated any more: what processes hold may go.
    void Close();
};

/// A function of Python that is to be called once, with the next completion of a queue.
struct PythonNotice
{
    PythonProcess* process{nullptr};
    pybind11::object function;
    std::shared_ptr<PythonVi> vi; ///< null: of a completion queue
    bool receive{false};
};

/// A simulated process whose program is a coroutine; its handlers are functions or coroutines.
class PythonProcess final : public std::enable_shared_from_this<PythonProcess>
{
  public:
    PythonProcess(PythonRun& run, ViplProcess& process, pybind11::object function);

    /// The body of the simulated process. @return its exit code
    int Main();

    std::uint32_t Rank() const
    {
        return m_rank;
    }

    std::uint32_t Node() const
    {
        return m_node;
    }

    std::uint32_t Size() const
    {
        return m_size;
    }

    const std::string& HostName() const
    {
        return m_hostName;
    }

    /// The clock of the thread that runs; of a process that has ended, when it ended.
    Ps Now() const
    {
        return m_process == nullptr ? m_end : m_process->Clock().at;
    }

    /// Is it running?
    bool IsAlive() const
    {
        return m_process != nullptr;
    }

    /// The thread that runs. Only while it is alive.
    FiberThread& Thread() const
    {
        return m_process->Runner();
    }

    /// The services of the simulated operating system. Only while it is alive.
    ProgramServices& Services() const
    {
        return m_process->Services();
    }

    /// The registered memory of the process.
    RegionBook& Regions()
    {
        return m_regions;
    }

    /// @p vi is known by its handle from now on, and lives as long as the run.
    void Enter(const std::shared_ptr<PythonVi>& vi, VIP_VI_HANDLE handle);

    /// The VI with this handle; null if there is none.
    std::shared_ptr<PythonVi> FindVi(VIP_VI_HANDLE handle) const;

    /// Keeps @p notice for VipSendNotify and the like. @return what Serve gets
    PythonNotice* Keep(PythonNotice notice);

    /// Forgets a notice that no completion will come for. Outside of all fibers.
    void Forget(const PythonNotice* notice);

    /**
     * @brief Calls a notice's function, once, on the thread of the process' handlers.
     * @param arguments makes its arguments
     */
    void Serve(PythonNotice& notice, const std::function<pybind11::tuple()>& arguments);

    /// Lets go of what it holds of Python.
    void Close();

  private:
    /// How the program, or a handler, ends.
    class Ending final : public TaskOwner
    {
      public:
        Ending(PythonProcess& process, bool isProgram)
            : m_process(process),
              m_isProgram(isProgram)
        {
        }

        void OnReturn(pybind11::object value) override;
        void OnError(pybind11::error_already_set& error) override;

      private:
        PythonProcess& m_process;
        bool m_isProgram;
    };

    void Fail(pybind11::error_already_set& error);
    void Exit(const pybind11::object& code);
    void OnEnd();

    PythonRun& m_run;
    ViplProcess* m_process; ///< null: it has ended
    pybind11::object m_function;
    Ending m_programEnding{*this, true};
    Ending m_handlerEnding{*this, false};
    PythonTask m_program{*this, m_programEnding};
    PythonTask m_handler{*this, m_handlerEnding};
    std::list<PythonNotice> m_notices;
    bool m_failed{false}; ///< it is to end now
    int m_code{0};
    std::string m_report;
    std::uint32_t m_rank;
    std::uint32_t m_node;
    std::uint32_t m_size;
    std::string m_hostName;
    Ps m_end{0};
    RegionBook m_regions;
    std::map<VIP_VI_HANDLE, std::shared_ptr<PythonVi>> m_vis;
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_PROCESS_H
