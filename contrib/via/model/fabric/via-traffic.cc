/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Traffic without hosts: sources and sinks of packets at the edge of a fabric.

#include "via-traffic.h"

#include "ns3/via-scramble.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t LINK_CLOCK = 0;

} // namespace

TrafficNode::TrafficNode(World& world,
                         ComponentId id,
                         const Shared<TrafficPlan>& plan,
                         const Shared<LinkCosts>& links,
                         std::uint32_t nodes)
    : Component(world, id, "n" + std::to_string(id)),
      m_plan(plan),
      m_uplink(*this, links, LINK_CLOCK),
      m_nodes(nodes),
      m_partner(plan->Destination(id, 0, nodes)),
      m_newest(nodes, 0)
{
}

void
TrafficNode::Start()
{
    const bool waits = m_plan->load == TrafficPlan::ALL; // then one packet for each wire
    for (std::uint32_t i = 0; m_partner != Id() && i < (waits ? m_uplink.Costs().wires : 1); ++i)
    {
        PlanBirth(0); // not on the diagonal of a transposition
    }
}

void
TrafficNode::PlanBirth(std::uint64_t slot)
{
    const std::uint64_t end = m_plan->warmUpSlots + m_plan->slots;
    const std::uint64_t mine = Scramble(m_plan->seed ^ std::uint64_t{Id()} << 32);
    while (slot < end && m_plan->load < TrafficPlan::ALL &&
           Scramble(mine + 2 * slot + 1) % TrafficPlan::ALL >= m_plan->load)
    {
        ++slot;
    }
    if (slot < end)
    {
        Schedule(static_cast<Ps>(slot) * SlotTime(), SOURCE_PORT, this, BIRTH, slot);
    }
}

void
TrafficNode::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == CELL)
    {
        Take(*reinterpret_cast<Cell*>(data));
        return;
    }
    if (kind == CONGESTION)
    {
        m_held[static_cast<NodeId>(data)].until = Now() + m_feedbackPause;
        return;
    }
    if (kind == RELEASE)
    {
        Release(static_cast<NodeId>(data));
        return;
    }
    GiveBirth();
    if (m_plan->load < TrafficPlan::ALL)
    {
        PlanBirth(data + 1);
    }
}

void
TrafficNode::GiveBirth()
{
    Packet* packet = GetWorld().packets.NewPacket();
    packet->source = Id();
    packet->destination = m_plan->pattern == TrafficPattern::PERMUTATION
                              ? m_partner
                              : m_plan->Destination(Id(), m_born, m_nodes);
    packet->cells = m_plan->packetCells;
    packet->length = m_uplink.PayloadOf(packet->cells);
    packet->sequence = m_born++;
    packet->born = Now();
    if (!HoldBack(packet))
    {
        Send(packet);
    }
    else if (m_plan->load == TrafficPlan::ALL && Now() + SlotTime() < Until())
    {
        Schedule(Now() + SlotTime(), SOURCE_PORT, this, BIRTH); // one for another destination
    }
}

bool
TrafficNode::HoldBack(Packet* packet)
{
    const auto found = m_held.empty() ? m_held.end() : m_held.find(packet->destination);
    if (found == m_held.end() || (found->second.until <= Now() && found->second.packets.empty()))
    {
        return false;
    }
    if (found->second.packets.empty())
    {
        Schedule(found->second.until, SOURCE_PORT, this, RELEASE, packet->destination);
    }
    found->second.packets.push_back(packet);
    return true;
}

void
TrafficNode::Release(NodeId destination)
{
    Held& held = m_held[destination];
    if (held.until > Now())
    {
        Schedule(held.until, SOURCE_PORT, this, RELEASE, destination);
        return;
    }
    Packet* packet = held.packets.front();
    held.packets.pop_front();
    if (!held.packets.empty())
    {
        Schedule(Now() + SlotTime(), SOURCE_PORT, this, RELEASE, destination);
    }
    Send(packet);
}

void
TrafficNode::Send(Packet* packet)
{
    PacketPool& packets = GetWorld().packets;
    for (std::uint32_t number = 0; number < packet->cells; ++number)
    {
        Cell* cell = packets.NewCell(packet, number);
        cell->ready = {Now(), 0};
        m_out->Transmit(cell, this);
    }
    packets.Release(packet);
    m_count.sent += m_plan->packetCells;
}

void
TrafficNode::OnDeparture(const Cell& cell)
{
    if (m_plan->load == TrafficPlan::ALL && cell.ends && cell.departed < Until())
    {
        Schedule(std::max(cell.departed, Now()), SOURCE_PORT, this, BIRTH);
    }
}

void
TrafficNode::Take(Cell& cell)
{
    const Ps last = cell.last.at;
    if (cell.lost)
    {
        ++(cell.dropped ? m_count.dropped : m_count.spoiled);
    }
    else
    {
        ++m_count.delivered;
        m_count.measured += last > From() && last <= Until() ? 1 : 0;
    }
    const Packet& packet = *cell.packet;
    if (cell.index == 0)
    {
        std::uint64_t& newest = m_newest[packet.source];
        m_count.disordered += packet.sequence < newest ? 1 : 0;
        newest = std::max(newest, packet.sequence + 1);
    }
    if (cell.ends && !cell.lost && packet.born >= From() && packet.born < Until())
    {
        m_count.latencies.push_back(last - packet.born);
    }
    FreeRoom(cell);
    GetWorld().packets.Free(&cell);
}

void
TrafficNode::FreeRoom(const Cell& cell)
{
    if (!cell.roomGiven && !cell.vanished)
    {
        m_upstream->ReturnCredits(1, std::max(cell.last.at, Now()));
    }
}

} // namespace via
} // namespace ns3
