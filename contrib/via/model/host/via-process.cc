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
Process::NoteOtherWork(Stage stage, Ps from, Ps lost)
{
    if (m_last == 0)
    {
        m_clock.at = from; // it has ended: what it still calls takes no time
        return;
    }
    const Ps spent = std::max(std::min(m_clock.at, m_last) - from - lost, Ps{0});
    if (m_host.Cpus().AreContended())
    {
        KeepBooked({stage, m_inKernel, spent}, from);
    }
    m_stage = spent > 0 ? stage : m_stage;
    m_cpuTime += spent;
    m_host.NoteCpu(stage, spent);
    m_systemTime += m_inKernel ? spent : 0;
    if (m_clock.at >= m_killAt)
    {
        m_inKernel = false; // the call never returns
        AwaitKill();
    }
}

void
Process::KeepBooked(const BookedWork::Piece& piece, Ps from)
{
    if (m_booked == nullptr)
    {
        m_booked = std::make_unique<BookedWork>();
    }
    if (from <= m_host.Now())
    {
        m_booked->Clear(); // nobody can take what is over
    }
    else if (m_resumes)
    {
        m_booked->KeepLast(std::max(std::min(from, m_last) - m_host.Now(), Ps{0}));
    }
    m_bookedTo = m_clock.at;
    if (piece.booked > 0)
    {
        m_booked->Add(piece, m_resumes);
    }
}

void
Process::Rebook(Ps more)
{
    m_cpuTime += more;
    const auto note = [this](const BookedWork::Piece& piece, Ps change) {
        m_host.NoteCpu(piece.stage, change);
        m_systemTime += piece.inKernel ? change : 0;
    };
    const Ps rest = m_booked == nullptr ? more : m_booked->Change(more, note);
    m_host.NoteCpu(m_stage, rest);
}

void
Process::SpendInKernel(Stage stage, Cycles n)
{
    m_inKernel = true;
    Spend(stage, n);
    m_inKernel = false;
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
Process::Store(Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    Drive(StoreAndGoOn(stage, bytes, bus), stage);
    Reach();
}

Moment
Process::StoreAndGoOn(Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    for (;;)
    {
        Reach(); // each store meets the bus as it is then
        const Moment stored = m_host.Bus().NextStore(m_clock, stage, bytes, bus);
        if (bytes == 0)
        {
            return stored;
        }
        Drive(stored, stage);
    }
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
        m_bookedTo = m_bookedTo == planned ? m_clock.at : m_bookedTo;
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
    m_resumes = true;
    Spend(Stage::CONTEXT_SWITCH, m_host.Costs().contextSwitch);
    m_resumes = false;
}

void
Process::LoseUntilEnd()
{
    HostCpus::Loss loss;
    while (m_bookedTo >= m_last && m_host.Cpus().LoseOne(*this, m_last, loss))
    {
        Rebook(loss.from - loss.until);
    }
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
