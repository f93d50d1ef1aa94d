/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How somebody outside looks in on a run, and ends it when he wants to or when nothing moves.

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

/// Simulated time stands still although the simulation works. The text says who does what.
class NoProgress : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// The overseer wants the work to end: see RunControl::Check().
class RunStopped
{
};

/// Work that comes again and again at one instant.
struct Standstill
{
    Ps at{0};
    std::uint32_t component{0};
    std::uint32_t port{0};
    std::uint32_t kind{0};
    const char* target{nullptr}; ///< mangled name of its class; null: time passes
};

/// Decides several times in a second whether a run goes on.
class Overseer
{
  public:
    /// Called outside of all fibers, between two pieces of work. @return false: the run is to end
    virtual bool GoesOn() = 0;

  protected:
    ~Overseer() = default;
};

/**
 * @brief Questions from outside, asked by a tick of CPU time, answered where nothing is half done.
 *
 *     tick: Ask() --> IsAsked() between two pieces of work, at a look, in a program's own code
 *                       `--> Answer(): the overseer decides; IsIdle(): has time passed since?
 *
 * No simulated time passes and no event is counted: results do not tell whether anybody looked.
 */
class RunControl
{
  public:
    static constexpr std::uint32_t TICK_MS = 100; ///< of the CPU time of the thread that simulates

    /// While one lives, @p overseer is asked.
    class Watch
    {
      public:
        /// @param seconds of CPU time after which simulated time has to pass; 0: it need not
        Watch(Overseer& overseer, std::uint32_t seconds);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

      private:
        Overseer* m_outer;
        std::uint32_t m_outerLimit;
    };

    /// A tick has passed. For signal handlers.
    static void Ask()
    {
        s_asked = 1;
    }

    /// True from a tick until it is answered, and for ever once the run is to end.
    static bool IsAsked()
    {
        return s_asked != 0;
    }

    /// Lets the overseer decide. Outside of all fibers. @return false: the run is to end
    static bool Answer();

    /**
     * @brief Notes how far simulated time is, once for each tick.
     * @param now of the agenda
     * @param clock of the process that runs; @p now if none does
     * @return whether no time has passed for as long as the watch allows
     */
    static bool IsIdle(Ps now, Ps clock);

    /// The run is to end, because of @p why.
    static void GiveUp(const Standstill& why)
    {
        s_standstill = why;
        s_asked = 1;
    }

    /// What the run has ended by; its target is null if it was nothing of the kind.
    static const Standstill& Ended()
    {
        return s_standstill;
    }

    /// How long time stands still before a run ends, in seconds of CPU time; 0: for ever.
    static std::uint32_t LimitSeconds()
    {
        return s_limit * TICK_MS / 1000;
    }

    /// For long work outside of a run. @throws RunStopped when the overseer wants it to end
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
    inline static Overseer* s_overseer = nullptr;
    inline static std::uint32_t s_limit = 0; ///< ticks; 0: none
    inline static std::uint32_t s_idle = 0;  ///< ticks since time has passed
    inline static Ps s_now = 0;              ///< of the agenda, when it was last noted
    inline static Ps s_clock = 0;            ///< the furthest that a process was since
};

} // namespace via
} // namespace ns3

#endif // VIA_RUN_CONTROL_H
