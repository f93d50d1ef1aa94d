/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The channel dependency graph: can packets on these routes wait for each other forever?

#include "via-channel-graph.h"

#include "ns3/via-error.h"
#include "ns3/via-run-control.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

bool
IsSame(const Route& a, const Route& b)
{
    return a.port == b.port && a.lane == b.lane && a.choice == b.choice;
}

/// The channels left after repeatedly removing those that wait for no other.
std::vector<bool>
LeftByKahn(const std::vector<std::vector<std::uint32_t>>& followers)
{
    std::vector<std::vector<std::uint32_t>> before(followers.size());
    std::vector<std::size_t> open(followers.size());
    std::vector<std::uint32_t> free;
    for (std::uint32_t id = 0; id < followers.size(); ++id)
    {
        open[id] = followers[id].size();
        for (const std::uint32_t next : followers[id])
        {
            before[next].push_back(id);
        }
        if (open[id] == 0)
        {
            free.push_back(id);
        }
    }
    std::vector<bool> left(followers.size(), true);
    while (!free.empty())
    {
        const std::uint32_t id = free.back();
        free.pop_back();
        left[id] = false;
        for (const std::uint32_t one : before[id])
        {
            if (--open[one] == 0)
            {
                free.push_back(one);
            }
        }
    }
    return left;
}

} // namespace

std::string
WireLane::Name() const
{
    return "s" + std::to_string(fromSwitch) + "." + std::to_string(port) + " -> s" +
           std::to_string(toSwitch) + " lane " + std::to_string(lane);
}

ChannelGraph::ChannelGraph(const Topology& topology)
    : m_topology(topology),
      m_graph(topology),
      m_firstOf{0}
{
    for (const SwitchShape& shape : topology.switches)
    {
        m_firstOf.push_back(m_firstOf.back() + shape.ports * topology.lanes);
    }
    m_used.resize(m_firstOf.back());
    m_after.resize(m_firstOf.back());
    Ids seenFor(topology.switches.size(), UINT32_MAX);
    for (std::uint32_t host = 0; host < topology.hosts; ++host)
    {
        RunControl::Check();
        Follow(host, seenFor);
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
    return table.routes[destination];
}

ChannelGraph::Ids
ChannelGraph::PortsOf(std::uint32_t one, const Route& route) const
{
    const RouteTable& table = m_topology.switches[one].table;
    if (route.choice == 0 || table.selection == PortSelection::FIRST)
    {
        return {route.port};
    }
    const std::vector<std::uint16_t>& ports = table.choices[route.choice - 1];
    return {ports.begin(), ports.end()};
}

void
ChannelGraph::Follow(std::uint32_t destination, Ids& seenFor)
{
    Ids open;
    const auto visit = [&open, &seenFor, destination](std::uint32_t one) {
        if (seenFor[one] != destination)
        {
            seenFor[one] = destination;
            open.push_back(one);
        }
    };
    for (const Endpoint& home : m_graph.hosts)
    {
        if (home.isSwitch)
        {
            visit(home.index);
        }
    }
    while (!open.empty())
    {
        const std::uint32_t one = open.back();
        open.pop_back();
        const Route& route = RouteFrom(one, destination);
        for (const std::uint32_t port : PortsOf(one, route))
        {
            const Endpoint& peer = m_graph.switches[one][port];
            if (peer.isSwitch)
            {
                Note(IdOf(one, port, route.lane), RouteFrom(peer.index, destination));
                visit(peer.index);
            }
        }
    }
}

void
ChannelGraph::Note(std::uint32_t channel, const Route& route)
{
    m_used[channel] = true;
    std::vector<Route>& known = m_after[channel];
    if (std::none_of(known.begin(), known.end(), [&route](const Route& one) {
            return IsSame(one, route);
        }))
    {
        known.push_back(route);
    }
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

std::vector<ChannelGraph::Ids>
ChannelGraph::Followers() const
{
    std::vector<Ids> followers(m_used.size());
    for (std::uint32_t id = 0; id < m_used.size(); ++id)
    {
        RunControl::Check();
        for (const Route& route : m_after[id])
        {
            const std::uint32_t at = ChannelOf(id).toSwitch;
            for (const std::uint32_t port : PortsOf(at, route))
            {
                if (m_graph.switches[at][port].isSwitch)
                {
                    followers[id].push_back(IdOf(at, port, route.lane));
                }
            }
        }
        std::sort(followers[id].begin(), followers[id].end());
        const auto end = std::unique(followers[id].begin(), followers[id].end());
        followers[id].erase(end, followers[id].end());
    }
    return followers;
}

std::size_t
ChannelGraph::ChannelCount() const
{
    return static_cast<std::size_t>(std::count(m_used.begin(), m_used.end(), true));
}

std::size_t
ChannelGraph::DependencyCount() const
{
    std::size_t count = 0;
    for (const Ids& one : Followers())
    {
        count += one.size();
    }
    return count;
}

std::vector<WireLane>
ChannelGraph::Cycle() const
{
    return CycleIn(Followers());
}

std::vector<WireLane>
ChannelGraph::CycleOf(const std::function<bool(const WireLane&)>& counts) const
{
    std::vector<bool> counted(m_used.size());
    for (std::uint32_t id = 0; id < m_used.size(); ++id)
    {
        RunControl::Check();
        counted[id] = m_used[id] && counts(ChannelOf(id));
    }
    std::vector<Ids> followers = Followers();
    for (std::uint32_t id = 0; id < followers.size(); ++id)
    {
        RunControl::Check();
        const auto end = std::remove_if(
            followers[id].begin(),
            followers[id].end(),
            [&counted, id](std::uint32_t next) { return !counted[id] || !counted[next]; });
        followers[id].erase(end, followers[id].end());
    }
    return CycleIn(followers);
}

std::vector<WireLane>
ChannelGraph::CycleIn(const std::vector<Ids>& followers) const
{
    const std::vector<bool> left = LeftByKahn(followers);
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
        at = *std::find_if(followers[at].begin(), followers[at].end(), [&left](std::uint32_t id) {
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
