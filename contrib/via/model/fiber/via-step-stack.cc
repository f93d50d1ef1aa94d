/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stacks for steps: the short pieces of code that thousands of processes run, and wait in.

#include "via-step-stack.h"

#include "ns3/abort.h"
#include "ns3/via-sanitizer.h"

#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

// AddressSanitizer knows what is on a stack, and cannot follow frames that are copied.
#ifdef VIA_ASAN
constexpr bool ALL_STAY = true;
#else
constexpr bool ALL_STAY = false;
#endif

/// The stack that steps share.
StepStack&
SharedStack()
{
    static auto* stack = new StepStack(StackGuard::PAGE); // as long as any process
    return *stack;
}

/// Objects that nobody uses now, to be used again.
template <class T>
class Spares
{
  public:
    /// @param arguments of a new object, if there is no spare one
    template <class... A>
    static std::unique_ptr<T> Take(A... arguments)
    {
        std::vector<std::unique_ptr<T>>& all = All();
        if (all.empty())
        {
            return std::make_unique<T>(arguments...);
        }
        std::unique_ptr<T> one = std::move(all.back());
        all.pop_back();
        return one;
    }

    static void Return(std::unique_ptr<T> one)
    {
        All().push_back(std::move(one));
    }

  private:
    static std::vector<std::unique_ptr<T>>& All()
    {
        static std::vector<std::unique_ptr<T>> all;
        return all;
    }
};

} // namespace

StepStack::StepStack(StackGuard guard)
    : m_fiber([this] { RunSteps(); }, nullptr, Fiber::DEFAULT_STACK_BYTES, guard)
{
    m_fiber.Resume();
    if (!ALL_STAY)
    {
        m_fiber.CopyFrames(m_base, m_free);
    }
}

// Not inlined: all frames of a step lie below this one, in which nothing changes.
[[gnu::noinline]] void
StepStack::RunSteps()
{
    m_base = static_cast<const char*>(__builtin_frame_address(0));
    for (;;)
    {
        Fiber::Suspend();
        try
        {
            m_code->RunStep();
        }
        catch (const FiberCancelled&)
        {
        }
        catch (...)
        {
            m_error = std::current_exception();
        }
        m_code = nullptr;
    }
}

bool
StepStack::Run()
{
    m_fiber.Resume();
    if (m_error != nullptr)
    {
        std::rethrow_exception(std::exchange(m_error, nullptr));
    }
    return IsFree();
}

bool
StepStack::Begin(StepCode& code)
{
    NS_ABORT_MSG_IF(!IsFree(), "two steps at once on one stack");
    m_code = &code;
    return Run();
}

bool
StepStack::GoOn()
{
    return Run();
}

void
StepStack::Leave(FiberFrames& frames)
{
    m_fiber.CopyFrames(m_base, frames);
    m_fiber.SetFrames(m_free);
    m_code = nullptr;
}

void
StepStack::Return(StepCode& code, const FiberFrames& frames)
{
    NS_ABORT_MSG_IF(!IsFree(), "two steps at once on one stack");
    m_code = &code;
    m_fiber.SetFrames(frames);
}

void
StepStack::Cancel()
{
    for (int i = 0; !IsFree() && i < Fiber::MAX_SWALLOWED; ++i)
    {
        m_fiber.Interrupt();
    }
    if (!IsFree())
    {
        m_fiber.SetFrames(m_free); // it does not want to end: nothing more of it runs
        m_code = nullptr;
    }
    m_error = nullptr;
}

ProcessStep::~ProcessStep()
{
    if (m_frames != nullptr && SharedStack().IsFree()) // else another cluster runs: rare
    {
        SharedStack().Return(*m_code, *m_frames);
        SharedStack().Cancel();
    }
}

bool
ProcessStep::Begin(StepCode& code, bool stays)
{
    if (stays || ALL_STAY)
    {
        m_own = Spares<StepStack>::Take(StackGuard::NONE);
        return Rest(m_own->Begin(code));
    }
    m_code = &code;
    return Rest(SharedStack().Begin(code));
}

bool
ProcessStep::GoOn()
{
    if (m_own != nullptr)
    {
        return Rest(m_own->GoOn());
    }
    SharedStack().Return(*m_code, *m_frames);
    Spares<FiberFrames>::Return(std::move(m_frames));
    return Rest(SharedStack().GoOn());
}

bool
ProcessStep::Rest(bool hasEnded)
{
    if (m_own != nullptr && hasEnded)
    {
        Spares<StepStack>::Return(std::move(m_own));
    }
    else if (m_own == nullptr && !hasEnded)
    {
        m_frames = Spares<FiberFrames>::Take();
        SharedStack().Leave(*m_frames);
    }
    return hasEnded;
}

void
ProcessStep::Prefetch() const
{
    if (m_frames != nullptr)
    {
        m_frames->Prefetch();
    }
}

} // namespace via
} // namespace ns3
