/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The dragonfly: groups of routers, and routes that visit at most two groups.

#include "ns3/via-routing.h"
#include "ns3/via-topology-shapes.h"

namespace ns3
{
namespace via
{

namespace
{

/// The port numbers of a dragonfly's routers.
class DragonflyMap
{
  public:
    explicit DragonflyMap(const DragonflyShape& shape)
        : m_shape(shape)
    {
    }

    std::uint32_t Ports() const
    {
        return m_shape.hostsPerRouter + m_shape.routers - 1 + m_shape.globalPorts;
    }

    /// The port of router @p from, numbered in its group, to router @p to of the same group.
    std::uint32_t Local(std::uint32_t from, std::uint32_t to) const
    {
        return m_shape.hostsPerRouter + (to < from ? to : to - 1);
    }

    /// The cable of group @p from that goes to group @p to.
    static std::uint32_t CableTo(std::uint32_t from, std::uint32_t to)
    {
        return to < from ? to : to - 1;
    }

    /// The router, numbered in its group, that has cable @p cable of the group.
    std::uint32_t GateOf(std::uint32_t cable) const
    {
        return cable / m_shape.globalPorts;
    }

    Endpoint GlobalEnd(std::uint32_t from, std::uint32_t to) const
    {
        const std::uint32_t cable = CableTo(from, to);
        return {true,
                from * m_shape.routers + GateOf(cable),
                m_shape.hostsPerRouter + m_shape.routers - 1 + cable % m_shape.globalPorts};
    }

    /// Lane 0 up to the destination's group, lane 1 in it: a packet never returns to lane 0.
    Route Next(std::uint32_t from, std::uint32_t home) const
    {
        const std::uint32_t group = from / m_shape.routers;
        const std::uint32_t router = from % m_shape.routers;
        const std::uint32_t toGroup = home / m_shape.routers;
        if (group == toGroup)
        {
            return {static_cast<std::uint16_t>(Local(router, home % m_shape.routers)), 1};
        }
        const Endpoint gate = GlobalEnd(group, toGroup);
        const std::uint32_t port =
            gate.index == from ? gate.port : Local(router, gate.index % m_shape.routers);
        return {static_cast<std::uint16_t>(port)};
    }

  private:
    const DragonflyShape& m_shape;
};

void
AddCables(const DragonflyShape& shape, const DragonflyMap& map, Topology& topology)
{
    for (std::uint32_t host = 0; host < topology.hosts; ++host)
    {
        topology.cables.push_back(
            {{false, host, 0}, {true, host / shape.hostsPerRouter, host % shape.hostsPerRouter}});
    }
    for (std::uint32_t first = 0; first < shape.Switches(); first += shape.routers)
    {
        for (std::uint32_t a = 0; a < shape.routers; ++a)
        {
            for (std::uint32_t b = a + 1; b < shape.routers; ++b)
            {
                topology.cables.push_back(
                    {{true, first + a, map.Local(a, b)}, {true, first + b, map.Local(b, a)}});
            }
        }
    }
    for (std::uint32_t a = 0; a < shape.groups; ++a)
    {
        for (std::uint32_t b = a + 1; b < shape.groups; ++b)
        {
            topology.cables.push_back({map.GlobalEnd(a, b), map.GlobalEnd(b, a)});
        }
    }
}

} // namespace

std::uint64_t
DragonflyShape::Switches() const
{
    return std::uint64_t{routers} * groups;
}

Topology
Dragonfly(const DragonflyShape& shape, std::uint32_t hosts)
{
    const DragonflyMap map(shape);
    Topology topology;
    topology.name = "dragonfly:a=" + std::to_string(shape.routers) +
                    ",p=" + std::to_string(shape.hostsPerRouter) +
                    ",h=" + std::to_string(shape.globalPorts) +
                    ",g=" + std::to_string(shape.groups);
    topology.family = "dragonfly";
    topology.hosts = hosts;
    for (std::uint32_t one = 0; one < shape.Switches(); ++one)
    {
        topology.switches.push_back({map.Ports(), {}, {one / shape.routers, one % shape.routers}});
    }
    AddCables(shape, map, topology);
    FillRoutes(topology, [&map](std::uint32_t one, std::uint32_t home, std::uint32_t) {
        return map.Next(one, home);
    });
    topology.routing = "minimal";
    topology.lanes = 2;
    return topology;
}

} // namespace via
} // namespace ns3
