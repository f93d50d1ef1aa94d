/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process, or a thread of one: a program with a clock of its own on the CPU of a host.

#ifndef VIA_PROCESS_H
#define VIA_PROCESS_H

#include "ns3/via-host.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// Somebody who waits for a completion.
class Waiter
{
  public:
    virtual ~Waiter() = default;

    /// What it waits for can be seen in memory from @p visible on (may be in the future).
    virtual void OnReady(Moment visible) = 0;
};

/**
 * @brief A program on a CPU. Its clock may be ahead of the agenda, up to the host's horizon.
 *
 * Whatever the program does costs cycles of the host CPU (Spend). How the program is hosted, as
 * blocking code on a fiber or as a workload's callbacks, is the subclass's business: the seam
 * between model and program is Reach, OnReady, the clock and memory.
 *
 * Processes and threads of one host share its CPUs (see HostCpus), its bus and its NIC.
 */
class Process : public AgendaTarget, public Waiter
{
  public:
    /// Processes come after the NIC's ports in the order of one instant.
    static constexpr AgendaPort FIRST_PORT = 16;

    /// Threads that one process can have at a time.
    static constexpr std::uint32_t MAX_THREADS = 1024;

    /**
     * @param host it runs on
     * @param rank its number in the run
     * @param thread its number in its process
     */
    Process(Host& host, std::uint32_t rank, std::uint32_t thread = 0);

    Host& GetHost() const
    {
        return m_host;
    }

    std::uint32_t Rank() const
    {
        return m_rank;
    }

    /// Its place in the order of one instant: that of its process, then that of the thread.
    AgendaPort Port() const
    {
        return m_port;
    }

    /// Where the program is in simulated time, and what brought it there.
    const Moment& Clock() const
    {
        return m_clock;
    }

    /// Cycles the program spent so far, as ps of its CPU.
    Ps CpuTime() const
    {
        return m_cpuTime;
    }

    /// Its place among those who share the CPUs of the host.
    HostCpus::Place& CpuPlace()
    {
        return m_place;
    }

    const HostCpus::Place& CpuPlace() const
    {
        return m_place;
    }

    /// The program computes for @p n cycles. It waits for a CPU first if it has none.
    void Spend(Stage stage, Cycles n);

    /// The program waits: its clock goes on to @p moment, if that is later.
    void Wait(Moment moment, Stage waiting);

    /// An interrupt wakes the program: the kernel's work, then the switch to the program.
    void WakeUp();

    /// As Wait, but the program keeps its CPU busy until then, whatever the kernel takes of it.
    void Busy(Moment moment, Stage waiting);

    /// The program goes on behind @p moment: that is what it has waited for.
    void Follow(Moment moment)
    {
        m_clock = moment;
    }

    /// As Follow, but the program has kept its CPU busy until then, with @p stage: the bus, say.
    void Drive(Moment done, Stage stage)
    {
        m_cpuTime += done.at - m_clock.at;
        m_host.NoteCpu(stage, done.at - m_clock.at);
        m_clock = done;
    }

    /**
     * @brief Stands still until somebody calls OnReady. To be called at the program's own clock.
     * @param what it waits in, for the report of a deadlock
     * @return the moment given to OnReady; the clock's if the program is ending
     */
    virtual Moment Stall(const char* what) = 0;

    /**
     * @brief The time that the kernel's work took from the program until now is added to its clock.
     * @param until what the kernel does from then on is not this program's loss
     * @return whether there was any
     */
    bool LoseToKernel(Ps until = PS_NEVER);

    /// The program's work goes on @p time later, because others had its CPU.
    void HoldUp(Ps time);

    /**
     * @brief The program looks at what can be seen since @p visible, and goes on behind it.
     * What it was late is booked on whatever kept it: its CPU, or itself.
     */
    void FollowLate(Moment visible);

    /// Its CPU is taken away: what it has planned is off.
    virtual void OnPreempted();

    /// It has a CPU again: its clock says where its work ends now.
    virtual void OnGranted();

    /// Everything the NIC did until the program's clock is in memory now.
    void Settle()
    {
        m_host.Memory().Settle(m_clock.at);
    }

    /**
     * @brief Before the program looks at something the NIC may change, or uses the bus.
     * Gives way to the agenda if anything could still happen before the program's clock.
     */
    virtual void Reach() = 0;

    /// A receive has just been reaped.
    void NoteReap()
    {
        m_lastReap = m_clock.at;
    }

    /// The return of the program's last successful reap of a receive; 0 before the first.
    Ps LastReap() const
    {
        return m_lastReap;
    }

  protected:
    /**
     * @brief The program needs a CPU and has none. Gives way until it has one.
     * @param paysSwitch it will spend the context switch itself
     */
    virtual void TakeCpu(bool paysSwitch);

    Moment m_clock;

  private:
    Host& m_host;
    std::uint32_t m_rank;
    AgendaPort m_port;
    HostCpus::Place m_place;
    Ps m_heldUpFrom{0}; ///< the last HoldUp
    Ps m_heldUpTo{0};   ///< its end
    Ps m_cpuTime{0};
    Ps m_lastReap{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_PROCESS_H
