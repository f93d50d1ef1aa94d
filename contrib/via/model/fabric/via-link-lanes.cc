/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Virtual lanes of a wire: a queue and a credit loop for each, and the choice of the next lane.

#include "via-link-lanes.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace via
{

LinkLanes::LinkLanes(Link& link)
    : m_link(link),
      m_used(link.m_costs->lanes)
{
    const LinkCosts& costs = *link.m_costs;
    const std::uint32_t room = costs.credits * costs.wires;
    const bool counts = costs.flow == FlowControl::CREDITS;
    for (std::uint32_t i = 0; i < costs.lanes; ++i)
    {
        m_lanes.emplace_back(*this, counts ? room : CreditLoop::UNLIMITED);
        if (costs.flow == FlowControl::STOP_AND_GO || costs.flow == FlowControl::PAUSE)
        {
            const StopGo::Marks marks{room,
                                      costs.stopMark * costs.wires,
                                      costs.goMark * costs.wires,
                                      costs.pauseTime};
            m_lanes.back().gate = std::make_unique<StopGo>(marks);
        }
    }
    CheckSlack();
}

void
LinkLanes::CheckSlack() const
{
    if (m_lanes.front().gate == nullptr)
    {
        return;
    }
    const LinkCosts& costs = *m_link.m_costs;
    const StopGo::Marks& marks = m_lanes.front().gate->GetMarks();
    // cells sent before a stop arrives: those on the wire, and those that leave while it returns;
    // most are sent if each is a packet without data
    const Ps late = m_link.m_flight + m_link.CreditLookahead();
    const Ps shortest = m_link.m_clock.Span(Cycles(costs.cellBytes - costs.Shortfall(0, 1)));
    const auto cells = static_cast<std::uint32_t>(late / shortest) + 2;
    if (marks.stop + cells * costs.wires > marks.capacity)
    {
        throw ConfigError("link.stop_mark",
                          std::to_string(costs.stopMark),
                          "at most " + std::to_string(costs.credits) + " (link.credits) minus " +
                              std::to_string(cells) +
                              ": so many short packets leave before a stop arrives");
    }
}

void
LinkLanes::Transmit(Cell* cell, DepartureListener* listener)
{
    cell->lane = static_cast<std::uint8_t>(cell->lane % m_used);
    Ring<Waiting>& waiting = m_lanes[cell->lane].waiting;
    m_busy += waiting.IsEmpty() ? 1 : 0;
    waiting.Push({cell, listener});
    Serve();
}

void
LinkLanes::Return(Lane& lane, std::uint32_t cells, Ps at)
{
    m_link.Return(lane.credits, cells, at + m_link.CreditLookahead());
    if (lane.gate != nullptr)
    {
        lane.gate->Freed(cells, at);
    }
    if (!lane.waiting.IsEmpty())
    {
        Serve();
    }
}

void
LinkLanes::Resynchronize(std::uint32_t lane)
{
    const Ps at = m_link.m_owner.Now() + m_link.CreditLookahead();
    m_link.Return(m_lanes[lane].credits, 1, at);
    Serve();
}

void
LinkLanes::OnAgenda(std::uint32_t, std::uint64_t)
{
    if (m_planned <= m_link.m_owner.Now())
    {
        m_planned = PS_NEVER;
    }
    Serve();
}

void
LinkLanes::Plan(Ps at)
{
    if (at < m_planned)
    {
        m_planned = at;
        m_link.m_owner.Schedule(at, SERVE_PORT, this, 0);
    }
}

void
LinkLanes::Serve()
{
    if (m_serving)
    {
        return;
    }
    m_serving = true;
    while (ServeOne())
    {
    }
    m_serving = false;
}

bool
LinkLanes::ServeOne()
{
    const auto count = static_cast<std::uint32_t>(m_lanes.size());
    Ps retry = PS_NEVER;
    for (std::uint32_t i = 0, next = m_next; m_busy > 0 && i < count; ++i)
    {
        Lane& lane = m_lanes[next];
        next = next + 1 < count ? next + 1 : 0;
        if (lane.waiting.IsEmpty())
        {
            continue;
        }
        const Ps goes = Look(lane);
        if (goes == 0)
        {
            m_next = next;
            Send(lane);
            return true;
        }
        retry = std::min(retry, goes);
    }
    Plan(retry);
    return false;
}

Ps
LinkLanes::Look(Lane& lane)
{
    const Cell& cell = *lane.waiting.Front().cell;
    if (cell.dropped)
    {
        return 0;
    }
    if (m_used > 1 || !IsFar(lane)) // while it waits, another lane's cell may go first
    {
        return LookAtOnce(lane, cell);
    }
    if (m_link.Suffice(lane.credits, cell))
    {
        return 0;
    }
    const Ps home = lane.credits.NextHome(m_link.CertainFor(cell));
    return home == PS_NEVER ? PS_NEVER : home - m_link.CreditNotice();
}

bool
LinkLanes::IsFar(const Lane& lane) const
{
    StopGo* gate = lane.gate.get();
    if (gate == nullptr)
    {
        return true;
    }
    // which of several wires takes a cell depends on when it is handed over
    return m_link.m_costs->wires == 1 &&
           !gate->IsStopped(m_link.m_owner.Now() - m_link.CreditLookahead()) &&
           gate->Outstanding() + 1 < gate->GetMarks().stop;
}

bool
LinkLanes::SendsAtOnce(const Cell& cell) const
{
    const Lane& lane = m_lanes[cell.lane % m_used];
    return m_used == 1 && lane.waiting.IsEmpty() && IsFar(lane) &&
           m_link.Suffice(lane.credits, cell);
}

Ps
LinkLanes::LookAtOnce(Lane& lane, const Cell& cell)
{
    const Ps now = m_link.m_owner.Now();
    const Ps due = std::max(m_link.FreeAt(), cell.ready.at);
    if (due > now)
    {
        return due;
    }
    if (lane.gate != nullptr)
    {
        const Ps delay = m_link.CreditLookahead();
        const bool isStopped = lane.gate->IsStopped(now - delay);
        if (!isStopped && lane.gate->Outstanding() < lane.gate->GetMarks().capacity)
        {
            return 0;
        }
        // no room though not stopped: ends of long packets are shorter than what CheckSlack counts
        const Ps goes = isStopped ? lane.gate->GoesAt() : lane.gate->LeavesAt();
        return goes == PS_NEVER ? PS_NEVER : std::max(goes + delay, now + 1);
    }
    return lane.credits.HomeBy(now) > 0 ? 0 : lane.credits.NextHome();
}

void
LinkLanes::Send(Lane& lane)
{
    const Waiting next = lane.waiting.Front();
    Cell& cell = *next.cell;
    lane.waiting.Pop();
    m_busy -= lane.waiting.IsEmpty() ? 1 : 0;
    if (cell.dropped)
    {
        m_link.PassDropped(cell, next.listener);
        return;
    }
    const Ps now = m_link.m_owner.Now();
    const Ps due = std::max(m_link.FreeAt(), cell.ready.at);
    const Ps arrives = m_link.Depart(cell, next.listener, due < now ? now : 0, lane.credits);
    if (lane.gate != nullptr && arrives != PS_NEVER)
    {
        lane.gate->Sent(arrives);
    }
}

std::uint32_t
LinkLanes::WaitingCells() const
{
    std::uint32_t cells = 0;
    for (const Lane& lane : m_lanes)
    {
        cells += lane.waiting.Size();
    }
    return cells;
}

std::uint32_t
LinkLanes::CellsOut() const
{
    std::uint32_t cells = 0;
    for (const Lane& lane : m_lanes)
    {
        cells += lane.credits.Out();
    }
    return cells;
}

std::uint64_t
LinkLanes::Stops() const
{
    std::uint64_t stops = 0;
    for (const Lane& lane : m_lanes)
    {
        stops += lane.gate == nullptr ? 0 : lane.gate->Stops();
    }
    return stops;
}

} // namespace via
} // namespace ns3
