/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Lets an external monitor inspect a run, and end it on request or when nothing makes progress.

#ifndef VIA_RUN_CONTROL_H
#define VIA_RUN_CONTROL_H

#include "ns3/via-time.h"

#include <csignal>
#include <cstdint>
#include <stdexcept>

namespace ns3
{
namespace via
{

/// Simulated time stands still although the simulation works. The text names the
/// work and its owner.
class NoProgress : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// The monitor has ended the work: see RunControl::Check().
class RunStopped
{
};

/// Work that recurs without end at one instant.
struct Standstill
{
    Ps at{0};
    std::uint32_t component{0};
    std::uint32_t port{0};
    std::uint32_t kind{0};
    const char* target{nullptr}; ///< mangled name of its class; null: time passes
};

/// Decides several times per second whether a run continues.
class RunMonitor
{
  public:
    /// Called outside of all fibers, between two work items. @return false to end the run
    virtual bool GoesOn() = 0;

  protected:
    ~RunMonitor() = default;
};

/**
 * @brief Requests from a tick of CPU time, answered where the simulation is in a consistent state.
 *
 *     tick: Ask() --> IsAsked() between two pieces of work, at a look, in a program's own code
 *                       `--> Answer(): the monitor decides; IsIdle(): has time passed since?
 *
 * No simulated time passes and no event is counted: results are the same with
 * and without a monitor.
 */
class RunControl
{
  public:
    static constexpr std::uint32_t TICK_MS = 100; ///< of the CPU time of the thread that simulates

    /// While it exists, @p monitor is asked.
    class Watch
    {
      public:
        /// @param seconds of CPU time within which simulated time must advance; 0: no limit
        Watch(RunMonitor& monitor, std::uint32_t seconds);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

      private:
        RunMonitor* m_outer;
        std::uint32_t m_outerLimit;
    };

    /// Records that a tick has passed. For signal handlers.
    static void Ask()
    {
        s_asked = 1;
    }

    /// True from a tick until it is answered, and for ever once the run is to end.
    static bool IsAsked()
    {
        return s_asked != 0;
    }

    /// Asks the monitor. Call outside of all fibers. @return false: the run is to end
    static bool Answer();

    /**
     * @brief Records the simulated time, once per tick.
     * @param now of the agenda
     * @param clock of the running process; @p now if there is none
     * @return whether time has stood still for longer than the watch allows
     */
    static bool IsIdle(Ps now, Ps clock);

    /// Ends the run because of @p why.
    static void GiveUp(const Standstill& why)
    {
        s_standstill = why;
        s_asked = 1;
    }

    /// Why the run ended; target is null unless GiveUp was called.
    static const Standstill& Ended()
    {
        return s_standstill;
    }

    /// CPU time in seconds for which simulated time may stand still; 0: no limit.
    static std::uint32_t LimitSeconds()
    {
        return s_limit * TICK_MS / 1000;
    }

    /// For long work outside of a run. @throws RunStopped when the monitor ends it
    static void Check()
    {
        if (IsAsked() && !Answer())
        {
            throw RunStopped();
        }
    }

  private:
    inline static volatile std::sig_atomic_t s_asked = 0;
    inline static Standstill s_standstill{};
    inline static RunMonitor* s_monitor = nullptr;
    inline static std::uint32_t s_limit = 0; ///< ticks; 0: none
    inline static std::uint32_t s_idle = 0;  ///< ticks since simulated time last advanced
    inline static Ps s_now = 0;              ///< of the agenda, when last recorded
    inline static Ps s_clock = 0;            ///< the furthest clock of a process since then
};

} // namespace via
} // namespace ns3

#endif // VIA_RUN_CONTROL_H
