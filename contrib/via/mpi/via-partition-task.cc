/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A task for several partitions, as read from a file.

#include "via-partition-task.h"

#include "ns3/via-error.h"
#include "ns3/via-topology-json.h"

#include <charconv>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

namespace ns3
{
namespace via
{

namespace
{

using Json = nlohmann::json;

std::uint32_t
NodeFrom(const std::string& text)
{
    std::uint32_t node = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, wrong] = std::from_chars(text.data(), end, node);
    if (wrong != std::errc() || stopped != end)
    {
        throw ConfigError("node_profiles", text, "the number of a node");
    }
    return node;
}

ClusterConfig
ConfigFrom(const Json& json)
{
    ClusterConfig config;
    config.profile = json.at("profile");
    config.host = json.value("host", config.host);
    config.kernel = json.value("kernel", config.kernel);
    config.topology = json.at("topology");
    if (json.contains("graph"))
    {
        config.graph = std::make_shared<const Topology>(TopologyFromJson(json.at("graph").dump()));
    }
    config.nodes = json.at("nodes");
    config.seed = json.value("seed", config.seed);
    config.stop = json.value("stop_ps", config.stop);
    config.reference = json.value("reference", config.reference);
    config.allowPlugIns = json.value("allow_plug_in", config.allowPlugIns);
    const Json others = json.value("node_profiles", Json::object());
    for (const auto& [node, other] : others.items())
    {
        config.others[NodeFrom(node)] = {other.at(0), other.at(1)};
    }
    config.overrides = json.value("overrides", config.overrides);
    config.record = json.value("record", config.record);
    config.payloadDigest = json.value("payload_digest", config.payloadDigest);
    config.faults = json.value("faults_file", config.faults);
    if (json.contains("faults"))
    {
        config.plan = FaultPlan::ReadJson(json.at("faults").dump(), "faults");
    }
    return config;
}

ProgramSpec
ProgramFrom(const Json& json)
{
    ProgramSpec spec;
    spec.path = json.at("path");
    spec.arguments = json.value("arguments", spec.arguments);
    spec.environment = json.value("environment", spec.environment);
    spec.directory = json.value("directory", "");
    spec.input = json.value("input", "");
    spec.prefix = json.value("prefix", false);
    return spec;
}

bool
IsNullMessage(const std::string& engine)
{
    if (engine != "granted-window" && engine != "null-message")
    {
        throw ConfigError("--mpi-engine", engine, "granted-window or null-message");
    }
    return engine == "null-message";
}

PartitionTask
TaskFrom(const Json& json)
{
    PartitionTask task;
    task.config = ConfigFrom(json);
    task.cutsFew = json.value("partition_of_switch", Json()) == "graph-cut";
    if (!task.cutsFew)
    {
        task.partitionOfSwitch = json.value("partition_of_switch", task.partitionOfSwitch);
    }
    task.nullMessages = IsNullMessage(json.value("engine", "granted-window"));
    task.lookahead = json.value("lookahead_ps", task.lookahead);
    task.watchdog = json.value("watchdog", task.watchdog);
    task.tables = json.value("tables_to", task.tables);
    task.captures = json.contains("snap_length");
    task.config.capture.snapLength = json.value("snap_length", task.config.capture.snapLength);
    if (json.contains("program"))
    {
        task.program = ProgramFrom(json.at("program"));
        task.procsPerNode = json.at("program").value("procs_per_node", 1U);
    }
    else if (!json.value("python", false))
    {
        task.workload = json.at("workload");
        task.parameters = json.value("parameters", task.parameters);
    }
    return task;
}

} // namespace

PartitionTask
PartitionTask::Read(const std::string& path)
{
    PartitionTask task;
    try
    {
        std::ifstream file(path);
        task = TaskFrom(Json::parse(file));
    }
    catch (const Json::exception& error)
    {
        throw ConfigError("task", path, error.what());
    }
    if (task.nullMessages && task.config.stop == PS_NEVER)
    {
        throw ConfigError("--stop", "none", "ranks that send null messages stop only then");
    }
    return task;
}

void
PartitionTask::AddTo(Cluster& cluster) const
{
    if (!workload.empty())
    {
        cluster.AddWorkload(workload, parameters);
        return;
    }
    ProgramSpec spec = program;
    spec.size = config.nodes * procsPerNode;
    for (std::uint32_t partition = 0; partition < spec.size; ++partition)
    {
        spec.node = partition / procsPerNode;
        spec.slot = partition % procsPerNode;
        cluster.AddProgram(spec);
    }
}

} // namespace via
} // namespace ns3
