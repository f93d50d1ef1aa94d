/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A tap between a NIC and its wires: passes everything on and informs a listener.

#include "via-wire-tap.h"

#include <algorithm>

namespace ns3
{
namespace via
{

WireTap::WireTap(std::uint32_t number,
                 Link& out,
                 Link& in,
                 InPort& upstream,
                 AgendaTarget& nic,
                 TapListener& listener)
    : m_number(number),
      m_out(out),
      m_in(in),
      m_upstream(upstream),
      m_nic(nic),
      m_listener(listener)
{
    m_out.AddCreditListener(*this);
}

void
WireTap::OnCredits(std::uint32_t cells, Ps at)
{
    m_credits.Add(cells, at);
}

void
WireTap::Transmit(Cell* cell, DepartureListener* listener)
{
    const auto mine = std::find_if(m_departing.begin(),
                                   m_departing.end(),
                                   [listener](const auto& any) { return any.IsFor(listener); });
    Departing& one = mine != m_departing.end() ? *mine : m_departing.emplace_back(*this, listener);
    m_out.Transmit(cell, &one);
}

std::uint32_t
WireTap::CellsFor(std::uint32_t bytes) const
{
    return m_out.CellsFor(bytes);
}

void
WireTap::ReturnCredits(std::uint32_t cells, Ps at)
{
    m_released.Add(cells, at);
    m_upstream.ReturnCredits(cells, at);
}

TappedCell
WireTap::TappedCellOf(const Link& link, const Cell& cell) const
{
    const std::uint32_t length = cell.packet->length;
    const LinkCosts& costs = link.Costs();
    TappedCell tapped{};
    tapped.port = m_number;
    tapped.firstBit = link.FirstBit(cell);
    tapped.lastBit = cell.departed;
    tapped.firstByte = costs.PayloadBefore(cell.index, length);
    tapped.endByte = costs.PayloadBefore(cell.index + 1, length);
    return tapped;
}

void
WireTap::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    const auto& cell = *reinterpret_cast<const Cell*>(data);
    TappedCell tapped = TappedCellOf(m_in, cell);
    tapped.received = true;
    tapped.firstBit += m_in.Flight();
    tapped.lastBit += m_in.Flight();
    m_listener.OnTapped(tapped, cell);
    m_nic.OnAgenda(kind, data);
}

void
WireTap::Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data)
{
    m_nic.Prefetch(hint, kind, data);
}

void
WireTap::Departing::OnDeparture(const Cell& cell)
{
    TappedCell tapped = m_tap.TappedCellOf(m_tap.m_out, cell);
    tapped.cellsSent = m_tap.m_out.CellsSent();
    m_tap.m_listener.OnTapped(tapped, cell);
    m_listener->OnDeparture(cell);
}

} // namespace via
} // namespace ns3
