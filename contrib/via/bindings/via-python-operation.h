/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a simulated process written in Python awaits: work of C++ in simulated time.

#ifndef VIA_PYTHON_OPERATION_H
#define VIA_PYTHON_OPERATION_H

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

/// How a call of VIPL ended, and which one it was.
struct CallResult
{
    const char* call{""};
    VIP_RETURN code{VIP_SUCCESS};
    std::uint32_t status{0}; ///< of the descriptor, if it was that

    bool Failed() const
    {
        return code != VIP_SUCCESS;
    }
};

/// Throws via.errors.ViplError into Python.
[[noreturn]] void RaiseVipl(const CallResult& result);

/**
 * @brief The value of an await expression in Python.
 *
 *     NEW --awaited: handed to the process--> UNDER_WAY --Result()--> OVER
 *
 * The coroutine hands it to whoever resumed it, which is the process; the process does it on its
 * own stack, where no Python may run, and resumes the coroutine with what came of it.
 */
class Operation
{
  public:
    explicit Operation(std::shared_ptr<PythonProcess> process)
        : m_process(std::move(process))
    {
    }

    virtual ~Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// Lets simulated time pass. Runs on the process' stack: no Python.
    virtual void Do() = 0;

    /// What await gives. Throws what Python is to catch.
    virtual pybind11::object Result() = 0;

    /// Whose it is.
    const std::shared_ptr<PythonProcess>& Owner() const
    {
        return m_process;
    }

    /// It is about to be done. @return false if it was already: it can be done once
    bool Claim()
    {
        return !std::exchange(m_claimed, true);
    }

    /// One step of await, as Python's protocol am_send has it.
    PySendResult Send(PyObject* self, PyObject* value, PyObject** result);

  private:
    enum class Stage
    {
        NEW,
        UNDER_WAY,
        OVER,
    };

    std::shared_ptr<PythonProcess> m_process;
    Stage m_stage{Stage::NEW};
    bool m_claimed{false};
};

/**
 * @brief An operation made of two functions.
 * @tparam Out what the work leaves behind
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

/// Nothing is left behind.
struct NoOutput
{
};

/// Makes an operation that gives None. @tparam Work CallResult()
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
