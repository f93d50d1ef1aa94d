/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is left in a fabric when a run has ended: cells that wait for each other in a cycle, or
// none.

#include "via-deadlock.h"

#include "ns3/abort.h"
#include "ns3/via-channel-graph.h"
#include "ns3/via-cluster.h"

#include <set>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Whether this partition, if there are several, has simulated switch @p index.
bool
IsOwn(const Cluster& cluster, std::uint32_t index)
{
    const RemoteLinks* links = cluster.GetFabric().GetRemoteLinks();
    return links == nullptr || links->Plan().switches[index] == links->Plan().self;
}

std::string
ViolationOf(const Cluster& cluster)
{
    for (const auto& one : cluster.GetFabric().Switches())
    {
        if (const std::string wrong = one == nullptr ? "" : one->Violation(); !wrong.empty())
        {
            return wrong;
        }
    }
    for (const Link* link : cluster.GetFabric().Links())
    {
        if (const std::string wrong = link->Violation(); !wrong.empty())
        {
            return wrong;
        }
    }
    return "";
}

} // namespace

FabricEnd
EndOfFabric(Cluster& cluster)
{
    FabricEnd end;
    const auto note = [&](const Endpoint& from) {
        if (IsOwn(cluster, from.index) &&
            cluster.GetFabric().Switches()[from.index]->Out(from.port).CellsOut() > 0)
        {
            end.standing.push_back(from);
        }
    };
    for (const Cable& cable : cluster.GetTopology().cables)
    {
        if (cable.a.isSwitch && cable.b.isSwitch)
        {
            note(cable.a);
            note(cable.b);
        }
    }
    end.violation = ViolationOf(cluster);
    return end;
}

std::string
DeadlockOf(const Topology& topology, const FabricEnd& end)
{
    std::vector<WireLane> cycle;
    if (!end.standing.empty()) // the channel graph takes time
    {
        std::set<std::pair<std::uint32_t, std::uint32_t>> standing;
        for (const Endpoint& from : end.standing)
        {
            standing.emplace(from.index, from.port);
        }
        const ChannelGraph graph(topology); // of the first plane; all are identical
        const auto count = static_cast<std::uint32_t>(topology.switches.size());
        for (std::uint32_t first = 0; first < count && cycle.empty(); first += topology.PlaneSize())
        {
            cycle = graph.CycleOf([&standing, first](const WireLane& channel) {
                return standing.count({first + channel.fromSwitch, channel.port}) > 0;
            });
            for (WireLane& channel : cycle)
            {
                channel.fromSwitch += first;
                channel.toSwitch += first;
            }
        }
    }
    NS_ABORT_MSG_IF(cycle.empty() && !end.violation.empty(), end.violation);
    return cycle.empty() ? "" : "cells wait for buffer space in a cycle: " + CycleText(cycle);
}

} // namespace via
} // namespace ns3
