/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routes computed from the graph alone, for any family.

#include "via-routing.h"

#include "ns3/via-error.h"
#include "ns3/via-route-filler.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t FAR = UINT32_MAX;
constexpr std::size_t MOST_CHOICES = 255; // Route::choice has 8 bits

using Ports = std::vector<std::uint16_t>;

[[noreturn]] void
RefuseGap(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
    throw ConfigError("--topology",
                      topology.name,
                      "there is no path from switch s" + std::to_string(from) + " to switch s" +
                          std::to_string(to));
}

/// The hosts of each switch.
std::vector<std::vector<std::uint32_t>>
Residents(const Topology& topology, const Adjacency& graph)
{
    std::vector<std::vector<std::uint32_t>> residents(topology.switches.size());
    for (std::uint32_t host = 0; host < topology.hosts; ++host)
    {
        RunControl::Check();
        if (graph.hosts[host].isSwitch)
        {
            residents[graph.hosts[host].index].push_back(host);
        }
    }
    return residents;
}

/// Fills the tables of all switches; at first they contain only the port of each host on its own
/// switch.
RouteFiller
FillerFor(const Topology& topology, const Adjacency& graph)
{
    RouteFiller filler(topology);
    for (std::uint32_t host = 0; host < topology.hosts; ++host)
    {
        RunControl::Check();
        const Endpoint& home = graph.hosts[host];
        if (home.isSwitch)
        {
            filler.Set(home.index, host, {static_cast<std::uint16_t>(home.port)});
        }
    }
    return filler;
}

/// Assigns the ports of switch @p one to the hosts in turn.
void
Spread(RouteFiller& filler,
       std::uint32_t one,
       const std::vector<std::uint32_t>& hosts,
       const Ports& ports,
       std::uint8_t choice = 0)
{
    for (const std::uint32_t host : hosts)
    {
        filler.Set(one, host, {ports[host % ports.size()], 0, choice});
    }
}

/// Replaces the tables of all switches.
void
PutTables(Topology& topology, RouteFiller& filler)
{
    std::vector<RouteTable> tables = filler.Tables();
    for (std::size_t one = 0; one < tables.size(); ++one)
    {
        topology.switches[one].table = std::move(tables[one]);
    }
}

/// The ports of @p from that lead to a switch at distance @p wanted, ascending.
Ports
PortsAt(const Adjacency& graph,
        const std::vector<std::uint32_t>& distances,
        std::uint32_t from,
        std::uint32_t wanted)
{
    Ports ports;
    for (std::uint32_t port = 0; port < graph.switches[from].size(); ++port)
    {
        const Endpoint& peer = graph.switches[from][port];
        if (peer.isSwitch && distances[peer.index] == wanted)
        {
            ports.push_back(static_cast<std::uint16_t>(port));
        }
    }
    return ports;
}

/// The index of @p ports among the choices of a switch, from 1.
std::uint8_t
ChoiceOf(const Topology& topology, std::vector<Ports>& choices, const Ports& ports)
{
    const auto known = std::find(choices.begin(), choices.end(), ports);
    const auto index = static_cast<std::size_t>(known - choices.begin());
    if (known == choices.end())
    {
        choices.push_back(ports);
    }
    if (index >= MOST_CHOICES)
    {
        throw ConfigError("--topology",
                          topology.name,
                          "a switch has more than 255 different sets of ports to choose from; use "
                          "routing=shortest-path, which does not choose");
    }
    return static_cast<std::uint8_t>(index + 1);
}

/// Calls @p use(switch, distance, ports) for the path from each switch to @p home.
template <typename Use>
void
ForEachNearer(const Topology& topology, const Adjacency& graph, std::uint32_t home, Use use)
{
    const std::vector<std::uint32_t> distances = Distances(graph, home);
    for (std::uint32_t one = 0; one < distances.size(); ++one)
    {
        if (distances[one] == FAR)
        {
            RefuseGap(topology, one, home);
        }
        if (one != home)
        {
            use(one, PortsAt(graph, distances, one, distances[one] - 1));
        }
    }
}

/// The levels of up*, down*.
class Levels
{
  public:
    /// Paths to one home, by switch.
    struct Ways
    {
        std::vector<std::uint32_t> lengths; ///< in cables
        std::vector<bool> isDown;           ///< the whole path goes down
    };

    Levels(const Adjacency& graph, std::uint32_t root)
        : m_graph(graph),
          m_levels(Distances(graph, root)),
          m_order(m_levels.size())
    {
        for (std::uint32_t one = 0; one < m_order.size(); ++one)
        {
            m_order[one] = one;
        }
        std::sort(m_order.begin(), m_order.end(), [this](std::uint32_t a, std::uint32_t b) {
            return IsUp(b, a);
        });
    }

    /// The legal paths to @p home: down from each switch with a path down, else up first.
    Ways WaysTo(std::uint32_t home) const
    {
        Ways ways{std::vector<std::uint32_t>(m_levels.size(), FAR),
                  std::vector<bool>(m_levels.size())};
        ways.lengths[home] = 0;
        ways.isDown[home] = true;
        for (auto one = m_order.rbegin(); one != m_order.rend(); ++one) // from the lowest up
        {
            Improve(*one, true, ways);
        }
        for (const std::uint32_t one : m_order) // from the root down
        {
            if (!ways.isDown[one])
            {
                Improve(one, false, ways);
            }
        }
        return ways;
    }

    /// The next ports of @p ways from @p one.
    Ports PortsOn(const Ways& ways, std::uint32_t one) const
    {
        Ports ports;
        for (const std::uint16_t port : PortsAt(m_graph, ways.lengths, one, ways.lengths[one] - 1))
        {
            const std::uint32_t peer = m_graph.switches[one][port].index;
            const bool down = ways.isDown[one];
            if (IsUp(one, peer) != down && (!down || ways.isDown[peer]))
            {
                ports.push_back(port);
            }
        }
        return ports;
    }

  private:
    /// Does the step from @p from to its neighbour @p to go up?
    bool IsUp(std::uint32_t from, std::uint32_t to) const
    {
        return m_levels[to] < m_levels[from] || (m_levels[to] == m_levels[from] && to < from);
    }

    void Improve(std::uint32_t one, bool down, Ways& ways) const
    {
        for (const Endpoint& peer : m_graph.switches[one])
        {
            if (!peer.isSwitch || IsUp(one, peer.index) == down || ways.lengths[peer.index] == FAR)
            {
                continue;
            }
            if (ways.lengths[peer.index] + 1 < ways.lengths[one])
            {
                ways.lengths[one] = ways.lengths[peer.index] + 1;
                ways.isDown[one] = down;
            }
        }
    }

    const Adjacency& m_graph;
    std::vector<std::uint32_t> m_levels;
    std::vector<std::uint32_t> m_order; ///< the root first
};

} // namespace

std::vector<std::uint32_t>
Distances(const Adjacency& graph, std::uint32_t from)
{
    std::vector<std::uint32_t> distances(graph.switches.size(), FAR);
    std::vector<std::uint32_t> queue{from};
    distances[from] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        for (const Endpoint& peer : graph.switches[queue[at]])
        {
            if (peer.isSwitch && distances[peer.index] == FAR)
            {
                distances[peer.index] = distances[queue[at]] + 1;
                queue.push_back(peer.index);
            }
        }
    }
    return distances;
}

std::uint32_t
DiameterOf(const Topology& topology)
{
    const Adjacency graph(topology);
    std::uint32_t most = 0;
    for (std::uint32_t one = 0; one < topology.PlaneSize(); ++one) // all planes are identical
    {
        std::vector<std::uint32_t> distances = Distances(graph, one);
        distances.resize(topology.PlaneSize());
        const auto farthest = std::max_element(distances.begin(), distances.end());
        if (*farthest == FAR)
        {
            RefuseGap(topology, one, static_cast<std::uint32_t>(farthest - distances.begin()));
        }
        most = std::max(most, *farthest);
    }
    return most;
}

std::uint32_t
CentreOf(const Topology& topology)
{
    const Adjacency graph(topology);
    std::uint32_t best = 0;
    std::uint32_t least = FAR;
    for (std::uint32_t one = 0; one < topology.switches.size(); ++one)
    {
        const std::vector<std::uint32_t> distances = Distances(graph, one);
        const std::uint32_t farthest = *std::max_element(distances.begin(), distances.end());
        if (farthest < least)
        {
            least = farthest;
            best = one;
        }
    }
    return best;
}

namespace
{

/// Each switch sends to a neighbour nearer to the destination, or any of them.
void
RouteNearer(Topology& topology, PortSelection selection)
{
    const Adjacency graph(topology);
    const auto residents = Residents(topology, graph);
    RouteFiller filler = FillerFor(topology, graph);
    std::vector<std::vector<Ports>> choices(topology.switches.size());
    for (std::uint32_t home = 0; home < residents.size(); ++home)
    {
        RunControl::Check();
        if (residents[home].empty())
        {
            continue;
        }
        ForEachNearer(topology, graph, home, [&](std::uint32_t one, const Ports& ports) {
            const bool chooses = selection != PortSelection::FIRST && ports.size() > 1;
            const std::uint8_t choice =
                chooses ? ChoiceOf(topology, choices[one], ports) : std::uint8_t{0};
            Spread(filler, one, residents[home], ports, choice);
        });
    }
    PutTables(topology, filler);
    for (std::size_t one = 0; one < choices.size(); ++one)
    {
        topology.switches[one].table.choices = std::move(choices[one]);
        topology.switches[one].table.selection = selection;
    }
    topology.lanes = 1;
}

} // namespace

Topology
RouteShortestPath(Topology topology)
{
    RouteNearer(topology, PortSelection::FIRST);
    topology.routing = "shortest-path";
    return topology;
}

Topology
RouteAnyShortest(Topology topology, PortSelection selection)
{
    RouteNearer(topology, selection);
    topology.routing = selection == PortSelection::ADAPTIVE ? "adaptive" : "ecmp";
    return topology;
}

Topology
RouteUpDown(Topology topology, std::uint32_t root)
{
    const Adjacency graph(topology);
    const Levels levels(graph, root);
    const auto residents = Residents(topology, graph);
    RouteFiller filler = FillerFor(topology, graph);
    for (std::uint32_t home = 0; home < residents.size(); ++home)
    {
        RunControl::Check();
        if (residents[home].empty())
        {
            continue;
        }
        const Levels::Ways ways = levels.WaysTo(home);
        for (std::uint32_t one = 0; one < residents.size(); ++one)
        {
            if (ways.lengths[one] == FAR)
            {
                RefuseGap(topology, one, home);
            }
            if (one != home)
            {
                Spread(filler, one, residents[home], levels.PortsOn(ways, one));
            }
        }
    }
    PutTables(topology, filler);
    topology.routing = "up-down";
    topology.lanes = 1;
    return topology;
}

} // namespace via
} // namespace ns3
