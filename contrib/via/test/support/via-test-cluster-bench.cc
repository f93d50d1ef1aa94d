/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs a workload on a whole cluster for tests, and returns everything observable.

#include "via-test-cluster-bench.h"

#include <boost/test/unit_test.hpp>

namespace ns3
{
namespace via
{
namespace test
{

ClusterConfig
Config(const std::string& topology, std::uint32_t nodes, std::uint64_t seed)
{
    ClusterConfig config;
    config.topology = topology;
    config.nodes = nodes;
    config.seed = seed;
    return config;
}

ClusterConfig
Recorded(const std::string& topology, std::uint32_t nodes, std::uint64_t seed)
{
    ClusterConfig config = Config(topology, nodes, seed);
    config.record = true;
    return config;
}

WorkloadRun
RunWorkload(const ClusterConfig& config, const std::string& workload, const Parameters& parameters)
{
    Cluster cluster(config);
    cluster.AddWorkload(workload, parameters);
    WorkloadRun run = Finish(cluster);
    run.samples = cluster.GetWorkload()->Samples();
    return run;
}

std::uint64_t
Spoiled(const Link& link)
{
    return link.CellsCorrupt() + link.CellsLost();
}

WorkloadRun
Finish(Cluster& cluster)
{
    WorkloadRun run;
    run.report = cluster.Run();
    if (cluster.Config().record)
    {
        run.messages = cluster.Messages();
        run.breakdown = cluster.Breakdown();
    }
    for (std::uint32_t node = 0; node < cluster.Config().nodes; ++node)
    {
        cluster.HostAt(node).Memory().Settle(PS_NEVER - 1); // performs pending copies
        run.cellsFromHosts += cluster.GetFabric().Uplinks()[node]->CellsSent();
        run.cellsMissing += cluster.GetFabric().Uplinks()[node]->CellsOut();
        run.cellsCorrupted += Spoiled(*cluster.GetFabric().Uplinks()[node]);
        const Transport& transport = cluster.NicAt(node).GetTransport();
        run.cellsTold += transport.PacketsTold();
        run.cellsResent += transport.CellsResent();
        run.unacknowledged += transport.CellsOut();
    }
    for (const auto& one : cluster.GetFabric().Switches())
    {
        run.cellsIntoSwitches += one->CellsIn();
        run.cellsOutOfSwitches += one->CellsOut();
        for (std::uint32_t port = 0; port < one->PortCount(); ++port)
        {
            if (one->HasWire(port))
            {
                run.cellsMissing += one->Out(port).CellsOut() + one->Out(port).WaitingCells();
                run.cellsCorrupted += Spoiled(one->Out(port));
            }
        }
    }
    run.packetsAlive = cluster.GetWorld().packets.PacketsAlive();
    return run;
}

std::vector<BreakdownRow>
RowsOf(const WorkloadRun& run, const std::string& message)
{
    std::vector<BreakdownRow> rows;
    for (const BreakdownRow& row : run.breakdown)
    {
        if (row.message == message)
        {
            rows.push_back(row);
        }
    }
    return rows;
}

bool
Tile(const std::vector<BreakdownRow>& rows, Ps from, Ps to)
{
    Ps at = from;
    for (const BreakdownRow& row : rows)
    {
        if (row.start != at || row.end <= row.start)
        {
            BOOST_TEST_MESSAGE(row.message << ": " << row.stage << " of " << row.owner
                                           << " starts at " << row.start << ", not at " << at);
            return false;
        }
        at = row.end;
    }
    return at == to;
}

bool
EveryMessageIsTiled(const WorkloadRun& run)
{
    std::map<std::string, std::vector<BreakdownRow>> rows;
    for (const BreakdownRow& row : run.breakdown)
    {
        rows[row.message].push_back(row);
    }
    for (const MessageRow& message : run.messages)
    {
        const std::string name = std::to_string(message.sourceRank) + "." +
                                 std::to_string(message.vi) + "." +
                                 std::to_string(message.sequence);
        if (!Tile(rows[name], message.posted, message.end))
        {
            BOOST_TEST_MESSAGE(name << ": " << rows[name].size() << " rows from " << message.posted
                                    << " to " << message.end);
            return false;
        }
    }
    return !run.messages.empty();
}

} // namespace test
} // namespace via
} // namespace ns3
