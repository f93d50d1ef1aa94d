/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A node's computer: CPU clock, host bus and memory.

#include "via-host.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{
/// Numbers of a host's clocks, for their phases; the NIC and its link follow.
constexpr std::uint32_t CPU_CLOCK = 0;
constexpr std::uint32_t BUS_CLOCK = 1;
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
    costs.pageBytes = profile.Number("os.page_bytes");
    costs.busClock = profile.Clock("bus.clock");
    costs.busWidth = static_cast<std::uint32_t>(profile.Number("bus.width"));
    costs.readOverhead = Cycles(profile.Number("bus.read_overhead"));
    costs.writeOverhead = Cycles(profile.Number("bus.write_overhead"));
    costs.mmioWrite = Cycles(profile.Number("bus.mmio_write"));
    return costs;
}

Host::Host(World& world, ComponentId id, std::string name, const Shared<HostCosts>& costs)
    : Component(world, id, std::move(name)),
      m_costs(costs),
      m_cpuClock(MakeClock(costs->cpuClock, CPU_CLOCK)),
      m_busClock(MakeClock(costs->busClock, BUS_CLOCK))
{
}

void
Host::CatchUp()
{
    if (m_planning)
    {
        return;
    }
    m_planning = true;
    BusPlanner* next = NextPlanner();
    while (next != nullptr && next->NextAt() <= SafeUntil())
    {
        next->PlanStep();
        next = NextPlanner();
    }
    m_planning = false;
    if (next != nullptr || m_running != nullptr)
    {
        GetWorld().agenda.FollowNext(Id(), this);
    }
    if (m_running == nullptr)
    {
        for (BusPlanner* planner : m_planners)
        {
            planner->OnStop();
        }
    }
}

BusPlanner*
Host::NextPlanner() const
{
    BusPlanner* first = nullptr;
    Ps at = PS_NEVER;
    for (BusPlanner* planner : m_planners)
    {
        const Ps next = planner->NextAt();
        if (next < at)
        {
            at = next;
            first = planner;
        }
    }
    return first;
}

} // namespace via
} // namespace ns3
