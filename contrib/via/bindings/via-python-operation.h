/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a Python process awaits: work in C++ that takes simulated time.

#ifndef VIA_PYTHON_OPERATION_H
#define VIA_PYTHON_OPERATION_H

#include "via-call-site.h"

#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <utility>
#include <vipl.h>

namespace ns3
{
namespace via
{

class PythonProcess;

/// The call of VIPL that was made, and its result.
struct CallResult
{
    const char* call{""};
    VIP_RETURN code{VIP_SUCCESS};
    std::uint32_t status{0}; ///< of the descriptor, if that failed

    bool Failed() const
    {
        return code != VIP_SUCCESS;
    }
};

/// Throws via.errors.ViplError to Python.
[[noreturn]] void RaiseVipl(const CallResult& result);

/**
 * @brief The value of an await expression in Python.
 *
 *     NEW --awaited: handed to the process--> UNDER_WAY --Result()--> READY --> OVER
 *
 * The coroutine yields it to the process that resumed it. The process does the work on its own
 * stack, where no Python may run, and resumes the coroutine with the result.
 */
class Operation
{
  public:
    explicit Operation(std::shared_ptr<PythonProcess> process)
        : m_process(std::move(process)),
          m_site(CallSite::Here())
    {
    }

    virtual ~Operation();
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// Does the work, which takes simulated time. Runs on the process' stack: no Python.
    virtual void Do() = 0;

    /// @return the result of await. Throws exceptions for Python to catch.
    virtual pybind11::object Result() = 0;

    /// @return the process that owns it
    const std::shared_ptr<PythonProcess>& Owner() const
    {
        return m_process;
    }

    /// @return what to tell a user who did not await it
    std::string Forgotten() const
    {
        return NotAwaited("an operation", m_site);
    }

    /// Marks it as under way. @return false if it was already: it can be done only once
    bool Claim()
    {
        return !std::exchange(m_claimed, true);
    }

    /// The coroutine that awaits it goes on. @param returned with a result, not an exception
    void Release(bool returned)
    {
        m_stage = returned && m_stage == Stage::UNDER_WAY ? Stage::READY : Stage::OVER;
    }

    /// One step of await: Python's am_send slot.
    PySendResult Send(PyObject* self, PyObject* value, PyObject** result);

  private:
    enum class Stage
    {
        NEW,
        UNDER_WAY,
        READY, ///< the coroutine goes on with its result
        OVER,
    };

    std::shared_ptr<PythonProcess> m_process;
    CallSite m_site; ///< the call that made it
    Stage m_stage{Stage::NEW};
    bool m_claimed{false};
};

/**
 * @brief An operation made of two functions.
 * @tparam Out the output of the work
 * @tparam Work CallResult(Out&), on the process' stack
 * @tparam Answer py::object(Out&), unless the work failed
 */
template <class Out, class Work, class Answer>
class CallOperation final : public Operation
{
  public:
    CallOperation(std::shared_ptr<PythonProcess> process, Out out, Work work, Answer answer)
        : Operation(std::move(process)),
          m_out(std::move(out)),
          m_work(std::move(work)),
          m_answer(std::move(answer))
    {
    }

    void Do() override
    {
        m_result = m_work(m_out);
    }

    pybind11::object Result() override
    {
        if (m_result.Failed())
        {
            RaiseVipl(m_result);
        }
        return m_answer(m_out);
    }

  private:
    Out m_out;
    Work m_work;
    Answer m_answer;
    CallResult m_result;
};

/// Makes a CallOperation.
template <class Out, class Work, class Answer>
std::unique_ptr<Operation>
MakeOperation(std::shared_ptr<PythonProcess> process, Out out, Work work, Answer answer)
{
    return std::make_unique<CallOperation<Out, Work, Answer>>(std::move(process),
                                                              std::move(out),
                                                              std::move(work),
                                                              std::move(answer));
}

/// For work without output.
struct NoOutput
{
};

/// Makes an operation whose result is None. @tparam Work CallResult()
template <class Work>
std::unique_ptr<Operation>
MakeOperation(std::shared_ptr<PythonProcess> process, Work work)
{
    return MakeOperation(
        std::move(process),
        NoOutput{},
        [work = std::move(work)](NoOutput&) { return work(); },
        [](NoOutput&) -> pybind11::object { return pybind11::none(); });
}

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_OPERATION_H
