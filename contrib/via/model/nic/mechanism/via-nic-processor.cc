/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs the engines of a NIC: parallel hardware, or one shared processor.

#include "via-nic-processor.h"

#include <algorithm>

namespace ns3
{
namespace via
{

Moment
NicProcessor::Work(Moment from, Stage stage, Engine engine, Cycles n)
{
    return m_busy == nullptr || n.count == 0 ? m_host.Spend(from, stage, engine, m_clock, n)
                                             : Share(from, stage, engine, n);
}

Moment
NicProcessor::Share(Moment from, Stage stage, Engine engine, Cycles n)
{
    m_used += n.count;
    return m_host.Use(from, stage, Stage::ENGINE_WAIT, engine, *m_busy, m_clock, n);
}

void
NicProcessor::StandStill(Ps at, Cycles n)
{
    m_used += n.count;
    m_busy->Reserve(m_clock, at, n, m_host.Now());
}

Moment
NicProcessor::DoUpkeep(Moment from)
{
    const std::uint64_t worked = m_used - m_owed.used;
    const std::uint64_t passed =
        from.at <= m_owed.since ? 0 : m_clock.Between(m_owed.since, from.at).count;
    const std::uint64_t idle = passed > worked ? passed - worked : 0;
    const std::uint64_t done = std::min(idle, m_owed.cycles);
    const Cycles left(m_owed.cycles - done);
    m_owed.cycles = 0;
    m_used += done;
    return Work(from, Stage::COMPLETE, Engine::NIC_RECEIVE, left);
}

} // namespace via
} // namespace ns3
