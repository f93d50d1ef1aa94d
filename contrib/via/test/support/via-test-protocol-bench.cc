/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs of protocols for tests.

#include "via-test-protocol-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

ProtocolRun
RunProtocol(const std::string& name,
            std::uint32_t nodes,
            const Parameters& parameters,
            std::uint64_t seed,
            bool reference,
            const std::string& card)
{
    ClusterConfig config = Config("star", nodes, seed);
    config.reference = reference;
    config.profile = card;
    Cluster cluster(config);
    cluster.AddWorkload(name, parameters);
    ProtocolRun run;
    run.report = cluster.Run();
    const auto& workload = dynamic_cast<const ProtocolWorkload&>(*cluster.GetWorkload());
    run.history = *workload.GetHistory();
    run.samples = workload.Samples();
    run.violations = workload.Violations();
    run.messages = workload.MessagesSent();
    run.hits = workload.Hits();
    run.finished = workload.IsFinished();
    return run;
}

std::vector<HistoryEvent>
EventsOf(const History& history, EventKind kind, Rank rank)
{
    std::vector<HistoryEvent> events;
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == kind && (rank == ANYONE || event.rank == rank))
        {
            events.push_back(event);
        }
    }
    return events;
}

} // namespace test
} // namespace via
} // namespace ns3
