/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A node's computer: CPU clock, host bus and memory.

#ifndef VIA_HOST_H
#define VIA_HOST_H

#include "ns3/via-component.h"
#include "ns3/via-host-bus.h"
#include "ns3/via-host-cpus.h"
#include "ns3/via-host-memory.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace ns3
{
namespace via
{

/// What a test bed's host costs, read from its profile.
struct HostCosts
{
    Frequency cpuClock{1, 1};
    Cycles cacheMiss;            ///< CPU: first touch of a line that the NIC has written
    Cycles basicBlock;           ///< CPU: one basic block of a program
    Cycles clockCall;            ///< CPU: gettimeofday and its like
    Cycles interrupt;            ///< CPU: entry to exit, with what it costs the caches
    Cycles contextSwitch;        ///< CPU
    Cycles systemCall;           ///< CPU: entry and exit
    std::uint64_t lineBytes{1};  ///< of the caches
    std::uint64_t cacheBytes{0}; ///< of the last cache
    Cycles copyBase;             ///< CPU: one copy, whatever its size
    Cycles copyLine;             ///< CPU: one line copied from memory to memory
    Cycles copyLineCached;       ///< CPU: one line copied out of the cache
    std::uint64_t pageBytes{0};
    std::uint32_t cpuCount{1};
    Ps quantum{PS_PER_MS}; ///< what a process has a CPU for while others wait
    BusCosts bus;

    /// Reads the keys `cpu.*`, `os.*` and `bus.*` of @p profile.
    static HostCosts From(const ProviderProfile& profile);
};

/// Somebody who uses the bus of a host and plans ahead, step by step: the engines of a NIC.
class BusPlanner
{
  public:
    virtual ~BusPlanner() = default;

    /// When its next step begins, at the earliest; PS_NEVER if there is none, or an event decides.
    /// When something else than a step makes it earlier, it calls Host::Replan.
    virtual Ps NextAt() = 0;

    /// Does the step that NextAt has just told of, and those that follow up to Host::TurnEnd().
    virtual void PlanStep() = 0;

    /// It did steps, and now simulated time will pass: what others should know they must be told.
    virtual void OnStop() = 0;

  private:
    friend class Host;

    BusPlanner* m_next{nullptr}; ///< of the same host
    bool m_hasPlanned{false};    ///< since it was last told to stop
};

/**
 * @brief CPUs, I/O buses and memory of one node.
 *
 * A bus serves one transaction at a time: doorbell stores of the CPU, descriptor fetches,
 * payload and status DMA of the NIC. Who asks first is served first: so nobody plans further ahead
 * than to the next instant at which somebody else of this host, a process or a burst that arrives,
 * could ask (SafeUntil), and goes on as that instant moves.
 */
class alignas(64) Host : public Component, public AgendaFollower
{
  public:
    Host(World& world, ComponentId id, std::string name, const Shared<HostCosts>& costs);

    const HostCosts& Costs() const
    {
        return *m_costs;
    }

    const ClockDomain& CpuClock() const
    {
        return m_cpuClock;
    }

    /**
     * @brief From now on each cycle of its CPUs takes @p num / @p den times what the profile says.
     * Work that has begun ends as planned.
     */
    void SetSlowness(std::uint32_t num, std::uint32_t den);

    HostMemory& Memory()
    {
        return m_memory;
    }

    /**
     * @brief The kernel works, in an interrupt or for a system call of the card's driver, on CPU 0.
     * One piece of work after the other; who asks first is served first.
     * @return the end of its @p n cycles
     */
    Moment KernelSpend(Moment from, Stage stage, Cycles n);

    /**
     * @brief What a CPU needs to copy, set or compare memory.
     * @param bytes how many
     * @param cached whether the source has been touched lately; of no use to what no cache holds
     */
    Cycles CopyCost(std::uint64_t bytes, bool cached) const;

    /// A CPU has spent @p time on @p stage.
    void NoteCpu(Stage stage, Ps time)
    {
        m_cpuTime[static_cast<std::size_t>(stage)] += time;
    }

    /// What all CPUs have spent on @p stage, in processes and in the kernel.
    Ps CpuTime(Stage stage) const
    {
        return m_cpuTime[static_cast<std::size_t>(stage)];
    }

    /// The CPUs, and who has them.
    HostCpus& Cpus()
    {
        return m_cpus;
    }

    /// One posted store of the CPU to a card on bus @p bus.
    Moment MmioStore(Moment from, std::uint32_t bus = 0)
    {
        return m_bus.Store(from, Stage::DOORBELL, 1, bus);
    }

    /**
     * @brief The CPU writes @p bytes to the NIC by itself: uncached stores, combined if it can.
     * Whether it waits for their end is the caller's business: see Process::Busy.
     */
    Moment PioWrite(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus = 0)
    {
        return m_bus.Store(from, stage, bytes, bus);
    }

    /// A device on bus @p bus reads @p bytes of host memory.
    Moment DmaRead(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus = 0)
    {
        return m_bus.Read(from, stage, bytes, bus);
    }

    /// A device on bus @p bus writes @p bytes of host memory.
    Moment DmaWrite(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus = 0)
    {
        return m_bus.Write(from, stage, bytes, bus);
    }

    /// ps from the first data of a DMA read of @p bytes to its last, if nobody disturbs it.
    Ps DataSpan(std::uint32_t bytes) const
    {
        return m_bus.DataSpan(bytes);
    }

    /**
     * @brief Up to then nobody who is known will ask for the bus, but for who asks this.
     * The host's next work on the agenda, or the clock of the process that runs.
     */
    Ps SafeUntil() const
    {
        return std::min(*m_running, m_head);
    }

    /// A process whose clock is @p clock runs now. @return who ran until now, to be told when it
    /// ends
    const Ps* SetRunning(const Ps* clock)
    {
        return std::exchange(m_running, clock);
    }

    /// From now on CatchUp() lets @p planner plan; who was added first is first at ties.
    void AddPlanner(BusPlanner* planner)
    {
        BusPlanner** last = &m_planners;
        while (*last != nullptr)
        {
            last = &(*last)->m_next;
        }
        *last = planner;
    }

    /// Then it is another planner's turn, or SafeUntil().
    Ps TurnEnd() const
    {
        return std::min(m_nextTurn, SafeUntil());
    }

    /// Lets all planners do their steps up to SafeUntil(), in the order of time.
    void CatchUp()
    {
        if (m_nextStep <= SafeUntil())
        {
            PlanSteps();
        }
    }

    /// As CatchUp, when a planner may have got something to do.
    void Replan();

    void Follow() override
    {
        PlanSteps();
    }

    /// A hint: the next work on the agenda is this host's (see AgendaTarget::Expect).
    void Expect() const
    {
        PrefetchUpTo(this, &m_cpuTime[static_cast<std::size_t>(Stage::CACHE_MISS)] + 1);
    }

    /**
     * @brief How soon work of another component can reach this one.
     * @param cells by cells that arrive
     * @param credits by credits that come home; counts only while the NIC waits for them
     */
    void SetLookahead(Ps cells, Ps credits)
    {
        m_cellLookahead = cells;
        m_creditLookahead = credits;
    }

    /// NIC @p card, one of 32 at the most, waits for credits, or no longer does.
    void SetWaitsForCredits(bool waits, std::uint32_t card = 0)
    {
        const std::uint32_t bit = std::uint32_t{1} << card;
        m_waitForCredits = waits ? m_waitForCredits | bit : m_waitForCredits & ~bit;
    }

    /**
     * @brief The earliest instant at which anything planned so far could change what a process
     * of this host sees. Until then a process may run ahead of the agenda.
     */
    Ps Horizon() const
    {
        const Ps head = GetWorld().agenda.Head();
        const Ps lookahead = m_waitForCredits != 0 ? m_creditLookahead : m_cellLookahead;
        const Ps others = head > PS_NEVER - lookahead ? PS_NEVER : head + lookahead;
        return std::min(m_head, others);
    }

  private:
    BusPlanner* NextTurn();
    void PlanSteps();
    void Stop();

    // in front what each message needs
    static constexpr Ps NOBODY = PS_NEVER;
    const Ps& m_head;                  ///< when the next work on the agenda is due
    const Ps* m_running{&NOBODY};      ///< the clock of the process that runs
    Ps m_nextStep{PS_NEVER};           ///< of any planner
    Ps m_nextTurn{PS_NEVER};           ///< of the others, while one has his
    bool m_planning{false};            ///< inside PlanSteps
    std::uint32_t m_waitForCredits{0}; ///< NICs that do, a bit for each
    Ps m_cellLookahead{0};
    Ps m_creditLookahead{0};
    BusPlanner* m_planners{nullptr}; ///< the first that was added
    Shared<HostCosts> m_costs;
    ClockDomain m_cpuClock;
    HostBus m_bus;
    HostCpus m_cpus;
    HostMemory m_memory;
    std::array<Ps, STAGE_COUNT> m_cpuTime{}; ///< by stage; calls and cache misses come first
    std::unique_ptr<Timeline> m_kernel;      ///< its work on CPU 0; null: there was none yet
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_H
