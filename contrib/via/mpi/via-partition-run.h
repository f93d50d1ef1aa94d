/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One partition of a run, in an OS process of its own that mpirun has started.

#ifndef VIA_PARTITION_RUN_H
#define VIA_PARTITION_RUN_H

#include "via-partition-task.h"

#include <string>

namespace ns3
{
namespace via
{

/// Who builds the cluster of a partition and simulates it.
class PartitionWork
{
  public:
    virtual ~PartitionWork() = default;

    /// Builds the cluster of @p config with the work of @p task. @throws ConfigError
    virtual Cluster& Build(const PartitionTask& task, const ClusterConfig& config) = 0;

    /// Simulates it to its end.
    virtual void Simulate() = 0;

    /// Removes the cluster, if it was built.
    virtual void Close() = 0;
};

/**
 * @brief Runs this OS process' partition of a task. Call it once.
 * @param from file with the task
 * @param to file that partition 0 writes: the result, or an error
 * @return exit code: 0, or 2 after an error
 */
int RunPartition(const std::string& from, const std::string& to, PartitionWork& work);

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_RUN_H
