/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The program that `via run --mpi-ranks R` starts R times with mpirun.

#include "via-partition-run.h"

#include "ns3/via-run-control.h"
#include "ns3/via-run-ticks.h"

#include <cstdlib>
#include <iostream>
#include <memory>

using namespace ns3::via;

namespace
{

/// Whoever wants to end a run on several MPI ranks ends mpirun.
class GoesOnAlways final : public RunMonitor
{
  public:
    bool GoesOn() override
    {
        return true;
    }
};

/// A workload or programs, as the task says.
class TaskWork final : public PartitionWork
{
  public:
    Cluster& Build(const PartitionTask& task, const ClusterConfig& config) override
    {
        m_watchdog = task.watchdog;
        m_cluster = std::make_unique<Cluster>(config);
        task.AddTo(*m_cluster);
        return *m_cluster;
    }

    void Simulate() override
    {
        GoesOnAlways monitor;
        const RunTicks ticks;
        const RunControl::Watch watch(monitor, m_watchdog);
        m_cluster->Simulate();
    }

    void Close() override
    {
        m_cluster.reset();
    }

  private:
    std::unique_ptr<Cluster> m_cluster;
    std::uint32_t m_watchdog{0}; ///< seconds; 0: none
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
    try
    {
        return RunPartition(argv[1], argv[2], work);
    }
    catch (const NoProgress& error)
    {
        std::cerr << "msg=" << error.what() << std::endl;
        std::_Exit(1); // mpirun ends the others
    }
}
