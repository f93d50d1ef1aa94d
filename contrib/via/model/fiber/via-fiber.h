/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A fiber: a stack of its own on which blocking code runs inside events.

#ifndef VIA_FIBER_H
#define VIA_FIBER_H

#include "ns3/via-fiber-stack.h"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

namespace ns3
{
namespace via
{

class FaultTarget;

/// Thrown out of Fiber::Suspend() of a fiber that is being killed. Let it pass.
class FiberCancelled
{
};

/// Told when its fiber gains and loses the OS thread. Both run on every switch: keep them short.
class FiberListener
{
  public:
    /// The program that runs on the fiber, for the handler of faults; null: none.
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

/// What has to run outside of all fibers, on the stack of the event loop. See Fiber::RunOutside.
class Errand
{
  public:
    /// Runs in no simulated time, in the middle of the fiber's step. Nothing may be thrown.
    virtual void Run() = 0;

  protected:
    ~Errand() = default;
};

/**
 * @brief Blocking code that runs in turns with the event loop.
 *
 *     NEW --Resume--> RUNNING --Suspend--> WAITING --Resume--> RUNNING --body returns--> DONE
 *                                             `--Kill: FiberCancelled unwinds--------------^
 *
 * One OS thread. The C++ runtime's exception state goes with the fiber, so a body may suspend
 * inside a catch block. A switch allocates nothing.
 */
class Fiber
{
  public:
    /// Room for printf, iostreams and NS_LOG with much to spare; untouched pages cost nothing.
    static constexpr std::size_t DEFAULT_STACK_BYTES = 256 * 1024;

    /**
     * @param body what to run; starts at the first Resume()
     * @param listener told about every switch, or null; must outlive the fiber
     * @param stackBytes size of the stack, rounded up to pages
     */
    explicit Fiber(std::function<void()> body,
                   FiberListener* listener = nullptr,
                   std::size_t stackBytes = DEFAULT_STACK_BYTES);

    /// Bytes of stack that a call of a library must find, or a quarter of a smaller stack: room for
    /// the call and for the report of a fault. Chosen, not measured.
    static constexpr std::size_t CALL_BYTES = 64 * 1024;

    /// Kills the fiber if it is not done.
    ~Fiber();

    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /**
     * @brief Runs the body until it suspends or returns.
     *
     * An exception that leaves the body is thrown from here. Fibers nest: a running fiber may
     * resume another one, but not itself and not one that is done.
     */
    void Resume();

    /**
     * @brief Gives the thread back to whoever resumed the calling fiber.
     * @throws FiberCancelled when the fiber is killed
     */
    static void Suspend();

    /**
     * @brief Runs @p errand outside of all fibers: at once, or on the stack of whoever resumed this
     * one. For code that must not run on a stack of ours, such as an interpreter's.
     */
    static void RunOutside(Errand& errand);

    /**
     * @brief Ends the fiber: FiberCancelled is thrown out of its Suspend(), destructors run.
     *
     * A body that swallows FiberCancelled meets it again at each further Suspend(); after
     * MAX_SWALLOWED of them the rest of its stack is dropped without unwinding.
     * A fiber that kills itself gets the exception from here.
     */
    void Kill();

    /// Drops the stack of a fiber that waits: nothing on it is destroyed, no more of it runs.
    void Abandon();

    /// @return the fiber that runs now, or null in the event loop
    static Fiber* Current()
    {
        return s_current;
    }

    /// @return the program that runs here, for the handler of faults; null: none
    FaultTarget* Target() const
    {
        return m_listener == nullptr ? nullptr : m_listener->Faults();
    }

    /// @return whether who stands at @p here has stack for a call of a library
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

    /// @return where this fiber's stack lies
    const FiberStack& Stack() const
    {
        return m_stack;
    }

    /// How often a killed body may swallow FiberCancelled.
    static constexpr int MAX_SWALLOWED = 16;

  private:
    using Context = boost::context::fiber;

    /// What the Itanium C++ ABI keeps per thread: caught exceptions, count of uncaught ones.
    struct ExceptionState
    {
        void* caught{nullptr};
        unsigned int uncaught{0};
    };

    Context Main(Context&& from);
    void RunBody();
    void SwapExceptionState();
    void SwitchIn();
    void SwitchOut();
    [[noreturn]] void ThrowCancelled();

    std::function<void()> m_body;
    FiberListener* m_listener;
    FiberStack m_stack;
    Context m_inside;  ///< the fiber while it waits
    Context m_outside; ///< the resumer while the fiber runs
    ExceptionState m_exceptions;
    std::exception_ptr m_error;
    const void* m_outsideBottom{nullptr}; ///< resumer's stack, for AddressSanitizer
    std::size_t m_outsideBytes{0};
    Errand* m_errand{nullptr}; ///< the body waits for that
    bool m_started{false};
    bool m_done{false};
    bool m_cancelled{false};

    static Fiber* s_current;
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_H
