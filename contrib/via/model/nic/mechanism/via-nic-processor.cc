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
    m_busy->Reserve(m_clock, std::max(at, m_host.Now()), n, m_host.Now());
}

Moment
NicProcessor::DoUpkeep(Moment from, Engine engine)
{
    Debt& debt = m_debts[engine == Engine::NIC_SEND ? 0 : 1];
    const std::uint64_t worked = m_used - debt.used;
    const std::uint64_t passed =
        from.at <= debt.since ? 0 : m_clock.Between(debt.since, from.at).count;
    const std::uint64_t idle = passed > worked ? passed - worked : 0;
    const std::uint64_t done = std::min(idle, debt.owed);
    const Cycles left(debt.owed - done);
    debt.owed = 0;
    m_used += done;
    return Work(from, Stage::COMPLETE, engine, left);
}

} // namespace via
} // namespace ns3
