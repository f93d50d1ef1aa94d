/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Turns the records of a run into the rows of its tables.

#include "via-cluster-report.h"

#include "ns3/abort.h"
#include "ns3/via-cluster.h"
#include "ns3/via-deadlock.h"
#include "ns3/via-fault-driver.h"
#include "ns3/via-run-control.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// Adds the faults and what wires lost, and checks that every lost cell belongs to one.
void
AddFaults(const Cluster& cluster, RunReport& report)
{
    const FaultDriver* faults = cluster.Faults();
    FaultLosses laid = faults == nullptr ? FaultLosses{} : faults->Total();
    for (const Link* link : cluster.GetFabric().Links())
    {
        report.cellsCorrupt += link->CellsCorrupt();
        report.cellsLost += link->CellsLost();
        laid.corrupt += link->OwnToll().corrupt;
        laid.lost += link->OwnToll().lost;
    }
    NS_ABORT_MSG_IF(laid.corrupt != report.cellsCorrupt || laid.lost != report.cellsLost,
                    report.cellsLost << " cells lost and " << report.cellsCorrupt
                                     << " damaged, but the faults account for " << laid.lost
                                     << " and " << laid.corrupt);
    if (faults != nullptr)
    {
        report.faults = faults->Rows(report.end);
    }
}

ProcessReport
ReportOf(const ViplProcess& process, bool over, Ps end)
{
    ProcessReport report;
    report.rank = process.Rank();
    report.node = process.GetHost().Id();
    report.cpu = process.FiberProcess::CpuTime();
    report.system = process.FiberProcess::SystemTime();
    if (process.HasEnded())
    {
        report.exit = process.Status().code;
        report.signal = process.Status().signal;
        report.end = process.EndTime();
        report.report = process.Status().report;
        report.leftConnected = process.LeftConnected();
        return report;
    }
    report.exit = -1;
    const std::string waits = process.WaitsFor();
    report.end = over            ? process.Clock().at
                 : waits.empty() ? end
                                 : std::max(end, process.Clock().at);
    report.report = waits.empty() ? "still running when the run was stopped" : waits;
    return report;
}

/// Adds how the programs' processes ended.
void
AddProcesses(Cluster& cluster, bool over, RunReport& report)
{
    bool failed = false;
    bool waits = false;
    for (const auto& process : cluster.Processes())
    {
        report.processes.push_back(ReportOf(*process, over, report.end));
        const ProcessReport& last = report.processes.back();
        failed = failed || last.exit != 0 || last.signal != 0;
        waits = waits || !process->HasEnded();
    }
    if (failed)
    {
        report.exit = over && waits ? RunExit::DEADLOCK : RunExit::PROCESS_FAILED;
    }
}

/// How a process of a workload ended, or why not.
ProcessReport
ReportOf(const WorkloadProcess& process, const History* history)
{
    const std::uint32_t rank = process.Rank();
    ProcessReport one;
    one.rank = rank;
    one.node = process.GetHost().Id();
    one.cpu = process.CpuTime();
    one.system = process.SystemTime();
    one.end = process.Clock().at;
    if (!process.Failure().empty())
    {
        one.exit = process.ExitCode();
        one.report = process.Failure();
    }
    else if (!process.HasFinished() && (history == nullptr || !history->HasFinished(rank)))
    {
        const bool hasCrashed = history != nullptr && history->HasCrashed(rank);
        one.exit = -1;
        one.report = hasCrashed ? "crashed" : "waits for a message";
    }
    return one;
}

/// Adds how the workload's processes ended.
void
AddWorkloadProcesses(const Workload& workload, bool over, RunReport& report)
{
    bool failed = false;
    report.processes.reserve(workload.Processes().size());
    for (const auto& process : workload.Processes())
    {
        if (process == nullptr)
        {
            continue; // in another partition
        }
        failed = failed || !process->Failure().empty();
        report.processes.push_back(ReportOf(*process, workload.GetHistory()));
    }
    report.violations = workload.Violations();
    if (!report.violations.empty())
    {
        report.exit = RunExit::PROCESS_FAILED;
    }
    else if (!workload.IsFinished())
    {
        report.exit = over && !failed ? RunExit::DEADLOCK : RunExit::PROCESS_FAILED;
    }
}

/// Adds the CPU times, per node and in total.
void
AddCpuTimes(Cluster& cluster, RunReport& report)
{
    report.nodeCpu.nodes = report.nodes;
    for (const NodeId node : cluster.HostsHere())
    {
        cluster.HostAt(node).Cpus().Conclude();
        for (std::size_t i = 0; i < STAGE_COUNT; ++i)
        {
            const Stage stage = static_cast<Stage>(i);
            const Ps spent = cluster.HostAt(node).CpuTime(stage);
            if (spent != 0)
            {
                report.nodeCpu.Add(StageName(stage), node, spent);
                report.cpu[StageName(stage)] += spent;
            }
        }
    }
}

/// Adds the counters of the cards.
void
AddCards(Cluster& cluster, RunReport& report)
{
    for (const NodeId node : cluster.HostsHere())
    {
        for (std::uint32_t card = 0; card < cluster.GetTopology().rails; ++card)
        {
            const Nic& nic = cluster.NicAt(node, card);
            const TranslationCounts counts = nic.Translations();
            report.translationHits += counts.hits;
            report.translationMisses += counts.misses;
            report.plugIn = report.plugIn.empty() ? nic.PlugInName() : report.plugIn;
        }
    }
}

/// Performs the pending copies until @p until, which are otherwise done on access.
void
SettleMemories(Cluster& cluster, Ps until)
{
    for (const NodeId node : cluster.HostsHere())
    {
        cluster.HostAt(node).Memory().Settle(until);
    }
}

std::string
PayloadDigestOf(Cluster& cluster)
{
    if (!cluster.Config().payloadDigest)
    {
        return "";
    }
    Digest digest;
    for (const NodeId node : cluster.HostsHere())
    {
        digest.Combine(node, cluster.HostAt(node).Memory().Payload());
    }
    return digest.Hex();
}

} // namespace

RunReport
MakeReport(Cluster& cluster)
{
    const bool isOver = cluster.GetWorld().agenda.Head() == PS_NEVER;
    RunReport report = MakeShare(cluster, isOver);
    if (isOver)
    {
        report.deadlock = DeadlockOf(cluster.GetTopology(), EndOfFabric(cluster));
    }
    return report;
}

void
EndWithProcesses(RunReport& report)
{
    Ps last = 0;
    bool ended = !report.processes.empty();
    for (const ProcessReport& process : report.processes)
    {
        last = std::max(last, process.end);
        ended = ended && process.exit >= 0;
    }
    report.end = ended ? last : std::max(report.end, last);
}

RunReport
MakeShare(Cluster& cluster, bool isOver)
{
    World& world = cluster.GetWorld();
    RunReport report;
    report.profile = cluster.Profile().Name();
    report.sketch = cluster.Profile().Sketch();
    report.host = cluster.Profile().Host();
    report.fingerprint = cluster.Kinds().Fingerprint();
    report.seed = cluster.Config().seed;
    report.nodes = cluster.Config().nodes;
    report.topology = cluster.GetTopology().name;
    const bool stopped = !isOver && world.agenda.Head() > world.agenda.Limit();
    // not the last event: which events there are depends on the mode and on the partitions
    report.end = isOver ? 0 : stopped ? world.agenda.Limit() : world.agenda.Now();
    report.events = world.agenda.EventsDone();
    report.messages = world.messages.Count();
    AddCpuTimes(cluster, report);
    AddCards(cluster, report);
    if (cluster.GetWorkload() != nullptr)
    {
        AddWorkloadProcesses(*cluster.GetWorkload(), isOver, report);
    }
    else
    {
        AddProcesses(cluster, isOver, report);
    }
    for (ProcessReport& process : report.processes)
    {
        process.end = std::min(process.end, world.agenda.Limit()); // its clock may be beyond
    }
    EndWithProcesses(report);
    Digest digest;
    for (const NodeId node : cluster.HostsHere())
    {
        digest.Combine(node, cluster.HostAt(node).GetDigest());
    }
    for (const auto& one : cluster.GetFabric().Switches())
    {
        if (one != nullptr)
        {
            digest.Combine(one->Id(), one->GetDigest());
        }
    }
    report.digest = digest.Hex();
    // what is later than the stop does not happen, and than now only if no event can prevent it
    SettleMemories(cluster,
                   isOver || stopped ? std::min(world.agenda.Limit(), PS_NEVER - 1)
                                     : world.agenda.Now());
    report.payloadDigest = PayloadDigestOf(cluster);
    AddFaults(cluster, report);
    return report;
}

} // namespace via
} // namespace ns3
