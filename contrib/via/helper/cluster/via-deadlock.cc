/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A fabric that stands still: whose cells wait for whose room.

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

/// Has a link between two switches cells that went nowhere?
bool
AnyStands(Cluster& cluster)
{
    const auto& cables = cluster.GetTopology().cables;
    return std::any_of(cables.begin(), cables.end(), [&cluster](const Cable& cable) {
        const auto stands = [&cluster](const Endpoint& end) {
            return cluster.Switches()[end.index]->Out(end.port).CellsOut() > 0;
        };
        return cable.a.isSwitch && cable.b.isSwitch && (stands(cable.a) || stands(cable.b));
    });
}

} // namespace

std::string
DeadlockOf(Cluster& cluster)
{
    if (!AnyStands(cluster)) // the graph of channels takes time
    {
        return "";
    }
    const Topology& topology = cluster.GetTopology();
    const ChannelGraph graph(topology); // of the first plane; all are alike
    for (std::uint32_t first = 0; first < topology.switches.size(); first += topology.PlaneSize())
    {
        const auto stands = [&cluster, first](const WireLane& channel) {
            const Switch& one = *cluster.Switches()[first + channel.fromSwitch];
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
            return "cells wait for room in a circle: " + CycleText(cycle);
        }
    }
    return "";
}

} // namespace via
} // namespace ns3
