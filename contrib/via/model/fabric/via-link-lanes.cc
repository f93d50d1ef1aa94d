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
    // cells sent before a stop arrives: those on the wire, and those that leave while it returns
    const Ps late = m_link.m_flight + m_link.CreditLookahead();
    const auto cells = static_cast<std::uint32_t>(late / m_link.m_cellTime) + 2;
    if (marks.stop + cells * costs.wires > marks.capacity)
    {
        throw ConfigError("link.stop_mark",
                          std::to_string(costs.stopMark),
                          "at most " + std::to_string(costs.credits) + " (link.credits) minus " +
                              std::to_string(cells) + " cells that leave before a stop arrives");
    }
}

void
LinkLanes::Transmit(Burst* burst, DepartureListener* listener)
{
    burst->lane = static_cast<std::uint8_t>(burst->lane % m_used);
    Ring<Waiting>& waiting = m_lanes[burst->lane].waiting;
    m_busy += waiting.IsEmpty() ? 1 : 0;
    waiting.Push({burst, listener});
    Serve();
}

void
LinkLanes::Return(Lane& lane, std::uint32_t cells, Ps at, Ps spacing)
{
    m_link.Return(lane.credits, cells, at + m_link.CreditLookahead(), spacing);
    if (lane.gate != nullptr)
    {
        lane.gate->Freed(cells, at, spacing);
    }
    if (!lane.waiting.IsEmpty())
    {
        Serve();
    }
}

void
LinkLanes::Resynchronize(std::uint32_t lane, std::uint32_t cells)
{
    const Ps at = m_link.m_owner.Now() + m_link.CreditLookahead();
    m_link.Return(m_lanes[lane].credits, cells, at, 0);
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
        const Offer offer = Look(lane, m_busy > 1);
        if (offer.cells > 0)
        {
            m_next = next;
            Send(lane, offer.cells);
            return true;
        }
        retry = std::min(retry, offer.retry);
    }
    Plan(retry);
    return false;
}

LinkLanes::Offer
LinkLanes::Look(Lane& lane, bool contested)
{
    const Burst& burst = *lane.waiting.Front().burst;
    const std::uint32_t cells = burst.CellCount();
    if (burst.dropped)
    {
        return {cells, PS_NEVER};
    }
    const Ps due = std::max(m_link.m_owner.Now(), burst.groups[0].ready.at);
    if (contested || !IsFar(lane, cells) || (m_used > 1 && m_link.FreeAt() > due))
    {
        return LookAtOnce(lane, burst);
    }
    const std::uint32_t known = lane.credits.KnownBy(m_link.CertainFor(burst));
    const std::uint32_t offered = burst.resent && known < cells ? 0 : std::min(cells, known);
    const Ps home = offered > 0 ? PS_NEVER : lane.credits.NextHome(m_link.CertainFor(burst));
    return {offered, home == PS_NEVER ? PS_NEVER : home - m_link.CreditNotice()};
}

bool
LinkLanes::IsFar(const Lane& lane, std::uint32_t cells) const
{
    StopGo* gate = lane.gate.get();
    return gate == nullptr || (!gate->IsStopped(m_link.m_owner.Now() - m_link.CreditLookahead()) &&
                               gate->Outstanding() + cells < gate->GetMarks().stop);
}

bool
LinkLanes::SendsAtOnce(const Burst& burst) const
{
    const Lane& lane = m_lanes[burst.lane % m_used];
    return m_used == 1 && lane.waiting.IsEmpty() && IsFar(lane, burst.CellCount()) &&
           m_link.Suffice(lane.credits, burst);
}

LinkLanes::Offer
LinkLanes::LookAtOnce(Lane& lane, const Burst& burst)
{
    const Ps now = m_link.m_owner.Now();
    const Ps due = std::max(m_link.FreeAt(), burst.groups[0].ready.at);
    if (due > now)
    {
        return {0, due};
    }
    std::uint32_t cells = burst.CellCount();
    if (lane.gate != nullptr)
    {
        StopGo& gate = *lane.gate;
        const Ps delay = m_link.CreditLookahead();
        if (gate.IsStopped(now - delay))
        {
            const Ps goes = gate.GoesAt();
            return {0, goes == PS_NEVER ? PS_NEVER : std::max(goes + delay, now + 1)};
        }
        const bool fits = gate.Outstanding() + cells <= gate.GetMarks().capacity;
        if (gate.Outstanding() + cells >= gate.GetMarks().stop && !(burst.resent && fits))
        {
            cells = burst.resent ? 0 : 1;
        }
        return {cells, now + m_link.m_cellTime};
    }
    const std::uint32_t here = lane.credits.HomeBy(now);
    if (here < cells)
    {
        cells = burst.resent ? 0 : here;
    }
    return {cells, lane.credits.NextHome()};
}

void
LinkLanes::Send(Lane& lane, std::uint32_t cells)
{
    const Waiting next = lane.waiting.Front();
    Burst* burst = next.burst;
    if (cells < burst->CellCount())
    {
        burst = m_link.m_owner.GetWorld().packets.Split(*burst, cells);
    }
    else
    {
        lane.waiting.Pop();
        m_busy -= lane.waiting.IsEmpty() ? 1 : 0;
    }
    if (burst->dropped)
    {
        m_link.PassDropped(*burst, next.listener);
        return;
    }
    const Ps now = m_link.m_owner.Now();
    const Ps due = std::max(m_link.FreeAt(), burst->groups[0].ready.at);
    m_link.Depart(*burst, next.listener, due < now ? now : 0, lane.credits);
    for (std::uint32_t i = 0, absent = burst->vanished;
         lane.gate != nullptr && i < burst->groupCount;
         ++i)
    {
        const Burst::Group& group = burst->groups[i];
        const std::uint32_t here = group.cells - std::min(absent, group.cells);
        absent -= group.cells - here;
        if (here > 0)
        {
            const Ps first = m_link.ArrivalOfCell(group, group.cells - here);
            const Ps rest = here > 1 ? (group.last.at - first) / (here - 1) : 0;
            lane.gate->Sent(here, first, rest);
        }
    }
}

std::uint32_t
LinkLanes::WaitingCells() const
{
    std::uint32_t cells = 0;
    for (const Lane& lane : m_lanes)
    {
        for (std::uint32_t i = 0; i < lane.waiting.Size(); ++i)
        {
            cells += lane.waiting.At(i).burst->CellCount();
        }
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
