/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs on several ranks: which rank simulates which host and switch.

#include "via-rank-plan.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <map>
#include <string>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t UNDECIDED = UINT32_MAX;

void
CheckRanks(const Topology& topology, std::uint32_t ranks)
{
    const std::uint32_t most = std::min(topology.hosts, MOST_RANKS);
    if (ranks < 1 || ranks > most)
    {
        throw ConfigError("--mpi-ranks",
                          std::to_string(ranks),
                          "a whole number from 1 to " + std::to_string(most) +
                              ": no rank without a host, and " + std::to_string(MOST_RANKS) +
                              " at the most");
    }
}

/// Hosts on each switch.
std::vector<std::uint32_t>
HostsOn(const Topology& topology, const Adjacency& graph)
{
    std::vector<std::uint32_t> hosts(topology.switches.size(), 0);
    for (const Endpoint& end : graph.hosts)
    {
        if (end.isSwitch && end.index != Endpoint::NOWHERE)
        {
            ++hosts[end.index];
        }
    }
    return hosts;
}

/// The rank that most decided neighbours of switch @p index have, the lowest of several.
std::uint32_t
RankOfMost(const RankPlan& plan, const std::vector<Endpoint>& neighbours)
{
    std::map<std::uint32_t, std::uint32_t> votes;
    for (const Endpoint& end : neighbours)
    {
        if (end.index != Endpoint::NOWHERE && plan.RankOf(end) != UNDECIDED)
        {
            ++votes[plan.RankOf(end)];
        }
    }
    std::uint32_t best = UNDECIDED;
    for (const auto& [rank, count] : votes)
    {
        best = best == UNDECIDED || count > votes[best] ? rank : best;
    }
    return best;
}

/// The switches that have no rank yet go with their neighbours, level by level.
void
SpreadToSwitches(RankPlan& plan, const Adjacency& graph)
{
    for (bool goesOn = true; goesOn;)
    {
        goesOn = false;
        const RankPlan before = plan;
        for (std::size_t i = 0; i < plan.switches.size(); ++i)
        {
            if (before.switches[i] == UNDECIDED)
            {
                plan.switches[i] = RankOfMost(before, graph.switches[i]);
                goesOn = goesOn || plan.switches[i] != UNDECIDED;
            }
        }
    }
    std::replace(plan.switches.begin(), plan.switches.end(), UNDECIDED, 0U);
}

void
HostsFollow(RankPlan& plan, const Adjacency& graph)
{
    for (std::size_t host = 0; host < plan.hosts.size(); ++host)
    {
        const Endpoint& end = graph.hosts[host];
        plan.hosts[host] = end.isSwitch ? plan.switches[end.index] : 0;
    }
}

} // namespace

std::uint32_t
RankPlan::CountCuts(const Topology& topology) const
{
    return static_cast<std::uint32_t>(
        std::count_if(topology.cables.begin(), topology.cables.end(), [this](const Cable& cable) {
            return RankOf(cable.a) != RankOf(cable.b);
        }));
}

RankPlan
DivideBySwitch(const Topology& topology, std::uint32_t ranks)
{
    CheckRanks(topology, ranks);
    const Adjacency graph(topology);
    const std::vector<std::uint32_t> hosts = HostsOn(topology, graph);
    const auto edges = static_cast<std::uint32_t>(
        std::count_if(hosts.begin(), hosts.end(), [](std::uint32_t n) { return n > 0; }));
    RankPlan plan;
    plan.ranks = ranks;
    plan.hosts.assign(topology.hosts, UNDECIDED);
    plan.switches.assign(topology.switches.size(), UNDECIDED);
    if (edges < ranks)
    {
        for (std::uint64_t host = 0; host < topology.hosts; ++host)
        {
            plan.hosts[host] = static_cast<std::uint32_t>(host * ranks / topology.hosts);
        }
        SpreadToSwitches(plan, graph);
        return plan;
    }
    std::uint64_t edge = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        if (hosts[i] > 0)
        {
            plan.switches[i] = static_cast<std::uint32_t>(edge++ * ranks / edges);
        }
    }
    HostsFollow(plan, graph);
    SpreadToSwitches(plan, graph);
    return plan;
}

RankPlan
DivideAsTold(const Topology& topology,
             std::uint32_t ranks,
             const std::vector<std::uint32_t>& switches)
{
    CheckRanks(topology, ranks);
    if (switches.size() != topology.switches.size())
    {
        throw ConfigError("--rank-of-switch",
                          std::to_string(switches.size()) + " ranks",
                          "the topology " + topology.name + " has " +
                              std::to_string(topology.switches.size()) + " switches");
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
    {
        if (std::find(switches.begin(), switches.end(), rank) == switches.end())
        {
            throw ConfigError("--rank-of-switch",
                              "nothing for rank " + std::to_string(rank),
                              "each of the " + std::to_string(ranks) + " ranks has a switch");
        }
    }
    for (const std::uint32_t rank : switches)
    {
        if (rank >= ranks)
        {
            throw ConfigError("--rank-of-switch",
                              std::to_string(rank),
                              "ranks count from 0 to " + std::to_string(ranks - 1));
        }
    }
    RankPlan plan;
    plan.ranks = ranks;
    plan.switches = switches;
    plan.hosts.assign(topology.hosts, 0);
    HostsFollow(plan, Adjacency(topology));
    return plan;
}

} // namespace via
} // namespace ns3
