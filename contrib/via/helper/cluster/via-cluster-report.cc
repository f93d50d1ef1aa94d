/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// From what a run recorded to the rows of its tables.

#include "via-tables.h"

#include "ns3/abort.h"
#include "ns3/via-cluster.h"
#include "ns3/via-deadlock.h"
#include "ns3/via-fault-driver.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{
namespace via
{

namespace
{

/// What must hold when nothing is left to happen, in every build.
void
CheckConservation(Cluster& cluster)
{
    for (const auto& one : cluster.Switches())
    {
        NS_ABORT_MSG_IF(!one->Violation().empty(), one->Violation());
    }
    for (const Link* link : cluster.Links())
    {
        NS_ABORT_MSG_IF(!link->Violation().empty(), link->Violation());
    }
}

/// What went wrong, and whom every lost cell is to be laid to.
void
AddFaults(const Cluster& cluster, RunReport& report)
{
    if (cluster.Faults() == nullptr)
    {
        return;
    }
    FaultToll laid = cluster.Faults()->Total();
    for (const Link* link : cluster.Links())
    {
        report.cellsCorrupt += link->CellsCorrupt();
        report.cellsLost += link->CellsLost();
        laid.corrupt += link->OwnToll().corrupt;
        laid.lost += link->OwnToll().lost;
    }
    NS_ABORT_MSG_IF(laid.corrupt != report.cellsCorrupt || laid.lost != report.cellsLost,
                    report.cellsLost << " cells lost and " << report.cellsCorrupt
                                     << " damaged, but faults have taken " << laid.lost << " and "
                                     << laid.corrupt);
    report.faults = cluster.Faults()->Rows(report.end);
}

ProcessReport
ReportOf(const ViplProcess& process, Ps end)
{
    ProcessReport report;
    report.rank = process.Rank();
    report.node = process.GetHost().Id();
    report.cpu = process.FiberProcess::CpuTime();
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
    report.end = waits.empty() ? end : std::max(end, process.Clock().at);
    report.report = waits.empty() ? "still running when the run was stopped" : waits;
    return report;
}

/// The programs' side of a run: who ended how.
void
AddProcesses(Cluster& cluster, bool over, RunReport& report)
{
    bool failed = false;
    bool waits = false;
    for (const auto& process : cluster.Processes())
    {
        report.processes.push_back(ReportOf(*process, report.end));
        const ProcessReport& last = report.processes.back();
        failed = failed || last.exit != 0 || last.signal != 0;
        waits = waits || !process->HasEnded();
    }
    if (failed)
    {
        report.exit = over && waits ? RunExit::DEADLOCK : RunExit::PROCESS_FAILED;
    }
}

/// The workload's side of a run.
void
AddWorkloadProcesses(const Workload& workload, bool over, RunReport& report)
{
    bool failed = false;
    for (const auto& process : workload.Processes())
    {
        if (process == nullptr)
        {
            continue; // another rank has it
        }
        ProcessReport one;
        one.rank = process->Rank();
        one.node = process->GetHost().Id();
        one.cpu = process->CpuTime();
        one.end = process->Clock().at;
        one.exit = process->HasFinished() ? 0 : -1;
        one.report = process->HasFinished() ? "" : "waits for a message";
        if (!process->Failure().empty())
        {
            one.report = process->Failure();
            failed = true;
        }
        report.processes.push_back(one);
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

/// What the CPUs did, node by node and together.
void
AddCpuTimes(Cluster& cluster, RunReport& report)
{
    for (std::uint32_t node = 0; node < cluster.Config().nodes; ++node)
    {
        std::map<std::string, Ps>& own = report.nodeCpu.emplace_back();
        for (std::size_t i = 0; i < STAGE_COUNT; ++i)
        {
            const Stage stage = static_cast<Stage>(i);
            const Ps spent = cluster.HostAt(node).CpuTime(stage);
            if (spent != 0)
            {
                own[StageName(stage)] = spent;
                report.cpu[StageName(stage)] += spent;
            }
        }
    }
}

/// The cards' side of a run.
void
AddCards(Cluster& cluster, RunReport& report)
{
    const std::uint32_t rails = cluster.GetTopology().rails;
    for (std::uint32_t i = 0; i < report.nodes * rails; ++i)
    {
        const Nic& nic = cluster.NicAt(i / rails, i % rails);
        const TranslationCounts counts = nic.Translations();
        report.translationHits += counts.hits;
        report.translationMisses += counts.misses;
        report.plugIn = nic.PlugInName();
    }
}

/// The path from @p from on; while nobody worked on it, it waited for the stack's queues and
/// timers.
std::vector<Span>
WithWaits(const std::vector<Span>& path, Ps from)
{
    std::vector<Span> whole;
    for (Span span : path)
    {
        if (span.start > from)
        {
            whole.push_back(
                {from, span.start, 0, 0, 0, span.component, Stage::BLOCKED, Engine::PROGRAM});
        }
        span.start = std::max(span.start, from);
        if (span.end > span.start)
        {
            whole.push_back(span);
            from = span.end;
        }
    }
    return whole;
}

/// Sorted rows of one path.
void
AddPath(const std::vector<Span>& path,
        const BreakdownRow& frame,
        const std::vector<std::string>& names,
        std::vector<BreakdownRow>& rows)
{
    for (const Span& span : path)
    {
        BreakdownRow row = frame;
        row.stage = StageName(span.stage);
        row.owner = names[span.component] + "." + EngineName(span.engine);
        row.clockHz = span.hz;
        row.cycles = span.cycles;
        row.start = std::max(span.start, row.start);
        row.end = span.end;
        rows.push_back(row);
    }
}

/// Bytes move when somebody looks: now. What is planned for later happens only if no event can
/// keep it from doing so.
void
SettleMemories(Cluster& cluster, bool over)
{
    const Ps until = over ? PS_NEVER - 1 : cluster.GetWorld().agenda.Now();
    for (std::uint32_t node = 0; node < cluster.Config().nodes; ++node)
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
    for (std::uint32_t node = 0; node < cluster.Config().nodes; ++node)
    {
        digest.Combine(node, cluster.HostAt(node).Memory().Payload());
    }
    return digest.Hex();
}

} // namespace

RunReport
MakeReport(Cluster& cluster)
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
    report.end = world.agenda.Now();
    report.events = world.agenda.EventsDone();
    report.messages = world.messages.Count();
    AddCpuTimes(cluster, report);
    AddCards(cluster, report);
    const bool over = world.agenda.Head() == PS_NEVER;
    if (over)
    {
        report.deadlock = DeadlockOf(cluster);
    }
    if (over && report.deadlock.empty())
    {
        CheckConservation(cluster);
    }
    if (cluster.GetWorkload() != nullptr)
    {
        AddWorkloadProcesses(*cluster.GetWorkload(), over, report);
    }
    else
    {
        AddProcesses(cluster, over, report);
    }
    Ps last = 0;
    for (const ProcessReport& process : report.processes)
    {
        last = std::max(last, process.end);
    }
    // NICs that still acknowledge after the last process has ended do not make a run longer
    const bool ended = report.exit == RunExit::SUCCESS || report.exit == RunExit::PROCESS_FAILED;
    report.end = over && ended ? last : std::max(report.end, last);
    Digest digest;
    for (std::uint32_t node = 0; node < report.nodes; ++node)
    {
        digest.Combine(node, cluster.HostAt(node).GetDigest());
    }
    for (const auto& one : cluster.Switches())
    {
        digest.Combine(one->Id(), one->GetDigest());
    }
    report.digest = digest.Hex();
    SettleMemories(cluster, over);
    report.payloadDigest = PayloadDigestOf(cluster);
    AddFaults(cluster, report);
    return report;
}

MessageRow
MakeMessageRow(const MessageRecord& record)
{
    return {record.origin.rank,
            record.destinationRank,
            record.vi,
            record.origin.sequence,
            PacketKindName(record.kind),
            record.bytes,
            record.dropped,
            record.origin.posted,
            record.end};
}

std::vector<MessageRow>
MessageRows(const MessageLog& messages)
{
    std::vector<MessageRow> rows;
    for (const MessageRecord& record : messages.Records())
    {
        rows.push_back(MakeMessageRow(record));
    }
    return rows;
}

std::vector<BreakdownRow>
BreakdownRows(const MessageLog& messages,
              const SpanLog& spans,
              const std::vector<std::string>& names)
{
    std::vector<const MessageRecord*> order;
    for (const MessageRecord& record : messages.Records())
    {
        order.push_back(&record);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::tie(a->origin.rank, a->origin.posted) <
               std::tie(b->origin.rank, b->origin.posted);
    });
    std::vector<BreakdownRow> rows;
    std::map<std::uint32_t, std::uint32_t> programs; // pieces of program so far, by rank
    std::map<std::uint32_t, Ps> told;                // program time told so far, by rank
    for (const MessageRecord* record : order)
    {
        RunControl::Check();
        const MessageOrigin& origin = record->origin;
        BreakdownRow frame;
        frame.sourceRank = origin.rank;
        frame.destinationRank = origin.rank;
        frame.op = "program";
        frame.start = std::max(origin.programFrom, told[origin.rank]);
        if (frame.start < origin.posted)
        {
            frame.sequence = programs[origin.rank]++;
            frame.message =
                std::to_string(origin.rank) + ".program." + std::to_string(frame.sequence);
            AddPath(spans.Path(origin.program, frame.start), frame, names, rows);
            told[origin.rank] = origin.posted;
        }
        frame.message = std::to_string(origin.rank) + "." + std::to_string(record->vi) + "." +
                        std::to_string(origin.sequence);
        frame.destinationRank = record->destinationRank;
        frame.vi = record->vi;
        frame.sequence = origin.sequence;
        frame.op = PacketKindName(record->kind);
        frame.bytes = record->bytes;
        frame.start = origin.posted;
        const std::vector<Span> path = spans.Path(record->last, origin.posted);
        const bool isSocket = record->kind == PacketKind::DATAGRAM;
        AddPath(isSocket ? WithWaits(path, origin.posted) : path, frame, names, rows);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const BreakdownRow& a, const BreakdownRow& b) {
        RunControl::Check();
        return std::tie(a.message, a.start) < std::tie(b.message, b.start);
    });
    return rows;
}

} // namespace via
} // namespace ns3
