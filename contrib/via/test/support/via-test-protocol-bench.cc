/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs protocols for tests.

#include "via-test-protocol-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

std::string
CardFor(const std::string& name)
{
    return name.find("nic-barrier") == std::string::npos ? "giganet-clan1000" : "gm-lanai9-133";
}

std::vector<std::string>
TransportsOf(const std::string& name)
{
    return FindProtocol(name)->connect == nullptr ? TransportNames() : std::vector<std::string>{""};
}

ProtocolRun
RunProtocol(const std::string& name,
            std::uint32_t nodes,
            const Parameters& parameters,
            std::uint64_t seed,
            bool reference,
            const std::string& card,
            const FaultPlan& plan)
{
    ClusterConfig config = Config("star", nodes, seed);
    config.reference = reference;
    config.profile = card.empty() ? CardFor(name) : card;
    config.plan = plan;
    Cluster cluster(config);
    Parameters given = parameters;
    if (given["transport"].empty())
    {
        given.erase("transport");
    }
    cluster.AddWorkload(name, given);
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
