/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ticks of CPU time, at which a monitor may inspect the run.

#ifndef VIA_RUN_TICKS_H
#define VIA_RUN_TICKS_H

namespace ns3
{
namespace via
{

/**
 * @brief While it exists, the CPU time of the calling thread ticks, and each tick asks RunControl.
 *
 * A program that never leaves its own code is interrupted there. The signal, SIGVTALRM, belongs to
 * the whole OS process: the outermost RunTicks installs and restores its handler.
 */
class RunTicks
{
  public:
    RunTicks();
    ~RunTicks();
    RunTicks(const RunTicks&) = delete;
    RunTicks& operator=(const RunTicks&) = delete;

    /// The report's text for a process that makes no progress.
    static constexpr const char* STANDSTILL =
        "a loop in which no time passes, longer than --watchdog";

    /// As RunControl::Answer(), but may also be called from a fiber.
    static bool Answer();
};

} // namespace via
} // namespace ns3

#endif // VIA_RUN_TICKS_H
