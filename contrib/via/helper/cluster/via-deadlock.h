/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is left in a fabric when a run has ended: cells that wait for each other in a cycle, or
// none.

#ifndef VIA_DEADLOCK_H
#define VIA_DEADLOCK_H

#include "ns3/via-topology.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/// What the fabric of a run, or a partition's share of it, holds at the end.
struct FabricEnd
{
    std::vector<Endpoint> standing; ///< outputs of switches whose cells have not left the next one
    std::string violation; ///< an invariant that does not hold: cells are missing; empty: all hold
};

/// @return the end of what @p cluster has simulated
FabricEnd EndOfFabric(Cluster& cluster);

/**
 * @brief Names the links that wait for each other in a cycle, if nothing happens any more anywhere.
 *
 * If no event is left and a link still lacks credits, the cells in the buffer at its end are stuck.
 * These links, in the order in which packets take them, contain the cycle. Aborts if there is none
 * and cells are missing.
 * @param end of all partitions
 * @return "cells wait for buffer space in a cycle: s0.1 -> s1 lane 0, ..."; empty: no cycle
 */
std::string DeadlockOf(const Topology& topology, const FabricEnd& end);

} // namespace via
} // namespace ns3

#endif // VIA_DEADLOCK_H
