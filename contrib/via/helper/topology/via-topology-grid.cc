/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies in rows: chain, ring, mesh, torus and hypercube, with routes in dimension order.

#include "ns3/via-routing.h"
#include "ns3/via-topology-shapes.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

using Place = std::vector<std::uint32_t>;

/// The port numbers of a grid, and the routes of packets.
class GridMap
{
  public:
    explicit GridMap(const GridShape& shape)
        : m_shape(shape)
    {
        std::uint32_t next = shape.hostsPerSwitch;
        for (const std::uint32_t size : shape.sizes)
        {
            m_firstPort.push_back(next);
            next += std::min(size - 1, 2U);
        }
        m_ports = next;
    }

    std::uint32_t Ports() const
    {
        return m_ports;
    }

    /// The port towards the next or previous coordinate of @p dimension.
    std::uint32_t PortOf(std::size_t dimension, bool up) const
    {
        const bool both = m_shape.sizes[dimension] == 2;
        return m_firstPort[dimension] + (up || both ? 0 : 1);
    }

    bool WrapsIn(std::size_t dimension) const
    {
        return m_shape.wraps && m_shape.sizes[dimension] > 2;
    }

    bool WrapsAnywhere() const
    {
        bool wraps = false;
        for (std::size_t dimension = 0; dimension < m_shape.sizes.size(); ++dimension)
        {
            wraps = wraps || WrapsIn(dimension);
        }
        return wraps;
    }

    Place PlaceOf(std::uint32_t one) const
    {
        Place place;
        for (const std::uint32_t size : m_shape.sizes)
        {
            place.push_back(one % size);
            one /= size;
        }
        return place;
    }

    /// Takes the first dimension in which the two differ, in the shorter direction.
    Route Next(const Place& from, const Place& to) const
    {
        std::size_t dimension = 0;
        while (from[dimension] == to[dimension])
        {
            ++dimension;
        }
        const std::uint32_t here = from[dimension];
        const std::uint32_t there = to[dimension];
        const std::uint32_t size = m_shape.sizes[dimension];
        bool up = here < there;
        if (WrapsIn(dimension))
        {
            const std::uint32_t ahead = (there + size - here) % size;
            // with two equal directions, switches with even coordinates go up
            up = 2 * ahead < size || (2 * ahead == size && here % 2 == 0);
        }
        // Dally and Seitz: lane 1 while the end of the row is ahead, lane 0 after it. So no packet
        // that has passed the end waits for one that has not.
        const bool endAhead = up ? here > there : here < there;
        return {static_cast<std::uint16_t>(PortOf(dimension, up)),
                static_cast<std::uint8_t>(endAhead ? 1 : 0)};
    }

  private:
    const GridShape& m_shape;
    std::vector<std::uint32_t> m_firstPort; ///< by dimension
    std::uint32_t m_ports{0};
};

void
AddCables(const GridShape& shape, const GridMap& map, Topology& topology)
{
    for (std::uint32_t host = 0; host < topology.hosts; ++host)
    {
        topology.cables.push_back(
            {{false, host, 0}, {true, host / shape.hostsPerSwitch, host % shape.hostsPerSwitch}});
    }
    std::uint32_t stride = 1;
    for (std::size_t dimension = 0; dimension < shape.sizes.size(); ++dimension)
    {
        const std::uint32_t size = shape.sizes[dimension];
        for (std::uint32_t one = 0; one < topology.switches.size(); ++one)
        {
            const bool isLast = topology.switches[one].place[dimension] + 1 == size;
            if (!isLast || map.WrapsIn(dimension))
            {
                const std::uint32_t next = isLast ? one - (size - 1) * stride : one + stride;
                topology.cables.push_back({{true, one, map.PortOf(dimension, true)},
                                           {true, next, map.PortOf(dimension, false)}});
            }
        }
        stride *= size;
    }
}

/// The cables cut across the middle of an even dimension, which halves the hosts.
std::uint64_t
Bisection(const GridShape& shape, const GridMap& map)
{
    std::uint64_t least = 0;
    const std::uint32_t longest = *std::max_element(shape.sizes.begin(), shape.sizes.end());
    for (std::size_t dimension = 0; dimension < shape.sizes.size(); ++dimension)
    {
        const std::uint32_t size = shape.sizes[dimension];
        if (size == longest && size % 2 == 0)
        {
            least = shape.Switches() / size * (map.WrapsIn(dimension) ? 2 : 1);
        }
    }
    return std::min(least, shape.Switches() * shape.hostsPerSwitch / 2); // or cut hosts off
}

} // namespace

std::uint64_t
GridShape::Switches() const
{
    std::uint64_t count = 1;
    for (const std::uint32_t size : sizes)
    {
        count *= size;
    }
    return count;
}

Topology
Grid(const GridShape& shape, std::uint32_t hosts)
{
    const GridMap map(shape);
    Topology topology;
    topology.name = topology.family = "grid";
    topology.hosts = hosts;
    for (std::uint32_t one = 0; one < shape.Switches(); ++one)
    {
        topology.switches.push_back({map.Ports(), {}, map.PlaceOf(one)});
    }
    AddCables(shape, map, topology);
    FillRoutes(topology, [&](std::uint32_t one, std::uint32_t home, std::uint32_t) {
        return map.Next(topology.switches[one].place, topology.switches[home].place);
    });
    topology.routing = "dimension-order";
    topology.lanes = map.WrapsAnywhere() ? 2 : 1;
    const bool isFull = hosts == shape.Switches() * shape.hostsPerSwitch;
    topology.bisection = isFull ? Bisection(shape, map) : 0;
    return topology;
}

} // namespace via
} // namespace ns3
