/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Divides a topology into partitions so that few cables are cut.

#ifndef VIA_PARTITION_CUT_H
#define VIA_PARTITION_CUT_H

#include "ns3/via-partition-plan.h"

namespace ns3
{
namespace via
{

/**
 * @brief Divides @p topology so that few cables cross partitions, however its switches are
 * numbered.
 *
 * Each partition grows from a switch at the edge, always adding the switch that opens the fewest
 * cables, until it has its share of the hosts. This division and that of DivideBySwitch are then
 * improved by moving single switches to a neighbour's partition while that saves cables (Fiduccia
 * and Mattheyses 1982, without their uphill moves); the better one is returned. The result never
 * cuts more cables than DivideBySwitch. No partition has more hosts than an equal share plus one
 * switch, or than DivideBySwitch gives it. With fewer switches with hosts than partitions, the
 * result is that of DivideBySwitch.
 *
 * @param partitions see DivideBySwitch
 * @throws ConfigError see DivideBySwitch
 */
PartitionPlan DivideByCut(const Topology& topology, std::uint32_t partitions);

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_CUT_H
