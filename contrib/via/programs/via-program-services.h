/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a hosted program needs of the simulation: time, sleep, a name, output.

#ifndef VIA_PROGRAM_SERVICES_H
#define VIA_PROGRAM_SERVICES_H

#include "ns3/via-fiber.h"
#include "ns3/via-time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief The simulation as one hosted program sees it.
 *
 * Every call comes from the program's own fiber, so an implementation may suspend it. It may throw
 * FiberCancelled and nothing else. Program handles the C library; this interface handles the node.
 */
class ProgramServices
{
  public:
    virtual ~ProgramServices() = default;

    /// @return the process' clock: simulated time since the start of the run. May cost time.
    virtual Ps Now() = 0;

    /// As Now(), but reading it takes no time, and nothing else happens meanwhile.
    virtual Ps StandingClock()
    {
        return Now();
    }

    /// @return CPU time this process has used
    virtual Ps CpuTime() = 0;

    /// @return the part of it that was spent in system calls, or by the kernel for it
    virtual Ps SystemTime() = 0;

    /// @return the CPU time of a thread, or @p isSystem, the part of it that is system time
    virtual Ps ThreadTime(std::uint32_t /* thread */, bool isSystem)
    {
        return isSystem ? SystemTime() : CpuTime(); // the process has only one
    }

    /// @param when instant of Now()'s clock; returns at once if it has passed
    virtual void SleepUntil(Ps when) = 0;

    /// Offers the CPU to other processes (sched_yield).
    virtual void Yield() = 0;

    /// @param blocks basic blocks run since the last report; time may pass
    virtual void PassTime(std::uint32_t blocks) = 0;

    /// Time passes for a call of the C library; @p system: it enters the kernel.
    virtual void SpendCall(bool system) = 0;

    /// Time passes for memory that is copied, set or compared. Does not suspend the program.
    virtual void SpendCopy(std::uint64_t bytes) = 0;

    /**
     * @brief Starts another thread of the process, at the caller's time.
     * @param body runs on the new fiber; may throw FiberCancelled once the program has ended
     * @param listener of that fiber
     * @param stackBytes 0: the usual size
     * @return its number, 0 if the process has too many
     */
    virtual std::uint32_t StartThread(std::function<void()> body,
                                      FiberListener& listener,
                                      std::size_t stackBytes) = 0;

    /**
     * @brief Blocks the calling thread.
     * @param what it waits for, for deadlock reports
     * @param deadline PS_NEVER: none
     * @return true if woken, false if the deadline came first
     */
    virtual bool Block(const char* what, Ps deadline) = 0;

    /// Wakes a blocked thread at the caller's time. @return false if its deadline came first
    virtual bool Wake(std::uint32_t thread) = 0;

    /// Ends a wait of Block or for descriptors. @return false: the thread is in neither, or its
    /// wait ends by @p until anyway
    virtual bool Interrupt(std::uint32_t thread, Ps until) = 0;

    /// @return the simulated host's name
    virtual const std::string& HostName() = 0;

    /// @return the process' number, unique in the run and above 0 (getpid)
    virtual int ProcessId() = 0;

    /// @return how many CPUs the simulated host has
    virtual std::uint32_t Cpus()
    {
        return 1;
    }

    /// @return the number of the CPU that the running thread holds; 0 if it need not hold any
    virtual std::uint32_t Cpu()
    {
        return 0;
    }

    /// Never returns, unless the process is killed. @param what it waits in, for reports
    virtual void WaitForEver(const char* what) = 0;

    /// @return whether a NIC may use any of @p bytes bytes at @p address
    virtual bool IsRegistered(const void* /* address */, std::size_t /* bytes */)
    {
        return false;
    }

    /// Writes "rank 0 on n0 at 17 ps, seed 1" into @p text. Allocates nothing and takes no time.
    virtual void Identify(char* text, std::size_t bytes) const = 0;

    /**
     * @brief Takes the program's output, in whole lines if a prefix is set.
     * @param stream 1 = standard output, 2 = standard error
     * @param text the bytes
     * @param bytes how many
     */
    virtual void Output(int stream, const char* text, std::size_t bytes) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_SERVICES_H
