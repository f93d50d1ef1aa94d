/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The CPUs of a host: who has one, who waits for one, and what the kernel takes away.

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
 * @brief Shares the CPUs of one host among its processes and threads, as kernels of the time did.
 *
 * While there are no more of them than CPUs, each has its own and nothing happens here. When there
 * are more, the host is *crowded*, and everybody has a time slice that is used up while it holds a
 * CPU. Who finds no CPU free waits; who has the most of its slice left is the next.
 *
 *     OFF --Take--> HOLDS --Release--> OFF
 *              \      |  ^
 *               v     v  | its turn: OnGranted
 *               QUEUED <-' end of its slice, or somebody wakes who has more left: OnPreempted
 *
 * When all who could run have used up their slices, everybody's is renewed:
 *
 *     left = left / 2 + quantum
 *
 * so that who sleeps a lot comes to have two quanta, and takes the CPU from who computes as soon as
 * it wakes; of those who wake at one instant the first keeps it. That is the rule of Linux 2.0
 * to 2.4, without the grain of its ticks; the boosts that NT gives who has waited have the same
 * effect.
 *
 * Interrupts and the kernel's work are done on the CPU that is given to processes last, "CPU 0".
 * Who has it then finishes later, by exactly the time that he lost. Invariant: while somebody is
 * queued, every CPU is held, or is to be free at an instant that is on the agenda.
 */
class HostCpus : public AgendaTarget
{
  public:
    /// A process' place here; everybody has one.
    struct Place
    {
        static constexpr std::uint32_t NONE = UINT32_MAX;

        std::uint32_t cpu{NONE}; ///< that it holds
        bool queued{false};
        bool paysSwitch{false}; ///< it will spend the context switch itself
        Ps since{0};            ///< when it got its CPU
        Ps sliceFrom{0};        ///< its slice is being used up since then, while it holds a CPU
        Ps left{PS_NEVER}; ///< of its slice, then; PS_NEVER: it is new, and has waited for nothing
        std::uint64_t round{0}; ///< renewals of the slices that `left` knows of
        Ps stopped{0};          ///< queued: where its work was when it lost its CPU
    };

    /// What the kernel's work took from a process.
    struct Loss
    {
        Ps time{0};    ///< of its CPU
        Ps setback{0}; ///< its own work ends so much later: the same unless the speed changes
    };

    using Interrupts = std::vector<ClockDomain::Window>;

    /// Comes before the processes in the order of one instant, after the NIC.
    static constexpr AgendaPort PORT = 15;

    /**
     * @param host they belong to
     * @param count of CPUs
     * @param quantum ps of a time slice
     */
    HostCpus(Host& host, std::uint32_t count, Ps quantum);

    /// One process or thread more lives on the host.
    void Join()
    {
        ++m_members;
    }

    /// @p process, which has joined, lives no more; its CPU, if it has one, is free from @p at on.
    void Leave(Process& process, Ps at);

    /// Whether processes may have to wait for a CPU.
    bool IsCrowded() const
    {
        return m_members > m_count;
    }

    /**
     * @brief @p process, whose clock is not ahead of the agenda if the host is crowded, needs a
     * CPU. It may get that of somebody who has less left of his slice.
     * @param paysSwitch it will spend the context switch itself
     * @return true: it has one; false: OnGranted will be called
     */
    bool Take(Process& process, bool paysSwitch);

    /// @p process has no use for its CPU, if it has one, from @p at on.
    void Release(Process& process, Ps at);

    /// @p process is killed: it waits for no CPU any more.
    void Forget(Process& process);

    /// The kernel works on CPU 0.
    void Interrupt(ClockDomain::Window window);

    /// Whether there is work of the kernel that nobody has lost time for yet.
    bool IsDisturbed() const
    {
        return !m_kernel.empty();
    }

    /// Such work, in order, if @p process is who loses time for it; else none.
    const Interrupts& InterruptsOf(const Process& process) const;

    /**
     * @brief Takes from @p process what the kernel's work before @p until takes of its time.
     * @return nothing when it began at the process' clock or later
     */
    Loss Lose(const Process& process, Ps until);

    /// The end of a slice, or a CPU that is free from now on.
    void OnAgenda(std::uint32_t kind, std::uint64_t cpu) override;

  private:
    struct Cpu
    {
        Process* holder{nullptr};
        Process* last{nullptr}; ///< who held it last, while it lives
        Ps freeFrom{0};         ///< valid while nobody holds it
        bool planned{false};    ///< OnAgenda will come
        std::uint64_t timer{0}; ///< sequence on the agenda, valid while planned
    };

    std::uint32_t FindFree(const Process& process);

    /// Whoever left CPU 0 ahead of the agenda, at an instant behind @p window, leaves it later.
    bool DelaysRelease(const ClockDomain::Window& window);
    void Give(std::uint32_t index, Process& process, Ps at);
    void Enqueue(Process& process, Ps stopped);
    void Preempt(Process& process);
    Ps LeftOf(Process& process) const;
    Ps LeftNow(const Cpu& cpu) const;
    void UseUp(Process& process, Ps until);

    /// While it had nobody to give way to, its slice was renewed each time that it ended.
    void RenewPassed(Process& process);

    /// The CPU of who has the least left, if that is less than @p process has; else NONE.
    std::uint32_t FindWeaker(Process& process);
    Process& TakeNext();
    void ServeQueue(std::uint32_t index);
    void Plan(std::uint32_t index);
    void PlanAll();
    void Unplan(Cpu& cpu);
    void UnplanIfNobodyWaits();

    Interrupts m_kernel; ///< that nobody has lost time for yet, in order
    Host& m_host;
    std::uint32_t m_count;
    std::uint32_t m_members{0};
    Ps m_quantum;
    std::uint64_t m_round{0}; ///< how often the slices were renewed
    std::vector<Cpu> m_cpus;  ///< those that were ever held; the one at m_count - 1 is CPU 0
    std::vector<Process*> m_queue;
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_CPUS_H
