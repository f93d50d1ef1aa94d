/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A switch whose cells wait at inputs for a crossbar, or are dropped when there is no room.

#include "via-switch-queues.h"

#include "ns3/abort.h"
#include "ns3/via-scramble.h"
#include "ns3/via-switch.h"

#include <algorithm>

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
      m_arbiter(ports * links.lanes, ports * links.lanes, costs.arbitration, costs.iterations)
{
    for (Input& in : m_inputs)
    {
        in.queues.resize(costs.queueing == Queueing::VOQ ? m_outputs.size() : 1);
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
    Arrive(kind, *reinterpret_cast<Burst*>(data));
}

// ---- arrival

void
SwitchQueues::Arrive(std::uint32_t port, Burst& burst)
{
    const std::uint32_t input = port * m_lanes + burst.lane;
    Input& in = m_inputs[input];
    const Path path = Open(in, burst);
    if (!burst.dropped && !TakeIn(port, in, m_outputs[path.output], burst))
    {
        return; // its cells come again, one by one
    }
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        Burst::Group& group = burst.groups[i];
        const Ps until = group.first.at + path.delay;
        group.ready = m_switch.Wait(group.first, Stage::SWITCH, Engine::CROSSBAR, until);
    }
    if (burst.ends || burst.resent)
    {
        ++in.counters.packetsIn;
        ++m_outputs[path.output].packets;
        Close(in, burst);
    }
    burst.cookie = std::uint64_t{path.output} << 32 | input;
    burst.lane = m_switch.RouteTo(burst.packet->destination).lane;
    Enqueue(input, path.output, burst);
}

SwitchQueues::Path
SwitchQueues::Open(Input& in, const Burst& burst)
{
    const Packet& packet = *burst.packet;
    for (const Path& path : in.paths)
    {
        // a packet whose tail was lost with its sender has left its path to a later one
        if (path.packet == &packet && path.destination == packet.destination && !burst.resent)
        {
            return path;
        }
    }
    const Moment first = burst.groups[0].first;
    const Ps delay = m_switch.Pass(first).at - first.at;
    const std::uint32_t output = ChooseOutput(packet, !burst.resent);
    in.paths.push_back({&packet, packet.destination, output, delay});
    return in.paths.back();
}

void
SwitchQueues::Close(Input& in, const Burst& burst)
{
    const auto isIts = [&burst](const Path& path) { return path.packet == burst.packet; };
    in.paths.erase(std::remove_if(in.paths.begin(), in.paths.end(), isIts), in.paths.end());
}

std::uint32_t
SwitchQueues::ChooseOutput(const Packet& packet, bool mayAdapt)
{
    const RouteTable& table = m_switch.Routes();
    const Route& route = m_switch.RouteTo(packet.destination);
    if (route.choice == 0 || table.selection == PortSelection::FIRST)
    {
        return route.port * m_lanes + route.lane % m_lanes;
    }
    const std::vector<std::uint16_t>& ports = table.choices[route.choice - 1];
    // with the switch's number: the same flows would meet again at the next switch
    const std::uint64_t flow = std::uint64_t{packet.source} << 32 | packet.destination;
    const std::size_t hashed = Scramble(Scramble(flow) ^ m_switch.Id()) % ports.size();
    std::uint32_t best = ports[hashed] * m_lanes + route.lane % m_lanes;
    for (std::size_t i = 1;
         table.selection == PortSelection::ADAPTIVE && mayAdapt && i < ports.size();
         ++i)
    {
        const std::uint32_t other =
            ports[(hashed + i) % ports.size()] * m_lanes + route.lane % m_lanes;
        best = Load(other) < Load(best) ? other : best;
    }
    return best;
}

std::uint64_t
SwitchQueues::Load(std::uint32_t output) const
{
    const Link& link = m_switch.Out(output / m_lanes);
    const Ps now = m_switch.Now();
    const Ps busy = std::max(m_outputs[output].busyUntil, now) - now;
    return m_outputs[output].queued + link.WaitingCells() +
           static_cast<std::uint64_t>(busy / link.CellTime());
}

bool
SwitchQueues::TakeIn(std::uint32_t port, Input& in, Output& out, Burst& burst)
{
    const std::uint32_t cells = burst.CellCount();
    const Ps now = m_switch.Now();
    const std::uint32_t filled = in.room.At(now);
    if (m_costs.bufferCells > 0)
    {
        const std::uint32_t used = m_costs.queueing == Queueing::OUTPUT ? out.room.At(now) : filled;
        if (used + cells > m_costs.bufferCells)
        {
            if (cells > 1)
            {
                TakeOneByOne(port, burst);
                return false;
            }
            Drop(in, burst);
            return true;
        }
    }
    m_cellsIn += cells;
    in.counters.cellsIn += cells;
    in.room.Enter(cells);
    out.room.Enter(cells);
    return true;
}

void
SwitchQueues::TakeOneByOne(std::uint32_t port, Burst& burst)
{
    const bool isGroup = burst.groups[0].cells > 1;
    const Ps next = burst.groups[0].first.at + m_switch.Out(port).CellTime();
    Burst& one = *m_switch.GetWorld().packets.Split(burst, 1);
    one.isSplit = false;
    one.resent = burst.resent;
    if (isGroup)
    {
        burst.groups[0].first.at = next;
    }
    burst.lane = one.lane;
    m_switch.Schedule(std::max(burst.groups[0].first.at, m_switch.Now()),
                      port,
                      this,
                      port,
                      reinterpret_cast<std::uint64_t>(&burst));
    Arrive(port, one);
}

void
SwitchQueues::Drop(Input& in, Burst& burst)
{
    ++m_cellsIn;
    ++m_cellsDropped;
    ++in.counters.cellsIn;
    ++in.counters.dropped;
    in.upstream->ReturnCredits(1, m_switch.Now(), 0);
    burst.dropped = true;
    burst.lost = 1;
    burst.absent = 1;
    burst.vanished = 1;
    m_switch.Remember(m_cellsDropped, static_cast<std::uint64_t>(m_switch.Now()));
}

// ---- queues

void
SwitchQueues::Enqueue(std::uint32_t input, std::uint32_t output, Burst& burst)
{
    Input& in = m_inputs[input];
    if (m_costs.queueing == Queueing::OUTPUT)
    {
        m_switch.Out(output / m_lanes).Transmit(&burst, this);
        return;
    }
    const Ps ready = burst.groups[0].ready.at;
    Output& out = m_outputs[output];
    Ring<Burst*>& queue = in.queues[in.queues.size() > 1 ? output : 0];
    const bool isFirst = in.waiting == 0 && out.queued == 0;
    if (burst.dropped && queue.IsEmpty())
    {
        m_switch.Out(output / m_lanes).Transmit(&burst, this);
        return;
    }
    if (m_costs.arbitration == Arbitration::OLDEST_FIRST && isFirst &&
        MayPass(input, output, ready))
    {
        Grant(input, output, burst);
        return;
    }
    queue.Push(&burst);
    ++in.waiting;
    ++m_waiting;
    out.queued += burst.CellCount();
    Plan(std::max({ready, in.busyUntil, out.busyUntil, m_switch.Now()}));
}

bool
SwitchQueues::MayPass(std::uint32_t input, std::uint32_t output, Ps at) const
{
    const Output& out = m_outputs[output];
    return m_inputs[input].busyUntil <= at && out.busyUntil <= at && !out.held &&
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
    if (m_waiting > 0)
    {
        for (std::uint32_t input = 0; input < m_inputs.size(); ++input)
        {
            Collect(input);
        }
    }
    if (m_requests.empty())
    {
        return;
    }
    m_arbiter.Match(m_requests);
    for (const Arbiter::Request& granted : m_requests)
    {
        Input& in = m_inputs[granted.input];
        Ring<Burst*>& queue = in.queues[in.queues.size() > 1 ? granted.output : 0];
        Burst& burst = *queue.Front();
        queue.Pop();
        --in.waiting;
        --m_waiting;
        m_outputs[granted.output].queued -= burst.CellCount();
        in.counters.stalls += burst.groups[0].ready.at < m_switch.Now() ? 1 : 0;
        Grant(granted.input, granted.output, burst);
    }
}

void
SwitchQueues::PassDropped(std::uint32_t input, std::uint32_t queue)
{
    Input& in = m_inputs[input];
    Burst& burst = *in.queues[queue].Front();
    in.queues[queue].Pop();
    --in.waiting;
    --m_waiting;
    Output& out = m_outputs[OutputOf(burst)];
    out.queued -= burst.CellCount();
    out.owner = burst.ends && out.owner == input ? NOBODY : out.owner;
    m_switch.Out(OutputOf(burst) / m_lanes).Transmit(&burst, this);
}

void
SwitchQueues::Collect(std::uint32_t input)
{
    Input& in = m_inputs[input];
    const Ps now = m_switch.Now();
    if (in.waiting == 0 || in.busyUntil > now)
    {
        return;
    }
    for (std::uint32_t queue = 0; queue < in.queues.size(); ++queue)
    {
        while (!in.queues[queue].IsEmpty() && in.queues[queue].Front()->dropped)
        {
            PassDropped(input, queue);
        }
        if (in.queues[queue].IsEmpty())
        {
            continue;
        }
        const Burst& burst = *in.queues[queue].Front();
        const std::uint32_t output = OutputOf(burst);
        if (burst.groups[0].ready.at <= now && MayPass(input, output, now))
        {
            m_requests.push_back({input, output, burst.groups[0].first.at});
        }
    }
}

void
SwitchQueues::Grant(std::uint32_t input, std::uint32_t output, Burst& burst)
{
    Output& out = m_outputs[output];
    out.held = true;
    if (m_costs.wormhole && !burst.resent)
    {
        out.owner = burst.ends ? NOBODY : input;
    }
    const Ps now = m_switch.Now();
    burst.groups[0].ready =
        m_switch.Wait(burst.groups[0].ready, Stage::LINK_WAIT, Engine::CROSSBAR, now);
    m_switch.Out(output / m_lanes).Transmit(&burst, this);
}

// ---- departure

void
SwitchQueues::OnDeparture(const Burst& burst)
{
    if (burst.dropped)
    {
        return;
    }
    Input& in = m_inputs[InputOf(burst)];
    Output& out = m_outputs[OutputOf(burst)];
    const Link& link = m_switch.Out(OutputOf(burst) / m_lanes);
    ReturnRoom(*in.upstream, link, burst);
    const Link::Leaving leaving = link.WhenLeaves(burst, 0);
    const std::uint32_t cells = burst.CellCount();
    in.room.Leave(cells, leaving.first, link.CellTime());
    out.room.Leave(cells, leaving.first, link.CellTime());
    m_cellsOut += cells;
    out.busyUntil = burst.departed;
    in.busyUntil = std::max(in.busyUntil, burst.departed);
    out.held = burst.isSplit;
    if (m_waiting > 0)
    {
        Plan(burst.departed);
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
        sum.peakFill = std::max({sum.peakFill,
                                 in.room.Peak(),
                                 m_costs.queueing == Queueing::OUTPUT ? out.room.Peak() : 0});
    }
    return sum;
}

} // namespace via
} // namespace ns3
