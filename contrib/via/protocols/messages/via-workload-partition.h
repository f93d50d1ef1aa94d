/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exchanges data between the partitions of a workload.

#ifndef VIA_WORKLOAD_PARTITION_H
#define VIA_WORKLOAD_PARTITION_H

#include "ns3/via-agenda.h"
#include "ns3/via-packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// The partitions of a run, as seen by one of them. It makes only the processes on its own nodes.
class WorkloadPartition
{
  public:
    /// Words come after all other work of a node at one instant.
    static constexpr AgendaPort WORD_PORT = 0xf000'0000;

    virtual ~WorkloadPartition() = default;

    /// Does this partition simulate @p node?
    virtual bool IsOurs(NodeId node) const = 0;

    /**
     * @brief Combines, before time starts, numbers that only one partition knows.
     * @param own as many numbers on each partition; 0 where another partition knows the number
     * @return the combined numbers, the same on all partitions
     */
    virtual std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) = 0;

    /// Sets the receiver of TellAll; must outlive the run.
    virtual void SetListener(AgendaTarget* listener) = 0;

    /**
     * @brief Calls OnAgenda(0, @p data) of the listener on all partitions, including this one, as
     * the last work of @p node at @p due, which is at least the longest flight of a cable from now.
     */
    virtual void TellAll(NodeId node, Ps due, std::uint64_t data) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_PARTITION_H
