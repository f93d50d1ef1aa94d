/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process whose program is ordinary blocking code on a fiber.

#ifndef VIA_FIBER_PROCESS_H
#define VIA_FIBER_PROCESS_H

#include "ns3/via-fiber.h"
#include "ns3/via-process.h"

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief Runs Main() on a fiber; calls that block give way to the agenda.
 *
 *     NEW --Start--> RUNNING <--> GIVEN WAY (Reach: back at the clock's time)
 *                       |  ^---- BLOCKED (until OnReady or the deadline)
 *                       `-> ENDED
 */
class FiberProcess : public Process
{
  public:
    FiberProcess(Host& host, std::uint32_t rank);
    ~FiberProcess() override;

    /// Puts the first step on the agenda.
    void Start(Ps at);

    /**
     * @brief Ends the program where it is, not before now; its destructors run.
     *
     * Nothing blocks them: what they would wait for is answered as if a time-out had passed.
     */
    void Kill();

    /**
     * @brief Plans a Kill(). To be called at most once; no effect if the program ends before.
     *
     * What the program has done before it next looks at the world is done, even if its clock
     * has passed @p at by then.
     */
    void KillAt(Ps at);

    /// Whether Kill() ended it.
    bool WasKilled() const
    {
        return m_killed;
    }

    /// The process whose code runs now; null in the event loop.
    static FiberProcess* Current()
    {
        return s_current;
    }

    bool HasEnded() const
    {
        return m_ended;
    }

    /// What the program is blocked in, for the report of a deadlock; null when it is not.
    const char* WaitsFor() const
    {
        return m_waitsFor;
    }

    /// The program sleeps until @p when.
    void SleepUntil(Ps when);

    void Reach() override
    {
        Look("a polling loop, longer than --patience, for something that nobody will ever do");
    }

    /**
     * @brief Gives way until somebody calls OnReady or the deadline passes.
     * @param deadline PS_NEVER for none
     * @param what is waited for, as the report of a deadlock should say it
     * @param known when OnReady would have come already: its moment
     * @return true if OnReady came; then Woken() tells since when
     */
    bool Block(Ps deadline, const char* what, const Moment* known = nullptr);

    /// The moment given to OnReady.
    const Moment& Woken() const
    {
        return m_woken;
    }

    void OnReady(Moment visible) override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Looks at the world that a killed program may take before the rest of its stack is dropped.
    static constexpr std::uint32_t MAX_LAST_LOOKS = 1000;

  protected:
    /// The program. Runs on the fiber.
    virtual void Main() = 0;

    /// Told of every switch; null for none. Asked once, at Start.
    virtual FiberListener* Listener()
    {
        return nullptr;
    }

    /// The program has ended or was killed; still inside the agenda's event.
    virtual void OnEnd()
    {
    }

    /**
     * @brief As Reach().
     * @param loop what the program must be in when nothing moves for ever, for the report
     */
    void Look(const char* loop);

  private:
    static constexpr std::uint32_t RESUME = 0;
    static constexpr std::uint32_t DEADLINE = 1;
    static constexpr std::uint32_t KILL = 2;

    void Resume();
    void ResumeAt(Ps at);
    void End();
    void LookLast();

    std::unique_ptr<Fiber> m_fiber;
    bool m_ended{false};
    bool m_killed{false};
    std::uint32_t m_lastLooks{0};
    bool m_killPlanned{false};
    std::uint64_t m_kill{0}; ///< sequence on the agenda, valid while m_killPlanned
    const char* m_waitsFor{nullptr};
    bool m_ready{false}; ///< OnReady came while blocked
    Moment m_woken;
    Ps m_deadlineAt{PS_NEVER};   ///< PS_NEVER: none on the agenda
    std::uint64_t m_deadline{0}; ///< sequence on the agenda
    std::uint64_t m_resume{0};   ///< sequence on the agenda, valid while m_ready

    static FiberProcess* s_current;
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_PROCESS_H
