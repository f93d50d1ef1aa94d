/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process, or a thread of one: a program with its own clock on a CPU of a host.

#ifndef VIA_PROCESS_H
#define VIA_PROCESS_H

#include "ns3/via-booked-work.h"
#include "ns3/via-host.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace ns3
{
namespace via
{

/// An object that waits for a completion.
class Waiter
{
  public:
    virtual ~Waiter() = default;

    /// The awaited result is visible in memory from @p visible (may be in the future).
    virtual void OnReady(Moment visible) = 0;
};

/**
 * @brief A program on a CPU. Its clock may be ahead of the agenda, up to the host's horizon.
 *
 * Everything the program does costs cycles of the host CPU (Spend). The subclass runs the program,
 * either as blocking code on a fiber or as a workload's callbacks: the interface between model and
 * program is Reach, OnReady, the clock and memory.
 *
 * Processes and threads of one host share its CPUs (see HostCpus), its bus and its NIC.
 */
class Process : public AgendaTarget, public Waiter
{
  public:
    /// Processes come after the NIC's ports in the order of one instant.
    static constexpr AgendaPort FIRST_PORT = Agenda::FIRST_PROGRAM_PORT;

    /// Maximum number of simultaneous threads of one process.
    static constexpr std::uint32_t MAX_THREADS = 1024;

    /**
     * @param host to run on
     * @param rank of the process
     * @param thread number within the process
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

    /// Position in the order of one instant: by process, then by thread.
    AgendaPort Port() const
    {
        return m_port;
    }

    /// The program's position in simulated time, and what led to it.
    const Moment& Clock() const
    {
        return m_clock;
    }

    /// Cycles the program has spent so far, as ps of its CPU, with the kernel's work for it.
    Ps CpuTime() const
    {
        return m_cpuTime;
    }

    /// The part of CpuTime that it has spent in the kernel, or the kernel for it.
    Ps SystemTime() const
    {
        return m_systemTime;
    }

    /// Its state in the scheduling of the host's CPUs.
    HostCpus::Place& CpuPlace()
    {
        return m_place;
    }

    const HostCpus::Place& CpuPlace() const
    {
        return m_place;
    }

    /// The process will be killed at @p at: work that reaches this instant never ends.
    void ExpectKill(Ps at)
    {
        m_killAt = at;
        m_last = std::min(m_last, at);
    }

    /// When it will be killed, as far as that is known. PS_NEVER: it is not.
    Ps KillTime() const
    {
        return m_killAt;
    }

    /// The program computes for @p n cycles. If it has no CPU, it waits for one first.
    void Spend(Stage stage, Cycles n);

    /// As Spend, in a system call.
    void SpendInKernel(Stage stage, Cycles n);

    /// The kernel has worked for @p time on its behalf, beside it.
    void NoteKernelWork(Ps time)
    {
        m_cpuTime += time;
        m_systemTime += time;
    }

    /// The program waits: its clock advances to @p moment, if that is later.
    void Wait(Moment moment, Stage waiting);

    /// An interrupt wakes the program: kernel work, then the switch to the program.
    void WakeUp();

    /// As Wait, but the program keeps its CPU busy until then, apart from the kernel's share.
    void Busy(Moment moment, Stage waiting);

    /// The program continues at @p moment, for which it has waited.
    void Follow(Moment moment)
    {
        m_clock = moment;
    }

    /// As Follow, but the program has kept its CPU busy with @p stage until then, for example on
    /// the bus.
    void Drive(Moment done, Stage stage)
    {
        const Ps from = m_clock.at;
        m_clock = done;
        NoteWork(stage, from, 0);
    }

    /**
     * @brief The program stores @p bytes, uncached, to a device on bus @p bus, in single stores or
     * in as many bursts as write-combining buffers produce. It is busy with @p stage until the bus
     * has accepted the last one. Others may get the bus between two of them.
     */
    void Store(Stage stage, std::uint32_t bytes, std::uint32_t bus);

    /// As Store, but the program does not wait for the last one. @return its end
    Moment StoreAndGoOn(Stage stage, std::uint32_t bytes, std::uint32_t bus);

    /// Whether others may use what is on its stack while it waits.
    virtual bool KeepsFrames() const
    {
        return true;
    }

    /**
     * @brief Waits until OnReady is called. Call it at the program's own clock.
     * @param what it waits in, for the deadlock report
     * @return the moment given to OnReady; the clock if the program is ending
     */
    virtual Moment Stall(const char* what) = 0;

    /**
     * @brief Adds the time that kernel work has taken from the program to its clock.
     * @param until later kernel work does not affect this program
     * @return whether there was any such time
     */
    bool LoseToKernel(Ps until = PS_NEVER);

    /// Delays the program's work, because others had its CPU.
    void HoldUp(const HostCpus::Loss& loss);

    /// Its CPU turns to it, maybe in the middle of its work.
    void PayForSwitch();

    /// The run is over, or the process is being killed. If it was at work then, kernel work before
    /// that end is its loss, too.
    void LoseUntilEnd();

    /// It is being killed, and nothing that it does counts any more.
    void EndWork()
    {
        LoseUntilEnd();
        m_last = 0;
    }

    /**
     * @brief The program looks at something visible since @p visible, and continues after it.
     * The delay is booked on its cause: the CPU, or the program itself.
     */
    void FollowLate(Moment visible);

    /// Its CPU is taken away: cancels what it has planned.
    virtual void OnPreempted();

    /// It has a CPU again: its clock shows when its work ends now.
    virtual void OnGranted();

    /// Performs all memory movements of the NIC up to the program's clock.
    void Settle()
    {
        m_host.Memory().Settle(m_clock.at);
    }

    /**
     * @brief Call before the program looks at something the NIC may change, or uses the bus.
     * Yields to the agenda if anything could still happen before the program's clock.
     */
    virtual void Reach() = 0;

    /// Records that a receive has just been reaped.
    void NoteReap()
    {
        m_lastReap = m_clock.at;
    }

    /// Time at which the last successful reap of a receive returned; 0 before the first.
    Ps LastReap() const
    {
        return m_lastReap;
    }

  protected:
    /**
     * @brief Waits for a CPU, which the program needs and does not have.
     * @param paysSwitch the program will spend the context switch itself
     */
    virtual void TakeCpu(bool paysSwitch);

    /// Its clock has reached the instant at which it will be killed: it waits for that.
    virtual void AwaitKill() = 0;

    Moment m_clock;

  private:
    /// Books the time since @p from, without @p lost; only while the run goes on and it lives.
    void NoteWork(Stage stage, Ps from, Ps lost)
    {
        if (m_clock.at < m_last && lost == 0 && !m_inKernel && !m_host.Cpus().AreContended())
        {
            const Ps spent = m_clock.at - from;
            m_stage = stage;
            m_cpuTime += spent;
            m_host.NoteCpu(stage, spent);
            return;
        }
        NoteOtherWork(stage, from, lost);
    }

    void NoteOtherWork(Stage stage, Ps from, Ps lost);

    /// Others may take its CPU before @p piece, which begins at @p from, is over.
    void KeepBooked(const BookedWork::Piece& piece, Ps from);

    /// The work that is booked takes @p more than was known then, which may be less than 0.
    void Rebook(Ps more);

    Host& m_host;
    std::uint32_t m_rank;
    AgendaPort m_port;
    HostCpus::Place m_place;
    Ps m_heldUpFrom{0}; ///< start of the last HoldUp
    Ps m_heldUpTo{0};   ///< its end
    Ps m_cpuTime{0};
    Ps m_systemTime{0};
    Ps m_lastReap{0};
    Ps m_last; ///< later work does not count: the end of the run, or its own
    Ps m_killAt{PS_NEVER};
    bool m_inKernel{false};
    bool m_resumes{false}; ///< see PayForSwitch
    Ps m_bookedTo{0};      ///< planned end of the work booked last, while others may take its CPU
    Stage m_stage{Stage::COMPUTE};        ///< of the work booked last
    std::unique_ptr<BookedWork> m_booked; ///< while others may take its CPU; null: never so far
};

} // namespace via
} // namespace ns3

#endif // VIA_PROCESS_H
