/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Arrivals at a switch with queues: paths, room, and drops for lack of room.

#include "ns3/via-scramble.h"
#include "ns3/via-switch-queues.h"
#include "ns3/via-switch.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
SwitchQueues::Arrive(std::uint32_t port, Burst& burst)
{
    const std::uint32_t input = port * m_lanes + burst.lane;
    Input& in = m_inputs[input];
    burst.isSplit = false; // so far it described the previous wire
    Moment head;
    const Path path = Open(in, burst, head);
    if (!burst.dropped && !TakeIn(port, in, m_outputs[path.output], burst))
    {
        return; // its cells will arrive one by one
    }
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        Burst::Group& group = burst.groups[i];
        const Ps until = group.first.at + path.delay;
        group.ready = i == 0 && head.at == until
                          ? head // whose latency is already recorded
                          : m_switch.Wait(group.first, Stage::SWITCH, Engine::CROSSBAR, until);
    }
    if (m_costs.feedbackMark > 0)
    {
        m_switch.Watch(*burst.packet, Load(path.output));
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
SwitchQueues::Open(Input& in, const Burst& burst, Moment& head)
{
    const Packet& packet = *burst.packet;
    for (const Path& path : in.paths)
    {
        // a packet whose tail was lost with its sender may have left its path to a later packet
        if (path.packet == &packet && path.destination == packet.destination && !burst.resent)
        {
            return path;
        }
    }
    const Moment first = burst.groups[0].first;
    head = m_switch.Pass(first);
    const Ps delay = head.at - first.at;
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
    // hash in the switch's number, or the same flows would collide again at the next switch
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
    return m_outputs[output].queued + m_switch.Out(output / m_lanes).Backlog();
}

bool
SwitchQueues::TakeIn(std::uint32_t port, Input& in, Output& out, Burst& burst)
{
    const std::uint32_t cells = burst.CellCount();
    const std::uint32_t real = cells - std::min(burst.vanished, cells); // the others use no room
    Occupancy& room = RoomOf(in, out);
    const std::uint32_t used = room.At(m_switch.Now());
    if (m_costs.bufferCells > 0 && real > 0 && used + real > m_costs.bufferCells)
    {
        if (cells > 1)
        {
            TakeOneByOne(port, burst);
            return false;
        }
        Drop(in, burst);
        return true;
    }
    m_cellsIn += cells;
    in.counters.cellsIn += cells;
    room.Enter(real);
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
    if (burst.vanished == 0) // a vanished cell took no room
    {
        in.upstream->ReturnCredits(1, m_switch.Now(), 0);
    }
    burst.dropped = true;
    burst.lost = 1;
    burst.absent = 1;
    burst.vanished = 1;
    m_switch.MixIntoDigest(m_switch.Now(),
                           m_cellsDropped,
                           static_cast<std::uint64_t>(m_switch.Now()));
}

} // namespace via
} // namespace ns3
