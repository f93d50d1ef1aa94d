/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// CPU scheduling of a host: which process has a CPU, which waits, and what the kernel takes.

#include "via-host-cpus.h"

#include "ns3/via-process.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

HostCpus::HostCpus(Host& host, std::uint32_t count, Ps quantum)
    : m_host(host),
      m_count(count),
      m_quantum(quantum)
{
}

void
HostCpus::Leave(Process& process, Ps at)
{
    Forget(process);
    Release(process, at);
    --m_members;
    for (Cpu& cpu : m_cpus)
    {
        if (cpu.last == &process)
        {
            cpu.last = nullptr; // another process may be allocated at that address
        }
    }
}

std::uint32_t
HostCpus::FindFree(const Process& process)
{
    std::uint32_t free = Place::NONE;
    std::uint32_t ahead = Place::NONE; // free later: its last process ran ahead of the agenda
    for (std::uint32_t i = static_cast<std::uint32_t>(m_cpus.size()); i-- > 0;)
    {
        if (m_cpus[i].holder != nullptr)
        {
            continue;
        }
        if (m_cpus[i].last == &process)
        {
            return i; // its data may still be in that CPU's caches
        }
        (m_cpus[i].freeFrom <= m_host.Now() ? free : ahead) = i;
    }
    if (free == Place::NONE && m_cpus.size() < m_count)
    {
        free = static_cast<std::uint32_t>(m_cpus.size());
        m_cpus.emplace_back();
    }
    return free != Place::NONE || IsCrowded() ? free : ahead;
}

void
HostCpus::Give(std::uint32_t index, Process& process, Ps at)
{
    Cpu& cpu = m_cpus[index];
    Place& place = process.CpuPlace();
    const bool changes = IsCrowded() && cpu.last != nullptr && cpu.last != &process;
    cpu.holder = &process;
    cpu.last = &process;
    place.cpu = index;
    place.since = at;
    place.sliceFrom = at;
    place.left = LeftOf(process);
    if (changes && !place.paysSwitch)
    {
        process.PayForSwitch();
    }
}

bool
HostCpus::Take(Process& process, bool paysSwitch)
{
    process.CpuPlace().paysSwitch = paysSwitch;
    const std::uint32_t free = m_queue.empty() ? FindFree(process) : Place::NONE;
    if (free != Place::NONE)
    {
        Give(free, process, process.Clock().at);
        return true;
    }
    const bool isNew = process.CpuPlace().left == PS_NEVER; // it has not waited for anything
    const std::uint32_t weaker = isNew ? Place::NONE : FindWeaker(process);
    if (weaker != Place::NONE)
    {
        Unplan(m_cpus[weaker]);
        Preempt(*std::exchange(m_cpus[weaker].holder, nullptr));
        Give(weaker, process, process.Clock().at);
        PlanAll();
        return true;
    }
    Enqueue(process, process.Clock().at);
    PlanAll();
    return false;
}

Ps
HostCpus::LeftOf(Process& process) const
{
    Place& place = process.CpuPlace();
    if (place.left == PS_NEVER)
    {
        place.left = m_quantum;
        place.round = m_round;
    }
    constexpr std::uint64_t most = 64; // further renewals change nothing
    for (std::uint64_t i = std::min(m_round - place.round, most); i-- > 0;)
    {
        place.left = place.left / 2 + m_quantum;
    }
    place.round = m_round;
    return place.left;
}

Ps
HostCpus::LeftNow(const Cpu& cpu) const
{
    const Place& place = cpu.holder->CpuPlace();
    return LeftOf(*cpu.holder) - std::max<Ps>(m_host.Now() - place.sliceFrom, 0);
}

void
HostCpus::UseUp(Process& process, Ps until)
{
    Place& place = process.CpuPlace();
    const Ps used = std::max<Ps>(until - place.sliceFrom, 0);
    place.left = std::max<Ps>(LeftOf(process) - used, 0);
    place.sliceFrom = std::max(until, place.sliceFrom);
}

void
HostCpus::RenewPassed(Process& process)
{
    Place& place = process.CpuPlace();
    const Ps over = m_host.Now() - place.sliceFrom - LeftOf(process);
    if (over >= 0)
    {
        m_round += static_cast<std::uint64_t>(over / m_quantum) + 1;
        place.round = m_round;
        place.left = m_quantum - over % m_quantum;
        place.sliceFrom = m_host.Now();
    }
}

std::uint32_t
HostCpus::FindWeaker(Process& process)
{
    for (const Cpu& cpu : m_cpus)
    {
        if (cpu.holder != nullptr)
        {
            RenewPassed(*cpu.holder);
        }
    }
    Ps least = LeftOf(process);
    std::uint32_t weakest = Place::NONE;
    for (std::uint32_t i = 0; i < m_cpus.size(); ++i)
    {
        const Process* holder = m_cpus[i].holder;
        const bool hasBegun = holder != nullptr && holder->CpuPlace().since < m_host.Now();
        if (hasBegun && LeftNow(m_cpus[i]) < least)
        {
            least = LeftNow(m_cpus[i]);
            weakest = i;
        }
    }
    return weakest;
}

Process&
HostCpus::TakeNext()
{
    const auto hasLess = [this](Process* a, Process* b) { return LeftOf(*a) < LeftOf(*b); };
    const auto next = std::max_element(m_queue.begin(), m_queue.end(), hasLess); // first of equals
    Process& process = **next;
    if (LeftOf(process) == 0)
    {
        ++m_round; // all runnable processes have used up their slices
    }
    m_queue.erase(next);
    return process;
}

void
HostCpus::Enqueue(Process& process, Ps stopped)
{
    process.CpuPlace().queued = true;
    process.CpuPlace().stopped = stopped;
    m_queue.push_back(&process);
}

void
HostCpus::Release(Process& process, Ps at)
{
    Place& place = process.CpuPlace();
    LeftOf(process); // gives it a slice, even if it has had no CPU yet
    if (place.cpu == Place::NONE)
    {
        return;
    }
    const std::uint32_t index = place.cpu;
    Cpu& cpu = m_cpus[index];
    cpu.holder = nullptr;
    cpu.freeFrom = at;
    place.cpu = Place::NONE;
    if (IsCrowded())
    {
        UseUp(process, at);
    }
    if (!m_queue.empty())
    {
        Unplan(cpu);
        Plan(index);
    }
}

void
HostCpus::Forget(Process& process)
{
    if (process.CpuPlace().queued)
    {
        process.CpuPlace().queued = false;
        m_queue.erase(std::find(m_queue.begin(), m_queue.end(), &process));
        UnplanIfNobodyWaits();
    }
}

void
HostCpus::Preempt(Process& process)
{
    const Ps now = m_host.Now();
    UseUp(process, now);
    process.LoseToKernel(now);
    process.HoldUp({now, std::max(process.Clock().at, now), 0}); // it may never get the rest
    process.OnPreempted();
    process.CpuPlace().cpu = Place::NONE;
    process.CpuPlace().paysSwitch = false;
    Enqueue(process, now);
}

void
HostCpus::ServeQueue(std::uint32_t index)
{
    const Ps now = m_host.Now();
    Process& next = TakeNext();
    UnplanIfNobodyWaits();
    next.CpuPlace().queued = false;
    const Ps stopped = next.CpuPlace().stopped;
    const Ps planned = next.Clock().at;
    const Ps setback = m_host.SetbackOf(planned, stopped, now);
    next.HoldUp({std::max(planned, stopped), now, setback}); // Preempt has booked the time before
    Give(index, next, now);
    if (!m_queue.empty())
    {
        Plan(index);
    }
    next.OnGranted();
}

void
HostCpus::OnAgenda(std::uint32_t, std::uint64_t index)
{
    Cpu& cpu = m_cpus[index];
    cpu.planned = false;
    m_host.GetWorld().pollWatchdog.ForgetLook();
    if (cpu.holder != nullptr)
    {
        Process& last = *cpu.holder;
        cpu.holder = nullptr;
        Preempt(last);
    }
    ServeQueue(static_cast<std::uint32_t>(index));
}

void
HostCpus::PlanAll()
{
    for (std::uint32_t i = 0; i < m_cpus.size(); ++i)
    {
        if (!m_cpus[i].planned)
        {
            Plan(i);
        }
    }
}

void
HostCpus::Plan(std::uint32_t index)
{
    Cpu& cpu = m_cpus[index];
    const Ps now = m_host.Now();
    Ps at = std::max(cpu.freeFrom, now);
    if (cpu.holder != nullptr)
    {
        RenewPassed(*cpu.holder);
        at = std::max(cpu.holder->CpuPlace().sliceFrom, now) + LeftNow(cpu);
    }
    cpu.planned = true;
    cpu.timer = m_host.Schedule(at, PORT, this, 0, index);
    m_host.GetWorld().pollWatchdog.NoteLook(); // this event is not progress
}

void
HostCpus::Unplan(Cpu& cpu)
{
    if (cpu.planned)
    {
        cpu.planned = false;
        m_host.GetWorld().agenda.Cancel(m_host.Id(), cpu.timer);
        m_host.GetWorld().pollWatchdog.ForgetLook();
    }
}

void
HostCpus::UnplanIfNobodyWaits()
{
    if (m_queue.empty())
    {
        for (Cpu& cpu : m_cpus)
        {
            Unplan(cpu);
        }
    }
}

bool
HostCpus::DelaysRelease(const ClockDomain::Window& window)
{
    if (m_cpus.size() < m_count || m_cpus.back().last == nullptr)
    {
        return false;
    }
    Cpu& cpu = m_cpus.back();
    if (window.start >= cpu.freeFrom || cpu.last->CpuPlace().cpu != Place::NONE)
    {
        return false;
    }
    const Ps setback = m_host.SetbackOf(cpu.freeFrom, window.start, window.end);
    cpu.last->HoldUp({window.start, window.end, setback});
    cpu.freeFrom += setback;
    if (cpu.planned)
    {
        Unplan(cpu);
        Plan(m_count - 1);
    }
    return true;
}

void
HostCpus::Conclude()
{
    if (m_cpus.size() == m_count && m_cpus.back().holder != nullptr)
    {
        m_cpus.back().holder->LoseUntilEnd();
    }
}

void
HostCpus::Interrupt(ClockDomain::Window window)
{
    m_contended |= IsShared(); // else it wakes the only one
    const bool isHeld = m_cpus.size() == m_count && m_cpus.back().holder != nullptr;
    if (!isHeld)
    {
        if (DelaysRelease(window))
        {
            return;
        }
        const auto isOver = [this](const ClockDomain::Window& w) { return w.end <= m_host.Now(); };
        m_kernel.erase(std::remove_if(m_kernel.begin(), m_kernel.end(), isOver), m_kernel.end());
    }
    const auto later = [](const ClockDomain::Window& a, const ClockDomain::Window& b) {
        return a.start < b.start;
    };
    m_kernel.insert(std::upper_bound(m_kernel.begin(), m_kernel.end(), window, later), window);
}

Ps
HostCpus::CertainUntil() const
{
    return IsCrowded() ? m_host.Now() : PS_NEVER;
}

const HostCpus::Interrupts&
HostCpus::InterruptsOf(const Process& process) const
{
    static const Interrupts none;
    return m_kernel.empty() || process.CpuPlace().cpu == m_count - 1 ? m_kernel : none;
}

bool
HostCpus::LoseOne(const Process& process, Ps until, Loss& loss)
{
    const Ps clock = process.Clock().at;
    if (InterruptsOf(process).empty() || m_kernel.front().start >= std::min(until, clock))
    {
        return false;
    }
    ClockDomain::Window& work = m_kernel.front();
    const Ps from = std::max(work.start, process.CpuPlace().since);
    const Ps to = std::min(work.end, until);
    loss = from < to ? Loss{from, to, m_host.SetbackOf(clock, from, to)} : Loss{};
    if (work.end > until)
    {
        work.start = until; // its successor loses the rest
    }
    else
    {
        m_kernel.erase(m_kernel.begin());
    }
    return true;
}

Ps
HostCpus::Lose(const Process& process)
{
    Ps time = 0;
    for (Loss loss; LoseOne(process, process.Clock().at, loss);)
    {
        time += loss.until - loss.from;
    }
    return time;
}

} // namespace via
} // namespace ns3
