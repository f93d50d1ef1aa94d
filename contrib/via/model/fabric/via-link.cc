/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: serialization, flight time and credits.

#include "via-link.h"

#include "ns3/abort.h"
#include "ns3/via-link-lanes.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

Link::Link(Component& owner, const Shared<LinkCosts>& costs, std::uint32_t which)
    : m_costs(costs),
      m_clock(owner.MakeClock(costs->byteClock, which)),
      m_flight(costs->flight),
      m_creditLookahead(m_flight + m_clock.Span(Cycles(costs->creditBytes))),
      m_credits(costs->NeedsLanes() ? 0 : costs->credits * costs->wires),
      m_owner(owner),
      m_cellTime(m_clock.Span(Cycles(costs->cellBytes))),
      m_which(which)
{
    if (costs->bitErrors > 0)
    {
        SetLoss({0, 0, costs->bitErrors});
    }
    if (costs->NeedsLanes())
    {
        m_lanes = std::make_unique<LinkLanes>(*this);
    }
}

Link::~Link() = default;

void
Link::SetFlight(Ps flight)
{
    m_creditLookahead += flight - m_flight;
    m_flight = flight;
    if (m_lanes != nullptr)
    {
        m_lanes->CheckSlack();
    }
}

void
Link::EndAtHost(bool mayHold)
{
    m_inOrder = !mayHold && !m_owner.GetWorld().lossy; // one engine returns them, cell by cell
    if (m_lanes != nullptr)
    {
        m_lanes->UseOneLane();
    }
}

std::string
Link::Violation() const
{
    if (CellsOut() == 0 && WaitingCells() == 0)
    {
        return "";
    }
    return m_owner.Name() + ", wire " + std::to_string(m_which) + ": " +
           std::to_string(WaitingCells()) + " cells wait and " + std::to_string(CellsOut()) +
           " credits are missing, but nothing is in flight";
}

InPort*
Link::OfLane(std::uint32_t lane)
{
    return m_lanes == nullptr ? this : m_lanes->End(lane);
}

void
Link::Connect(Component& peer,
              AgendaPort port,
              AgendaTarget* target,
              std::uint32_t kind,
              Notice notice,
              EarlyReceiver* early)
{
    m_early = early;
    m_peer = peer.Id();
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
    return m_flight + m_clock.Span(cell);
}

std::uint32_t
Link::WaitingCells() const
{
    return m_lanes == nullptr ? m_waitingCells : m_lanes->WaitingCells();
}

std::uint64_t
Link::Backlog()
{
    return WaitingCells() + m_backlog->CellsAt(m_owner.Now(), m_cellTime);
}

std::uint32_t
Link::CellsOut() const
{
    return m_lanes == nullptr ? m_credits.Out() : m_lanes->CellsOut();
}

bool
Link::SendsAtOnce(const Burst& burst) const
{
    return m_lanes == nullptr ? m_waiting.IsEmpty() && Suffice(m_credits, burst)
                              : m_lanes->SendsAtOnce(burst);
}

void
Link::Transmit(Burst* burst, DepartureListener* listener)
{
    if (m_waiting.IsEmpty() && Suffice(m_credits, *burst))
    {
        Depart(*burst, listener, 0, m_credits);
        return;
    }
    if (m_lanes != nullptr)
    {
        m_lanes->Transmit(burst, listener);
        return;
    }
    m_waiting.Push({burst, listener});
    m_waitingCells += burst->CellCount();
    if (m_waiting.Size() == 1)
    {
        Serve();
    }
}

Ps
Link::CertainFor(const Burst& burst) const
{
    return m_inOrder
               ? PS_NEVER
               : std::max({burst.groups[0].ready.at, FreeAt(), m_owner.Now() + CreditNotice()});
}

void
Link::ServeWaiting()
{
    while (!m_waiting.IsEmpty() && !m_credits.IsEmpty())
    {
        const Waiting next = m_waiting.Front();
        Ps certain = CertainFor(*next.burst);
        const std::uint32_t known = m_credits.KnownBy(certain);
        const std::uint32_t cells = next.burst->CellCount();
        if (known >= cells)
        {
            m_waiting.Pop();
            m_waitingCells -= cells;
            Depart(*next.burst, next.listener, 0, m_credits);
            continue;
        }
        if (known > 0 && !next.burst->resent) // resent bursts must stay in one piece
        {
            Burst& part = *m_owner.GetWorld().packets.Split(*next.burst, known);
            m_waitingCells -= known;
            Depart(part, next.listener, 0, m_credits);
            certain = CertainFor(*next.burst);
        }
        const Ps home = m_credits.NextHome(certain);
        if (home != PS_NEVER && home - CreditNotice() < m_serveAt)
        {
            m_serveAt = home - CreditNotice();
            m_owner.Schedule(m_serveAt, RESYNC_PORT, this, SERVE);
        }
        return;
    }
}

void
Link::ReturnCredits(std::uint32_t cells, Ps at, Ps spacing)
{
    Return(m_credits, cells, at + m_creditLookahead, spacing);
    Serve();
}

template <bool RECORDS>
Moment
Link::After(const Moment& ready, const Moment& free, bool isOurs)
{
    // our own cells are the cause; for those of other packets we wait
    return RECORDS && isOurs
               ? Later(ready, free)
               : m_owner.WaitIn<RECORDS>(ready, Stage::LINK_WAIT, Engine::LINK, free.at);
}

template <bool RECORDS>
Moment
Link::Start(const Burst& burst, const Burst::Group& group, Ps notBefore, CreditLoop& credits)
{
    const bool follows = RECORDS && m_last == burst.packet;
    // the last cell on this wire may be another packet's even if the last on any wire was ours
    const bool followsHere = follows && m_inRow >= m_costs->wires;
    const Moment start = After<RECORDS>(After<RECORDS>(group.ready, m_started, follows),
                                        m_free[m_turn],
                                        followsHere);
    const Ps allowed = credits.Take(group.cells, std::max(start.at, notBefore), m_cellTime);
    return m_owner.WaitIn<RECORDS>(start, Stage::CREDIT_WAIT, Engine::LINK, allowed);
}

template <bool RECORDS>
Moment
Link::Fly(Moment from)
{
    return m_owner.WaitIn<RECORDS>(from, Stage::PROPAGATE, Engine::LINK, from.at + m_flight);
}

Cycles
Link::Length(const Burst& burst, std::uint32_t index) const
{
    const Cycles full = Cycles(m_costs->cellBytes) * burst.groups[index].cells;
    const bool isLast = burst.ends && index + 1 == burst.groupCount;
    const Packet& packet = *burst.packet;
    return isLast ? Cycles(full.count - m_costs->Shortfall(packet.length, packet.cells)) : full;
}

Cycles
Link::RouteLength(const Burst& burst, std::uint32_t index) const
{
    const bool isHead = index == 0 && (burst.firstCell == 0 || burst.resent);
    return Cycles(isHead ? m_costs->routeBytes * (*m_ahead)[burst.packet->destination] : 0);
}

template <bool RECORDS>
void
Link::SendGroup(Burst& burst, std::uint32_t index, Ps notBefore, CreditLoop& credits)
{
    Burst::Group& group = burst.groups[index];
    NS_ABORT_MSG_IF(m_costs->wires > 1 && group.cells > 1,
                    "a group of several cells on parallel wires");
    const Moment ready = Start<RECORDS>(burst, group, notBefore, credits);
    Cycles length = Length(burst, index);
    Cycles cell(m_costs->cellBytes);
    if (m_ahead != nullptr)
    {
        const Cycles route = RouteLength(burst, index);
        length = length + route;
        cell = cell + route;
    }
    const ClockDomain::Window window = m_clock.Run(ready.at, length);
    m_started = m_owner.WaitIn<RECORDS>(ready, Stage::ALIGN, Engine::LINK, window.start);
    m_owner.MixIntoDigest(Stage::SERIALIZE, length, window);
    Moment& free = m_free[m_turn];
    free =
        m_owner.NoteIn<RECORDS>(m_started, Stage::SERIALIZE, Engine::LINK, m_clock, length, window);
    m_turn = static_cast<std::uint8_t>(m_turn + 1U < m_costs->wires ? m_turn + 1 : 0);
    if constexpr (RECORDS)
    {
        m_inRow = m_last == burst.packet ? m_inRow + 1 : 1;
        m_last = burst.packet;
    }
    // an overtaking cell arrives with its predecessor
    m_end = After<RECORDS>(free, m_end, m_inRow > 1);
    m_cellsSent += group.cells;
    m_bytesLeft += length.count;
    if (window.end > m_owner.GetWorld().agenda.Limit())
    {
        Discount(group.cells, length, window);
    }
    group.last = Fly<RECORDS>(m_end);
    if (m_notice == Notice::FIRST_BIT)
    {
        group.first = Fly<RECORDS>(m_started);
    }
    else if (group.cells == 1)
    {
        group.first = group.last;
    }
    else
    {
        const ClockDomain::Window one = m_clock.Run(window.start, cell);
        group.first = Fly<RECORDS>(
            m_owner.NoteIn<RECORDS>(m_started, Stage::SERIALIZE, Engine::LINK, m_clock, cell, one));
    }
}

void
Link::Discount(std::uint32_t cells, Cycles length, ClockDomain::Window window)
{
    const Ps stop = std::max(m_owner.GetWorld().agenda.Limit(), window.start);
    const std::uint64_t begun = m_clock.Between(window.start, stop).count;
    const std::uint64_t left = begun - (m_clock.After(window.start, Cycles(begun)) > stop ? 1 : 0);
    m_bytesLeft -= length.count - left;
    m_cellsLate += cells - static_cast<std::uint32_t>(
                               std::min<std::uint64_t>((stop - window.start) / m_cellTime, cells));
}

void
Link::Depart(Burst& burst, DepartureListener* listener, Ps notBefore, CreditLoop& credits)
{
    if (m_owner.Records())
    {
        Send<true>(burst, listener, notBefore, credits);
    }
    else
    {
        Send<false>(burst, listener, notBefore, credits);
    }
}

template <bool RECORDS>
void
Link::Send(Burst& burst, DepartureListener* listener, Ps notBefore, CreditLoop& credits)
{
    const Ps handed = burst.groups[0].ready.at;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        SendGroup<RECORDS>(burst, i, notBefore, credits);
    }
    if (burst.ends || burst.resent)
    {
        m_last = nullptr;
        m_owner.GetWorld().pollWatchdog.NoteProgress(m_owner.Now());
    }
    burst.headCell = burst.groups[0].first;
    burst.departed = m_end.at;
    if (m_backlog != nullptr)
    {
        m_backlog->Add(burst.CellCount(), m_end.at);
    }
    m_owner.MixIntoDigest(m_end.at,
                          static_cast<std::uint64_t>(m_end.at),
                          static_cast<std::uint64_t>(m_flight)); // the next edge may hide it
    const std::uint64_t sent = m_cellsSent;                      // the listener may send more
    listener->OnDeparture(burst);
    burst.vanished = 0; // so far it described the previous wire
    if (m_faults != nullptr)
    {
        Corrupt(burst, sent - burst.CellCount(), handed);
    }
    Notify(burst);
}

void
Link::Notify(Burst& burst)
{
    if (m_early != nullptr)
    {
        m_early->Foresee(burst);
        return;
    }
    m_owner.GetWorld().agenda.Schedule(m_peer,
                                       burst.groups[0].first.at - m_lead,
                                       m_port,
                                       m_target,
                                       m_kind,
                                       reinterpret_cast<std::uint64_t>(&burst));
}

Link::Leaving
Link::WhenLeaves(const Burst& burst, std::uint32_t index) const
{
    const Burst::Group& group = burst.groups[index];
    const Ps last = group.last.at - m_flight;
    const Ps rest = m_notice == Notice::FIRST_BIT ? m_cellTime : 0;
    const Ps first = group.cells == 1 ? last : group.first.at - m_flight + rest;
    const std::uint64_t full = std::uint64_t{m_costs->cellBytes} * group.cells;
    return {first, last, Length(burst, index).count < full};
}

Ps
Link::FirstBit(const Burst& burst) const
{
    const Burst::Group& group = burst.groups[0];
    const Ps first = group.first.at - m_flight;
    if (m_notice == Notice::FIRST_BIT)
    {
        return first;
    }
    const Cycles cell = group.cells > 1 ? Cycles(m_costs->cellBytes) : Length(burst, 0);
    return m_clock.EdgeAtOrAfter(first - m_clock.Span(cell) - 1); // Span rounds down
}

Ps
Link::ArrivalOfCell(const Burst::Group& group, std::uint32_t i) const
{
    const Ps left = group.last.at - m_flight;
    const Ps before = m_clock.Span(Cycles(m_costs->cellBytes) * (group.cells - 1 - i));
    return m_clock.EdgeAtOrAfter(left - before) + m_flight;
}

Ps
Link::FreeAt() const
{
    return std::max(m_free[m_turn].at, m_started.at);
}

Ps
Link::BusyTime() const
{
    return ClockDomain(m_costs->byteClock).Span(Cycles(m_bytesLeft / m_costs->wires));
}

void
Link::PassDropped(Burst& burst, DepartureListener* listener)
{
    // takes no time and no room, but keeps its place among the cells of its packet
    Burst::Group& group = burst.groups[0];
    const Moment behind =
        m_owner.Wait(Later(group.ready, m_end), Stage::LINK_WAIT, Engine::LINK, m_owner.Now());
    group.first = m_owner.Wait(behind, Stage::PROPAGATE, Engine::LINK, behind.at + m_flight);
    group.last = group.first;
    burst.headCell = group.first;
    burst.departed = behind.at;
    listener->OnDeparture(burst);
    Notify(burst);
}

} // namespace via
} // namespace ns3
