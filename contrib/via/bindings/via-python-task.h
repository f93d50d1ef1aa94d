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
 * @brief Resumes @p coroutine until it awaits something that @p takes accepts. For anything else,
 * throws a TypeError with the text @p awaits into it.
 * @return its return value; null: it awaits
 * @throws pybind11::error_already_set the exception that it raised
 */
pybind11::object RunCoroutine(const pybind11::object& coroutine,
                              const pybind11::object& value,
                              pybind11::object error,
                              const char* awaits,
                              const std::function<bool(pybind11::object&&)>& takes);

/// Ends @p coroutine where it is: its `finally` blocks run. @return their exception; null: none
pybind11::object EndCoroutine(const pybind11::object& coroutine);

/// As EndCoroutine, for one that nobody waits for: an exception is printed to stderr.
void CloseCoroutine(const pybind11::object& coroutine);

/// @return whether @p made comes from an `async def` or a generator function
bool IsCoroutine(const pybind11::object& made);

/// Calls @p function, which must return a coroutine or a generator.
pybind11::object StartCoroutine(const pybind11::object& function, const pybind11::object& argument);

/// Is notified of the end of a task. Outside of all fibers.
class TaskOwner
{
  public:
    virtual void OnReturn(pybind11::object value) = 0;
    virtual void OnError(pybind11::error_already_set& error) = 0;

  protected:
    ~TaskOwner() = default;
};

/**
 * @brief Runs a coroutine: does what it awaits, and resumes it with the result.
 *
 * Calls of the provider library run on the stack of the simulated thread that calls Drive, as those
 * of a C program do, and cost the same. Python runs on the event loop's stack and takes no
 * simulated time, except for what it requests (compute).
 *
 *     coroutine --Operation--> Do(), on the thread's stack --result--> coroutine
 */
class PythonTask final : private OutsideCall
{
  public:
    /// Returns the coroutine; null: nothing (more) to do. Runs outside of all fibers.
    using Starter = std::function<pybind11::object()>;

    PythonTask(PythonProcess& process, TaskOwner& owner)
        : m_process(process),
          m_owner(owner)
    {
    }

    /// Runs a coroutine to its end. On the stack of a simulated thread; one at a time.
    void Drive(const Starter& start);

    /// Ends the coroutine, if any, where it is, and releases it.
    void Close();

  private:
    void Run() override;
    void Step();
    bool Take(pybind11::object&& produced);

    PythonProcess& m_process;
    TaskOwner& m_owner;
    const Starter* m_start{nullptr}; ///< null: started
    pybind11::object m_coroutine;
    pybind11::object m_awaited;      ///< keeps m_operation alive
    Operation* m_operation{nullptr}; ///< null: the coroutine has ended, or not started
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_TASK_H
