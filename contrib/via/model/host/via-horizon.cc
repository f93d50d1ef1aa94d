/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Until when nothing from outside can reach a host.

#include "via-horizon.h"

namespace ns3
{
namespace via
{

Ps
Horizon::Find() const
{
    const Agenda& agenda = m_world.agenda;
    if (agenda.IsAlone())
    {
        m_found = std::min(OwnNext(), OthersNext(m_isShielded, PS_NEVER));
        m_foundAt = Stamp();
        return m_found;
    }
    m_foundAt = NEVER; // events of others change without a sign
    return At(m_isShielded);
}

Ps
Horizon::At(bool isShielded) const
{
    const Agenda& agenda = m_world.agenda;
    return std::min({OwnNext(), OthersNext(isShielded, agenda.OutsideNext()), agenda.OthersNext()});
}

/// The earliest instant at which another component could reach this one with something that is not
/// on its agenda and matters before the next step.
/// @param outside when other partitions have their next event
[[gnu::always_inline]] inline Ps
Horizon::OthersNext(bool isShielded, Ps outside) const
{
    const Agenda& agenda = m_world.agenda;
    if (m_listeners != 0)
    {
        return agenda.IsAt(m_id) ? std::min(agenda.Head(), outside) : agenda.Now();
    }
    const bool waits = m_waits != 0;
    if (isShielded && !waits)
    {
        return PS_NEVER;
    }
    const Leads& leads = m_world.leads;
    const Ps others = agenda.IsAt(m_id) ? std::min(agenda.HeadOfOthers(), outside)
                                        : agenda.Now(); // whoever is at work may do more
    const Ps programs = std::min(agenda.HeadOfPrograms(),
                                 LaterBy(agenda.HeadBeforeCalls(), waits ? 0 : leads.call));
    const Ps leaves = waits ? std::min(others, programs) // they free room for cells at once
                            : std::min(CellsOfCards(others), LaterBy(programs, leads.program));
    const Ps arrives = LaterBy(leaves, waits ? m_creditLookahead : m_cellLookahead);
    const Ps reaches = outside == PS_NEVER ? arrives : LaterBy(outside, m_outsideLookahead);
    // at the earliest now, also where words about the end of a process take less than the way to a
    // cell (Host::HearAfter), and where other partitions have told of earlier events only
    return std::max(agenda.Now(), std::min(arrives, reaches));
}

/// The earliest instant at which a cell for this host leaves another one, if cards and switches
/// work from @p others on and programs do nothing new.
Ps
Horizon::CellsOfCards(Ps others) const
{
    if (m_world.leads.control == 0)
    {
        return others;
    }
    return std::min(LaterBy(others, m_world.leads.control),
                    std::max(others, m_world.inbound.LeavesFrom(m_id)));
}

} // namespace via
} // namespace ns3
