/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies in levels: k-ary n-trees and Clos networks.

#include "ns3/via-routing.h"
#include "ns3/via-run-control.h"
#include "ns3/via-topology-shapes.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// base^exponent; the callers' bounds keep it small.
std::uint64_t
Power(std::uint64_t base, std::uint32_t exponent)
{
    std::uint64_t result = 1;
    for (std::uint32_t i = 0; i < exponent; ++i)
    {
        result *= base;
    }
    return result;
}

/// Numbers the switches of a fat tree that present hosts use.
struct TreeShape
{
    std::uint32_t k;
    std::uint32_t n;
    std::uint32_t hosts;

    /**
     * Number of switches on a level; level 0 is next to the hosts. Above digit l, switch w of level
     * l has the same digits as its hosts; the l digits below number the switches of the group. Only
     * groups with a present host exist.
     */
    std::uint64_t CountOf(std::uint32_t level) const
    {
        const std::uint64_t group = Power(k, level + 1); // hosts below one group
        return (hosts + group - 1) / group * Power(k, level);
    }

    std::uint64_t FirstOf(std::uint32_t level) const
    {
        std::uint64_t first = 0;
        for (std::uint32_t l = 0; l < level; ++l)
        {
            first += CountOf(l);
        }
        return first;
    }
};

/// The routes of the switches of one level. Switches of a group have the same.
class TreeRoutes
{
  public:
    TreeRoutes(const TreeShape& tree, std::uint32_t level, const std::shared_ptr<RoutePool>& pool)
        : m_tree(tree),
          m_step(Power(tree.k, level)),
          m_pool(pool)
    {
        for (std::uint64_t first = 0; first < tree.hosts; first += RouteTable::PAGE)
        {
            m_up.push_back(pool->Keep(PageFrom(first, NO_GROUP)));
        }
    }

    /// Hosts below one of its down ports.
    std::uint64_t Step() const
    {
        return m_step;
    }

    /// The table of the switches of @p group, whose hosts are below them; all others are above.
    RouteTable Of(std::uint64_t group) const
    {
        const std::uint64_t below = m_step * m_tree.k;
        const std::uint64_t end = std::min((group + 1) * below, std::uint64_t{m_tree.hosts});
        RoutePool::Pages pages = m_up;
        for (std::uint64_t page = group * below / RouteTable::PAGE; page * RouteTable::PAGE < end;
             ++page)
        {
            pages[page] = m_pool->Keep(PageFrom(page * RouteTable::PAGE, group));
        }
        return {m_tree.hosts, std::move(pages), m_pool};
    }

  private:
    static constexpr std::uint64_t NO_GROUP = UINT64_MAX;

    /// Down ports 0 .. k-1, up ports k .. 2k-1.
    RoutePage PageFrom(std::uint64_t first, std::uint64_t group) const
    {
        RoutePage page;
        const std::uint64_t count = std::min<std::uint64_t>(page.size(), m_tree.hosts - first);
        for (std::uint64_t i = 0; i < count; ++i)
        {
            const std::uint64_t digit = (first + i) / m_step % m_tree.k;
            const bool down = (first + i) / m_step / m_tree.k == group;
            // up: destination modulo k, digit by digit from the lowest
            page[i] = {static_cast<std::uint16_t>(down ? digit : m_tree.k + digit)};
        }
        return page;
    }

    const TreeShape& m_tree;
    std::uint64_t m_step;
    std::shared_ptr<RoutePool> m_pool;
    RoutePool::Pages m_up; ///< all hosts are above
};

void
AddTreeSwitches(const TreeShape& tree,
                std::uint32_t level,
                const std::shared_ptr<RoutePool>& pool,
                Topology& topology)
{
    const TreeRoutes routes(tree, level, pool);
    SwitchShape shape;
    shape.ports = level + 1 == tree.n ? tree.k : 2 * tree.k;
    for (std::uint64_t place = 0; place < tree.CountOf(level); ++place)
    {
        RunControl::Check();
        shape.place = {level, static_cast<std::uint32_t>(place)};
        if (place % routes.Step() == 0)
        {
            shape.table = routes.Of(place / routes.Step());
        }
        topology.switches.push_back(shape);
    }
}

/// The cables from the switches of a level to those above.
void
AddTreeCables(const TreeShape& tree, std::uint32_t level, Topology& topology)
{
    const std::uint64_t width = Power(tree.k, level);
    const std::uint64_t first = tree.FirstOf(level);
    const std::uint64_t firstAbove = tree.FirstOf(level + 1);
    for (std::uint64_t place = 0; place < tree.CountOf(level); ++place)
    {
        const std::uint64_t group = place / width;
        const std::uint64_t within = place % width;
        for (std::uint32_t up = 0; up < tree.k; ++up)
        {
            const std::uint64_t above = group / tree.k * width * tree.k + up * width + within;
            topology.cables.push_back(
                {{true, static_cast<std::uint32_t>(first + place), tree.k + up},
                 {true,
                  static_cast<std::uint32_t>(firstAbove + above),
                  static_cast<std::uint32_t>(group % tree.k)}});
        }
    }
}

} // namespace

Topology
FatTree(std::uint32_t k, std::uint32_t n, std::uint32_t hosts)
{
    const TreeShape tree{k, n, hosts};
    const auto pool = std::make_shared<RoutePool>();
    Topology topology;
    topology.name = "fat-tree:k=" + std::to_string(k) + ",n=" + std::to_string(n);
    topology.family = "tree";
    topology.hosts = hosts;
    std::uint64_t cables = hosts;
    for (std::uint32_t level = 0; level < n; ++level)
    {
        AddTreeSwitches(tree, level, pool, topology);
        cables += level + 1 < n ? tree.CountOf(level) * k : 0;
    }
    topology.cables.reserve(cables); // a vector that grows has up to twice the room
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        topology.cables.push_back({{false, host, 0}, {true, host / k, host % k}});
    }
    for (std::uint32_t level = 0; level + 1 < n; ++level)
    {
        AddTreeCables(tree, level, topology);
    }
    topology.routing = "d-mod-k";
    topology.bisection = hosts == Power(k, n) && k % 2 == 0 ? hosts / 2 : 0;
    return topology;
}

Topology
Clos(const ClosShape& shape, std::uint32_t hosts)
{
    Topology topology;
    topology.name = "clos:m=" + std::to_string(shape.spines) +
                    ",n=" + std::to_string(shape.hostsPerLeaf) +
                    ",r=" + std::to_string(shape.leaves);
    topology.family = "tree";
    topology.hosts = hosts;
    for (std::uint32_t leaf = 0; leaf < shape.leaves; ++leaf)
    {
        topology.switches.push_back({shape.hostsPerLeaf + shape.spines, {}, {0, leaf}});
    }
    for (std::uint32_t spine = 0; spine < shape.spines; ++spine)
    {
        topology.switches.push_back({shape.leaves, {}, {1, spine}});
    }
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        topology.cables.push_back(
            {{false, host, 0}, {true, host / shape.hostsPerLeaf, host % shape.hostsPerLeaf}});
    }
    for (std::uint32_t leaf = 0; leaf < shape.leaves; ++leaf)
    {
        for (std::uint32_t spine = 0; spine < shape.spines; ++spine)
        {
            topology.cables.push_back(
                {{true, leaf, shape.hostsPerLeaf + spine}, {true, shape.leaves + spine, leaf}});
        }
    }
    FillRoutes(topology, [&shape](std::uint32_t one, std::uint32_t home, std::uint32_t host) {
        const std::uint32_t up = shape.hostsPerLeaf + host % shape.spines;
        return Route{static_cast<std::uint16_t>(one < shape.leaves ? up : home)};
    });
    topology.routing = "d-mod-k";
    const bool isFull = hosts == shape.hostsPerLeaf * shape.leaves && shape.leaves % 2 == 0;
    const std::uint64_t cables = std::min(shape.hostsPerLeaf, shape.spines); // cut per leaf
    topology.bisection = isFull ? cables * shape.leaves / 2 : 0;
    return topology;
}

} // namespace via
} // namespace ns3
