/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A fiber: blocking code on its own stack, run inside events.

#ifndef VIA_FIBER_H
#define VIA_FIBER_H

#include "ns3/via-fiber-stack.h"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace ns3
{
namespace via
{

class FaultTarget;

/// Thrown by Fiber::Suspend() in a fiber that is being killed. Let it propagate.
class FiberCancelled
{
};

/// Notified when its fiber gains and loses the OS thread, on every switch: keep both short.
class FiberListener
{
  public:
    /// The program that runs on the fiber, for the fault handler; null: none.
    virtual FaultTarget* Faults() noexcept
    {
        return nullptr;
    }

    /// The fiber is about to run.
    virtual void OnEnter() noexcept = 0;
    /// The fiber has stopped running, for now or for good.
    virtual void OnLeave() noexcept = 0;

    /// FiberCancelled is about to be thrown out of Suspend().
    virtual void OnCancel() noexcept
    {
    }

  protected:
    ~FiberListener() = default;
};

/// A call to run outside of all fibers, on the stack of the event loop. See Fiber::RunOutside.
class OutsideCall
{
  public:
    /// Takes no simulated time; runs in the middle of the fiber's step. Must not throw.
    virtual void Run() = 0;

  protected:
    ~OutsideCall() = default;
};

/// Per-thread state of the Itanium C++ ABI: caught exceptions, count of uncaught ones.
struct ExceptionState
{
    void* caught{nullptr};
    unsigned int uncaught{0};
};

/// A copy of the innermost frames of a waiting fiber.
struct FiberFrames
{
    /// Prefetch hint: the fiber goes on from these frames soon.
    void Prefetch() const;

    char* innermost{nullptr}; ///< where they are when the fiber goes on
    std::vector<char> bytes;
    ExceptionState exceptions;
};

/**
 * @brief Blocking code that alternates with the event loop.
 *
 *     NEW --Resume--> RUNNING --Suspend--> WAITING --Resume--> RUNNING --body returns--> DONE
 *                                             `--Kill: FiberCancelled unwinds--------------^
 *
 * There is one OS thread. Each fiber has its own C++ exception state, so a body may suspend inside
 * a catch block. A switch allocates nothing.
 */
class Fiber
{
  public:
    /// Ample room for printf, iostreams and NS_LOG; untouched pages cost nothing.
    static constexpr std::size_t DEFAULT_STACK_BYTES = 256 * 1024;

    /**
     * @param body code to run; starts at the first Resume()
     * @param listener notified of every switch, or null; must outlive the fiber
     * @param stackBytes size of the stack, rounded up to pages
     * @param guard what lies below the stack
     */
    explicit Fiber(std::function<void()> body,
                   FiberListener* listener = nullptr,
                   std::size_t stackBytes = DEFAULT_STACK_BYTES,
                   StackGuard guard = StackGuard::PAGE);

    /// Stack that a library call needs, in bytes (a quarter of a smaller stack): room for the call
    /// and for a fault report. Chosen, not measured.
    static constexpr std::size_t CALL_BYTES = 64 * 1024;

    /// Kills the fiber if it is not done.
    ~Fiber();

    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /**
     * @brief Runs the body until it suspends or returns.
     *
     * Rethrows an exception that leaves the body. Fibers nest: a running fiber may resume another
     * one, but neither itself nor one that is done.
     */
    void Resume();

    /**
     * @brief Returns control to the resumer of the calling fiber.
     * @throws FiberCancelled if the fiber is being killed
     */
    static void Suspend();

    /**
     * @brief Runs @p errand outside of all fibers: at once, or on the resumer's stack. For code
     * that must not run on a fiber stack, such as an interpreter.
     */
    static void RunOutside(OutsideCall& errand);

    /**
     * @brief Ends the fiber: its Suspend() throws FiberCancelled, destructors run.
     *
     * A body that swallows FiberCancelled gets it again from each further Suspend(); after
     * MAX_SWALLOWED times the rest of its stack is dropped without unwinding. So is the rest above
     * a noexcept function, which the exception cannot leave. In a fiber that kills itself, this
     * call throws the exception.
     */
    void Kill();

    /// Drops the stack of a waiting fiber: nothing on it is destroyed, none of its
    /// code runs any more.
    void Abandon();

    /// @return the running fiber, or null in the event loop
    static Fiber* Current()
    {
        return s_current;
    }

    /// @return the program that runs here, for the fault handler; null: none
    FaultTarget* Target() const
    {
        return m_listener == nullptr ? nullptr : m_listener->Faults();
    }

    /// @return whether a frame at @p here has enough stack left for a library call
    bool HasRoom(const void* here) const
    {
        const auto left = static_cast<const char*>(here) - m_stack.bottom;
        return left >= static_cast<std::ptrdiff_t>(std::min(CALL_BYTES, m_stack.bytes / 4));
    }

    /// @return true when the body has returned or the fiber was killed
    bool IsDone() const
    {
        return m_done;
    }

    /// @return true once Kill() was called
    bool IsCancelled() const
    {
        return m_cancelled;
    }

    /// FiberCancelled is thrown out of the Suspend() in which the body waits. Unlike after Kill()
    /// the body may catch it, and wait for something else.
    void Interrupt();

    /// Copies the frames of the waiting body below @p base, an address in its stack, to @p frames.
    void CopyFrames(const char* base, FiberFrames& frames) const;

    /// Overwrites the innermost frames of the waiting body with @p frames, copied from it, and
    /// with the same base: it goes on from there.
    void SetFrames(const FiberFrames& frames);

    /// @return the fiber's stack
    const FiberStack& Stack() const
    {
        return m_stack;
    }

    /// How often a killed body may swallow FiberCancelled.
    static constexpr int MAX_SWALLOWED = 16;

  private:
    using Context = boost::context::fiber;

    Context Main(Context&& from);
    void RunBody();
    void SwapExceptionState();
    void SwitchIn();
    void SwitchOut();
    [[noreturn]] void ThrowCancelled();
    static void OnTerminate();

    std::function<void()> m_body;
    FiberListener* m_listener;
    FiberStack m_stack;
    Context m_inside;  ///< the fiber while it waits
    Context m_outside; ///< the resumer while the fiber runs
    ExceptionState m_exceptions;
    std::exception_ptr m_error;
    const void* m_outsideBottom{nullptr}; ///< resumer's stack, for AddressSanitizer
    std::size_t m_outsideBytes{0};
    OutsideCall* m_errand{nullptr}; ///< to run for the waiting body
    bool m_started{false};
    bool m_done{false};
    bool m_cancelled{false};
    bool m_isStuck{false}; ///< it was to unwind through a noexcept function
    std::terminate_handler m_outerTerminate{nullptr}; ///< while it runs after FiberCancelled

    static Fiber* s_current;
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_H
