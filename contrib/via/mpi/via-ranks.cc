/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One rank of a run: what `via run --mpi-ranks R` starts R times with mpirun.

#include "via-mpi-sender.h"

#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/via-cluster.h"
#include "ns3/via-error.h"
#include "ns3/via-rank-result.h"

#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <mpi.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::via;

namespace
{

using Json = nlohmann::ordered_json;

/// What is to be run.
struct Task
{
    ClusterConfig config;
    std::vector<std::uint32_t> rankOfSwitch; ///< empty: the helper says it
    std::string workload;
    std::map<std::string, std::string> parameters;
};

Task
ReadTask(const std::string& path)
{
    std::ifstream file(path);
    const Json json = Json::parse(file);
    Task task;
    ClusterConfig& config = task.config;
    config.profile = json.at("profile");
    config.host = json.at("host");
    config.kernel = json.at("kernel");
    config.topology = json.at("topology");
    config.nodes = json.at("nodes");
    config.seed = json.at("seed");
    config.stop = json.at("stop_ps");
    config.patience = json.at("patience_ps");
    for (const auto& [key, value] : json.at("overrides").items())
    {
        config.overrides[key] = value;
    }
    task.rankOfSwitch = json.at("rank_of_switch").get<std::vector<std::uint32_t>>();
    task.workload = json.at("workload");
    for (const auto& [key, value] : json.at("parameters").items())
    {
        task.parameters[key] = value;
    }
    return task;
}

std::shared_ptr<const RankConfig>
MakePlan(const Task& task, std::uint32_t self, std::uint32_t ranks, RankSender& sender)
{
    const ClusterConfig& config = task.config;
    const ProviderProfile profile = ProviderProfile::Load(config.profile);
    const Topology topology = ParseTopology(config.topology, config.nodes, profile);
    auto all = std::make_shared<RankConfig>();
    all->plan = task.rankOfSwitch.empty() ? DivideBySwitch(topology, ranks)
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
    const RunReport& run = report.run;
    Json json = {{"digest", run.digest},
                 {"profile", run.profile},
                 {"sketch", run.sketch},
                 {"host", run.host},
                 {"fingerprint", run.fingerprint},
                 {"seed", run.seed},
                 {"nodes", run.nodes},
                 {"topology", run.topology},
                 {"mpi_ranks", run.mpiRanks},
                 {"end_ps", run.end},
                 {"events", run.events},
                 {"messages", run.messages},
                 {"exit", static_cast<int>(run.exit)},
                 {"samples_ps", report.samples},
                 {"ranks", Json::array()}};
    for (const RankShare& share : report.shares)
    {
        json["ranks"].push_back({{"hosts", share.hosts},
                                 {"switches", share.switches},
                                 {"events", share.events},
                                 {"records_sent", share.recordsSent},
                                 {"peak_bytes", share.peakBytes}});
    }
    return json;
}

void
RunRank(const Task& task, std::uint32_t self, std::uint32_t ranks, const std::string& to)
{
    MpiSender sender;
    ClusterConfig config = task.config;
    config.ranks = MakePlan(task, self, ranks, sender);
    Cluster cluster(config);
    cluster.AddWorkload(task.workload, task.parameters);
    if (ranks > 1)
    {
        sender.Connect(*cluster.Crossings(), LeastOfAll(cluster.Crossings()->Lookahead()));
    }
    cluster.Simulate();
    const auto results = Gather(ranks, ResultOfRank(cluster));
    if (self == 0)
    {
        std::ofstream(to) << AsJson(ReportOfRanks(cluster, results)).dump(1) << "\n";
    }
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 3)
    {
        std::cerr << "usage: mpirun -np RANKS via-ranks TASK.json RESULT.json\n";
        return 2;
    }
    Time::SetResolution(Time::PS);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DistributedSimulatorImpl"));
    MpiInterface::Enable(&argc, &argv);
    const std::uint32_t self = MpiInterface::GetSystemId();
    int exit = 0;
    try
    {
        RunRank(ReadTask(argv[1]), self, MpiInterface::GetSize(), argv[2]);
    }
    catch (const ConfigError& error) // on every rank alike, before time starts
    {
        if (self == 0)
        {
            std::ofstream(argv[2]) << Json{{"error", error.what()}}.dump(1) << "\n";
        }
        exit = 2;
    }
    MpiInterface::Disable();
    return exit;
}
