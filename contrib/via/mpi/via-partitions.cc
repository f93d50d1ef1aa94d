/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The program that `via run --mpi-ranks R` starts R times with mpirun.

#include "via-partition-run.h"

#include <iostream>
#include <memory>

using namespace ns3::via;

namespace
{

/// A workload or programs, as the task says.
class TaskWork final : public PartitionWork
{
  public:
    Cluster& Build(const PartitionTask& task, const ClusterConfig& config) override
    {
        m_cluster = std::make_unique<Cluster>(config);
        task.AddTo(*m_cluster);
        return *m_cluster;
    }

    void Simulate() override
    {
        m_cluster->Simulate();
    }

    void Close() override
    {
        m_cluster.reset();
    }

  private:
    std::unique_ptr<Cluster> m_cluster;
};

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 3)
    {
        std::cerr << "usage: mpirun -np RANKS via-partitions TASK.json RESULT.json\n";
        return 2;
    }
    TaskWork work;
    return RunPartition(argv[1], argv[2], work);
}
