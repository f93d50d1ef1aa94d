/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Gossip: rumours spread to random processes.

#include "via-gossip.h"

namespace ns3
{
namespace via
{

Gossip::Gossip(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_period(parameters.Microseconds("period-us", 1'000)),
      m_fanout(parameters.Number("fanout", 1, 1, 64)),
      m_turns(parameters.Number("turns", CeilLog2(nodes) + 6, 1, 10'000))
{
}

Rank
Gossip::Choice(std::uint64_t rumour, std::uint64_t turn, std::uint64_t which) const
{
    const std::uint64_t chance = Random((rumour * m_turns + turn) * m_fanout + which);
    return static_cast<Rank>((Self() + 1 + chance % (Size() - 1)) % Size());
}

std::vector<Rank>
Gossip::Targets() const
{
    std::vector<Rank> targets; // the same choices as during the run: no others need a connection
    for (std::uint64_t rumour = 0; rumour < Rounds(); ++rumour)
    {
        for (std::uint64_t turn = 0; turn < m_turns; ++turn)
        {
            for (std::uint64_t which = 0; which < m_fanout; ++which)
            {
                targets.push_back(Choice(rumour, turn, which));
            }
        }
    }
    return targets;
}

void
Gossip::OnStart()
{
    m_told.assign(Rounds(), 0);
    m_values.assign(Rounds(), 0);
    if (Self() == 0)
    {
        Begin(0);
    }
}

void
Gossip::Begin(std::uint64_t rumour)
{
    const std::uint64_t value = Random(rumour);
    Enter(rumour);
    Note(EventKind::PROPOSE, rumour, value);
    Hear(rumour, value);
}

void
Gossip::OnMessage(Rank, const GossipMessage& message)
{
    if (m_known.count(message.rumour) == 0)
    {
        Hear(message.rumour, message.value);
    }
}

void
Gossip::Hear(std::uint64_t rumour, std::uint64_t value)
{
    m_known.insert(rumour);
    m_values[rumour] = value;
    Note(EventKind::DECIDE, rumour, value);
    Leave(rumour);
    SetTimer(static_cast<TimerId>(rumour), m_period);
    const std::uint64_t next = rumour + 1;
    if (next < Rounds() && next % Size() == Self() && m_known.count(next) == 0)
    {
        Begin(next);
    }
    if (m_known.size() == Rounds())
    {
        Finish();
    }
}

void
Gossip::OnTimer(TimerId rumour)
{
    for (std::uint64_t which = 0; which < m_fanout; ++which)
    {
        Send(Choice(rumour, m_told[rumour], which), {rumour, PassOn(m_values[rumour])});
    }
    if (++m_told[rumour] < m_turns)
    {
        SetTimer(rumour, m_period);
    }
}

std::vector<ProtocolKind>
GossipKinds()
{
    return {KindWith<Gossip>("gossip",
                             RoundSpan::FIRST_ENTRY_TO_LAST_EXIT,
                             {&CheckAgreement, &CheckValidity})};
}

} // namespace via
} // namespace ns3
