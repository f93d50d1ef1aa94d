/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ticks of CPU time: in each of them somebody may look in on what is simulated.

#ifndef VIA_RUN_TICKS_H
#define VIA_RUN_TICKS_H

namespace ns3
{
namespace via
{

/**
 * @brief While one lives, the calling thread's CPU time ticks, and RunControl is asked.
 *
 * A program that never leaves its own code is interrupted there. The signal, SIGVTALRM, belongs to
 * the whole OS process: the outermost of them takes and returns it.
 */
class RunTicks
{
  public:
    RunTicks();
    ~RunTicks();
    RunTicks(const RunTicks&) = delete;
    RunTicks& operator=(const RunTicks&) = delete;

    /// What a process is in that is found to make no progress, for the report.
    static constexpr const char* STANDSTILL =
        "a loop in which no time passes, longer than --watchdog";

    /// RunControl::Answer(), from a fiber, too.
    static bool Answer();
};

} // namespace via
} // namespace ns3

#endif // VIA_RUN_TICKS_H
