/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Arrivals at a switch with queues: paths, room, and drops for lack of room.

#include "ns3/via-switch-queues.h"
#include "ns3/via-switch.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
SwitchQueues::Arrive(std::uint32_t port, Cell& cell)
{
    const std::uint32_t input = port * m_lanes + cell.lane;
    Input& in = m_inputs[input];
    Moment head;
    const Path path = Open(in, cell, head);
    if (!cell.dropped)
    {
        TakeIn(in, m_outputs[path.output], cell);
    }
    const Ps until = cell.first.at + path.delay;
    cell.ready = head.at == until
                     ? head // whose latency is already recorded
                     : m_switch.Wait(cell.first, Stage::SWITCH, Engine::CROSSBAR, until);
    if (m_costs.feedbackMark > 0)
    {
        m_switch.Watch(*cell.packet, Load(path.output));
    }
    if (cell.ends || cell.resent)
    {
        ++in.counters.packetsIn;
        ++m_outputs[path.output].packets;
        Close(in, cell);
    }
    cell.cookie = std::uint64_t{path.output} << 32 | input;
    cell.lane = m_switch.RouteTo(cell.packet->destination).lane;
    Enqueue(input, path.output, cell);
}

SwitchQueues::Path
SwitchQueues::Open(Input& in, const Cell& cell, Moment& head)
{
    const Packet& packet = *cell.packet;
    for (const Path& path : in.paths)
    {
        // a packet whose tail was lost with its sender may have left its path to a later packet
        if (path.packet == &packet && path.destination == packet.destination && !cell.resent)
        {
            return path;
        }
    }
    const Moment first = cell.first;
    head = m_switch.Pass(first);
    const Ps delay = head.at - first.at;
    const std::uint32_t output = ChooseOutput(packet, !cell.resent);
    in.paths.push_back({&packet, packet.destination, output, delay});
    return in.paths.back();
}

void
SwitchQueues::Close(Input& in, const Cell& cell)
{
    const auto isIts = [&cell](const Path& path) { return path.packet == cell.packet; };
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
    const std::size_t hashed =
        RouteTable::HashedChoice(packet.source, packet.destination, m_switch.Id(), ports.size());
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
    return m_outputs[output].queued + m_switch.Out(output / m_lanes).Backlog();
}

void
SwitchQueues::TakeIn(Input& in, Output& out, Cell& cell)
{
    Occupancy& room = RoomOf(in, out);
    const std::uint32_t used = room.At(m_switch.Now());
    if (m_costs.bufferCells > 0 && !cell.vanished && used >= m_costs.bufferCells)
    {
        Drop(in, cell);
        return;
    }
    ++m_cellsIn;
    ++in.counters.cellsIn;
    if (!cell.vanished) // it needs no room
    {
        room.Enter();
    }
}

void
SwitchQueues::Drop(Input& in, Cell& cell)
{
    ++m_cellsIn;
    ++m_cellsDropped;
    ++in.counters.cellsIn;
    ++in.counters.dropped;
    if (!cell.vanished) // a vanished cell took no room
    {
        in.upstream->ReturnCredits(1, m_switch.Now());
    }
    cell.dropped = true;
    cell.lost = true;
    cell.absent = true;
    cell.vanished = true;
    m_switch.MixIntoDigest(m_switch.Now(),
                           m_cellsDropped,
                           static_cast<std::uint64_t>(m_switch.Now()));
}

} // namespace via
} // namespace ns3
