/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process whose program is a coroutine or a generator of Python.

#ifndef VIA_PYTHON_PROCESS_H
#define VIA_PYTHON_PROCESS_H

#include "via-python-memory.h"
#include "via-python-operation.h"

#include "ns3/via-vipl-process.h"

#include <cstdint>
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

/**
 * @brief Resumes @p coroutine with @p value or, unless it is null, by throwing @p error into it.
 * @param out what it yields or returns
 */
PySendResult ResumeCoroutine(const pybind11::object& coroutine,
                             const pybind11::object& value,
                             const pybind11::object& error,
                             pybind11::object& out);

/// Ends @p coroutine where it is: its `finally` blocks run. What they raise is told on stderr.
void CloseCoroutine(const pybind11::object& coroutine);

/// Calls @p function, which has to make a coroutine or a generator.
pybind11::object StartCoroutine(const pybind11::object& function, const pybind11::object& argument);

/// What Python code in a run has left behind.
struct PythonResults
{
    std::map<std::uint32_t, pybind11::object> returned; ///< by rank
    std::map<std::uint32_t, pybind11::object> errors;   ///< what ended a process, by rank
    pybind11::object interrupt;                         ///< ends the run: Ctrl-C

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

/**
 * @brief Runs a coroutine: does what it awaits, and resumes it with what came of it.
 *
 * The provider library's calls are done on the stack of the process, as those of a program in C;
 * they cost the same. Python runs on the stack of the event loop, in no simulated time: what it
 * computes costs only what it says it does (compute).
 *
 *     coroutine --Operation--> Do(), on the process' stack --result--> coroutine
 */
class PythonProcess final : public Errand, public std::enable_shared_from_this<PythonProcess>
{
  public:
    PythonProcess(PythonRun& run, ViplProcess& process, pybind11::object function);

    /// The body of the simulated process. @return its exit code
    int Main();

    /// Resumes the coroutine until it awaits something.
    void Run() override;

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

    /// The clock of the process; of one that has ended, when it ended.
    Ps Now() const
    {
        return m_thread == nullptr ? m_end : m_thread->Clock().at;
    }

    /// Is it running?
    bool IsAlive() const
    {
        return m_thread != nullptr;
    }

    /// The thread that it runs on. Only while it is alive.
    FiberThread& Thread() const
    {
        return *m_thread;
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

    /// Lets go of what it holds of Python.
    void Close();

  private:
    void Step();
    bool Take(pybind11::object produced);
    void Fail(pybind11::error_already_set& error);
    void Exit(const pybind11::object& code);
    void OnEnd();

    PythonRun& m_run;
    ViplProcess* m_process;
    FiberThread* m_thread;
    pybind11::object m_function;
    pybind11::object m_coroutine;
    pybind11::object m_awaited;      ///< keeps m_operation
    Operation* m_operation{nullptr}; ///< null: the coroutine has ended, or not begun
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
