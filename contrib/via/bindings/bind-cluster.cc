/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Cluster and its reports for Python.

#include "via-bindings.h"
#include "via-cluster-handle.h"
#include "via-columns.h"
#include "via-table-columns.h"
#include "via-watched.h"

#include "ns3/via-capture-share.h"
#include "ns3/via-lost-output.h"
#include "ns3/via-partition-records.h"
#include "ns3/via-protocol-workload.h"
#include "ns3/via-run-counters.h"

#include <cstdint>
#include <limits>
#include <map>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

void
BindFaults(py::module_& module)
{
    py::class_<FaultPlan>(module, "FaultPlan")
        .def(py::init<>())
        .def_static("read", &FaultPlan::Read, py::arg("path"))
        .def_static("read_json", &FaultPlan::ReadJson, py::arg("text"), py::arg("name"))
        .def(
            "check",
            [](const FaultPlan& plan, const Topology& topology) {
                return MakeWatched([&] {
                    plan.Check(topology);
                    return py::none();
                });
            },
            py::arg("topology"));

    py::class_<FaultRow>(module, "FaultRow")
        .def_readonly("kind", &FaultRow::kind)
        .def_readonly("where", &FaultRow::where)
        .def_readonly("at_ps", &FaultRow::at)
        .def_readonly("until_ps", &FaultRow::until)
        .def_readonly("corrupt", &FaultRow::corrupt)
        .def_readonly("lost", &FaultRow::lost)
        .def_readonly("killed", &FaultRow::killed);
}

void
BindConfig(py::module_& module)
{
    py::class_<NodeProfile>(module, "NodeProfile")
        .def(py::init<std::string, std::string>(), py::arg("profile"), py::arg("host"))
        .def_readonly("profile", &NodeProfile::profile)
        .def_readonly("host", &NodeProfile::host);

    py::class_<ClusterConfig>(module, "ClusterConfig")
        .def(py::init<>())
        .def_readwrite("profile", &ClusterConfig::profile)
        .def_readwrite("host", &ClusterConfig::host)
        .def_readwrite("kernel", &ClusterConfig::kernel)
        .def_readwrite("topology", &ClusterConfig::topology)
        .def_readwrite("others", &ClusterConfig::others)
        .def_property(
            "graph",
            [](const ClusterConfig& config) {
                return std::const_pointer_cast<Topology>(config.graph);
            },
            [](ClusterConfig& config, const std::shared_ptr<Topology>& graph) {
                config.graph = graph;
            })
        .def_readwrite("nodes", &ClusterConfig::nodes)
        .def_readwrite("seed", &ClusterConfig::seed)
        .def_readwrite("reference", &ClusterConfig::reference)
        .def_readwrite("payload_digest", &ClusterConfig::payloadDigest)
        .def_readwrite("record", &ClusterConfig::record)
        .def_readwrite("allow_plug_in", &ClusterConfig::allowPlugIns)
        .def_readwrite("stop_ps", &ClusterConfig::stop)
        .def_readwrite("plan", &ClusterConfig::plan)
        .def_property(
            "pcap",
            [](const ClusterConfig& config) { return config.capture.file; },
            [](ClusterConfig& config, const std::string& file) { config.capture.file = file; })
        .def_property(
            "snaplen",
            [](const ClusterConfig& config) { return config.capture.snapLength; },
            [](ClusterConfig& config, std::uint32_t n) { config.capture.snapLength = n; })
        .def_readwrite("patience_ps", &ClusterConfig::patience)
        .def_readwrite("low_memory", &ClusterConfig::lowMemory)
        .def_readwrite("control_network", &ClusterConfig::controlNetwork)
        .def_readwrite("overrides", &ClusterConfig::overrides);

    py::class_<ProgramSpec>(module, "ProgramSpec")
        .def(py::init<>())
        .def_readwrite("path", &ProgramSpec::path)
        .def_readwrite("node", &ProgramSpec::node)
        .def_readwrite("slot", &ProgramSpec::slot)
        .def_readwrite("size", &ProgramSpec::size)
        .def_readwrite("arguments", &ProgramSpec::arguments)
        .def_readwrite("environment", &ProgramSpec::environment)
        .def_readwrite("directory", &ProgramSpec::directory)
        .def_readwrite("input", &ProgramSpec::input)
        .def_readwrite("prefix", &ProgramSpec::prefix)
        .def_readwrite("start_ps", &ProgramSpec::start);
}

/// A dictionary per node, without stages of 0. All of them share their keys.
py::list
NodeCpuOf(const RunReport& report)
{
    py::list nodes;
    for (std::uint32_t node = 0; node < report.nodeCpu.nodes; ++node)
    {
        nodes.append(py::dict());
    }
    for (const auto& [stage, column] : report.nodeCpu.stages)
    {
        const py::str name(stage);
        for (std::uint32_t node = 0; node < report.nodeCpu.nodes; ++node)
        {
            if (column[node] != 0)
            {
                nodes[node][name] = column[node];
            }
        }
    }
    return nodes;
}

void
BindReports(py::module_& module)
{
    py::class_<ProcessReport>(module, "ProcessReport")
        .def_readonly("rank", &ProcessReport::rank)
        .def_readonly("node", &ProcessReport::node)
        .def_readonly("exit", &ProcessReport::exit)
        .def_readonly("signal", &ProcessReport::signal)
        .def_readonly("end_ps", &ProcessReport::end)
        .def_readonly("cpu_ps", &ProcessReport::cpu)
        .def_readonly("system_ps", &ProcessReport::system)
        .def_readonly("left_connected", &ProcessReport::leftConnected)
        .def_readonly("report", &ProcessReport::report);

    py::class_<RunReport>(module, "RunReport")
        .def_readonly("digest", &RunReport::digest)
        .def_readonly("payload_digest", &RunReport::payloadDigest)
        .def_readonly("profile", &RunReport::profile)
        .def_readonly("sketch", &RunReport::sketch)
        .def_readonly("host", &RunReport::host)
        .def_readonly("fingerprint", &RunReport::fingerprint)
        .def_readonly("plug_in", &RunReport::plugIn)
        .def_readonly("deadlock", &RunReport::deadlock)
        .def_readonly("translation_hits", &RunReport::translationHits)
        .def_readonly("translation_misses", &RunReport::translationMisses)
        .def_readonly("seed", &RunReport::seed)
        .def_readonly("nodes", &RunReport::nodes)
        .def_readonly("topology", &RunReport::topology)
        .def_readonly("mpi_ranks", &RunReport::mpiRanks)
        .def_readonly("end_ps", &RunReport::end)
        .def_readonly("events", &RunReport::events)
        .def_readonly("messages", &RunReport::messages)
        .def_property_readonly(
            "exit",
            [](const RunReport& report) { return static_cast<int>(report.exit); })
        .def_readonly("processes", &RunReport::processes)
        .def_readonly("cpu", &RunReport::cpu)
        .def_property_readonly("node_cpu", &NodeCpuOf)
        .def_readonly("violations", &RunReport::violations)
        .def_readonly("cells_corrupt", &RunReport::cellsCorrupt)
        .def_readonly("cells_lost", &RunReport::cellsLost)
        .def_readonly("faults", &RunReport::faults);
}

RoundSpan
SpanOf(const std::string& name)
{
    static const std::map<std::string, RoundSpan> spans = {
        {"last-entry-to-last-exit", RoundSpan::LAST_ENTRY_TO_LAST_EXIT},
        {"first-entry-to-last-exit", RoundSpan::FIRST_ENTRY_TO_LAST_EXIT},
        {"first-entry-to-first-exit", RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT}};
    const auto found = spans.find(name);
    if (found == spans.end())
    {
        throw py::value_error("span is first-entry-to-first-exit, first-entry-to-last-exit or "
                              "last-entry-to-last-exit");
    }
    return found->second;
}

RunLog
LogOf(const std::vector<py::bytes>& shares)
{
    return JoinRecords(BytesOf(shares));
}

} // namespace

void
BindCluster(py::module_& module)
{
    BindFaults(module);
    BindConfig(module);
    BindReports(module);
    module.def("take_lost_output", [] {
        const LostOutput lost = LostOutput::Take();
        return std::make_pair(lost.stream, lost.code);
    });

    module.def("known_table", &KnownTable);
    module.def("workload_names", &WorkloadNames);
    module.def(
        "judge_workload",
        [](const std::string& name,
           const std::map<std::string, std::string>& parameters,
           std::uint32_t nodes,
           const ProviderProfile& profile) {
            py::dict options;
            for (const auto& [option, what] :
                 JudgeWorkload(name, parameters, nodes, NicLimits::From(profile)))
            {
                options[py::str(option)] = py::make_tuple(what.normal, what.least, what.most);
            }
            return options;
        },
        py::arg("name"),
        py::arg("parameters"),
        py::arg("nodes"),
        py::arg("profile"));
    module.def(
        "judge_protocol",
        [](const std::string& name,
           std::uint32_t messageBytes,
           const std::map<std::string, std::string>& parameters,
           std::uint32_t nodes,
           const ProviderProfile& profile) {
            ProtocolKind kind;
            kind.name = name;
            kind.messageBytes = messageBytes;
            kind.prepare = [](WorkloadParameters&, std::uint32_t) { return ProtocolMaker(); };
            WorkloadParameters given(name, parameters, nodes, NicLimits::From(profile));
            ProtocolWorkload::Read(kind, given);
        },
        py::arg("name"),
        py::arg("message_bytes"),
        py::arg("parameters"),
        py::arg("nodes"),
        py::arg("profile"));
    py::class_<ClusterHandle>(module, "Cluster")
        .def(py::init<const ClusterConfig&, bool>(), py::arg("config"), py::arg("ns3") = false)
        .def("nodes", &ClusterHandle::Nodes)
        .def("address",
             [](const ClusterHandle& handle) {
                 return reinterpret_cast<std::uintptr_t>(&handle.Get());
             })
        .def("find_objects", &ClusterHandle::FindObjects, py::arg("path"))
        .def("add_ip_devices", &ClusterHandle::AddIpDevices)
        .def("add_program",
             [](const ClusterHandle& handle, const ProgramSpec& spec) {
                 return handle.Get().AddProgram(spec);
             })
        .def("add_workload",
             [](const ClusterHandle& handle,
                const std::string& name,
                const std::map<std::string, std::string>& parameters) {
                 MakeWatched([&] {
                     handle.Get().AddWorkload(name, parameters);
                     return true;
                 });
             })
        .def("add_python",
             &ClusterHandle::AddPython,
             py::arg("node"),
             py::arg("function"),
             py::arg("start_ps"),
             py::arg("stop_ps"))
        .def(
            "add_protocol",
            [](ClusterHandle& handle,
               const py::object& make,
               const std::string& name,
               std::uint32_t messageBytes,
               std::uint32_t leastBytes,
               const std::string& span,
               const std::map<std::string, std::string>& parameters) {
                ProtocolKind kind;
                kind.name = name;
                kind.messageBytes = messageBytes;
                kind.leastBytes = leastBytes;
                kind.span = SpanOf(span);
                handle.AddProtocol(make, std::move(kind), parameters);
            },
            py::arg("make"),
            py::arg("name"),
            py::arg("message_bytes"),
            py::arg("least_bytes"),
            py::arg("span"),
            py::arg("parameters"))
        .def(
            "advance",
            [](ClusterHandle& handle, Ps until, std::uint32_t watchdog, const py::object& told) {
                const Ps end = until == std::numeric_limits<Ps>::max() ? PS_NEVER : until;
                return handle.Advance(end, watchdog, told.is_none() ? py::object() : told);
            },
            py::arg("until_ps"),
            py::arg("watchdog_s"),
            py::arg("progress"))
        .def("finish", &ClusterHandle::Finish)
        .def("returned", &ClusterHandle::Returned)
        .def("errors", &ClusterHandle::Errors)
        .def("take_log", [](const ClusterHandle& handle) { return handle.Get().TakeLog(); })
        .def("decisions", [](const ClusterHandle& handle) { return DecisionTable(handle.Get()); })
        .def("samples", [](const ClusterHandle& handle) { return SampleColumn(handle.Get()); })
        // of a large cluster they need as much memory as the workload, which is not needed any more
        .def("last_counters",
             [](const ClusterHandle& handle) {
                 handle.Get().DropWorkload();
                 return RunCounters::Of(handle.Get());
             })
        .def("close", &ClusterHandle::Close);
    module.def("join_captures",
               &JoinCaptures,
               py::arg("shares"),
               py::arg("path"),
               py::arg("snap_length"));
    py::class_<RunLog>(module,
                       "RunLog",
                       "What a run recorded; tables are built when they are read.")
        .def_static("join", &LogOf, py::arg("shares"))
        .def("messages",
             [](const RunLog& log) { return MakeWatched([&log] { return MessageTable(log); }); })
        .def("breakdown",
             [](const RunLog& log) { return MakeWatched([&log] { return BreakdownTable(log); }); })
        .def("spans",
             [](const RunLog& log) { return MakeWatched([&log] { return SpanTable(log); }); });
}

} // namespace via
} // namespace ns3
