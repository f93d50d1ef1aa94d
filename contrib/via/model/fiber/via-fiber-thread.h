/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A thread of a process: ordinary blocking code on a fiber, with its own clock.

#ifndef VIA_FIBER_THREAD_H
#define VIA_FIBER_THREAD_H

#include "ns3/via-fiber.h"
#include "ns3/via-process.h"
#include "ns3/via-run-control.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3
{
namespace via
{

class FiberProcess;

/**
 * @brief Runs its body on a fiber; blocking calls yield to the agenda.
 *
 *     NEW --Start--> RUNNING <--> GIVEN WAY (Reach: back at the clock's time, or queued for a CPU)
 *                       |  ^---- BLOCKED (until OnReady or the deadline)
 *                       `-> ENDED --Start--> RUNNING ...
 */
class FiberThread final : public Process
{
  public:
    /**
     * @param process that has the thread
     * @param number in the process, below MAX_THREADS; orders threads within one instant
     */
    FiberThread(FiberProcess& process, std::uint32_t number);
    ~FiberThread() override;

    /// The code of a thread.
    struct Work
    {
        std::function<void()> body;
        FiberListener* listener{nullptr}; ///< notified of every switch; may be null
        std::size_t stackBytes{Fiber::DEFAULT_STACK_BYTES};
    };

    /// Schedules the body's first step. No body of this thread may be running.
    void Start(Moment from, Work work);

    /// The thread whose code is running; null in the event loop.
    static FiberThread* Current()
    {
        return s_current;
    }

    FiberProcess& GetProcess() const
    {
        return m_process;
    }

    std::uint32_t Number() const
    {
        return m_number;
    }

    /// True until the first Start().
    bool IsNew() const
    {
        return m_fiber == nullptr;
    }

    /// True if no body is running.
    bool HasEnded() const
    {
        return m_fiber == nullptr || m_fiber->IsDone();
    }

    /// What it is blocked in, for the deadlock report; null if it is not blocked, or idle.
    const char* WaitsFor() const
    {
        return m_waitsFor;
    }

    /// The CpuTime() since the last Start().
    Ps BodyCpuTime() const
    {
        return CpuTime() - m_cpuTimeBefore;
    }

    /// The SystemTime() since the last Start().
    Ps BodySystemTime() const
    {
        return SystemTime() - m_systemTimeBefore;
    }

    /// "" for the first thread of a process, otherwise its name in reports: "thread 2 ".
    std::string Title() const;

    /// The program sleeps until @p when.
    void SleepUntil(Ps when);

    void Reach() override
    {
        Look("a polling loop, longer than --patience, for something that will never happen");
    }

    /// How long a program works at most before others have got as far: what it stores then, without
    /// a call, may be seen so much too early.
    static constexpr Ps MOST_AHEAD = 5'000'000;

    /// The program has worked since @p from without Reach().
    void KeepUp(Ps from);

    /// Returns to the event loop; the program continues from an event at its clock.
    void GiveWay();

    /**
     * @brief As Reach().
     * @param loop describes the program's loop in the report if nothing ever moves again
     */
    void Look(const char* loop);

    /// What a program polls.
    enum class Polled : std::uint8_t
    {
        SENDS,       ///< of a VI
        RECEIVES,    ///< of a VI
        COMPLETIONS, ///< of a completion queue
    };

    /// A poll that found nothing.
    struct VainPoll
    {
        const void* queue{nullptr}; ///< as the program names it, which may be wrong
        Polled polled{Polled::SENDS};
        Stage stage{Stage::CALL_POLL};
        Cycles cost;
        Ps until{0}; ///< when the next completion of the queue is visible, as far as it is known
    };

    /**
     * @brief The thread has just made @p poll.
     *
     * As long as it does nothing but repeat the poll, the outcome is known until something that is
     * planned reaches this host: see IsInVain.
     */
    void NoteVainPoll(const VainPoll& poll);

    /// Whether a poll of that queue is known to be in vain; the watchdog counts it. If so it needs
    /// no look at the world: RepeatPoll() is all that happens.
    bool IsInVain(const void* queue, Polled polled) const
    {
        return queue == m_vain.queue && polled == m_vain.polled && m_clock.at < m_vain.until &&
               !RunControl::IsAsked() && GetHost().GetWorld().pollWatchdog.CountLook();
    }

    /// Time passes for the same poll as the last one.
    void RepeatPoll();

    /// The thread does something else: the next poll looks at its queue.
    void ForgetVainPoll()
    {
        m_vain.until = 0;
    }

    /**
     * @brief Yields until OnReady is called or the deadline passes.
     * @param deadline PS_NEVER for none
     * @param what description of the wait for the deadlock report; null: for work,
     * which may never come
     * @param known if OnReady would already have been called: its moment
     * @return true if OnReady was called; then Woken() returns its moment
     */
    bool Block(Ps deadline, const char* what, const Moment* known = nullptr);

    /// As Block for a wait that Interrupt() may end; then it returns true, too.
    bool BlockInterruptibly(Ps deadline, const char* what)
    {
        m_interruptible = true;
        m_interrupted = false;
        const bool ready = Block(deadline, what);
        m_interruptible = false;
        return ready;
    }

    /// Ends BlockInterruptibly. @return false if the thread is not in there, or about to leave, or
    /// has a deadline by @p until
    bool Interrupt(Moment at, Ps until)
    {
        if (!m_interruptible || m_ready || m_deadlineAt <= until || !Wake(at))
        {
            return false;
        }
        m_interrupted = true;
        return true;
    }

    /// Whether Interrupt() has ended the last BlockInterruptibly.
    bool WasInterrupted() const
    {
        return m_interrupted;
    }

    Moment Stall(const char* what) override
    {
        return Block(PS_NEVER, what) ? m_woken : m_clock;
    }

    /// The moment given to OnReady.
    const Moment& Woken() const
    {
        return m_woken;
    }

    void OnReady(Moment visible) override;
    void OnPreempted() override;
    void OnGranted() override;

    /// As OnReady. @return false if it is too late: its time is up, or it is not blocked
    bool Wake(Moment at)
    {
        OnReady(at);
        return m_ready;
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /**
     * @brief Ends the thread where it is, because its process ends; destructors run.
     *
     * They never block: a wait ends as if a timeout had passed.
     */
    void Kill();

    /// Ends the thread where it is and drops its stack: none of its code runs any more.
    void Abandon();

    /// Polls that a killed program may make before the rest of its stack is dropped.
    static constexpr std::uint32_t MAX_LAST_LOOKS = 1000;

  private:
    static constexpr std::uint32_t RESUME = 0;
    static constexpr std::uint32_t DEADLINE = 1;
    static constexpr std::uint32_t LOOK = 2;

    void TakeCpu(bool paysSwitch) override;
    void AwaitKill() override;
    void Resume();
    void ResumeAt(Ps at);
    void LookAt(Ps at);
    void Quit(Ps at);
    void StopWaiting();
    void LookLast();
    ClockDomain::Window NextVainPoll() const;

    FiberProcess& m_process;
    std::uint32_t m_number;
    std::unique_ptr<Fiber> m_fiber;
    bool m_dying{false};
    Ps m_ahead{0};          ///< see KeepUp
    bool m_isTaking{false}; ///< it is getting a CPU
    std::uint32_t m_lastLooks{0};
    bool m_blocked{false};
    const char* m_waitsFor{nullptr};
    bool m_ready{false}; ///< OnReady came while blocked
    bool m_interruptible{false};
    bool m_interrupted{false};
    Moment m_woken;
    Ps m_deadlineAt{PS_NEVER};   ///< PS_NEVER: none on the agenda
    std::uint32_t m_deadline{0}; ///< number on the agenda
    std::uint32_t m_resume{0};   ///< number on the agenda, valid while m_ready
    bool m_looking{false};       ///< a LOOK is on the agenda
    std::uint32_t m_look{0};     ///< its number
    bool m_joined{false};        ///< counted by HostCpus
    VainPoll m_vain;             ///< its `until` is when it must look again
    Ps m_vainEnd{0};             ///< of the last such poll: an edge of the CPU's clock
    Ps m_vainTime{0};            ///< that one takes from any edge; 0: it depends
    Ps m_cpuTimeBefore{0};       ///< of earlier bodies
    Ps m_systemTimeBefore{0};    ///< of earlier bodies

    static FiberThread* s_current;
};

inline void
FiberThread::RepeatPoll()
{
    const bool isUsual = m_clock.at == m_vainEnd && m_vainTime != 0;
    const ClockDomain::Window window =
        isUsual ? ClockDomain::Window{m_vainEnd, m_vainEnd + m_vainTime} : NextVainPoll();
    m_vainEnd = window.end;
    GetHost().MixIntoDigest(m_vain.stage, m_vain.cost, window);
    Drive({m_vainEnd, 0}, m_vain.stage); // without a cause: nothing is recorded
    Settle();
}

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_THREAD_H
