/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: serialization, flight time and credits.

#include "via-link.h"

#include "ns3/abort.h"
#include "ns3/via-link-extras.h"

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
    if (costs->wires > 1)
    {
        MakeExtras();
    }
    if (costs->bitErrors > 0)
    {
        Faults().SetBitErrors(costs->bitErrors);
    }
    if (costs->NeedsLanes())
    {
        MakeExtras().lanes = std::make_unique<LinkLanes>(*this);
    }
}

Link::~Link() = default;

LinkExtras&
Link::MakeExtras()
{
    if (m_extras == nullptr)
    {
        m_extras = std::make_unique<LinkExtras>();
    }
    return *m_extras;
}

LinkLanes*
Link::Lanes() const
{
    return m_extras == nullptr ? nullptr : m_extras->lanes.get();
}

bool
Link::HasFaults() const
{
    return m_extras != nullptr && m_extras->faults != nullptr;
}

void
Link::AddCreditListener(CreditListener& listener)
{
    MakeExtras().creditListeners.push_back(&listener);
}

void
Link::SetSwitchesAhead(std::shared_ptr<const std::vector<std::uint8_t>> hops)
{
    MakeExtras().ahead = std::move(hops);
}

void
Link::SetFlight(Ps flight)
{
    m_creditLookahead += flight - m_flight;
    m_flight = flight;
    if (Lanes() != nullptr)
    {
        Lanes()->CheckSlack();
    }
}

void
Link::EndAtHost(bool mayHold)
{
    m_inOrder = !mayHold && !m_owner.GetWorld().lossy; // one engine returns them, cell by cell
    if (Lanes() != nullptr)
    {
        Lanes()->UseOneLane();
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
    return Lanes() == nullptr ? this : Lanes()->End(lane);
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
Link::Lookahead(const LinkCosts& costs, Ps flight, Notice notice)
{
    const Cycles cell(notice == Notice::LAST_BIT ? costs.ShortestCell() : 0);
    return flight + ClockDomain(costs.byteClock).Span(cell);
}

std::uint32_t
Link::WaitingCells() const
{
    return Lanes() == nullptr ? m_waiting.Size() : Lanes()->WaitingCells();
}

std::uint64_t
Link::Backlog()
{
    const Ps now = m_owner.Now();
    const std::uint32_t earlier = m_earlier > now ? m_backlog->CellsAt(now) : 0;
    return WaitingCells() + earlier + (m_end.at > now ? 1 : 0);
}

void
Link::DropCreditListeners()
{
    if (m_extras != nullptr)
    {
        m_extras->creditListeners.clear();
    }
}

void
Link::RecordDepartures()
{
    if (MakeExtras().departures == nullptr)
    {
        m_extras->departures =
            std::make_unique<LinkDepartures>(LinkTally{CellsLeft(), m_bytesLeft});
    }
}

LinkTally
Link::LeftByNow() const
{
    return m_extras == nullptr || m_extras->departures == nullptr
               ? LinkTally{CellsLeft(), m_bytesLeft}
               : m_extras->departures->By(m_owner.GetWorld().agenda.OverUntil());
}

void
Link::NoteEarlier()
{
    if (m_backlog == nullptr)
    {
        m_backlog = std::make_unique<LinkBacklog>();
    }
    m_earlier = m_end.at;
    m_backlog->Add(m_earlier);
}

std::uint32_t
Link::CellsOut() const
{
    return Lanes() == nullptr ? m_credits.Out() : Lanes()->CellsOut();
}

bool
Link::SendsAtOnce(const Cell& cell) const
{
    return Lanes() == nullptr ? m_waiting.IsEmpty() && Suffice(m_credits, cell)
                              : Lanes()->SendsAtOnce(cell);
}

void
Link::Transmit(Cell* cell, DepartureListener* listener)
{
    if (m_waiting.IsEmpty() && Suffice(m_credits, *cell))
    {
        Depart(*cell, listener, 0, m_credits);
        return;
    }
    if (LinkLanes* lanes = Lanes())
    {
        lanes->Transmit(cell, listener);
        return;
    }
    m_waiting.Push({cell, listener});
    if (m_waiting.Size() == 1)
    {
        Serve();
    }
}

Ps
Link::CertainFor(const Cell& cell) const
{
    return m_inOrder ? PS_NEVER
                     : std::max({cell.ready.at, FreeAt(), m_owner.Now() + CreditNotice()});
}

void
Link::ServeWaiting()
{
    while (!m_waiting.IsEmpty() && !m_credits.IsEmpty())
    {
        const Waiting next = m_waiting.Front();
        if (Suffice(m_credits, *next.cell))
        {
            m_waiting.Pop();
            Depart(*next.cell, next.listener, 0, m_credits);
            continue;
        }
        const Ps home = m_credits.NextHome(CertainFor(*next.cell));
        if (home != PS_NEVER && home - CreditNotice() < m_serveAt)
        {
            m_serveAt = home - CreditNotice();
            m_owner.Schedule(m_serveAt, RESYNC_PORT, this, SERVE);
        }
        return;
    }
}

void
Link::TellListener(std::uint32_t cells, Ps at) const
{
    for (CreditListener* listener : m_extras->creditListeners)
    {
        listener->OnCredits(cells, at);
    }
}

void
Link::ReturnCredits(std::uint32_t cells, Ps at)
{
    Return(m_credits, cells, at + m_creditLookahead);
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
Link::Start(const Cell& cell, const Moment& free, Ps notBefore, CreditLoop& credits)
{
    const bool follows = RECORDS && MakeExtras().last == cell.packet;
    // the last cell on this wire may be another packet's even if the last on any wire was ours
    const bool followsHere = follows && m_extras->inRow >= m_costs->wires;
    const Moment start =
        After<RECORDS>(After<RECORDS>(cell.ready, m_started, follows), free, followsHere);
    const Ps allowed = credits.Take(std::max(start.at, notBefore));
    return m_owner.WaitIn<RECORDS>(start, Stage::CREDIT_WAIT, Engine::LINK, allowed);
}

template <bool RECORDS>
Moment
Link::Fly(Moment from)
{
    return m_owner.WaitIn<RECORDS>(from, Stage::PROPAGATE, Engine::LINK, from.at + m_flight);
}

Cycles
Link::Length(const Cell& cell) const
{
    const Packet& packet = *cell.packet;
    return Cycles(m_costs->cellBytes -
                  (cell.ends ? m_costs->Shortfall(packet.length, packet.cells) : 0));
}

Cycles
Link::RouteLength(const Cell& cell) const
{
    const bool isHead = cell.index == 0 || cell.resent;
    return Cycles(isHead ? m_costs->routeBytes * (*m_extras->ahead)[cell.packet->destination] : 0);
}

template <bool RECORDS, bool EXTRAS>
void
Link::Serialize(Cell& cell, Ps notBefore, CreditLoop& credits)
{
    Moment& free = NextFree();
    const Moment ready = Start<RECORDS>(cell, free, notBefore, credits);
    Cycles length = Length(cell);
    if (EXTRAS && m_extras->ahead != nullptr)
    {
        length = length + RouteLength(cell);
    }
    const ClockDomain::Window window = m_clock.Run(ready.at, length);
    m_started = m_owner.WaitIn<RECORDS>(ready, Stage::ALIGN, Engine::LINK, window.start);
    m_owner.MixIntoDigest(Stage::SERIALIZE, length, window);
    free =
        m_owner.NoteIn<RECORDS>(m_started, Stage::SERIALIZE, Engine::LINK, m_clock, length, window);
    m_turn = static_cast<std::uint8_t>(m_turn + 1U < m_costs->wires ? m_turn + 1 : 0);
    bool follows = false;
    if constexpr (RECORDS)
    {
        follows = m_extras->last == cell.packet;
        m_extras->inRow = follows ? m_extras->inRow + 1 : 1;
        m_extras->last = cell.packet;
    }
    if (m_counts && m_end.at > m_owner.Now())
    {
        NoteEarlier();
    }
    // an overtaking cell arrives with its predecessor
    m_end = After<RECORDS>(free, m_end, follows);
    ++m_cellsSent;
    m_bytesLeft += length.count;
    if (window.end > m_owner.GetWorld().agenda.Limit())
    {
        Discount(length, window);
    }
    if (EXTRAS && m_extras->departures != nullptr)
    {
        m_extras->departures->Add(m_end.at, {CellsLeft(), m_bytesLeft}, m_owner.Now());
    }
    cell.last = Fly<RECORDS>(m_end);
    cell.first = m_notice == Notice::FIRST_BIT ? Fly<RECORDS>(m_started) : cell.last;
}

void
Link::Discount(Cycles length, ClockDomain::Window window)
{
    const Ps stop = std::max(m_owner.GetWorld().agenda.Limit(), window.start);
    const std::uint64_t begun = m_clock.Between(window.start, stop).count;
    const std::uint64_t left = begun - (m_clock.After(window.start, Cycles(begun)) > stop ? 1 : 0);
    m_bytesLeft -= length.count - left;
    m_cellsLate += stop - window.start < m_cellTime ? 1 : 0;
}

Ps
Link::Depart(Cell& cell, DepartureListener* listener, Ps notBefore, CreditLoop& credits)
{
    if (m_extras == nullptr && !m_owner.Records())
    {
        return Send<false, false>(cell, listener, notBefore, credits);
    }
    return m_owner.Records() ? Send<true, true>(cell, listener, notBefore, credits)
                             : Send<false, true>(cell, listener, notBefore, credits);
}

template <bool RECORDS, bool EXTRAS>
Ps
Link::Send(Cell& cell, DepartureListener* listener, Ps notBefore, CreditLoop& credits)
{
    const Ps held = EXTRAS && HasFaults() ? m_extras->faults->HeldSince(cell) : 0;
    Serialize<RECORDS, EXTRAS>(cell, notBefore, credits);
    if (cell.ends || cell.resent)
    {
        if constexpr (RECORDS)
        {
            m_extras->last = nullptr;
        }
        m_owner.GetWorld().pollWatchdog.NoteProgress(m_owner.Now());
    }
    cell.departed = m_end.at;
    m_owner.MixIntoDigest(m_end.at,
                          static_cast<std::uint64_t>(m_end.at),
                          static_cast<std::uint64_t>(m_flight)); // the next edge may hide it
    const std::uint64_t sent = m_cellsSent;                      // the listener may send more
    listener->OnDeparture(cell);
    cell.vanished = false; // so far it described the previous wire
    if (EXTRAS && HasFaults())
    {
        Corrupt(cell, sent - 1, held);
    }
    const Ps arrives = cell.vanished ? PS_NEVER : cell.last.at;
    Notify(cell); // who is told of it early may be done with it
    return arrives;
}

void
Link::Notify(Cell& cell)
{
    if (m_early != nullptr)
    {
        m_early->Foresee(cell);
        return;
    }
    m_owner.GetWorld().agenda.Schedule(m_peer,
                                       cell.first.at - m_lead,
                                       m_port,
                                       m_target,
                                       m_kind,
                                       reinterpret_cast<std::uint64_t>(&cell));
}

Ps
Link::FirstBit(const Cell& cell) const
{
    const Ps first = cell.first.at - m_flight;
    return m_notice == Notice::FIRST_BIT
               ? first
               : m_clock.EdgeAtOrAfter(first - m_clock.Span(Length(cell)) - 1); // Span rounds down
}

Moment&
Link::NextFree()
{
    return m_turn == 0 ? m_free : m_extras->free[m_turn - 1];
}

Ps
Link::FreeAt() const
{
    const Moment& free = m_turn == 0 ? m_free : m_extras->free[m_turn - 1];
    return std::max(free.at, m_started.at);
}

Ps
Link::BusyTime() const
{
    return ClockDomain(m_costs->byteClock).Span(Cycles(m_bytesLeft / m_costs->wires));
}

void
Link::PassDropped(Cell& cell, DepartureListener* listener)
{
    // takes no time and no room, but keeps its place among the cells of its packet
    const Moment after =
        m_owner.Wait(Later(cell.ready, m_end), Stage::LINK_WAIT, Engine::LINK, m_owner.Now());
    cell.first = m_owner.Wait(after, Stage::PROPAGATE, Engine::LINK, after.at + m_flight);
    cell.last = cell.first;
    cell.departed = after.at;
    listener->OnDeparture(cell);
    Notify(cell);
}

} // namespace via
} // namespace ns3
