/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: serialization, flight time and credits.

#include "via-link.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

LinkCosts
LinkCosts::From(const ProviderProfile& profile)
{
    LinkCosts costs;
    const Frequency symbols = profile.Clock("link.symbol_rate");
    const std::uint64_t bitsPerByte = 8;
    costs.byteClock = {symbols.num * profile.Number("link.code_data"),
                       symbols.den * profile.Number("link.code_symbols") * bitsPerByte};
    costs.cellBytes = static_cast<std::uint32_t>(profile.Number("link.cell_bytes"));
    costs.cellPayload = static_cast<std::uint32_t>(profile.Number("link.cell_payload"));
    costs.packets = profile.Word("link.framing") == "packets";
    if (costs.packets)
    {
        costs.minPayload = static_cast<std::uint32_t>(profile.Number("link.min_payload"));
    }
    costs.messageHeader = static_cast<std::uint32_t>(profile.Number("link.message_header"));
    costs.wires = static_cast<std::uint32_t>(profile.Number("nic.ports"));
    costs.credits = static_cast<std::uint32_t>(profile.Number("link.credits"));
    costs.creditBytes = static_cast<std::uint32_t>(profile.Number("link.credit_return_bytes"));
    costs.flight = static_cast<Ps>(profile.Number("link.cable_length_mm") *
                                   profile.Number("link.propagation_ps_per_m") / 1000);
    costs.resync = static_cast<Ps>(profile.Number("link.credit_resync")) * PS_PER_US;
    return costs;
}

std::uint32_t
LinkCosts::Shortfall(std::uint32_t length, std::uint32_t cells) const
{
    if (!packets)
    {
        return 0;
    }
    const std::uint32_t content = length + messageHeader - (cells - 1) * cellPayload;
    return cellPayload - std::max({content, minPayload, 1U}); // no cell is empty
}

Link::Link(Component& owner, const Shared<LinkCosts>& costs, std::uint32_t which)
    : m_owner(owner),
      m_costs(costs),
      m_clock(owner.MakeClock(costs->byteClock, which)),
      m_credits(costs->credits * costs->wires),
      m_cellTime(m_clock.Span(Cycles(costs->cellBytes))),
      m_which(which)
{
}

void
Link::Connect(Component& peer,
              AgendaPort port,
              AgendaTarget* target,
              std::uint32_t kind,
              Notice notice)
{
    m_peer = &peer;
    m_port = port;
    m_target = target;
    m_kind = kind;
    m_notice = notice;
}

std::uint32_t
Link::CellsFor(std::uint32_t bytes) const
{
    const std::uint32_t content = bytes + m_costs->messageHeader;
    return std::max((content + m_costs->cellPayload - 1) / m_costs->cellPayload, 1U);
}

Ps
Link::Lookahead() const
{
    const Cycles cell(m_notice == Notice::FIRST_CELL ? m_costs->ShortestCell() : 0);
    return m_costs->flight + m_clock.Span(cell);
}

std::uint32_t
Link::WaitingCells() const
{
    std::uint32_t cells = 0;
    for (std::uint32_t i = 0; i < m_waiting.Size(); ++i)
    {
        cells += m_waiting.At(i).burst->CellCount();
    }
    return cells;
}

void
Link::Transmit(Burst* burst, DepartureListener* listener)
{
    if (m_waiting.IsEmpty() && m_credits.Knows(burst->CellCount()))
    {
        Depart(*burst, listener, 0);
        return;
    }
    m_waiting.Push({burst, listener});
    if (m_waiting.Size() == 1)
    {
        Serve(0);
    }
}

void
Link::Serve(Ps notBefore)
{
    while (!m_waiting.IsEmpty())
    {
        const Waiting next = m_waiting.Front();
        const std::uint32_t known = m_credits.Known();
        if (known >= next.burst->CellCount())
        {
            m_waiting.Pop();
            Depart(*next.burst, next.listener, notBefore);
            continue;
        }
        if (known > 0 && !next.burst->resent) // which was made to go in one piece
        {
            Depart(*m_owner.GetWorld().packets.Split(*next.burst, known), next.listener, notBefore);
        }
        return;
    }
}

void
Link::ReturnCredits(std::uint32_t cells, Ps at, Ps spacing)
{
    const Ps home = at + CreditLookahead();
    m_credits.Return(cells, home, spacing);
    Serve(home);
}

void
Link::Depart(Burst& burst, DepartureListener* listener, Ps notBefore)
{
    m_owner.GetWorld().patience.NoteProgress(m_owner.Now());
    const Ps handed = burst.groups[0].ready.at;
    burst.groups[0].ready =
        m_owner.Wait(burst.groups[0].ready, Stage::CREDIT_WAIT, Engine::LINK, notBefore);
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        Send(burst, i);
    }
    m_last = burst.ends || burst.resent ? nullptr : burst.packet;
    burst.headCell = burst.groups[0].first;
    burst.departed = m_end.at;
    m_owner.Remember(static_cast<std::uint64_t>(m_end.at),
                     static_cast<std::uint64_t>(m_costs->flight)); // the next edge may hide it
    listener->OnDeparture(burst);
    burst.vanished = 0; // until now it told of the wire before
    if (m_faults != nullptr)
    {
        Spoil(burst, handed);
    }
    m_peer->Schedule(burst.groups[0].first.at,
                     m_port,
                     m_target,
                     m_kind,
                     reinterpret_cast<std::uint64_t>(&burst));
}

Moment
Link::Behind(const Moment& ready, const Moment& free, bool isOurs)
{
    // our own cells are the cause; for those of others we wait
    return isOurs ? Later(ready, free)
                  : m_owner.Wait(ready, Stage::LINK_WAIT, Engine::LINK, free.at);
}

Moment
Link::Start(const Burst& burst, const Burst::Group& group)
{
    const bool follows = m_last == burst.packet;
    // the last on this wire may have been another packet, though ours was the last on any
    const bool followsHere = follows && m_inRow >= m_costs->wires;
    const Moment start =
        Behind(Behind(group.ready, m_started, follows), m_free[m_turn], followsHere);
    const Ps allowed = m_credits.Take(group.cells, start.at, m_cellTime);
    return m_owner.Wait(start, Stage::CREDIT_WAIT, Engine::LINK, allowed);
}

Cycles
Link::Length(const Burst& burst, std::uint32_t index) const
{
    const Cycles full = Cycles(m_costs->cellBytes) * burst.groups[index].cells;
    const bool isLast = burst.ends && index + 1 == burst.groupCount;
    const Packet& packet = *burst.packet;
    return isLast ? Cycles(full.count - m_costs->Shortfall(packet.length, packet.cells)) : full;
}

void
Link::Send(Burst& burst, std::uint32_t index)
{
    Burst::Group& group = burst.groups[index];
    NS_ABORT_MSG_IF(m_costs->wires > 1 && group.cells > 1, "a group of cells on several wires");
    const Moment ready = Start(burst, group);
    const Ps edge = m_clock.EdgeAtOrAfter(ready.at);
    m_started = m_owner.Wait(ready, Stage::ALIGN, Engine::LINK, edge);
    const Cycles length = Length(burst, index);
    Moment& free = m_free[m_turn];
    free = m_owner.Spend(m_started, Stage::SERIALIZE, Engine::LINK, m_clock, length);
    m_turn = (m_turn + 1) % m_costs->wires;
    m_inRow = m_last == burst.packet ? m_inRow + 1 : 1;
    m_end = Behind(free, m_end, m_inRow > 1); // what would overtake arrives with the one before
    m_last = burst.packet;
    m_cellsSent += group.cells;
    group.last = Fly(m_end);
    if (m_notice == Notice::FIRST_BIT)
    {
        group.first = Fly(m_started);
    }
    else if (group.cells == 1)
    {
        group.first = group.last;
    }
    else
    {
        const Cycles cell(m_costs->cellBytes);
        const ClockDomain::Window one = m_clock.Run(edge, cell);
        group.first =
            Fly(m_owner.Note(m_started, Stage::SERIALIZE, Engine::LINK, m_clock, cell, one));
    }
}

Link::Leaving
Link::WhenLeaves(const Burst& burst, std::uint32_t index) const
{
    const Burst::Group& group = burst.groups[index];
    const Ps last = group.last.at - m_costs->flight;
    const Ps rest = m_notice == Notice::FIRST_BIT ? m_cellTime : 0;
    const Ps first = group.cells == 1 ? last : group.first.at - m_costs->flight + rest;
    const std::uint64_t full = std::uint64_t{m_costs->cellBytes} * group.cells;
    return {first, last, Length(burst, index).count < full};
}

Ps
Link::FirstBit(const Burst& burst) const
{
    const Burst::Group& group = burst.groups[0];
    const Ps first = group.first.at - m_costs->flight;
    if (m_notice == Notice::FIRST_BIT)
    {
        return first;
    }
    const Cycles cell = group.cells > 1 ? Cycles(m_costs->cellBytes) : Length(burst, 0);
    return m_clock.EdgeAtOrAfter(first - m_clock.Span(cell) - 1); // a span is rounded down
}

Moment
Link::Fly(Moment from)
{
    return m_owner.Wait(from, Stage::PROPAGATE, Engine::LINK, from.at + m_costs->flight);
}

} // namespace via
} // namespace ns3
