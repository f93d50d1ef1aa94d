/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults as data: what is to go wrong in a run.

#ifndef VIA_FAULT_PLAN_H
#define VIA_FAULT_PLAN_H

#include "ns3/via-link.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Some wires spoil cells.
struct LossRule
{
    std::string where{"all"}; ///< "all" wires; those of host "n<i>"; those of switch "s<i>"
    LinkLoss loss;            ///< in each direction
};

/**
 * @brief All faults of a run.
 *
 * As a file:
 *
 *     schema = "via-faults/1"
 *     [[loss]]
 *     where = "all"             # or "n3", or "s0"
 *     corrupt_ppb = 10000000    # cells per 10^9 that arrive damaged: 1 %
 *     vanish_ppb = 1000000      # and that do not arrive: 0.1 %
 *
 * A later rule takes the place of an earlier one on the wires that both name.
 */
struct FaultPlan
{
    std::vector<LossRule> losses;

    /// @throws ConfigError naming file, line and what is allowed
    static FaultPlan Read(const std::string& path);

    /// @throws ConfigError if a rule names what is not there, or more than all cells
    void Check(std::uint32_t hosts, std::uint32_t switches) const;

    /// The loss of a wire between @p a and @p b, components by their names.
    LinkLoss LossBetween(const std::string& a, const std::string& b) const;
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_PLAN_H
