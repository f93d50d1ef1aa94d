/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One partition of a run, in an OS process of its own that mpirun has started.

#include "via-partition-run.h"

#include "via-mpi-sender.h"

#include "ns3/abort.h"
#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/via-error.h"
#include "ns3/via-partition-cut.h"
#include "ns3/via-partition-records.h"
#include "ns3/via-partition-result.h"
#include "ns3/via-report-json.h"
#include "ns3/via-whole-file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <mpi.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

using Json = nlohmann::ordered_json;

/// Time windows granted by ns-3: the partitions agree on each with one MPI_Allgather.
std::uint64_t g_windows = 0;

/// Sends this partition's records, while it is simulated.
MpiSender* g_sender = nullptr;

std::shared_ptr<const PartitionConfig>
MakePlan(const PartitionTask& task,
         std::uint32_t self,
         std::uint32_t partitions,
         PartitionSender& sender)
{
    const ClusterConfig& config = task.config;
    const std::shared_ptr<const Topology> shared = TopologyOf(config, ProfileOf(config));
    const Topology& topology = *shared;
    auto all = std::make_shared<PartitionConfig>();
    all->plan = task.cutsFew ? DivideByCut(topology, partitions)
                : task.partitionOfSwitch.empty()
                    ? DivideBySwitch(topology, partitions)
                    : DivideAsTold(topology, partitions, task.partitionOfSwitch);
    all->plan.self = self;
    all->sender = &sender;
    return all;
}

Ps
LeastOfAll(Ps own)
{
    Ps least = own;
    MPI_Allreduce(&own, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

std::vector<std::vector<std::uint8_t>>
Gather(std::uint32_t partitions, const std::vector<std::uint8_t>& own)
{
    const int size = static_cast<int>(own.size());
    std::vector<int> sizes(partitions);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<int> starts(partitions, 0);
    int total = sizes[0];
    for (std::uint32_t partition = 1; partition < partitions; ++partition)
    {
        starts[partition] = total;
        total += sizes[partition];
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(total));
    MPI_Gatherv(own.data(),
                size,
                MPI_BYTE,
                bytes.data(),
                sizes.data(),
                starts.data(),
                MPI_BYTE,
                0,
                MPI_COMM_WORLD);
    std::vector<std::vector<std::uint8_t>> all;
    for (std::uint32_t partition = 0; partition < partitions; ++partition)
    {
        all.emplace_back(bytes.begin() + starts[partition],
                         bytes.begin() + starts[partition] + sizes[partition]);
    }
    return all;
}

Json
AsJson(const PartitionsReport& report, bool hasSamples)
{
    Json json = Json::parse(ReportAsJson(report.run));
    if (hasSamples)
    {
        json["samples_ps"] = report.samples;
    }
    Json decisions = Json::array();
    for (const HistoryEvent& event : report.decisions)
    {
        decisions.push_back({event.at, event.rank, EventName(event.kind), event.key, event.value});
    }
    json["decisions"] = std::move(decisions);
    json["partitions"] = Json::array();
    for (const PartitionShare& share : report.shares)
    {
        json["partitions"].push_back({{"hosts", share.hosts},
                                      {"switches", share.switches},
                                      {"events", share.events},
                                      {"records_sent", share.recordsSent},
                                      {"windows", share.windows},
                                      {"built_bytes", share.builtBytes},
                                      {"peak_bytes", share.peakBytes},
                                      {"built_cpu_us", share.builtMicroseconds},
                                      {"cpu_us", share.cpuMicroseconds}});
    }
    return json;
}

/// Prints the output of programs, in the order of simulated time.
void
Print(const std::vector<PrintedText>& printed)
{
    for (const PrintedText& one : printed)
    {
        (one.stream == 2 ? std::cerr : std::cout) << one.text << std::flush;
    }
}

/// Builds this partition's view of the cluster; null: it cannot run, and @p wrong says why.
Cluster*
Build(const PartitionTask& task,
      std::uint32_t self,
      MpiSender& sender,
      PartitionWork& work,
      std::string& wrong)
{
    try
    {
        ClusterConfig config = task.config;
        config.partition = MakePlan(task, self, MpiInterface::GetSize(), sender);
        if (task.captures)
        {
            config.capture.file = task.tables + "/capture." + std::to_string(self);
            config.capture.isShare = true;
        }
        return &work.Build(task, config);
    }
    catch (const ConfigError& error)
    {
        wrong = error.what();
        return nullptr;
    }
}

/// Writes the result, or an error, to the file @p to. @return what is wrong, or ""
std::string
WriteResult(const Json& json, const std::string& to)
{
    WholeFile file(to);
    file.Stream() << json.dump(1) << "\n";
    const bool isThere = file.Close() && file.TakePlace();
    return isThere ? "" : "result = " + to + ": cannot be written: " + std::strerror(errno);
}

/// @return whether no partition has an error. The first one that has an error reports it.
bool
AllAgree(std::uint32_t self, const std::string& wrong, const std::string& to)
{
    const std::uint32_t own = wrong.empty() ? UINT32_MAX : self;
    std::uint32_t first = own;
    MPI_Allreduce(&own, &first, 1, MPI_UINT32_T, MPI_MIN, MPI_COMM_WORLD);
    if (first == self)
    {
        std::cerr << "via-partitions: " << wrong << "\n";
        WriteResult(Json{{"error", wrong}}, to); // it has been told above in any case
    }
    return first == UINT32_MAX;
}

/// Completes what this partition prints and captures. @return see Write
std::string
CompleteOutputs(Cluster& cluster)
{
    try
    {
        cluster.CompleteOutputs();
        return "";
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
}

/// Writes the bytes of @p values to a file. @return what is wrong, or ""
template <class T>
std::string
Write(const std::vector<T>& values, const std::string& path)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(T)));
    file.close();
    return file ? "" : "tables_to = " + path + ": cannot be written";
}

/// Writes what this partition has counted and recorded, if the task wants it. @return see Write
std::string
WriteTables(const PartitionTask& task, Cluster& cluster, std::uint32_t self)
{
    if (task.tables.empty())
    {
        return "";
    }
    const std::string wrong =
        Write(CountersOfPartition(cluster), task.tables + "/counters." + std::to_string(self));
    if (!wrong.empty() || !task.config.record)
    {
        return wrong;
    }
    return Write(RecordsOfPartition(cluster), task.tables + "/records." + std::to_string(self));
}

/// @return whether all went well. If not, the error is in the file @p to
bool
Run(const PartitionTask& task,
    Cluster& cluster,
    MpiSender& sender,
    PartitionWork& work,
    const std::string& to)
{
    const PartitionPlan& plan = cluster.GetFabric().GetRemoteLinks()->Plan();
    if (plan.partitions > 1)
    {
        const Ps lookahead = LeastOfAll(cluster.GetFabric().GetRemoteLinks()->Lookahead());
        sender.Connect(*cluster.GetFabric().GetRemoteLinks(),
                       task.lookahead > 0 ? task.lookahead : lookahead);
    }
    if (task.nullMessages)
    {
        sender.HoldPromises();
        Simulator::Stop(TimeStep(static_cast<std::uint64_t>(task.config.stop + 1)));
    }
    const PartitionShare built = UsageOfPartition();
    g_sender = &sender;
    work.Simulate();
    g_sender = nullptr;
    PartitionShare share = UsageOfPartition();
    share.builtBytes = built.peakBytes;
    share.builtMicroseconds = built.cpuMicroseconds;
    share.windows = g_windows;
    const bool isOver = LeastOfAll(cluster.GetWorld().agenda.Head()) == PS_NEVER;
    std::string wrong = CompleteOutputs(cluster);
    const auto results = Gather(plan.partitions, ResultOfPartition(cluster, share, isOver));
    wrong = wrong.empty() ? WriteTables(task, cluster, plan.self) : wrong;
    PartitionsReport report;
    if (plan.self == 0)
    {
        report = ReportOfPartitions(cluster, results);
        const bool writesSamples = !task.tables.empty() && wrong.empty();
        wrong = writesSamples ? Write(report.samples, task.tables + "/samples") : wrong;
    }
    if (!AllAgree(plan.self, wrong, to))
    {
        return false;
    }
    if (plan.self == 0)
    {
        Print(report.printed);
        wrong = WriteResult(AsJson(report, task.tables.empty()), to);
        if (!wrong.empty())
        {
            std::cerr << "via-partitions: " << wrong << "\n";
        }
    }
    return wrong.empty();
}

} // namespace

int
RunPartition(const std::string& from, const std::string& to, PartitionWork& work)
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    PartitionTask task;
    std::string wrong;
    try
    {
        task = PartitionTask::Read(from);
    }
    catch (const ConfigError& error)
    {
        wrong = error.what();
    }
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(task.nullMessages ? "ns3::NullMessageSimulatorImpl"
                                                    : "ns3::DistributedSimulatorImpl"));
    int argc = 0;
    char** argv = nullptr;
    MpiInterface::Enable(&argc, &argv);
    if (MpiInterface::GetSize() == 1)
    {
        // alone, the distributed engine would still run its agreement at each instant
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    }
    const std::uint32_t self = MpiInterface::GetSystemId();
    bool agreed = false;
    {
        MpiSender sender(MpiInterface::GetSize());
        PrintedTexts printed;
        Cluster* cluster = wrong.empty() ? Build(task, self, sender, work, wrong) : nullptr;
        agreed = AllAgree(self, wrong, to) && Run(task, *cluster, sender, work, to);
        work.Close();
    }
    MpiInterface::Disable();
    return agreed ? 0 : 2;
}

} // namespace via
} // namespace ns3

// These interpose on Open MPI's functions, as profilers do: ns-3 tells nobody that a window ends.
// Then it looks for messages, counts those that it has sent, and agrees on the next window.

extern "C" [[gnu::visibility("default")]] int
MPI_Testany(int count, MPI_Request requests[], int* index, int* isDone, MPI_Status* status)
{
    if (ns3::via::g_sender != nullptr)
    {
        ns3::via::g_sender->Flush();
    }
    return PMPI_Testany(count, requests, index, isDone, status);
}

extern "C" [[gnu::visibility("default")]] int
MPI_Allgather(const void* from,
              int fromCount,
              MPI_Datatype fromType,
              void* to,
              int toCount,
              MPI_Datatype toType,
              MPI_Comm partitions)
{
    if (ns3::via::g_sender == nullptr)
    {
        return PMPI_Allgather(from, fromCount, fromType, to, toCount, toType, partitions);
    }
    NS_ABORT_MSG_IF(ns3::via::g_sender->HasWaiting(),
                    "ns-3 did not look for messages at the end of a window");
    NS_ABORT_MSG_UNLESS(fromType == MPI_BYTE && toType == MPI_BYTE && fromCount == toCount,
                        "ns-3 agrees on a window in a way that is not known");
    ++ns3::via::g_windows;
    ns3::via::g_sender->Agree(static_cast<const std::uint8_t*>(from),
                              static_cast<std::uint8_t*>(to),
                              static_cast<std::size_t>(fromCount));
    return MPI_SUCCESS;
}
