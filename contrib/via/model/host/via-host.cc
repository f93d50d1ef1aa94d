/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The computer of a node: CPUs, I/O buses and memory.

#include "via-host.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{
/// Numbers of a host's clocks, for their phases; those of the NIC and its link follow.
constexpr std::uint32_t CPU_CLOCK = 0;
constexpr std::uint32_t BUS_CLOCK = 1;

/// What follows a planner belongs to it: a NIC's engines.
constexpr std::size_t PLANNER_BYTES = 1024;
} // namespace

HostCosts
HostCosts::From(const ProviderProfile& profile)
{
    HostCosts costs;
    costs.cpuClock = profile.Clock("cpu.clock");
    costs.cacheMiss = Cycles(profile.Number("cpu.cache_miss"));
    costs.basicBlock = Cycles(profile.Number("cpu.basic_block"));
    costs.clockCall = Cycles(profile.Number("cpu.time_call"));
    costs.interrupt = Cycles(profile.Number("os.interrupt"));
    costs.contextSwitch = Cycles(profile.Number("os.context_switch"));
    costs.systemCall = Cycles(profile.Number("os.syscall"));
    costs.lineBytes = profile.Number("cpu.line_bytes");
    costs.cacheBytes = profile.Number("cpu.cache_bytes");
    costs.copyBase = Cycles(profile.Number("cpu.copy_base"));
    costs.copyLine = Cycles(profile.Number("cpu.copy_line"));
    costs.copyLineCached = Cycles(profile.Number("cpu.copy_line_cached"));
    costs.pageBytes = profile.Number("os.page_bytes");
    costs.cpuCount = profile.Number32("cpu.count");
    costs.quantum = static_cast<Ps>(profile.Number("os.quantum")) * PS_PER_US;
    costs.bus = BusCosts::From(profile);
    return costs;
}

Host::Host(World& world, ComponentId id, std::string name, const Shared<HostCosts>& costs)
    : Component(world, id, std::move(name)),
      m_horizon(world, id),
      m_reference(world.reference),
      m_costs(costs),
      m_cpuClock(MakeClock(costs->cpuClock, CPU_CLOCK)),
      m_bus(*this, m_costs->bus, MakeClock(costs->bus.clock, BUS_CLOCK)),
      m_cpus(*this, costs->cpuCount, costs->quantum),
      m_memory(world)
{
    world.agenda.SetFollower(id, this);
}

void
Host::SetSpeeds(const std::vector<SpeedChange>& changes)
{
    NS_ABORT_MSG_IF(m_speeds != nullptr || Now() > 0,
                    "the speeds of CPUs must be set once, before the run");
    m_speeds = std::make_unique<ClockDomain::Speeds>(m_cpuClock, m_costs->cpuClock, changes);
    m_cpuClock = m_cpuClock.With(*m_speeds);
}

void
Host::PlanSteps()
{
    if (m_planning)
    {
        m_nextTurn = -1;
        return;
    }
    m_planning = true;
    for (BusPlanner* next = NextTurn(); next != nullptr && IsSafe(m_nextStep); next = NextTurn())
    {
        next->PlanStep();
    }
    m_planning = false;
    if (m_running == &NOBODY)
    {
        PlanWake(); // a running process yields, and then this is called again
    }
}

void
Host::PlanUpTo(Ps instant)
{
    const Ps* before = SetRunning(&instant);
    PlanSteps();
    SetRunning(before);
}

void
Host::PlanWake()
{
    if (m_nextStep == PS_NEVER)
    {
        WakeAt(PS_NEVER);
        return;
    }
    // what begins before the run is stopped belongs to it
    Ps noticed = m_reference ? 0 : GetWorld().agenda.Limit();
    for (BusPlanner* planner = m_planners; planner != nullptr; planner = planner->m_next)
    {
        noticed = std::min(noticed, planner->NoticedAt());
    }
    WakeAt(std::max({noticed, m_nextStep, Now()}));
}

void
Host::Prefetch(Hint hint, std::uint32_t, std::uint64_t)
{
    switch (hint)
    {
    case Hint::FAR:
        PrefetchUse();
        break;
    case Hint::SOON:
        if (m_planners != nullptr)
        {
            PrefetchUpTo(m_planners, reinterpret_cast<const char*>(m_planners) + PLANNER_BYTES);
        }
        break;
    case Hint::NEXT:
        break;
    case Hint::NOW:
        for (const BusPlanner* planner = m_planners; planner != nullptr; planner = planner->m_next)
        {
            planner->Prefetch();
        }
        break;
    }
}

void
Host::WakeAt(Ps at)
{
    if (at == m_horizon.StepAt())
    {
        return;
    }
    if (m_horizon.StepAt() != PS_NEVER)
    {
        GetWorld().agenda.Cancel(Id(), m_horizon.Step());
    }
    m_horizon.SetStep(at, at == PS_NEVER ? 0 : Schedule(at, STEP_PORT, this, 0));
}

void
Host::OnAgenda(std::uint32_t, std::uint64_t)
{
    m_horizon.SetStep(PS_NEVER, 0);
}

void
Host::ReplanSoon()
{
    if (m_planning || !GetWorld().agenda.IsIdle())
    {
        Replan();
        return;
    }
    m_nextStep = 0;
    WakeAt(Now()); // the run has not begun, and more is being set up
}

void
Host::Replan()
{
    if (!m_planning && GetWorld().agenda.IsAt(Id()))
    {
        m_nextStep = 0; // the current work item may still give others work before the new step
        return;
    }
    PlanSteps();
}

BusPlanner*
Host::NextTurn()
{
    BusPlanner* first = nullptr;
    m_nextStep = PS_NEVER;
    m_nextTurn = PS_NEVER;
    bool isShielded = m_planners != nullptr && m_planners->m_next == nullptr;
    for (BusPlanner* planner = m_planners; planner != nullptr; planner = planner->m_next)
    {
        const Ps at = planner->NextAt();
        isShielded &= planner->m_isShielded;
        if (at < m_nextStep)
        {
            m_nextTurn = m_nextStep;
            m_nextStep = at;
            first = planner;
        }
        else
        {
            m_nextTurn = std::min(m_nextTurn, at);
        }
    }
    m_horizon.SetShielded(isShielded);
    return first;
}

Moment
Host::KernelSpend(Moment from, Stage stage, Cycles n)
{
    if (n.count == 0)
    {
        return from;
    }
    if (m_kernel == nullptr)
    {
        m_kernel = std::make_unique<Timeline>();
    }
    const ClockDomain::Window window = m_kernel->Reserve(m_cpuClock, from.at, n, Now());
    if (IsInRun(window.start))
    {
        NoteCpu(stage, TimeInRun(window.start, window.end));
    }
    m_cpus.Interrupt(window);
    return Occupy(from, stage, Stage::CPU_WAIT, Engine::CPU, m_cpuClock, n, window);
}

Cycles
Host::CopyCost(std::uint64_t bytes, bool cached) const
{
    const HostCosts& costs = *m_costs;
    const bool quick = cached && bytes <= costs.cacheBytes;
    const std::uint64_t lines = (bytes + costs.lineBytes - 1) / costs.lineBytes;
    return costs.copyBase + (quick ? costs.copyLineCached : costs.copyLine) * lines;
}

} // namespace via
} // namespace ns3
