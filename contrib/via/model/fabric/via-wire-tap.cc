/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Between a NIC and its wires: passes everything on, and tells who listens.

#include "via-wire-tap.h"

#include <algorithm>

namespace ns3
{
namespace via
{

WireTap::WireTap(std::uint32_t number,
                 Link& out,
                 Link& in,
                 AgendaTarget& nic,
                 PassageListener& listener)
    : m_number(number),
      m_out(out),
      m_in(in),
      m_nic(nic),
      m_listener(listener)
{
}

void
WireTap::Transmit(Burst* burst, DepartureListener* listener)
{
    const auto mine = std::find_if(m_departing.begin(),
                                   m_departing.end(),
                                   [listener](const auto& any) { return any.IsFor(listener); });
    Departing& one = mine != m_departing.end() ? *mine : m_departing.emplace_back(*this, listener);
    m_out.Transmit(burst, &one);
}

std::uint32_t
WireTap::CellsFor(std::uint32_t bytes) const
{
    return m_out.CellsFor(bytes);
}

void
WireTap::ReturnCredits(std::uint32_t cells, Ps at, Ps spacing)
{
    m_creditsReturned += cells;
    m_in.OfLane(0)->ReturnCredits(cells, at, spacing);
}

Passage
WireTap::PassageOf(const Link& link, const Burst& burst) const
{
    const std::uint32_t length = burst.packet->length;
    const LinkCosts& costs = link.Costs();
    Passage passage{};
    passage.port = m_number;
    passage.firstBit = link.FirstBit(burst);
    passage.lastBit = burst.departed;
    passage.firstByte = costs.PayloadBefore(burst.firstCell, length);
    passage.endByte = costs.PayloadBefore(burst.firstCell + burst.CellCount(), length);
    return passage;
}

void
WireTap::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    const auto& burst = *reinterpret_cast<const Burst*>(data);
    Passage passage = PassageOf(m_in, burst);
    passage.received = true;
    passage.firstBit += m_in.Flight();
    passage.lastBit += m_in.Flight();
    passage.creditsReturned = m_creditsReturned;
    m_listener.OnPassage(passage, burst);
    m_nic.OnAgenda(kind, data);
}

void
WireTap::Expect(std::uint32_t kind, std::uint64_t data)
{
    m_nic.Expect(kind, data);
}

void
WireTap::Departing::OnDeparture(const Burst& burst)
{
    Passage passage = m_tap.PassageOf(m_tap.m_out, burst);
    passage.cellsOut = m_tap.m_out.CellsOut();
    m_tap.m_listener.OnPassage(passage, burst);
    m_listener->OnDeparture(burst);
}

} // namespace via
} // namespace ns3
