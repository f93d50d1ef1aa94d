/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The channel dependency graph: can packets on these routes wait for each other forever?

#include "via-channel-graph.h"

#include "ns3/via-error.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

std::string
WireLane::Name() const
{
    return "s" + std::to_string(fromSwitch) + "." + std::to_string(port) + " -> s" +
           std::to_string(toSwitch) + " lane " + std::to_string(lane);
}

ChannelGraph::ChannelGraph(const Topology& topology)
    : m_topology(topology),
      m_graph(topology),
      m_firstOf{0},
      m_routes(1)
{
    for (const SwitchShape& shape : topology.switches)
    {
        m_firstOf.push_back(m_firstOf.back() + shape.ports * topology.lanes);
    }
    m_after.resize(m_firstOf.back());
    Ids homes;
    for (const Endpoint& home : m_graph.hosts)
    {
        if (home.isSwitch)
        {
            homes.push_back(home.index);
        }
    }
    std::sort(homes.begin(), homes.end());
    homes.erase(std::unique(homes.begin(), homes.end()), homes.end());
    Walk walk;
    for (std::uint32_t first = 0; first < topology.hosts; first += RouteTable::PAGE)
    {
        RunControl::Check();
        Follow(first, homes, walk);
    }
}

std::uint32_t
ChannelGraph::IdOf(std::uint32_t from, std::uint32_t port, std::uint8_t lane) const
{
    return m_firstOf[from] + port * m_topology.lanes + lane;
}

const Route&
ChannelGraph::RouteFrom(std::uint32_t one, std::uint32_t destination) const
{
    const RouteTable& table = m_topology.switches[one].table;
    if (!table.Has(destination))
    {
        throw ConfigError("--topology",
                          m_topology.name,
                          "switch s" + std::to_string(one) + " has no route to host n" +
                              std::to_string(destination));
    }
    return table.To(destination);
}

/// Calls @p use with each port of switch @p one that a packet on @p route may take.
template <typename Use>
void
ChannelGraph::ForEachPort(std::uint32_t one, const Route& route, Use use) const
{
    const RouteTable& table = m_topology.switches[one].table;
    if (route.choice == 0 || table.selection == PortSelection::FIRST)
    {
        use(route.port);
        return;
    }
    for (const std::uint32_t port : table.choices[route.choice - 1])
    {
        use(port);
    }
}

void
ChannelGraph::Visit(Walk& walk, std::uint32_t one, HostSet hosts) const
{
    const HostSet fresh = hosts & ~walk.seen[one];
    if (fresh == 0)
    {
        return;
    }
    walk.seen[one] |= fresh;
    if (walk.pending[one] == 0)
    {
        walk.open.push_back(one);
    }
    walk.pending[one] |= fresh;
}

void
ChannelGraph::Follow(std::uint32_t first, const Ids& homes, Walk& walk)
{
    walk.seen.assign(m_topology.switches.size(), 0);
    walk.pending.assign(m_topology.switches.size(), 0);
    const std::uint32_t count = std::min(RouteTable::PAGE, m_topology.hosts - first);
    for (const std::uint32_t home : homes)
    {
        Visit(walk, home, ~HostSet{0} >> (RouteTable::PAGE - count));
    }
    while (!walk.open.empty())
    {
        const std::uint32_t one = walk.open.back();
        walk.open.pop_back();
        const HostSet hosts = std::exchange(walk.pending[one], 0);
        for (std::uint32_t i = 0; i < count; ++i)
        {
            if ((hosts >> i & 1) != 0)
            {
                FollowFrom(one, first + i, walk);
            }
        }
    }
}

void
ChannelGraph::FollowFrom(std::uint32_t one, std::uint32_t destination, Walk& walk)
{
    const Route& route = RouteFrom(one, destination);
    ForEachPort(one, route, [&](std::uint32_t port) {
        const Endpoint& peer = m_graph.switches[one][port];
        if (peer.isSwitch)
        {
            Note(IdOf(one, port, route.lane), peer.index, RouteFrom(peer.index, destination));
            Visit(walk, peer.index, HostSet{1} << destination % RouteTable::PAGE);
        }
    });
}

/// How many different routes switch @p one can have: by port or choice, then by lane.
std::uint32_t
ChannelGraph::RouteCount(std::uint32_t one) const
{
    const SwitchShape& shape = m_topology.switches[one];
    const auto choices = static_cast<std::uint32_t>(shape.table.choices.size());
    return (shape.ports + choices) * m_topology.lanes;
}

void
ChannelGraph::Note(std::uint32_t channel, std::uint32_t peer, const Route& route)
{
    if (m_after[channel] == 0)
    {
        m_after[channel] = m_routes.size();
        m_routes.resize(m_routes.size() + (RouteCount(peer) + 63) / 64);
    }
    const SwitchShape& shape = m_topology.switches[peer];
    const bool chooses = route.choice != 0 && shape.table.selection != PortSelection::FIRST;
    const std::uint32_t kind = chooses ? shape.ports + route.choice - 1 : route.port;
    const std::uint32_t bit = kind * m_topology.lanes + route.lane;
    m_routes[m_after[channel] + bit / 64] |= std::uint64_t{1} << bit % 64;
}

WireLane
ChannelGraph::ChannelOf(std::uint32_t id) const
{
    const auto after = std::upper_bound(m_firstOf.begin(), m_firstOf.end(), id);
    const auto from = static_cast<std::uint32_t>(after - m_firstOf.begin() - 1);
    const std::uint32_t within = id - m_firstOf[from];
    const std::uint32_t port = within / m_topology.lanes;
    return {from,
            port,
            static_cast<std::uint8_t>(within % m_topology.lanes),
            m_graph.switches[from][port].index};
}

/// The channels after @p id, ascending.
ChannelGraph::Ids
ChannelGraph::Followers(std::uint32_t id) const
{
    const std::uint32_t at = ChannelOf(id).toSwitch;
    const SwitchShape& shape = m_topology.switches[at];
    Ids followers;
    for (std::uint32_t bit = 0; bit < RouteCount(at); ++bit)
    {
        if ((m_routes[m_after[id] + bit / 64] >> bit % 64 & 1) == 0)
        {
            continue;
        }
        const std::uint32_t kind = bit / m_topology.lanes;
        const auto lane = static_cast<std::uint8_t>(bit % m_topology.lanes);
        const bool chooses = kind >= shape.ports;
        const Route route{static_cast<std::uint16_t>(kind),
                          lane,
                          static_cast<std::uint8_t>(chooses ? kind - shape.ports + 1 : 0)};
        ForEachPort(at, route, [&](std::uint32_t port) {
            if (m_graph.switches[at][port].isSwitch)
            {
                followers.push_back(IdOf(at, port, lane));
            }
        });
    }
    std::sort(followers.begin(), followers.end());
    followers.erase(std::unique(followers.begin(), followers.end()), followers.end());
    return followers;
}

std::size_t
ChannelGraph::ChannelCount() const
{
    return m_after.size() - static_cast<std::size_t>(std::count(m_after.begin(), m_after.end(), 0));
}

std::size_t
ChannelGraph::DependencyCount() const
{
    std::size_t count = 0;
    for (std::uint32_t id = 0; id < m_after.size(); ++id)
    {
        count += m_after[id] == 0 ? 0 : Followers(id).size();
    }
    return count;
}

std::vector<WireLane>
ChannelGraph::Cycle() const
{
    return CycleOf([](const WireLane&) { return true; });
}

std::vector<WireLane>
ChannelGraph::CycleOf(const std::function<bool(const WireLane&)>& counts) const
{
    std::vector<bool> counted(m_after.size());
    for (std::uint32_t id = 0; id < m_after.size(); ++id)
    {
        RunControl::Check();
        counted[id] = m_after[id] != 0 && counts(ChannelOf(id));
    }
    return CycleIn(counted);
}

/// The channels among @p counted from which a cycle of them can be reached.
std::vector<bool>
ChannelGraph::Left(const std::vector<bool>& counted) const
{
    enum State : std::uint8_t
    {
        UNKNOWN,
        OPEN,
        DONE
    };

    struct Step
    {
        std::uint32_t id;
        Ids followers; ///< not yet looked at
    };

    std::vector<State> states(m_after.size(), UNKNOWN);
    std::vector<bool> left(m_after.size());
    std::vector<Step> way;
    const auto enter = [&](std::uint32_t id) {
        RunControl::Check();
        states[id] = OPEN;
        way.push_back({id, Followers(id)});
    };
    for (std::uint32_t first = 0; first < counted.size(); ++first)
    {
        if (counted[first] && states[first] == UNKNOWN)
        {
            enter(first);
        }
        while (!way.empty())
        {
            Step& step = way.back();
            if (step.followers.empty())
            {
                states[step.id] = DONE;
                const bool isLeft = left[step.id];
                way.pop_back();
                if (isLeft && !way.empty())
                {
                    left[way.back().id] = true;
                }
                continue;
            }
            const std::uint32_t next = step.followers.back();
            step.followers.pop_back();
            if (counted[next] && states[next] == UNKNOWN)
            {
                enter(next);
            }
            else if (counted[next] && (states[next] == OPEN || left[next]))
            {
                left[step.id] = true;
            }
        }
    }
    return left;
}

std::vector<WireLane>
ChannelGraph::CycleIn(const std::vector<bool>& counted) const
{
    const std::vector<bool> left = Left(counted);
    const auto first = std::find(left.begin(), left.end(), true);
    if (first == left.end())
    {
        return {};
    }
    // each channel left waits for another one left: walk until a channel repeats
    Ids way;
    auto at = static_cast<std::uint32_t>(first - left.begin());
    auto again = way.end();
    while ((again = std::find(way.begin(), way.end(), at)) == way.end())
    {
        way.push_back(at);
        const Ids followers = Followers(at);
        at = *std::find_if(followers.begin(), followers.end(), [&left](std::uint32_t id) {
            return left[id];
        });
    }
    std::vector<WireLane> cycle;
    for (auto one = again; one != way.end(); ++one)
    {
        cycle.push_back(ChannelOf(*one));
    }
    return cycle;
}

std::string
CycleText(const std::vector<WireLane>& cycle)
{
    std::string text;
    for (const WireLane& channel : cycle)
    {
        text += (text.empty() ? "" : ", ") + channel.Name();
    }
    return text;
}

void
RequireNoDeadlock(const Topology& topology)
{
    const std::vector<WireLane> cycle = ChannelGraph(topology).Cycle();
    if (!cycle.empty())
    {
        throw ConfigError("--topology",
                          topology.name,
                          "routing=" + topology.routing +
                              " can deadlock on a lossless fabric: packets wait in a cycle for " +
                              CycleText(cycle) +
                              "; routing=up-down cannot deadlock, deadlock=allow accepts the risk");
    }
}

} // namespace via
} // namespace ns3
