/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A thread of a process: ordinary blocking code on a fiber, with a clock of its own.

#ifndef VIA_FIBER_THREAD_H
#define VIA_FIBER_THREAD_H

#include "ns3/via-fiber.h"
#include "ns3/via-process.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3
{
namespace via
{

class FiberProcess;

/**
 * @brief Runs its body on a fiber; calls that block give way to the agenda.
 *
 *     NEW --Start--> RUNNING <--> GIVEN WAY (Reach: back at the clock's time, or queued for a CPU)
 *                       |  ^---- BLOCKED (until OnReady or the deadline)
 *                       `-> ENDED --Start--> RUNNING ...
 */
class FiberThread final : public Process
{
  public:
    /**
     * @param process it belongs to
     * @param number in the process, below MAX_THREADS; orders the threads within one instant
     */
    FiberThread(FiberProcess& process, std::uint32_t number);
    ~FiberThread() override;

    /// What a thread runs.
    struct Work
    {
        std::function<void()> body;
        FiberListener* listener{nullptr}; ///< told of every switch; may be null
        std::size_t stackBytes{Fiber::DEFAULT_STACK_BYTES};
    };

    /// The body's first step goes on the agenda. Not while a body of this thread runs.
    void Start(Moment from, Work work);

    /// The thread whose code runs now; null in the event loop.
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

    /// True when no body runs.
    bool HasEnded() const
    {
        return m_fiber == nullptr || m_fiber->IsDone();
    }

    /// What it is blocked in, for the report of a deadlock; null when it is not, or idle.
    const char* WaitsFor() const
    {
        return m_waitsFor;
    }

    /// "" for the first thread of a process, else what a report calls it: "thread 2 ".
    std::string Title() const;

    /// The program sleeps until @p when.
    void SleepUntil(Ps when);

    void Reach() override
    {
        Look("a polling loop, longer than --patience, for something that nobody will ever do");
    }

    /**
     * @brief As Reach().
     * @param loop what the program must be in when nothing moves for ever, for the report
     */
    void Look(const char* loop);

    /**
     * @brief Gives way until somebody calls OnReady or the deadline passes.
     * @param deadline PS_NEVER for none
     * @param what is waited for, as the report of a deadlock should say it; null: for work,
     *             which nobody need ever send
     * @param known when OnReady would have come already: its moment
     * @return true if OnReady came; then Woken() tells since when
     */
    bool Block(Ps deadline, const char* what, const Moment* known = nullptr);

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

    /// As OnReady. @return false when that is too late: its time is up, or it is not blocked
    bool Wake(Moment at)
    {
        OnReady(at);
        return m_ready;
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /**
     * @brief Ends the thread where it is, because its process ends; destructors run.
     *
     * Nothing blocks them: what they would wait for is answered as if a time-out had passed.
     */
    void Kill();

    /// Ends the thread where it is and drops its stack: nothing of its code runs any more.
    void Abandon();

    /// Looks at the world that a killed program may take before the rest of its stack is dropped.
    static constexpr std::uint32_t MAX_LAST_LOOKS = 1000;

  private:
    static constexpr std::uint32_t RESUME = 0;
    static constexpr std::uint32_t DEADLINE = 1;
    static constexpr std::uint32_t LOOK = 2;

    void TakeCpu(bool paysSwitch) override;
    void Resume();
    void ResumeAt(Ps at);
    void LookAt(Ps at);
    void GiveWay();
    void Quit(Ps at);
    void StopWaiting();
    void LookLast();

    FiberProcess& m_process;
    std::uint32_t m_number;
    std::unique_ptr<Fiber> m_fiber;
    bool m_dying{false};
    std::uint32_t m_lastLooks{0};
    bool m_blocked{false};
    const char* m_waitsFor{nullptr};
    bool m_ready{false}; ///< OnReady came while blocked
    Moment m_woken;
    Ps m_deadlineAt{PS_NEVER};   ///< PS_NEVER: none on the agenda
    std::uint64_t m_deadline{0}; ///< sequence on the agenda
    std::uint64_t m_resume{0};   ///< sequence on the agenda, valid while m_ready
    bool m_looking{false};       ///< a LOOK is on the agenda
    std::uint64_t m_look{0};     ///< its sequence
    bool m_joined{false};        ///< counts among those who need a CPU

    static FiberThread* s_current;
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_THREAD_H
