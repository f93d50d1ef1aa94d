/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process, or a thread of one: a program with its own clock on a CPU of a host.

#include "via-process.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace via
{

Process::Process(Host& host, std::uint32_t rank, std::uint32_t thread)
    : m_host(host),
      m_rank(rank),
      m_port(FIRST_PORT + rank * MAX_THREADS + thread),
      m_last(host.GetWorld().agenda.Limit())
{
    NS_ABORT_MSG_IF(rank >= (Agenda::END_OF_PROGRAM_PORTS - FIRST_PORT) / MAX_THREADS,
                    "more processes than agenda ports: " << rank);
}

void
Process::Spend(Stage stage, Cycles n)
{
    if (m_place.cpu == HostCpus::Place::NONE)
    {
        TakeCpu(stage == Stage::CONTEXT_SWITCH);
    }
    const Ps before = m_clock.at;
    m_clock = m_host.Spend(m_clock, stage, Engine::CPU, m_host.CpuClock(), n);
    NoteWork(stage, before, 0);
    if (m_host.Cpus().IsDisturbed())
    {
        LoseToKernel(m_host.Cpus().CertainUntil());
    }
}

void
Process::NoteLastWork(Stage stage, Ps from, Ps lost)
{
    const Ps spent = std::max(std::min(m_clock.at, m_last) - from - lost, Ps{0});
    if (spent > 0)
    {
        m_work = {stage, m_inKernel};
    }
    m_cpuTime += spent;
    m_host.NoteCpu(stage, spent);
    if (m_clock.at >= m_killAt)
    {
        m_systemTime += m_inKernel ? spent : 0; // the call never returns
        m_inKernel = false;
        AwaitKill();
    }
}

void
Process::Rebook(Ps more)
{
    m_cpuTime += more;
    m_host.NoteCpu(m_work.stage, more);
    if (m_work.inKernel && !m_inKernel) // else SpendInKernel adds it
    {
        m_systemTime += more;
    }
}

void
Process::SpendInKernel(Stage stage, Cycles n)
{
    const Ps before = m_cpuTime;
    m_inKernel = true;
    Spend(stage, n);
    m_inKernel = false;
    m_systemTime += m_cpuTime - before;
}

void
Process::Wait(Moment moment, Stage waiting)
{
    if (moment.at > m_clock.at)
    {
        m_clock = m_host.Wait(m_clock, waiting, Engine::PROGRAM, moment.at);
    }
}

void
Process::Busy(Moment moment, Stage waiting)
{
    const Ps before = m_clock.at;
    Wait(moment, waiting);
    const Ps lost = m_host.Cpus().Lose(*this);
    NoteWork(waiting, before, lost);
}

void
Process::WakeUp()
{
    const HostCosts& costs = m_host.Costs();
    m_clock = m_host.KernelSpend(m_clock, Stage::INTERRUPT, costs.interrupt);
    const Ps begun = m_host.CpuClock().Before(m_clock.at, costs.interrupt);
    m_cpuTime += std::max(std::min(m_clock.at, m_last) - begun, Ps{0});
    Spend(Stage::CONTEXT_SWITCH, costs.contextSwitch);
}

void
Process::TakeCpu(bool paysSwitch)
{
    NS_ABORT_MSG_IF(!m_host.Cpus().Take(*this, paysSwitch),
                    "process " << m_rank << " cannot wait for a CPU");
}

void
Process::OnPreempted()
{
    NS_ABORT_MSG("process " << m_rank << " cannot be preempted");
}

void
Process::OnGranted()
{
}

bool
Process::LoseToKernel(Ps until)
{
    bool loses = false;
    for (HostCpus::Loss loss; m_host.Cpus().LoseOne(*this, until, loss);)
    {
        HoldUp(loss); // piece by piece: when they are known makes no difference
        loses |= loss.until > loss.from;
    }
    return loses;
}

void
Process::HoldUp(const HostCpus::Loss& loss)
{
    const Ps planned = m_clock.at;
    if (loss.setback > 0)
    {
        if (m_heldUpTo != m_clock.at) // else it is held up once more, at once
        {
            m_heldUpFrom = m_clock.at;
        }
        m_clock = m_host.Wait(m_clock, Stage::CPU_WAIT, Engine::CPU, planned + loss.setback);
        m_heldUpTo = m_clock.at;
    }
    // the work was booked up to its planned end, at the speeds until then
    const Ps delay = std::min(m_clock.at, m_last) - std::min(planned, m_last);
    const Ps lost = std::min(loss.until, m_last) - std::min(loss.from, m_last);
    if (delay != lost)
    {
        Rebook(delay - lost);
    }
}

void
Process::PayForSwitch()
{
    const Work work = m_work;
    Spend(Stage::CONTEXT_SWITCH, m_host.Costs().contextSwitch);
    m_work = work;
}

void
Process::FollowLate(Moment visible)
{
    const Ps now = m_clock.at;
    visible = m_host.Wait(visible, Stage::RECEIVER_LATE, Engine::PROGRAM, m_heldUpFrom);
    visible = m_host.Wait(visible, Stage::CPU_WAIT, Engine::CPU, m_heldUpTo);
    m_clock = m_host.Wait(visible, Stage::RECEIVER_LATE, Engine::PROGRAM, now);
}

} // namespace via
} // namespace ns3
