/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process whose program is a Python coroutine or generator.

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

/// How a process has ended.
struct ProcessExit
{
    int code{0};
    std::string report; ///< for people; empty: the code says it
};

/// Results of Python code in a run.
struct PythonResults
{
    std::map<std::uint32_t, pybind11::object> returned; ///< by rank
    std::map<std::uint32_t, pybind11::object> errors; ///< exceptions that ended processes, by rank
    pybind11::object interrupt; ///< an exception that ends the run; the caller of the run gets it

    /// Ends the simulation with @p error, which the caller of the run gets. The first one counts.
    void StopRun(const pybind11::error_already_set& error);

    /**
     * @brief Records that @p error ended process @p rank: SystemExit as it ends one of Python,
     * other exceptions with code 1. One of a signal's handler, such as Ctrl-C, ends the simulation.
     */
    ProcessExit NoteError(std::uint32_t rank, pybind11::error_already_set& error);
};

/// State shared by the Python processes of one run.
struct PythonRun
{
    PythonResults* results{nullptr};
    std::vector<pybind11::object> functions;               ///< of the processes, as passed in
    std::vector<std::shared_ptr<PythonProcess>> processes; ///< all that have started
    std::uint32_t size{0};                                 ///< number of processes, of any kind

    /// Runs function @p index as the body of the calling simulated process. @return exit code
    int Body(std::size_t index);

    /// After the simulation: releases what the processes hold.
    void Close();
};

/// A Python function to be called once, with the next completion of a queue.
struct PythonNotice
{
    PythonProcess* process{nullptr};
    pybind11::object function;
    std::shared_ptr<PythonVi> vi; ///< null: for a completion queue
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

    /// The clock of the running thread; of an ended process, the time of its end.
    Ps Now() const
    {
        return m_process == nullptr ? m_end : m_process->Clock().at;
    }

    /// @return whether it is running
    bool IsAlive() const
    {
        return m_process != nullptr;
    }

    /// The running thread. Only while it is alive.
    FiberThread& Thread() const
    {
        return m_process->Runner();
    }

    /// The services of the simulated operating system. Only while it is alive.
    ProgramServices& Services() const
    {
        return m_process->Services();
    }

    /// Its system calls. Only while it is alive.
    SystemCalls& System() const
    {
        return m_process->System();
    }

    /// Where its allocated memory lies.
    PythonPlaces& Places()
    {
        return m_places;
    }

    /// The registered memory of the process.
    RegionBook& Regions()
    {
        return m_regions;
    }

    /// Registers @p vi by its handle; it lives as long as the run.
    void Enter(const std::shared_ptr<PythonVi>& vi, VIP_VI_HANDLE handle);

    /// @return the VI with this handle, or null
    std::shared_ptr<PythonVi> FindVi(VIP_VI_HANDLE handle) const;

    /// Its code made an operation, and dropped it: @p what says what and where.
    void NoteForgotten(std::string what)
    {
        m_forgotten = std::move(what);
    }

    /// @return what was not awaited since the last call; empty: nothing
    std::string TakeForgotten()
    {
        return std::exchange(m_forgotten, std::string());
    }

    /// Stores @p notice for VipSendNotify and similar calls. @return the argument for Serve
    PythonNotice* Keep(PythonNotice notice);

    /// Removes a notice whose completion will never come. Outside of all fibers.
    void Forget(const PythonNotice* notice);

    /**
     * @brief Calls a notice's function, once, on the thread of the process' handlers.
     * @param arguments makes the arguments
     */
    void Serve(PythonNotice& notice, const std::function<pybind11::tuple()>& arguments);

    /// Releases its Python objects.
    void Close();

  private:
    /// Handles the end of the program or of a handler.
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
    void OnEnd();

    PythonRun& m_run;
    ViplProcess* m_process; ///< null: it has ended
    pybind11::object m_function;
    Ending m_programEnding{*this, true};
    Ending m_handlerEnding{*this, false};
    PythonTask m_program{*this, m_programEnding};
    PythonTask m_handler{*this, m_handlerEnding};
    std::list<PythonNotice> m_notices;
    bool m_failed{false}; ///< it must end now
    int m_code{0};
    std::string m_report;
    std::string m_forgotten;
    std::uint32_t m_rank;
    std::uint32_t m_node;
    std::uint32_t m_size;
    std::string m_hostName;
    Ps m_end{0};
    PythonPlaces m_places{m_rank};
    RegionBook m_regions;
    std::map<VIP_VI_HANDLE, std::shared_ptr<PythonVi>> m_vis;
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_PROCESS_H
