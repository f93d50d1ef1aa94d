/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Finds the cycle of links that wait for each other in a deadlocked fabric.

#include "via-deadlock.h"

#include "ns3/via-channel-graph.h"
#include "ns3/via-cluster.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// Does a link between two switches have cells that are stuck?
bool
AnyStands(Cluster& cluster)
{
    const auto& cables = cluster.GetTopology().cables;
    return std::any_of(cables.begin(), cables.end(), [&cluster](const Cable& cable) {
        const auto stands = [&cluster](const Endpoint& end) {
            return cluster.GetFabric().Switches()[end.index]->Out(end.port).CellsOut() > 0;
        };
        return cable.a.isSwitch && cable.b.isSwitch && (stands(cable.a) || stands(cable.b));
    });
}

} // namespace

std::string
DeadlockOf(Cluster& cluster)
{
    if (!AnyStands(cluster)) // the channel graph takes time
    {
        return "";
    }
    const Topology& topology = cluster.GetTopology();
    const ChannelGraph graph(topology); // of the first plane; all are identical
    for (std::uint32_t first = 0; first < topology.switches.size(); first += topology.PlaneSize())
    {
        const auto stands = [&cluster, first](const WireLane& channel) {
            const Switch& one = *cluster.GetFabric().Switches()[first + channel.fromSwitch];
            return one.Out(channel.port).CellsOut() > 0;
        };
        std::vector<WireLane> cycle = graph.CycleOf(stands);
        for (WireLane& channel : cycle)
        {
            channel.fromSwitch += first;
            channel.toSwitch += first;
        }
        if (!cycle.empty())
        {
            return "cells wait for buffer space in a cycle: " + CycleText(cycle);
        }
    }
    return "";
}

} // namespace via
} // namespace ns3
