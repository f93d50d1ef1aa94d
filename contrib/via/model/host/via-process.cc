/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process, or a thread of one: a program with a clock of its own on the CPU of a host.

#include "via-process.h"

#include "ns3/abort.h"

#include <limits>

namespace ns3
{
namespace via
{

Process::Process(Host& host, std::uint32_t rank, std::uint32_t thread)
    : m_host(host),
      m_rank(rank),
      m_port(FIRST_PORT + rank * MAX_THREADS + thread)
{
    constexpr AgendaPort most = std::numeric_limits<AgendaPort>::max();
    NS_ABORT_MSG_IF(rank >= (most - FIRST_PORT) / MAX_THREADS,
                    "more processes than ports: " << rank);
}

void
Process::Spend(Stage stage, Cycles n)
{
    const Moment before = m_clock;
    m_clock = m_host.Spend(m_clock, stage, Engine::CPU, m_host.CpuClock(), n);
    const Ps spent = m_clock.at - before.at;
    m_cpuTime += spent;
    m_host.GetWorld().NoteCpu(stage, spent);
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
    m_cpuTime += m_clock.at - before;
    m_host.GetWorld().NoteCpu(waiting, m_clock.at - before);
}

} // namespace via
} // namespace ns3
