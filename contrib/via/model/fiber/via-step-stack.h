/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stacks for steps: the short pieces of code that thousands of processes run, and wait in.

#ifndef VIA_STEP_STACK_H
#define VIA_STEP_STACK_H

#include "ns3/via-fiber.h"

#include <exception>
#include <memory>

namespace ns3
{
namespace via
{

/// Code that runs in steps.
class StepCode
{
  public:
    /// One step. It may call Fiber::Suspend() in the middle.
    virtual void RunStep() = 0;

  protected:
    ~StepCode() = default;
};

/**
 * @brief A stack on which steps run, one after another.
 *
 * A step that waits in the middle can leave: its frames are copied, and the stack is free for other
 * steps. Later they come back to the same addresses, and the step goes on.
 */
class StepStack
{
  public:
    /// @param guard what lies below it
    explicit StepStack(StackGuard guard);
    StepStack(const StepStack&) = delete;
    StepStack& operator=(const StepStack&) = delete;

    /// Whether no step is on the stack.
    bool IsFree() const
    {
        return m_code == nullptr;
    }

    /**
     * @brief Runs a step of @p code until it ends or waits. The stack must be free.
     *
     * Rethrows an exception that leaves the step; the stack is then free.
     * @return whether the step has ended; false: it waits, and is still on the stack
     */
    bool Begin(StepCode& code);

    /// The step on the stack goes on. @return as Begin
    bool GoOn();

    /// The waiting step leaves: its frames are in @p frames from now on, and the stack is free.
    void Leave(FiberFrames& frames);

    /// A step of @p code that has left comes back. The stack must be free.
    void Return(StepCode& code, const FiberFrames& frames);

    /// The step on the stack, if there is one, ends where it waits: its destructors run.
    void Cancel();

  private:
    void RunSteps();
    bool Run();

    StepCode* m_code{nullptr};   ///< whose step is on the stack; null: it is free
    const char* m_base{nullptr}; ///< end of the frames of a step
    std::exception_ptr m_error;  ///< has left a step
    Fiber m_fiber;
    FiberFrames m_free; ///< the frames when the stack is free
};

/**
 * @brief The step of a process.
 *
 * Steps share one stack, which they leave while they wait. Thousands of waiting steps then take a
 * kilobyte each, and not a page. So nobody may use the address of anything on the stack of a step
 * that waits, unless its frames stay.
 */
class ProcessStep
{
  public:
    ProcessStep() = default;

    /// Ends a step that waits.
    ~ProcessStep();

    ProcessStep(const ProcessStep&) = delete;
    ProcessStep& operator=(const ProcessStep&) = delete;

    /**
     * @brief Runs a step of @p code until it ends or waits.
     * @param stays its frames stay where they are while it waits, on a stack of its own
     * @return whether it has ended
     */
    bool Begin(StepCode& code, bool stays);

    /// The waiting step goes on. @return whether it has ended
    bool GoOn();

    /// Prefetch hint: the step goes on soon.
    void Prefetch() const;

  private:
    bool Rest(bool hasEnded);

    StepCode* m_code{nullptr};
    std::unique_ptr<FiberFrames> m_frames; ///< of a step that has left the shared stack
    std::unique_ptr<StepStack> m_own;      ///< of a step whose frames stay
};

} // namespace via
} // namespace ns3

#endif // VIA_STEP_STACK_H
