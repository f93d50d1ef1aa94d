/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs on several ranks: where the fewest cables have to be cut.

#ifndef VIA_RANK_CUT_H
#define VIA_RANK_CUT_H

#include "ns3/via-rank-plan.h"

namespace ns3
{
namespace via
{

/**
 * @brief Divides @p topology so that few cables lie between two ranks, whatever the numbers of its
 * switches.
 *
 * Each rank grows from a switch at the rim, switch by switch, the one that adds fewest open cables
 * first, until it has its share of the hosts. That, and the division by switch, are improved by
 * moving single switches to a neighbour's rank while that saves cables (Fiduccia and Mattheyses
 * 1982, without their steps uphill); the better one is returned. So it never cuts more cables than
 * DivideBySwitch, and no rank has more hosts than an equal share and one switch more, or than
 * there. With fewer switches with hosts than ranks it is DivideBySwitch.
 *
 * @param ranks as for DivideBySwitch
 * @throws ConfigError as DivideBySwitch
 */
RankPlan DivideByCut(const Topology& topology, std::uint32_t ranks);

} // namespace via
} // namespace ns3

#endif // VIA_RANK_CUT_H
