/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Finds the cycle of links that wait for each other in a deadlocked fabric.

#ifndef VIA_DEADLOCK_H
#define VIA_DEADLOCK_H

#include <string>

namespace ns3
{
namespace via
{

class Cluster;

/**
 * @brief Names the links that wait for each other in a cycle at the end of a run.
 *
 * If no event is left and a link still lacks credits, the cells in the buffer at its end are stuck.
 * These links, in the order in which packets take them, contain the cycle.
 * @return "cells wait for buffer space in a cycle: s0.1 -> s1 lane 0, ..."; empty: no cycle
 */
std::string DeadlockOf(Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_DEADLOCK_H
