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

/// Which switch has packets that hold outputs and wait for each other's?
std::string
WormholeDeadlock(const Cluster& cluster)
{
    if (cluster.Profile().Word("switch.forwarding") == "wormhole")
    {
        for (const auto& one : cluster.Switches())
        {
            if (one->CellsIn() != one->CellsOut() + one->CellsDropped())
            {
                return "packets hold the outputs of " + one->Name() +
                       " that others wait for (switch.forwarding = wormhole)";
            }
        }
    }
    return "";
}

} // namespace

std::string
DeadlockOf(Cluster& cluster)
{
    const std::string worms = WormholeDeadlock(cluster);
    if (!worms.empty())
    {
        return worms;
    }
    if (!AnyStands(cluster)) // the graph of channels takes time
    {
        return "";
    }
    const auto stands = [&cluster](const WireLane& channel) {
        return cluster.Switches()[channel.fromSwitch]->Out(channel.port).CellsOut() > 0;
    };
    const std::string cycle = CycleText(ChannelGraph(cluster.GetTopology()).CycleOf(stands));
    return cycle.empty() ? "" : "cells wait for room in a circle: " + cycle;
}

} // namespace via
} // namespace ns3
