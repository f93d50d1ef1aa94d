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
    m_out.SetCreditListener(this);
}

void
WireTap::Ledger::Add(std::uint32_t cells, Ps at, Ps spacing)
{
    for (std::uint32_t i = 0; i < cells; ++i)
    {
        m_ahead.push(at + static_cast<Ps>(i) * spacing);
    }
}

std::uint64_t
WireTap::Ledger::By(Ps instant)
{
    for (; !m_ahead.empty() && m_ahead.top() <= instant; m_ahead.pop())
    {
        ++m_counted;
    }
    return m_counted;
}

void
WireTap::OnCredits(std::uint32_t cells, Ps at, Ps spacing)
{
    m_credits.Add(cells, at, spacing);
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
    m_released.Add(cells, at, spacing);
    m_upstream.ReturnCredits(cells, at, spacing);
}

TappedBurst
WireTap::TappedBurstOf(const Link& link, const Burst& burst) const
{
    const std::uint32_t length = burst.packet->length;
    const LinkCosts& costs = link.Costs();
    TappedBurst tapped{};
    tapped.port = m_number;
    tapped.firstBit = link.FirstBit(burst);
    tapped.lastBit = burst.departed;
    tapped.firstByte = costs.PayloadBefore(burst.firstCell, length);
    tapped.endByte = costs.PayloadBefore(burst.firstCell + burst.CellCount(), length);
    return tapped;
}

void
WireTap::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    const auto& burst = *reinterpret_cast<const Burst*>(data);
    TappedBurst tapped = TappedBurstOf(m_in, burst);
    tapped.received = true;
    tapped.firstBit += m_in.Flight();
    tapped.lastBit += m_in.Flight();
    m_listener.OnTapped(tapped, burst);
    m_nic.OnAgenda(kind, data);
}

void
WireTap::Prefetch(std::uint32_t kind, std::uint64_t data)
{
    m_nic.Prefetch(kind, data);
}

void
WireTap::Departing::OnDeparture(const Burst& burst)
{
    TappedBurst tapped = m_tap.TappedBurstOf(m_tap.m_out, burst);
    tapped.cellsSent = m_tap.m_out.CellsSent();
    m_tap.m_listener.OnTapped(tapped, burst);
    m_listener->OnDeparture(burst);
}

} // namespace via
} // namespace ns3
