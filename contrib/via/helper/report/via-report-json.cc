/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads and writes the report of a run as JSON, the output of `via run --json`.

#include "via-report-json.h"

#include <nlohmann/json.hpp>

namespace ns3
{
namespace via
{

namespace
{

using Json = nlohmann::ordered_json;

/// Converts "" to null.
Json
TextOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

std::string
TextOf(const Json& json)
{
    return json.is_null() ? "" : json.get<std::string>();
}

Json
AsJson(const ProcessReport& process)
{
    return {{"rank", process.rank},
            {"node", process.node},
            {"exit", process.exit},
            {"signal", process.signal},
            {"end_ps", process.end},
            {"cpu_ps", process.cpu},
            {"system_ps", process.system},
            {"left_connected", process.leftConnected},
            {"report", process.report}};
}

ProcessReport
ProcessFrom(const Json& json)
{
    ProcessReport process;
    process.rank = json.at("rank");
    process.node = json.at("node");
    process.exit = json.at("exit");
    process.signal = json.at("signal");
    process.end = json.at("end_ps");
    process.cpu = json.at("cpu_ps");
    process.system = json.at("system_ps");
    process.leftConnected = json.at("left_connected");
    process.report = json.at("report");
    return process;
}

Json
AsJson(const FaultRow& row)
{
    return {{"kind", row.kind},
            {"where", row.where},
            {"at_ps", row.at},
            {"until_ps", row.until == PS_NEVER ? Json() : Json(row.until)},
            {"corrupt", row.corrupt},
            {"lost", row.lost},
            {"killed", row.killed}};
}

FaultRow
FaultFrom(const Json& json)
{
    const Json& until = json.at("until_ps");
    FaultRow row;
    row.kind = json.at("kind");
    row.where = json.at("where");
    row.at = json.at("at_ps");
    row.until = until.is_null() ? PS_NEVER : until.get<Ps>();
    row.corrupt = json.at("corrupt");
    row.lost = json.at("lost");
    row.killed = json.at("killed");
    return row;
}

template <class T>
Json
AsList(const std::vector<T>& items)
{
    Json list = Json::array();
    for (const T& item : items)
    {
        list.push_back(AsJson(item));
    }
    return list;
}

Json
NodeCpuList(const NodeCpuTimes& times)
{
    Json list = Json::array();
    for (std::uint32_t node = 0; node < times.nodes; ++node)
    {
        list.push_back(times.Of(node));
    }
    return list;
}

NodeCpuTimes
NodeCpuFrom(const Json& list)
{
    NodeCpuTimes times;
    times.nodes = static_cast<std::uint32_t>(list.size());
    for (std::uint32_t node = 0; node < times.nodes; ++node)
    {
        for (const auto& [stage, spent] : list[node].items())
        {
            times.Add(stage, node, spent);
        }
    }
    return times;
}

} // namespace

std::string
ReportAsJson(const RunReport& report)
{
    const Json json = {
        {"schema", "via-run/1"},
        {"digest", report.digest},
        {"payload_digest", TextOrNull(report.payloadDigest)},
        {"profile",
         {{"name", report.profile},
          {"fingerprint", report.fingerprint},
          {"host", report.host},
          {"sketch", TextOrNull(report.sketch)},
          {"plug_in", TextOrNull(report.plugIn)}}},
        {"seed", report.seed},
        {"nodes", report.nodes},
        {"topology", report.topology},
        {"mpi_ranks", report.mpiRanks},
        {"end_ps", report.end},
        {"events", report.events},
        {"messages", report.messages},
        {"exit", static_cast<int>(report.exit)},
        {"processes", AsList(report.processes)},
        {"cpu", Json(report.cpu)},
        {"node_cpu", NodeCpuList(report.nodeCpu)},
        {"translations", {{"hits", report.translationHits}, {"misses", report.translationMisses}}},
        {"cells", {{"corrupt", report.cellsCorrupt}, {"lost", report.cellsLost}}},
        {"faults", AsList(report.faults)},
        {"deadlock", TextOrNull(report.deadlock)},
        {"violations", Json(report.violations)}};
    return json.dump(1);
}

RunReport
ReportFromJson(const std::string& text)
{
    const Json json = Json::parse(text);
    const Json& profile = json.at("profile");
    RunReport report;
    report.digest = json.at("digest");
    report.payloadDigest = TextOf(json.at("payload_digest"));
    report.profile = profile.at("name");
    report.fingerprint = profile.at("fingerprint");
    report.host = profile.at("host");
    report.sketch = TextOf(profile.at("sketch"));
    report.plugIn = TextOf(profile.at("plug_in"));
    report.seed = json.at("seed");
    report.nodes = json.at("nodes");
    report.topology = json.at("topology");
    report.mpiRanks = json.at("mpi_ranks");
    report.end = json.at("end_ps");
    report.events = json.at("events");
    report.messages = json.at("messages");
    report.exit = static_cast<RunExit>(json.at("exit").get<int>());
    for (const Json& process : json.at("processes"))
    {
        report.processes.push_back(ProcessFrom(process));
    }
    report.cpu = json.at("cpu").get<std::map<std::string, Ps>>();
    report.nodeCpu = NodeCpuFrom(json.at("node_cpu"));
    report.translationHits = json.at("translations").at("hits");
    report.translationMisses = json.at("translations").at("misses");
    report.cellsCorrupt = json.at("cells").at("corrupt");
    report.cellsLost = json.at("cells").at("lost");
    for (const Json& row : json.at("faults"))
    {
        report.faults.push_back(FaultFrom(row));
    }
    report.deadlock = TextOf(json.at("deadlock"));
    report.violations = json.at("violations").get<std::vector<std::string>>();
    return report;
}

} // namespace via
} // namespace ns3
