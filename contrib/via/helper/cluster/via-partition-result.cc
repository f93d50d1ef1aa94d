/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sends the result of each partition to partition 0 as bytes, and combines the results.

#include "via-partition-result.h"

#include "ns3/via-cluster-report.h"
#include "ns3/via-cluster.h"
#include "ns3/via-deadlock.h"
#include "ns3/via-fault-driver.h"
#include "ns3/via-partition-bytes.h"
#include "ns3/via-report-json.h"
#include "ns3/via-report-sum.h"

#include <algorithm>
#include <sys/resource.h>
#include <tuple>

namespace ns3
{
namespace via
{

namespace
{

/// The digest of a component.
struct ComponentDigest
{
    std::uint64_t component{0};
    Digest digest;
};

/// The header of a printed text.
struct PrintedHead
{
    Ps at{0};
    std::uint64_t host{0};
    std::int64_t stream{1};
};

/// The collected data of all partitions.
struct Gathered
{
    explicit Gathered(std::uint32_t processes)
        : history(processes)
    {
    }

    std::vector<ComponentDigest> digests;
    std::vector<ComponentDigest> payloads;
    History history;
    FabricEnd fabric;
    bool over{true};
    bool finished{true}; ///< false: a partition knows that its processes are not finished
    bool failed{false};  ///< a process failed on some partition
};

std::vector<ComponentDigest>
Digests(Cluster& cluster, const PartitionPlan& plan)
{
    std::vector<ComponentDigest> digests;
    for (std::uint32_t i = 0; i < plan.hosts.size(); ++i)
    {
        if (plan.hosts[i] == plan.self)
        {
            digests.push_back({i, cluster.HostAt(i).GetDigest()});
        }
    }
    for (std::size_t i = 0; i < plan.switches.size(); ++i)
    {
        if (plan.switches[i] == plan.self)
        {
            const Switch& one = *cluster.GetFabric().Switches()[i];
            digests.push_back({one.Id(), one.GetDigest()});
        }
    }
    return digests;
}

std::vector<ComponentDigest>
PayloadDigests(Cluster& cluster, const PartitionPlan& plan)
{
    std::vector<ComponentDigest> digests;
    for (std::uint32_t i = 0; i < plan.hosts.size(); ++i)
    {
        if (plan.hosts[i] == plan.self)
        {
            digests.push_back({i, cluster.HostAt(i).Memory().Payload()});
        }
    }
    return digests;
}

void
PutPrinted(const std::vector<PrintedText>& printed, PartitionWriter& writer)
{
    std::vector<PrintedHead> heads;
    for (const PrintedText& one : printed)
    {
        heads.push_back({one.at, one.host, one.stream});
    }
    writer.Put(heads);
    for (const PrintedText& one : printed)
    {
        writer.Put(one.text);
    }
}

void
TakePrinted(PartitionReader& reader, std::vector<PrintedText>& printed)
{
    for (const PrintedHead& head : reader.Get<PrintedHead>())
    {
        printed.push_back({head.at,
                           static_cast<NodeId>(head.host),
                           static_cast<int>(head.stream),
                           reader.GetText()});
    }
}

void
Take(const std::vector<std::uint8_t>& bytes, Gathered& all, PartitionsReport& report)
{
    PartitionReader reader(bytes);
    report.shares.push_back(reader.Get<PartitionShare>().at(0));
    const auto flags = reader.Get<std::uint8_t>();
    all.over = all.over && flags.at(0) != 0;
    all.finished = all.finished && flags.at(1) != 0;
    report.run.end = std::max(report.run.end, reader.Get<Ps>().at(0));
    for (const ComponentDigest& one : reader.Get<ComponentDigest>())
    {
        all.digests.push_back(one);
    }
    const RunReport own = ReportFromJson(reader.GetText());
    for (const ComponentDigest& one : reader.Get<ComponentDigest>())
    {
        all.payloads.push_back(one);
    }
    all.failed = all.failed || own.exit == RunExit::PROCESS_FAILED;
    AddReport(own, report.run);
    for (const Ps sample : reader.Get<Ps>())
    {
        report.samples.push_back(sample);
    }
    const auto rounds = reader.Get<RoundTimes>();
    all.history.AddRounds(rounds, reader.Get<std::uint64_t>());
    for (const HistoryEvent& event : reader.Get<HistoryEvent>())
    {
        report.decisions.push_back(event);
    }
    for (const std::uint32_t rank : reader.Get<std::uint32_t>())
    {
        all.history.Crash(rank);
    }
    for (const std::uint32_t rank : reader.Get<std::uint32_t>())
    {
        all.history.Finish(rank);
    }
    for (const Endpoint& output : reader.Get<Endpoint>())
    {
        all.fabric.standing.push_back(output);
    }
    const std::string wrong = reader.GetText();
    all.fabric.violation = all.fabric.violation.empty() ? wrong : all.fabric.violation;
    TakePrinted(reader, report.printed);
}

std::string
DigestOf(std::vector<ComponentDigest> digests)
{
    std::sort(digests.begin(), digests.end(), [](const auto& a, const auto& b) {
        return a.component < b.component;
    });
    Digest digest;
    for (const ComponentDigest& one : digests)
    {
        digest.Combine(static_cast<std::uint32_t>(one.component), one.digest);
    }
    return digest.Hex();
}

/// The part of the report that is the same on all partitions.
RunReport
Frame(const Cluster& cluster, std::size_t partitions)
{
    RunReport run;
    run.profile = cluster.Profile().Name();
    run.sketch = cluster.Profile().Sketch();
    run.host = cluster.Profile().Host();
    run.fingerprint = cluster.Kinds().Fingerprint();
    run.seed = cluster.Config().seed;
    run.nodes = cluster.Config().nodes;
    run.topology = cluster.GetTopology().name;
    run.mpiRanks = static_cast<std::uint32_t>(partitions);
    return run;
}

/// Orders processes and times as in a run on one partition.
void
PutInOrder(PartitionsReport& report)
{
    auto& processes = report.run.processes;
    std::sort(processes.begin(), processes.end(), [](const auto& a, const auto& b) {
        return a.rank < b.rank;
    });
    std::stable_sort(report.decisions.begin(),
                     report.decisions.end(),
                     [](const auto& a, const auto& b) {
                         return std::tie(a.at, a.rank) < std::tie(b.at, b.rank);
                     });
    std::stable_sort(report.printed.begin(),
                     report.printed.end(),
                     [](const auto& a, const auto& b) {
                         return std::tie(a.at, a.host) < std::tie(b.at, b.host);
                     });
}

/// The exit, as MakeReport computes it for a run on one partition.
RunExit
ExitOf(const RunReport& run, const Gathered& all, const Workload* workload)
{
    bool ended = true;
    bool well = true;
    for (const ProcessReport& process : run.processes)
    {
        ended = ended && process.exit >= 0;
        well = well && process.exit == 0 && process.signal == 0;
    }
    if (!run.violations.empty())
    {
        return RunExit::PROCESS_FAILED;
    }
    const bool isProtocol = workload != nullptr && workload->GetHistory() != nullptr;
    if (isProtocol ? all.finished : well)
    {
        return RunExit::SUCCESS;
    }
    const bool failed = workload != nullptr ? all.failed : ended;
    return all.over && !failed ? RunExit::DEADLOCK : RunExit::PROCESS_FAILED;
}

/// Sets the end of the run, and removes later faults that took no cells.
/// @param stopped work was left on the agenda of some partition
/// @param hasPrograms a program that has not ended goes on to the end; a workload's process waits
void
SetEnd(RunReport& run, bool stopped, bool hasPrograms)
{
    for (ProcessReport& process : run.processes)
    {
        const bool goesOn = stopped && hasPrograms && process.exit < 0;
        process.end = goesOn ? std::max(process.end, run.end) : process.end;
    }
    EndWithProcesses(run);
    const auto isLater = [&run](const FaultRow& row) {
        return row.at > run.end && row.corrupt + row.lost == 0;
    };
    run.faults.erase(std::remove_if(run.faults.begin(), run.faults.end(), isLater),
                     run.faults.end());
}

/// This partition's report: only its own processes, but all faults, since other partitions may run
/// longer.
RunReport
OwnReport(Cluster& cluster, const PartitionPlan& plan, bool isOver)
{
    RunReport report = MakeShare(cluster, isOver);
    auto& processes = report.processes;
    const auto isOthers = [&plan](const ProcessReport& one) {
        return plan.hosts[one.node] != plan.self;
    };
    processes.erase(std::remove_if(processes.begin(), processes.end(), isOthers), processes.end());
    if (cluster.Faults() != nullptr)
    {
        report.faults = cluster.Faults()->Rows(PS_NEVER);
    }
    return report;
}

} // namespace

PartitionShare
UsageOfPartition()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto micros = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
               static_cast<std::uint64_t>(time.tv_usec);
    };
    PartitionShare share;
    share.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    share.cpuMicroseconds = micros(usage.ru_utime) + micros(usage.ru_stime);
    return share;
}

std::vector<std::uint8_t>
ResultOfPartition(Cluster& cluster, const PartitionShare& share, bool isOver)
{
    const PartitionPlan& plan = cluster.GetFabric().GetRemoteLinks()->Plan();
    const Agenda& agenda = cluster.GetWorld().agenda;
    const Workload* workload = cluster.GetWorkload();
    const History* history = workload == nullptr ? nullptr : workload->GetHistory();
    PartitionShare whole = share;
    whole.hosts =
        static_cast<std::uint32_t>(std::count(plan.hosts.begin(), plan.hosts.end(), plan.self));
    whole.switches = static_cast<std::uint32_t>(
        std::count(plan.switches.begin(), plan.switches.end(), plan.self));
    whole.events = agenda.EventsDone();
    whole.recordsSent = cluster.GetFabric().GetRemoteLinks()->Sent();
    const bool finished = history == nullptr || history->IsOver();
    PartitionWriter writer;
    writer.Put(std::vector<PartitionShare>{whole});
    writer.Put(std::vector<std::uint8_t>{isOver, finished});
    const RunReport own = OwnReport(cluster, plan, isOver);
    writer.Put(std::vector<Ps>{own.end});
    writer.Put(Digests(cluster, plan));
    writer.Put(ReportAsJson(own)); // memory has been settled by now
    writer.Put(PayloadDigests(cluster, plan));
    const bool samples = workload != nullptr && history == nullptr;
    writer.Put(samples ? workload->Samples() : std::vector<Ps>{});
    writer.Put(history == nullptr ? std::vector<RoundTimes>{} : history->Rounds());
    writer.Put(history == nullptr ? std::vector<std::uint64_t>{} : history->Left());
    writer.Put(history == nullptr ? std::vector<HistoryEvent>{} : history->Events());
    writer.Put(history == nullptr ? std::vector<Rank>{} : history->Crashed());
    writer.Put(history == nullptr ? std::vector<Rank>{} : history->Ended());
    const FabricEnd fabric = EndOfFabric(cluster);
    writer.Put(fabric.standing);
    writer.Put(fabric.violation);
    const PrintedTexts* printed = PrintedTexts::Current();
    PutPrinted(printed == nullptr ? std::vector<PrintedText>{} : printed->Texts(), writer);
    return writer.Bytes();
}

PartitionsReport
ReportOfPartitions(Cluster& cluster, const std::vector<std::vector<std::uint8_t>>& results)
{
    PartitionsReport report;
    RunReport& run = report.run;
    run = Frame(cluster, results.size());
    Workload* workload = cluster.GetWorkload();
    const History* history = workload == nullptr ? nullptr : workload->GetHistory();
    Gathered all(history == nullptr ? 0 : history->ProcessCount());
    for (const std::vector<std::uint8_t>& bytes : results)
    {
        Take(bytes, all, report);
    }
    PutInOrder(report);
    run.digest = DigestOf(std::move(all.digests));
    run.payloadDigest = cluster.Config().payloadDigest ? DigestOf(std::move(all.payloads)) : "";
    if (history != nullptr)
    {
        for (const HistoryEvent& event : report.decisions)
        {
            all.history.Note(event);
        }
        workload->ConcludeFrom(all.history);
        report.samples = workload->Samples();
        run.violations = workload->Violations();
    }
    run.deadlock = all.over ? DeadlockOf(cluster.GetTopology(), all.fabric) : "";
    run.exit = ExitOf(run, all, workload);
    SetEnd(run, !all.over, workload == nullptr);
    return report;
}

} // namespace via
} // namespace ns3
