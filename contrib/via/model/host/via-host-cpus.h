/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// CPU scheduling of a host: which process has a CPU, which waits, and what the kernel takes.

#ifndef VIA_HOST_CPUS_H
#define VIA_HOST_CPUS_H

#include "ns3/via-component.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

class Host;
class Process;

/**
 * @brief Shares the CPUs of one host among its processes and threads, like kernels of the time.
 *
 * While there are no more processes than CPUs, each has its own CPU and nothing happens here. With
 * more, the host is *crowded*: each process has a time slice that is used up while it holds a CPU.
 * A process that finds no free CPU waits; the one with the most of its slice left is next.
 *
 *     OFF --Take--> HOLDS --Release--> OFF
 *              \      |  ^
 *               v     v  | its turn: OnGranted
 *               QUEUED <-' end of its slice, or a process with more left wakes: OnPreempted
 *
 * When all runnable processes have used up their slices, all slices are renewed:
 *
 *     left = left / 2 + quantum
 *
 * so a process that sleeps a lot approaches two quanta, and takes the CPU from a computing process
 * as soon as it wakes; of those that wake at one instant the first keeps it. This is the rule of
 * Linux 2.0 to 2.4, without the granularity of its ticks. NT's boosts for processes that have
 * waited have the same effect.
 *
 * Interrupts and kernel work run on the CPU that is given to processes last, "CPU 0". Its holder
 * finishes later, by exactly the time that it lost. Invariant: while a process is queued, every CPU
 * is held, or becomes free at an instant on the agenda.
 */
class HostCpus : public AgendaTarget
{
  public:
    /// Scheduling state of a process.
    struct Place
    {
        static constexpr std::uint32_t NONE = UINT32_MAX;

        std::uint32_t cpu{NONE}; ///< that the process holds
        bool queued{false};
        bool paysSwitch{false}; ///< the process will spend the context switch itself
        Ps since{0};            ///< when it got its CPU
        Ps sliceFrom{0};        ///< while it holds a CPU: start of the use of its slice
        Ps left{PS_NEVER}; ///< of its slice at sliceFrom; PS_NEVER: new, and has not waited yet
        std::uint64_t round{0}; ///< number of renewals included in `left`
        Ps stopped{0};          ///< queued: where its work stopped when it lost its CPU
    };

    /// What others took of a process's CPU: the kernel, or another process.
    struct Loss
    {
        Ps from{0};    ///< when they got it
        Ps until{0};   ///< when it has it again
        Ps setback{0}; ///< delay of its own work: the same time unless the speed changes
    };

    using Interrupts = std::vector<ClockDomain::Window>;

    /// Before the processes in the order of one instant, after the NIC.
    static constexpr AgendaPort PORT = 15;

    /**
     * @param host that has the CPUs
     * @param count number of CPUs
     * @param quantum time slice in ps
     */
    HostCpus(Host& host, std::uint32_t count, Ps quantum);

    /// How many there are.
    std::uint32_t Count() const
    {
        return m_count;
    }

    /// The number of the CPU that a process holds, as its kernel tells it; 0 for none.
    std::uint32_t NumberOf(const Place& place) const
    {
        return place.cpu == Place::NONE ? 0 : m_count - 1 - place.cpu;
    }

    /// Adds a process or thread to the host.
    void Join()
    {
        ++m_members;
        m_contended |= IsCrowded();
    }

    /// Removes @p process, which has joined; its CPU, if it has one, is free from @p at.
    void Leave(Process& process, Ps at);

    /// Whether there are several processes or threads.
    bool IsShared() const
    {
        return m_members > 1;
    }

    /// Whether processes may have to wait for a CPU.
    bool IsCrowded() const
    {
        return m_members > m_count;
    }

    /**
     * @brief @p process needs a CPU. If it is not alone, its clock must not be ahead of the agenda:
     * which CPU it gets depends on when others have left theirs. On a crowded host it may get the
     * CPU of a process that has less of its slice left.
     * @param paysSwitch @p process will spend the context switch itself
     * @return true: it has a CPU; false: OnGranted will be called
     */
    bool Take(Process& process, bool paysSwitch);

    /// @p process no longer needs its CPU, if it has one, from @p at.
    void Release(Process& process, Ps at);

    /// Removes @p process, which is being killed, from the queue.
    void Forget(Process& process);

    /// There will be kernel work.
    void ExpectInterrupts()
    {
        m_contended = true;
    }

    /// Whether others may take the CPU of a process.
    bool AreContended() const
    {
        return m_contended;
    }

    /// Nobody works any more: kernel work that no process has lost time for, so far, is counted.
    void Conclude();

    /// Adds kernel work on CPU 0.
    void Interrupt(ClockDomain::Window window);

    /// Whether there is kernel work for which no process has lost time yet.
    bool IsDisturbed() const
    {
        return !m_kernel.empty();
    }

    /// Kernel work that begins from this time on may still be another process's loss: a process may
    /// be preempted at any time that the agenda has not reached.
    Ps CertainUntil() const;

    /// That work, in order, if @p process is the one that loses time for it; otherwise none.
    const Interrupts& InterruptsOf(const Process& process) const;

    /**
     * @brief Takes the time of one piece of kernel work, the first, before @p until from @p
     * process.
     * @param loss set to what the process loses
     * @return false: no work began before @p until and the process's clock
     */
    bool LoseOne(const Process& process, Ps until, Loss& loss);

    /// Takes the time of all such pieces before the clock of @p process. @return the sum
    Ps Lose(const Process& process);

    /// The end of a slice, or of a CPU's use.
    void OnAgenda(std::uint32_t kind, std::uint64_t cpu) override;

  private:
    struct Cpu
    {
        Process* holder{nullptr};
        Process* last{nullptr}; ///< last holder, while it lives
        Ps freeFrom{0};         ///< valid while the CPU is free
        bool planned{false};    ///< OnAgenda will be called
        std::uint32_t timer{0}; ///< number on the agenda, valid while planned
    };

    std::uint32_t FindFree(const Process& process);

    /// If CPU 0 was left ahead of the agenda, at an instant after @p window
    /// begins, delays that instant.
    bool DelaysRelease(const ClockDomain::Window& window);
    void Give(std::uint32_t index, Process& process, Ps at);
    void Enqueue(Process& process, Ps stopped);
    void Preempt(Process& process);
    Ps LeftOf(Process& process) const;
    Ps LeftNow(const Cpu& cpu) const;
    void UseUp(Process& process, Ps until);

    /// Renews the slices that ended while no other process waited.
    void RenewPassed(Process& process);

    /// The CPU whose holder has the least left, if less than @p process; otherwise NONE.
    std::uint32_t FindWeaker(Process& process);
    Process& TakeNext();
    void ServeQueue(std::uint32_t index);
    void Plan(std::uint32_t index);
    void PlanAll();
    void Unplan(Cpu& cpu);
    void UnplanIfNobodyWaits();

    Interrupts m_kernel; ///< kernel work for which no process has lost time yet, in order
    Host& m_host;
    std::uint32_t m_count;
    std::uint32_t m_members{0};
    bool m_contended{false};
    Ps m_quantum;
    std::uint64_t m_round{0}; ///< number of slice renewals
    std::vector<Cpu> m_cpus;  ///< those ever held; the one at m_count - 1 is CPU 0
    std::vector<Process*> m_queue;
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_CPUS_H
