/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A fabric that stands still: whose cells wait for whose room.

#ifndef VIA_DEADLOCK_H
#define VIA_DEADLOCK_H

#include <string>

namespace ns3
{
namespace via
{

class Cluster;

/**
 * @brief Says which links of a run that is over wait for each other in a circle.
 *
 * A link whose credits are not home, though nothing is left to happen, ends at a buffer whose cells
 * cannot go on. Those links, and the order in which packets take them, hold the cycle.
 * @return "cells wait for room in a circle: s0.1 -> s1 lane 0, ..."; empty: there is none
 */
std::string DeadlockOf(Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_DEADLOCK_H
