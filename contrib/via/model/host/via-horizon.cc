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
    if (m_waits != 0 || m_listeners != 0)
    {
        return OthersNextForWaiting(outside);
    }
    if (isShielded)
    {
        return PS_NEVER;
    }
    const Agenda& agenda = m_world.agenda;
    const Leads& leads = m_world.leads;
    const Ps programs =
        std::min(agenda.HeadOfPrograms(), LaterBy(agenda.HeadBeforeCalls(), leads.call));
    const Ps leaves =
        std::min(CellsOfCards(OthersAtWork(outside)), LaterBy(programs, leads.program));
    return InTime(LaterBy(leaves, m_cellLookahead), outside);
}

/// As OthersNext, while a card waits for credits or a thread on the control network.
Ps
Horizon::OthersNextForWaiting(Ps outside) const
{
    const Agenda& agenda = m_world.agenda;
    const Ps others = OthersAtWork(outside);
    const Ps anybody = std::min({others, agenda.HeadOfPrograms(), agenda.HeadBeforeCalls()});
    return m_listeners != 0 // what a thread waits for may be there at once
               ? anybody
               : InTime(LaterBy(anybody, m_creditLookahead), outside); // cells free room at once
}

/// When a card, a switch or a kernel has its next work; those of programs do not count.
Ps
Horizon::OthersAtWork(Ps outside) const
{
    const Agenda& agenda = m_world.agenda;
    return agenda.IsAt(m_id) ? std::min(agenda.HeadOfOthers(), outside)
                             : agenda.Now(); // whoever is at work may do more
}

/// The earlier of what arrives at @p arrives and what others may do outside.
Ps
Horizon::InTime(Ps arrives, Ps outside) const
{
    const Ps reaches = outside == PS_NEVER ? arrives : LaterBy(outside, m_outsideLookahead);
    // at the earliest now, also where words about the end of a process take less than the way to a
    // cell (Host::HearAfter), and where other partitions have told of earlier events only
    return std::max(m_world.agenda.Now(), std::min(arrives, reaches));
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
