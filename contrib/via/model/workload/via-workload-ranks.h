/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a workload has to know, and to tell, when its processes are on several ranks.

#ifndef VIA_WORKLOAD_RANKS_H
#define VIA_WORKLOAD_RANKS_H

#include "ns3/via-agenda.h"
#include "ns3/via-packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// The ranks of a run, as one of them sees it. Processes on others' nodes are not made.
class WorkloadRanks
{
  public:
    virtual ~WorkloadRanks() = default;

    /// Is @p node simulated here?
    virtual bool IsOurs(NodeId node) const = 0;

    /**
     * @brief Before time starts: numbers that only their own rank knows.
     * @param own as many on each rank; 0 where another rank knows
     * @return the same on all ranks
     */
    virtual std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) = 0;

    /// Who is told of what TellAll says; must outlive the run.
    virtual void SetListener(AgendaTarget* listener) = 0;

    /**
     * @brief On all ranks, this one too, the listener gets OnAgenda(0, @p data) as the last work
     * of @p node at one instant: a flight after @p at.
     */
    virtual void TellAll(NodeId node, Ps at, std::uint64_t data) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_RANKS_H
