/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One rank of a run: what `via run --mpi-ranks R` starts R times with mpirun.

#include "via-mpi-sender.h"
#include "via-rank-task.h"

#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/via-error.h"
#include "ns3/via-rank-cut.h"
#include "ns3/via-rank-result.h"
#include "ns3/via-report-json.h"

#include <fstream>
#include <iostream>
#include <memory>
#include <mpi.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::via;

namespace
{

using Json = nlohmann::ordered_json;

/// Windows of time that ns-3 has granted: it agrees on each with one call of MPI_Allgather.
std::uint64_t g_windows = 0;

std::shared_ptr<const RankConfig>
MakePlan(const RankTask& task, std::uint32_t self, std::uint32_t ranks, RankSender& sender)
{
    const ClusterConfig& config = task.config;
    const ProviderProfile profile = ProviderProfile::Load(config.profile);
    const Topology topology = ParseTopology(config.topology, config.nodes, profile);
    auto all = std::make_shared<RankConfig>();
    all->plan = task.cutsFew                ? DivideByCut(topology, ranks)
                : task.rankOfSwitch.empty() ? DivideBySwitch(topology, ranks)
                                            : DivideAsTold(topology, ranks, task.rankOfSwitch);
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
Gather(std::uint32_t ranks, const std::vector<std::uint8_t>& own)
{
    const int size = static_cast<int>(own.size());
    std::vector<int> sizes(ranks);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<int> starts(ranks, 0);
    int total = sizes[0];
    for (std::uint32_t rank = 1; rank < ranks; ++rank)
    {
        starts[rank] = total;
        total += sizes[rank];
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
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
    {
        all.emplace_back(bytes.begin() + starts[rank], bytes.begin() + starts[rank] + sizes[rank]);
    }
    return all;
}

Json
AsJson(const RanksReport& report)
{
    Json json = Json::parse(ReportAsJson(report.run));
    json["samples_ps"] = report.samples;
    Json decisions = Json::array();
    for (const HistoryEvent& event : report.decisions)
    {
        decisions.push_back({event.at, event.rank, EventName(event.kind), event.key, event.value});
    }
    json["decisions"] = std::move(decisions);
    json["ranks"] = Json::array();
    for (const RankShare& share : report.shares)
    {
        json["ranks"].push_back({{"hosts", share.hosts},
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

/// What programs have printed, in the order of simulated time.
void
Print(const std::vector<PrintedText>& printed)
{
    for (const PrintedText& one : printed)
    {
        (one.stream == 2 ? std::cerr : std::cout) << one.text << std::flush;
    }
}

/// The cluster as this rank has it; null: it cannot be run, and @p wrong says why.
std::unique_ptr<Cluster>
Build(const RankTask& task,
      std::uint32_t self,
      std::uint32_t ranks,
      MpiSender& sender,
      std::string& wrong)
{
    try
    {
        ClusterConfig config = task.config;
        config.ranks = MakePlan(task, self, ranks, sender);
        auto cluster = std::make_unique<Cluster>(config);
        task.AddTo(*cluster);
        return cluster;
    }
    catch (const ConfigError& error)
    {
        wrong = error.what();
        return nullptr;
    }
}

/// Is nothing wrong on any rank? The first one that has something says what.
bool
AllAgree(std::uint32_t self, const std::string& wrong, const std::string& to)
{
    const std::uint32_t own = wrong.empty() ? UINT32_MAX : self;
    std::uint32_t first = own;
    MPI_Allreduce(&own, &first, 1, MPI_UINT32_T, MPI_MIN, MPI_COMM_WORLD);
    if (first == self)
    {
        std::cerr << "via-ranks: " << wrong << "\n";
        std::ofstream(to) << Json{{"error", wrong}}.dump(1) << "\n";
    }
    return first == UINT32_MAX;
}

void
RunRank(const RankTask& task, Cluster& cluster, MpiSender& sender, const std::string& to)
{
    const RankPlan& plan = cluster.Crossings()->Plan();
    if (plan.ranks > 1)
    {
        const Ps lookahead = LeastOfAll(cluster.Crossings()->Lookahead());
        sender.Connect(*cluster.Crossings(), task.lookahead > 0 ? task.lookahead : lookahead);
    }
    if (task.nullMessages)
    {
        sender.HoldPromises();
        Simulator::Stop(TimeStep(static_cast<std::uint64_t>(task.config.stop + 1)));
    }
    const RankShare built = UsageOfRank();
    cluster.Simulate();
    RankShare share = UsageOfRank();
    share.builtBytes = built.peakBytes;
    share.builtMicroseconds = built.cpuMicroseconds;
    share.windows = g_windows;
    const auto results = Gather(plan.ranks, ResultOfRank(cluster, share));
    if (plan.self == 0)
    {
        const RanksReport report = ReportOfRanks(cluster, results);
        Print(report.printed);
        std::ofstream(to) << AsJson(report).dump(1) << "\n";
    }
}

} // namespace

/// In front of Open MPI's own, as profilers do it.
extern "C" int
MPI_Allgather(const void* from,
              int fromCount,
              MPI_Datatype fromType,
              void* to,
              int toCount,
              MPI_Datatype toType,
              MPI_Comm ranks)
{
    ++g_windows;
    return PMPI_Allgather(from, fromCount, fromType, to, toCount, toType, ranks);
}

int
main(int argc, char** argv)
{
    if (argc != 3)
    {
        std::cerr << "usage: mpirun -np RANKS via-ranks TASK.json RESULT.json\n";
        return 2;
    }
    Time::SetResolution(Time::PS);
    RankTask task;
    std::string wrong;
    try
    {
        task = RankTask::Read(argv[1]);
    }
    catch (const ConfigError& error)
    {
        wrong = error.what();
    }
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(task.nullMessages ? "ns3::NullMessageSimulatorImpl"
                                                    : "ns3::DistributedSimulatorImpl"));
    MpiInterface::Enable(&argc, &argv);
    if (MpiInterface::GetSize() == 1)
    {
        // nobody to agree with: the engine for several would agree with itself at each instant
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    }
    const std::uint32_t self = MpiInterface::GetSystemId();
    bool agreed = false;
    {
        MpiSender sender(MpiInterface::GetSize());
        PrintedTexts printed;
        std::unique_ptr<Cluster> cluster;
        if (wrong.empty())
        {
            cluster = Build(task, self, MpiInterface::GetSize(), sender, wrong);
        }
        agreed = AllAgree(self, wrong, argv[2]);
        if (agreed)
        {
            RunRank(task, *cluster, sender, argv[2]);
        }
    }
    MpiInterface::Disable();
    return agreed ? 0 : 2;
}
