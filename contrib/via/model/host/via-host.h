/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The computer of a node: CPUs, I/O buses and memory.

#ifndef VIA_HOST_H
#define VIA_HOST_H

#include "ns3/via-component.h"
#include "ns3/via-horizon.h"
#include "ns3/via-host-bus.h"
#include "ns3/via-host-cpus.h"
#include "ns3/via-host-memory.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// Costs of a test bed's host, read from its profile.
struct HostCosts
{
    Frequency cpuClock{1, 1};
    Cycles cacheMiss;            ///< CPU: first touch of a line that the NIC has written
    Cycles basicBlock;           ///< CPU: one basic block of a program
    Cycles clockCall;            ///< CPU: gettimeofday and similar calls
    Cycles interrupt;            ///< CPU: entry to exit, including cache effects
    Cycles contextSwitch;        ///< CPU
    Cycles systemCall;           ///< CPU: entry and exit
    std::uint64_t lineBytes{1};  ///< of the caches
    std::uint64_t cacheBytes{0}; ///< of the last-level cache
    Cycles copyBase;             ///< CPU: one copy of any size
    Cycles copyLine;             ///< CPU: one line copied from memory to memory
    Cycles copyLineCached;       ///< CPU: one line copied out of the cache
    std::uint64_t pageBytes{0};
    std::uint32_t cpuCount{1};
    Ps quantum{PS_PER_MS}; ///< time that a process keeps a CPU while others wait
    BusCosts bus;

    /// Reads the keys `cpu.*`, `os.*` and `bus.*` of @p profile.
    static HostCosts From(const ProviderProfile& profile);
};

/// A bus user that plans ahead, step by step: the engines of a NIC.
class BusPlanner
{
  public:
    virtual ~BusPlanner() = default;

    /// Earliest start of its next step; PS_NEVER if there is none, or another component decides.
    /// If anything but a step makes it earlier, the planner calls Host::Replan.
    virtual Ps NextAt() = 0;

    /// Nobody outside notices the steps before this instant: they can be done as late as then.
    /// Called after NextAt.
    virtual Ps NoticedAt()
    {
        return 0;
    }

    /// Performs the step that NextAt has just announced, and those that follow up to
    /// the end of the turn, see Host::TurnIncludes().
    virtual void PlanStep() = 0;

    /// Prefetch hint: a step comes soon (see AgendaTarget::Prefetch).
    virtual void Prefetch() const
    {
    }

  protected:
    bool m_isShielded{false}; ///< set by NextAt: no cell that arrives matters before the next step

  private:
    friend class Host;

    BusPlanner* m_next{nullptr}; ///< of the same host
};

/**
 * @brief CPUs, I/O buses and memory of one node.
 *
 * A bus serves one transaction at a time: doorbell stores of the CPU, descriptor fetches, payload
 * and status DMA of the NIC. Requests are served in call order, so they are made in the order of
 * time: a planner's step is done when nothing can come before it any more (SafeUntil), at the
 * latest when its time has come and anybody outside could notice it. In reference mode each step is
 * done at its time.
 */
class alignas(64) Host : public Component, public AgendaTarget, public AgendaFollower
{
  public:
    /// Steps follow what has arrived, and come before what processes and timers do.
    static constexpr AgendaPort STEP_PORT = 2;

    Host(World& world, ComponentId id, std::string name, const Shared<HostCosts>& costs);

    const HostCosts& Costs() const
    {
        return *m_costs;
    }

    const ClockDomain& CpuClock() const
    {
        return m_cpuClock;
    }

    /// Sets the speed changes of the CPUs, in time order. Call before the run starts.
    void SetSpeeds(const std::vector<SpeedChange>& changes);

    /**
     * @brief The delay of CPU work due at @p end that is interrupted from @p from to @p until.
     * @return how much later the work ends: with speed changes, the missed cycles may have another
     * length than those that replace them
     */
    Ps SetbackOf(Ps end, Ps from, Ps until) const
    {
        return m_speeds == nullptr || end <= from
                   ? until - from
                   : m_cpuClock.After(until, m_cpuClock.Between(from, end)) - end;
    }

    HostMemory& Memory()
    {
        return m_memory;
    }

    /**
     * @brief Kernel work on CPU 0, in an interrupt or for a system call of the NIC's driver.
     * Work is done in sequence, in call order.
     * @return the end of its @p n cycles
     */
    Moment KernelSpend(Moment from, Stage stage, Cycles n);

    /**
     * @brief CPU cycles for copying, setting or comparing memory.
     * @param bytes size
     * @param cached whether the source has been touched lately; ignored above the cache size
     */
    Cycles CopyCost(std::uint64_t bytes, bool cached) const;

    /// Records that a CPU has spent @p time on @p stage.
    void NoteCpu(Stage stage, Ps time)
    {
        const auto index = static_cast<std::size_t>(stage);
        (index < USUAL_STAGES ? m_cpuTime[index] : RareCpuTime(index)) += time;
    }

    /// Time that all CPUs have spent on @p stage, in processes and in the kernel.
    Ps CpuTime(Stage stage) const
    {
        const auto index = static_cast<std::size_t>(stage);
        if (index < USUAL_STAGES)
        {
            return m_cpuTime[index];
        }
        return m_rareCpuTime == nullptr ? 0 : (*m_rareCpuTime)[index - USUAL_STAGES];
    }

    HostCpus& Cpus()
    {
        return m_cpus;
    }

    /// One posted store of the CPU to a NIC on bus @p bus.
    Moment MmioStore(Moment from, std::uint32_t bus = 0)
    {
        std::uint32_t bytes = 1;
        return m_bus.NextStore(from, Stage::DOORBELL, bytes, bus);
    }

    /// The bus of DMA and stores.
    HostBus& Bus()
    {
        return m_bus;
    }

    /// See HostBus::DataSpan.
    Ps DataSpan(std::uint32_t bytes) const
    {
        return m_bus.DataSpan(bytes);
    }

    /// Time in ps that MmioStore takes at least.
    Ps LeastStoreSpan() const
    {
        return m_bus.LeastStoreSpan();
    }

    /// Time in ps that a DMA read of @p bytes takes at least, unless they were asked for before.
    Ps LeastReadSpan(std::uint32_t bytes) const
    {
        return m_bus.LeastReadSpan(bytes);
    }

    /// Time in ps that a device needs at least to read or write @p bytes.
    Ps LeastDataSpan(std::uint32_t bytes) const
    {
        return m_bus.LeastSpan(bytes);
    }

    /**
     * @brief Steps up to this instant are certain: nobody else uses the bus before, whatever other
     * components do.
     */
    Ps SafeUntil() const
    {
        return SafeBefore(m_horizon.At());
    }

    /// As SafeUntil, for a step that even a shield does not protect.
    Ps SafeUnshieldedUntil() const
    {
        return SafeBefore(m_horizon.WithoutShield());
    }

    /// Sets the clock of the running process. @return the clock of the previous one, to be set
    /// again afterwards
    const Ps* SetRunning(const Ps* clock)
    {
        return std::exchange(m_running, clock);
    }

    /// Lets CatchUp() call @p planner; at ties the planner added first comes first.
    void AddPlanner(BusPlanner* planner)
    {
        BusPlanner** last = &m_planners;
        while (*last != nullptr)
        {
            last = &(*last)->m_next;
        }
        *last = planner;
    }

    /// End of the current planner's turn: another planner's next step, or SafeUntil().
    Ps TurnEnd() const
    {
        return m_nextTurn < 0 ? m_nextTurn : std::min(m_nextTurn, SafeUntil());
    }

    /// Whether a step at @p at belongs to the current planner's turn.
    bool TurnIncludes(Ps at) const
    {
        return at <= m_nextTurn && IsSafe(at);
    }

    /// Performs the steps of all planners up to SafeUntil(), in time order.
    void CatchUp()
    {
        if (IsSafe(m_nextStep))
        {
            PlanSteps();
        }
    }

    /// As CatchUp, when a planner may have a new step.
    void Replan();

    /// As Replan, but before the run begins no step is done.
    void ReplanSoon();

    /// The time of a step has come; Follow does it.
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Does the steps that nobody noticed so far.
    void Precede(AgendaPort port) override
    {
        const Ps until = port < STEP_PORT ? Now() - 1 : Now();
        if (m_nextStep <= until && port != STEP_PORT) // Follow does them
        {
            PlanUpTo(until);
        }
    }

    void Follow() override
    {
        PlanSteps();
    }

    /// A planner has a step at @p step that did not exist before; outside it is noticed at
    /// @p noticed. For cells that are foreseen.
    void Expect(Ps step, Ps noticed)
    {
        m_nextStep = std::min(m_nextStep, step);
        m_nextTurn = std::min(m_nextTurn, step - 1);
        if (noticed < m_horizon.StepAt() && !m_planning && m_running == &NOBODY &&
            !GetWorld().agenda.IsAt(Id()))
        {
            WakeAt(noticed); // else PlanWake is called soon
        }
    }

    /// Prefetch hint: the next work on the agenda is this host's (see AgendaTarget::Prefetch).
    void PrefetchUse() const
    {
        PrefetchUpTo(this, &m_cpuTime[static_cast<std::size_t>(Stage::CACHE_MISS)] + 1);
    }

    void Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data) override;

    /**
     * @brief Sets the minimum times in which other components' work can reach this one.
     * @param cells by arriving cells
     * @param credits by returning credits; applies only while the NIC waits for them
     * With several cards the least times count.
     */
    void SetLookahead(Ps cells, Ps credits)
    {
        m_horizon.SetLookahead(cells, credits);
    }

    /// What other partitions do, and have not announced by Agenda::OutsideNext, reaches this host
    /// @p delay after that instant at the earliest.
    void SetOutsideLookahead(Ps delay)
    {
        m_horizon.SetOutsideLookahead(delay);
    }

    /// From now on what any program does may matter to this host after @p delay, without a cell.
    void HearAfter(Ps delay)
    {
        const Leads& leads = GetWorld().leads;
        SetLookahead(delay - std::max(leads.program + leads.call, leads.control), delay);
        SetOutsideLookahead(0);
    }

    /**
     * @brief Records that @p more threads wait on the control network; negative: fewer.
     * While one waits, any work of another host may wake it at that instant.
     */
    void NoteListeners(int more)
    {
        m_horizon.NoteListeners(more);
    }

    /// Records whether NIC @p card, one of at most 32, waits for credits.
    void SetWaitsForCredits(bool waits, std::uint32_t card = 0)
    {
        m_horizon.SetWaitsForCredits(waits, card);
    }

    /**
     * @brief The earliest instant at which anything planned so far could change what a process of
     * this host sees. Until then a process may run ahead of the agenda.
     */
    Ps NextChange() const
    {
        return std::min(m_nextStep, m_horizon.At());
    }

    /// Whether @p at is before NextChange().
    bool IsWithinHorizon(Ps at) const
    {
        return at < m_nextStep && at < m_horizon.At();
    }

    /**
     * @brief Before this time the running process need not look at the world, as long as it does
     * nothing but compute: nothing that is planned reaches it, and no planner has a step to do.
     */
    Ps QuietUntil() const
    {
        return m_cpus.IsDisturbed() ? 0 : NextChange();
    }

  private:
    /// Stages on a CPU come first, then its stores to a doorbell.
    static constexpr std::size_t USUAL_STAGES = static_cast<std::size_t>(Stage::DOORBELL) + 1;

    using RareCpuTimes = std::array<Ps, STAGE_COUNT - USUAL_STAGES>;

    /// The time of a stage that most hosts never spend on a CPU.
    [[gnu::cold]] Ps& RareCpuTime(std::size_t index)
    {
        if (m_rareCpuTime == nullptr)
        {
            m_rareCpuTime = std::make_unique<RareCpuTimes>();
        }
        return (*m_rareCpuTime)[index - USUAL_STAGES];
    }

    /// All work before this instant is done, and all at it that comes before steps; -1: not all.
    Ps Done() const
    {
        const Agenda& agenda = GetWorld().agenda;
        return agenda.IsAt(Id()) && agenda.CurrentPort() >= STEP_PORT ? Now() : -1;
    }

    /// @param horizon whatever is not a step comes at that instant or later
    Ps SafeBefore(Ps horizon) const
    {
        return std::min(*m_running, m_reference ? Done() : std::max(Done(), horizon - 1));
    }

    /// Whether @p at is at most SafeUntil(): asked for each step.
    bool IsSafe(Ps at) const
    {
        return at <= *m_running && ((!m_reference && at < m_horizon.At()) || at <= Done());
    }

    BusPlanner* NextTurn();
    void PlanSteps();
    void PlanUpTo(Ps instant);
    void PlanWake();
    void WakeAt(Ps at);

    // first what each message needs
    static constexpr Ps NOBODY = PS_NEVER;
    Horizon m_horizon;
    const Ps* m_running{&NOBODY};    ///< clock of the running process
    Ps m_nextStep{PS_NEVER};         ///< of any planner
    Ps m_nextTurn{PS_NEVER};         ///< of the other planners during a turn; -1: the turn is over
    bool m_planning{false};          ///< inside PlanSteps
    bool m_reference;                ///< each step that takes time is an event
    BusPlanner* m_planners{nullptr}; ///< the one added first
    Shared<HostCosts> m_costs;
    ClockDomain m_cpuClock;
    HostBus m_bus;
    HostCpus m_cpus;
    HostMemory m_memory;
    std::array<Ps, USUAL_STAGES> m_cpuTime{};      ///< by stage; calls and cache misses come first
    std::unique_ptr<RareCpuTimes> m_rareCpuTime;   ///< of the other stages; null: none so far
    std::unique_ptr<Timeline> m_kernel;            ///< its work on CPU 0; null: none so far
    std::unique_ptr<ClockDomain::Speeds> m_speeds; ///< of the CPUs, if they change
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_H
