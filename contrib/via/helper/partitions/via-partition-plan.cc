/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Assigns hosts and switches to the partitions of a parallel run.

#include "via-partition-plan.h"

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
CheckPartitions(const Topology& topology, std::uint32_t partitions)
{
    const std::uint32_t most = std::min(topology.hosts, MOST_PARTITIONS);
    if (partitions < 1 || partitions > most)
    {
        throw ConfigError("--mpi-ranks",
                          std::to_string(partitions),
                          "a whole number from 1 to " + std::to_string(most) +
                              ": each partition needs a host, and there can be at most " +
                              std::to_string(MOST_PARTITIONS));
    }
}

/// Number of hosts on each switch.
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

/// The most frequent partition among the neighbours that @p plan has assigned; of several, the one
/// that has the fewest switches so far.
std::uint32_t
PartitionOfMost(const PartitionPlan& plan,
                const std::vector<Endpoint>& neighbours,
                const std::vector<std::uint32_t>& switches)
{
    std::map<std::uint32_t, std::uint32_t> votes;
    for (const Endpoint& end : neighbours)
    {
        if (end.index != Endpoint::NOWHERE && plan.PartitionOf(end) != UNDECIDED)
        {
            ++votes[plan.PartitionOf(end)];
        }
    }
    std::uint32_t best = UNDECIDED;
    for (const auto& [partition, count] : votes)
    {
        if (best == UNDECIDED || count > votes[best] ||
            (count == votes[best] && switches[partition] < switches[best]))
        {
            best = partition;
        }
    }
    return best;
}

/// Assigns the remaining switches to their neighbours' partitions, level by level.
void
SpreadToSwitches(PartitionPlan& plan, const Adjacency& graph)
{
    std::vector<std::uint32_t> switches(plan.partitions, 0);
    for (const std::uint32_t partition : plan.switches)
    {
        if (partition != UNDECIDED)
        {
            ++switches[partition];
        }
    }
    for (bool goesOn = true; goesOn;)
    {
        goesOn = false;
        const PartitionPlan before = plan;
        for (std::size_t i = 0; i < plan.switches.size(); ++i)
        {
            if (before.switches[i] != UNDECIDED)
            {
                continue;
            }
            const std::uint32_t best = PartitionOfMost(before, graph.switches[i], switches);
            if (best != UNDECIDED)
            {
                plan.switches[i] = best;
                ++switches[best];
                goesOn = true;
            }
        }
    }
    std::replace(plan.switches.begin(), plan.switches.end(), UNDECIDED, 0U);
}

void
HostsFollow(PartitionPlan& plan, const Adjacency& graph)
{
    for (std::size_t host = 0; host < plan.hosts.size(); ++host)
    {
        const Endpoint& end = graph.hosts[host];
        plan.hosts[host] = end.isSwitch ? plan.switches[end.index] : 0;
    }
}

/// Sets @p field of all switches to the distance from the nearest switch with @p isSource.
void
Measure(const Adjacency& graph,
        const std::vector<bool>& isSource,
        std::vector<OutsideDistance>& all,
        std::uint32_t OutsideDistance::*field)
{
    std::vector<std::uint32_t> reached;
    for (std::uint32_t i = 0; i < all.size(); ++i)
    {
        if (isSource[i])
        {
            all[i].*field = 0;
            reached.push_back(i);
        }
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const std::uint32_t from = reached[i];
        for (const Endpoint& next : graph.switches[from])
        {
            if (next.isSwitch && next.index != Endpoint::NOWHERE &&
                all[next.index].*field == OutsideDistance::UNREACHED)
            {
                all[next.index].*field = all[from].*field + 1;
                reached.push_back(next.index);
            }
        }
    }
}

} // namespace

std::uint32_t
PartitionPlan::CountCuts(const Topology& topology) const
{
    return static_cast<std::uint32_t>(
        std::count_if(topology.cables.begin(), topology.cables.end(), [this](const Cable& cable) {
            return PartitionOf(cable.a) != PartitionOf(cable.b);
        }));
}

PartitionPlan
DivideBySwitch(const Topology& topology, std::uint32_t partitions)
{
    CheckPartitions(topology, partitions);
    const Adjacency graph(topology);
    const std::vector<std::uint32_t> hosts = HostsOn(topology, graph);
    const auto edges = static_cast<std::uint32_t>(
        std::count_if(hosts.begin(), hosts.end(), [](std::uint32_t n) { return n > 0; }));
    PartitionPlan plan;
    plan.partitions = partitions;
    plan.hosts.assign(topology.hosts, UNDECIDED);
    plan.switches.assign(topology.switches.size(), UNDECIDED);
    if (edges < partitions)
    {
        for (std::uint64_t host = 0; host < topology.hosts; ++host)
        {
            plan.hosts[host] = static_cast<std::uint32_t>(host * partitions / topology.hosts);
        }
        SpreadToSwitches(plan, graph);
        return plan;
    }
    std::uint64_t edge = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        if (hosts[i] > 0)
        {
            plan.switches[i] = static_cast<std::uint32_t>(edge++ * partitions / edges);
        }
    }
    HostsFollow(plan, graph);
    SpreadToSwitches(plan, graph);
    return plan;
}

PartitionPlan
DivideAsTold(const Topology& topology,
             std::uint32_t partitions,
             const std::vector<std::uint32_t>& switches)
{
    CheckPartitions(topology, partitions);
    if (switches.size() != topology.switches.size())
    {
        throw ConfigError("--partition-of-switch",
                          std::to_string(switches.size()) + " partitions",
                          "the topology " + topology.name + " has " +
                              std::to_string(topology.switches.size()) + " switches");
    }
    for (std::uint32_t partition = 0; partition < partitions; ++partition)
    {
        if (std::find(switches.begin(), switches.end(), partition) == switches.end())
        {
            throw ConfigError("--partition-of-switch",
                              "no switch for partition " + std::to_string(partition),
                              "each of the " + std::to_string(partitions) +
                                  " partitions needs a switch");
        }
    }
    for (const std::uint32_t partition : switches)
    {
        if (partition >= partitions)
        {
            throw ConfigError("--partition-of-switch",
                              std::to_string(partition),
                              "partitions are 0 to " + std::to_string(partitions - 1));
        }
    }
    PartitionPlan plan;
    plan.partitions = partitions;
    plan.switches = switches;
    plan.hosts.assign(topology.hosts, 0);
    HostsFollow(plan, Adjacency(topology));
    return plan;
}

std::vector<OutsideDistance>
DistancesFromOutside(const PartitionPlan& plan, const Topology& topology)
{
    const Adjacency graph(topology);
    std::vector<bool> hasHost(topology.switches.size(), false);
    std::vector<bool> isElsewhere(topology.switches.size(), false);
    for (const Cable& cable : topology.cables)
    {
        const Endpoint& host = cable.a.isSwitch ? cable.b : cable.a;
        const Endpoint& other = cable.a.isSwitch ? cable.a : cable.b;
        if (other.isSwitch && !host.isSwitch && !plan.IsOurs(host))
        {
            hasHost[other.index] = true;
        }
    }
    for (std::uint32_t i = 0; i < isElsewhere.size(); ++i)
    {
        isElsewhere[i] = plan.switches[i] != plan.self;
    }
    std::vector<OutsideDistance> all(topology.switches.size());
    Measure(graph, hasHost, all, &OutsideDistance::hosts);
    Measure(graph, isElsewhere, all, &OutsideDistance::switches);
    return all;
}

} // namespace via
} // namespace ns3
