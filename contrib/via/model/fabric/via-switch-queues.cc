/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Queues of a switch whose cells wait at inputs for a crossbar, or are dropped for lack of room.

#include "via-switch-queues.h"

#include "ns3/via-switch.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

SwitchQueues::SwitchQueues(Switch& owner,
                           const SwitchCosts& costs,
                           const LinkCosts& links,
                           std::uint32_t ports)
    : m_switch(owner),
      m_costs(costs),
      m_lanes(links.lanes),
      m_inputs(std::size_t{ports} * links.lanes),
      m_outputs(std::size_t{ports} * links.lanes),
      m_asked(ports * links.lanes),
      m_arbiter(ports * links.lanes, ports * links.lanes, costs.arbitration, costs.iterations),
      m_sendsWorms(costs.worms.cells > 1 && costs.queueing == Queueing::FIFO && links.lanes == 1 &&
                   links.wires == 1 && costs.bufferCells == 0 && costs.feedbackMark == 0 &&
                   !owner.GetWorld().lossy && !owner.GetWorld().reference)
{
    for (Input& in : m_inputs)
    {
        const bool sorts = costs.queueing == Queueing::VOQ;
        in.queues = std::vector<Ring<Cell*>>(sorts ? m_outputs.size() : 1);
    }
    for (Output& out : m_outputs)
    {
        out.asking = IndexSet(costs.queueing == Queueing::OUTPUT ? 0 : ports * links.lanes);
    }
}

void
SwitchQueues::SetUpstream(std::uint32_t port, InPort* upstream)
{
    for (std::uint32_t lane = 0; lane < m_lanes; ++lane)
    {
        m_inputs[port * m_lanes + lane].upstream = upstream->OfLane(lane);
    }
}

void
SwitchQueues::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == DECIDE)
    {
        m_planned = PS_NEVER;
        Decide();
        return;
    }
    Arrive(kind, *reinterpret_cast<Cell*>(data));
}

// ---- queues

void
SwitchQueues::Enqueue(std::uint32_t input, std::uint32_t output, Cell& cell)
{
    Input& in = m_inputs[input];
    if (m_costs.queueing == Queueing::OUTPUT)
    {
        m_switch.Out(output / m_lanes).Transmit(&cell, this);
        return;
    }
    const Ps ready = cell.ready.at;
    Output& out = m_outputs[output];
    const std::uint32_t index = in.queues.size() > 1 ? output : 0;
    Ring<Cell*>& queue = in.queues[index];
    const bool isFirst = in.waiting == 0 && out.queued == 0;
    if (cell.dropped && queue.IsEmpty())
    {
        PassDropped(input, cell);
        if (m_waiting > 0)
        {
            Plan(m_switch.Now()); // the last cell of a worm leaves its output to others
        }
        return;
    }
    const bool isAlone = m_costs.arbitration == Arbitration::OLDEST_FIRST && isFirst &&
                         MayPass(input, output, ready);
    if (isAlone || (in.waiting == 0 && Follows(input, output, cell)))
    {
        Grant(input, output, cell, FreeAt(input, output));
        return;
    }
    queue.Push(&cell);
    if (queue.Size() == 1)
    {
        Ask(input, index);
    }
    ++in.waiting;
    ++m_waiting;
    m_droppedWaiting += cell.dropped ? 1 : 0;
    ++out.queued;
    Plan(std::max({ready, in.busyUntil, out.busyUntil, m_switch.Now()}));
}

bool
SwitchQueues::MayPass(std::uint32_t input, std::uint32_t output, Ps at) const
{
    const Input& in = m_inputs[input];
    const Output& out = m_outputs[output];
    return in.busyUntil <= at && !in.held && out.busyUntil <= at && !out.held &&
           (out.owner == NOBODY || out.owner == input);
}

void
SwitchQueues::Plan(Ps at)
{
    if (at != m_planned)
    {
        m_planned = at;
        m_switch.Schedule(at, DECIDE_PORT, this, DECIDE);
    }
}

void
SwitchQueues::Decide()
{
    m_requests.clear();
    if (m_droppedWaiting > 0)
    {
        PassDropped();
    }
    for (auto output = m_asked.Next(0); output != NOBODY; output = m_asked.Next(output + 1))
    {
        Collect(output);
    }
    if (m_requests.empty())
    {
        return;
    }
    m_arbiter.Match(m_requests);
    for (const Arbiter::Request& granted : m_requests)
    {
        Input& in = m_inputs[granted.input];
        Cell& cell = PopHead(granted.input, in.queues.size() > 1 ? granted.output : 0);
        Grant(granted.input, granted.output, cell, m_switch.Now());
    }
}

void
SwitchQueues::Ask(std::uint32_t input, std::uint32_t queue)
{
    const std::uint32_t output = OutputOf(*m_inputs[input].queues[queue].Front());
    m_outputs[output].asking.Add(input);
    m_asked.Add(output);
}

Cell&
SwitchQueues::PopHead(std::uint32_t input, std::uint32_t queue)
{
    Input& in = m_inputs[input];
    Cell& cell = *in.queues[queue].Front();
    Output& out = m_outputs[OutputOf(cell)];
    in.queues[queue].Pop();
    --in.waiting;
    --m_waiting;
    m_droppedWaiting -= cell.dropped ? 1 : 0;
    --out.queued;
    out.asking.Remove(input);
    if (out.asking.Next(0) == NOBODY)
    {
        m_asked.Remove(OutputOf(cell));
    }
    if (!in.queues[queue].IsEmpty())
    {
        Ask(input, queue);
    }
    return cell;
}

void
SwitchQueues::PassDropped()
{
    const auto inputs = static_cast<std::uint32_t>(m_inputs.size());
    for (std::uint32_t input = 0; input < inputs; ++input)
    {
        Input& in = m_inputs[input];
        for (std::uint32_t queue = 0; in.waiting > 0 && IsFree(in) && queue < in.queues.size();
             ++queue)
        {
            while (!in.queues[queue].IsEmpty() && in.queues[queue].Front()->dropped)
            {
                PassDropped(input, PopHead(input, queue));
            }
        }
    }
}

void
SwitchQueues::PassDropped(std::uint32_t input, Cell& cell)
{
    Output& out = m_outputs[OutputOf(cell)];
    out.owner = m_costs.EndsWorm(cell) && out.owner == input ? NOBODY : out.owner;
    m_switch.Out(OutputOf(cell) / m_lanes).Transmit(&cell, this);
}

bool
SwitchQueues::IsFree(const Input& in) const
{
    return in.busyUntil <= m_switch.Now() && !in.held;
}

void
SwitchQueues::Collect(std::uint32_t output)
{
    const Output& out = m_outputs[output];
    const Ps now = m_switch.Now();
    if (out.busyUntil > now || out.held)
    {
        return;
    }
    for (auto input = out.asking.Next(0); input != NOBODY; input = out.asking.Next(input + 1))
    {
        const Input& in = m_inputs[input];
        const Cell& cell = *in.queues[in.queues.size() > 1 ? output : 0].At(0);
        if (IsFree(in) && (out.owner == NOBODY || out.owner == input) && cell.ready.at <= now)
        {
            m_requests.push_back({input, output, cell.first.at});
        }
    }
}

Ps
SwitchQueues::FreeAt(std::uint32_t input, std::uint32_t output) const
{
    return std::max({m_inputs[input].busyUntil, m_outputs[output].busyUntil, m_switch.Now()});
}

bool
SwitchQueues::Follows(std::uint32_t input, std::uint32_t output, Cell& cell) const
{
    const Output& out = m_outputs[output];
    if (!m_sendsWorms || out.owner != input || OutputOf(cell) != output || out.held ||
        m_inputs[input].held || out.busyUntil > m_switch.GetWorld().agenda.Limit() ||
        m_switch.Routes().selection == PortSelection::ADAPTIVE) // which sees what waits
    {
        return false;
    }
    Ps& ready = cell.ready.at;
    const Ps before = std::exchange(ready, std::max(ready, FreeAt(input, output)));
    const bool goes = m_switch.Out(output / m_lanes).SendsAtOnce(cell);
    ready = before;
    return goes;
}

void
SwitchQueues::Grant(std::uint32_t input, std::uint32_t output, Cell& cell, Ps at)
{
    m_granting = output;
    Send(input, output, cell, at);
    Input& in = m_inputs[input];
    const Output& out = m_outputs[output];
    while (m_sendsWorms && in.waiting > 0 && Follows(input, output, *in.queues[0].Front()))
    {
        Send(input, output, PopHead(input, 0), FreeAt(input, output));
    }
    m_granting = NOBODY;
    const bool isDecided = m_sendsWorms && out.owner == input && in.waiting == 0;
    if (m_waiting > 0 && !out.held && !isDecided)
    {
        Plan(std::max(out.busyUntil, m_switch.Now()));
    }
}

void
SwitchQueues::Send(std::uint32_t input, std::uint32_t output, Cell& cell, Ps at)
{
    Output& out = m_outputs[output];
    Input& in = m_inputs[input];
    Moment& ready = cell.ready;
    in.counters.stalls += ready.at < at ? 1 : 0;
    out.held = true;
    in.held = true;
    out.owner = m_costs.EndsWorm(cell) ? NOBODY : input;
    ready = m_switch.Wait(ready, Stage::LINK_WAIT, Engine::CROSSBAR, at);
    out.granted = ready.at;
    m_switch.Out(output / m_lanes).Transmit(&cell, this);
}

// ---- departure

void
SwitchQueues::OnDeparture(const Cell& cell)
{
    if (cell.dropped)
    {
        return;
    }
    Input& in = m_inputs[InputOf(cell)];
    Output& out = m_outputs[OutputOf(cell)];
    const Link& link = m_switch.Out(OutputOf(cell) / m_lanes);
    ReturnRoom(*in.upstream, link, cell);
    if (!cell.vanished)
    {
        RoomOf(in, out).Leave(link.LastBit(cell));
    }
    ++m_cellsOut;
    // with several wires, which take cells in turn, the next may be free when this cell starts
    const Ps free =
        std::max(out.granted, cell.departed - (link.Costs().wires > 1 ? link.CellTime() : 0));
    out.busyUntil = free;
    in.busyUntil = std::max(in.busyUntil, free);
    out.held = false;
    in.held = false;
    // a grant plans for its own output, but the credit of its cell may release one at another
    if (m_waiting > 0 && OutputOf(cell) != m_granting)
    {
        Plan(std::max(free, m_switch.Now()));
    }
}

PortCounters
SwitchQueues::Counters(std::uint32_t port) const
{
    PortCounters sum;
    for (std::uint32_t lane = 0; lane < m_lanes; ++lane)
    {
        const Input& in = m_inputs[port * m_lanes + lane];
        const Output& out = m_outputs[port * m_lanes + lane];
        sum.cellsIn += in.counters.cellsIn;
        sum.packetsIn += in.counters.packetsIn;
        sum.dropped += in.counters.dropped;
        sum.stalls += in.counters.stalls;
        sum.packetsOut += out.packets;
        sum.peakFill = std::max({sum.peakFill, in.room.Peak(), out.room.Peak()}); // one is not used
    }
    return sum;
}

} // namespace via
} // namespace ns3
