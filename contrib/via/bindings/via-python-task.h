/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A coroutine of a simulated process: its program, or a handler of completions.

#ifndef VIA_PYTHON_TASK_H
#define VIA_PYTHON_TASK_H

#include "via-python-operation.h"

#include "ns3/via-fiber.h"

#include <functional>
#include <pybind11/pybind11.h>

namespace ns3
{
namespace via
{

/**
 * @brief Resumes @p coroutine until it awaits something that @p takes takes; else a TypeError that
 * says
 * @p awaits is thrown into it.
 * @return what it returned; null: it awaits
 * @throws pybind11::error_already_set what it raised
 */
pybind11::object RunCoroutine(const pybind11::object& coroutine,
                              const pybind11::object& value,
                              pybind11::object error,
                              const char* awaits,
                              const std::function<bool(pybind11::object&&)>& takes);

/// Ends @p coroutine where it is: its `finally` blocks run. What they raise is told on stderr.
void CloseCoroutine(const pybind11::object& coroutine);

/// Is it what an `async def` or a generator function makes?
bool IsCoroutine(const pybind11::object& made);

/// Calls @p function, which has to make a coroutine or a generator.
pybind11::object StartCoroutine(const pybind11::object& function, const pybind11::object& argument);

/// Who is told how a task ended. Outside of all fibers.
class TaskOwner
{
  public:
    virtual void OnReturn(pybind11::object value) = 0;
    virtual void OnError(pybind11::error_already_set& error) = 0;

  protected:
    ~TaskOwner() = default;
};

/**
 * @brief Runs a coroutine: does what it awaits, and resumes it with what came of it.
 *
 * The provider library's calls are done on the stack of the simulated thread that calls Drive, as
 * those of a program in C; they cost the same. Python runs on the stack of the event loop, in no
 * simulated time: what it computes costs only what it says it does (compute).
 *
 *     coroutine --Operation--> Do(), on the thread's stack --result--> coroutine
 */
class PythonTask final : private Errand
{
  public:
    /// Gives the coroutine; null: there is nothing (more) to do. Runs outside of all fibers.
    using Starter = std::function<pybind11::object()>;

    PythonTask(PythonProcess& process, TaskOwner& owner)
        : m_process(process),
          m_owner(owner)
    {
    }

    /// Runs a coroutine to its end. On the stack of a simulated thread; one at a time.
    void Drive(const Starter& start);

    /// Ends the coroutine where it is, if there is one, and lets go of it.
    void Close();

  private:
    void Run() override;
    void Step();
    bool Take(pybind11::object&& produced);

    PythonProcess& m_process;
    TaskOwner& m_owner;
    const Starter* m_start{nullptr}; ///< null: started
    pybind11::object m_coroutine;
    pybind11::object m_awaited;      ///< keeps m_operation
    Operation* m_operation{nullptr}; ///< null: the coroutine has ended, or not begun
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_TASK_H
