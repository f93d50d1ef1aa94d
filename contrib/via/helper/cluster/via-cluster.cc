/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster: hosts with NICs, a fabric between them, and the processes that run there.

#include "via-cluster.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/via-error.h"
#include "ns3/via-fault-driver.h"
#include "ns3/via-run-control.h"
#include "ns3/via-tables.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <iostream>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_NODES = 65535; // a node address has 16 bits for them
constexpr std::uint32_t LINK_CLOCK = 3;     // number of the uplink's clock among a host's
constexpr std::uint32_t CLOCKS_PER_CARD = 16;

bool g_clusterExists = false;

/// ns-3's resolution is global and nanoseconds by default; ours is picoseconds.
void
RequirePicoseconds(bool set)
{
    if (set && Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    if (Time::GetResolution() != Time::PS)
    {
        throw ConfigError("ns-3 time resolution",
                          "coarser than 1 ps",
                          "call Time::SetResolution(Time::PS) before any simulation");
    }
}

void
CheckNodes(std::uint32_t nodes)
{
    if (nodes < 1 || nodes > MOST_NODES)
    {
        throw ConfigError("--nodes",
                          std::to_string(nodes),
                          "a whole number from 1 to " + std::to_string(MOST_NODES));
    }
}

Topology
TopologyOf(const ClusterConfig& config, const ProviderProfile& profile)
{
    CheckNodes(config.nodes);
    if (config.graph == nullptr)
    {
        return ParseTopology(config.topology, config.nodes, profile);
    }
    if (config.graph->hosts != config.nodes)
    {
        throw ConfigError("--nodes",
                          std::to_string(config.nodes),
                          "the topology " + config.graph->name + " connects " +
                              std::to_string(config.graph->hosts));
    }
    return *config.graph;
}

std::string
Replace(std::string text, const std::map<std::string, std::string>& values)
{
    for (const auto& value : values)
    {
        const std::string name = "{" + value.first + "}";
        for (std::size_t at = text.find(name); at != std::string::npos;
             at = text.find(name, at + value.second.size()))
        {
            text.replace(at, name.size(), value.second);
        }
    }
    return text;
}

} // namespace

Cluster::Cluster(const ClusterConfig& config)
    : m_config(config),
      m_profile(LoadProfile(config)),
      m_topology(TopologyOf(config, m_profile)),
      m_graph(m_topology),
      m_kinds(m_profile,
              {config.profile,
               config.overrides,
               config.nodes,
               config.allowPlugIns,
               [this](NodeId from, NodeId to) { return m_topology.Hops(m_graph, from, to); }},
              config.others),
      m_capture(config.capture, m_world, [this](NodeId node) -> Nic& { return *m_nics[node]; })
{
    if (g_clusterExists)
    {
        throw ConfigError("Cluster", "a second one", "only one may exist at a time");
    }
    RequirePicoseconds(config.ownsSimulator);
    if (!config.faults.empty())
    {
        m_config.plan = FaultPlan::Read(config.faults);
    }
    m_config.plan.Check(m_topology);
    m_world.lossy = !m_config.plan.IsEmpty() || LinkCosts::From(m_profile).IsLossy();
    m_world.payloadDigest = config.payloadDigest;
    if (config.fastScheduler)
    {
        ObjectFactory scheduler;
        scheduler.SetTypeId("ns3::via::FrontScheduler");
        Simulator::SetScheduler(scheduler);
    }
    m_world.seed = config.seed;
    m_world.reference = config.reference || config.ranks != nullptr;
    m_world.agenda.StopAt(config.stop);
    // what others will do is not known here: who polls in vain polls until --stop
    m_world.patience.SetLimit(config.ranks == nullptr ? config.patience : PS_NEVER);
    const auto components = static_cast<ComponentId>(config.nodes + m_topology.switches.size());
    m_world.agenda.SetComponents(components +
                                 (config.ranks == nullptr ? 0 : RankCrossings::Count(m_topology)));
    if (config.ranks != nullptr)
    {
        RequireRanksCan(*this, config);
        m_crossings =
            std::make_unique<RankCrossings>(*config.ranks, m_topology, m_world, components);
    }
    if (config.record)
    {
        m_world.spans.Enable();
        m_world.messages.Enable();
    }
    BuildHosts();
    BuildSwitches();
    BuildCables();
    PutRoutesIntoHeads();
    BuildFeedback();
    BuildFaults();
    g_clusterExists = true;
}

Cluster::~Cluster()
{
    m_workload.reset();
    m_processes.clear(); // kills what still runs
    if (m_config.ownsSimulator)
    {
        Simulator::Destroy();
    }
    g_clusterExists = false;
}

void
Cluster::BuildHosts()
{
    const Shared<LinkCosts> linkCosts = WireCosts();
    m_nics.resize(std::size_t{m_config.nodes} * m_topology.rails);
    m_uplinks.resize(m_nics.size());
    for (std::uint32_t node = 0; node < m_config.nodes; ++node)
    {
        RunControl::Check();
        const NodeKind& kind = m_kinds.Of(node);
        m_hosts.push_back(
            std::make_unique<Host>(m_world, node, "n" + std::to_string(node), kind.host));
        Host& host = *m_hosts.back();
        for (std::uint32_t card = 0; card < m_topology.rails; ++card) // near their host in memory
        {
            const std::size_t place = std::size_t{card} * m_config.nodes + node;
            m_nics[place] = std::make_unique<Nic>(host, kind.nic, kind.limits, card);
            m_uplinks[place] =
                std::make_unique<Link>(host, linkCosts, LINK_CLOCK + CLOCKS_PER_CARD * card);
        }
    }
}

const ProgramImage&
Cluster::Image(const std::string& path)
{
    auto& image = m_images[path];
    if (image == nullptr)
    {
        image = std::make_unique<ProgramImage>(path, ViplFunctionCount());
        const bool isFirst = m_config.ranks == nullptr || m_config.ranks->plan.self == 0;
        if (isFirst && !image->ReportsBlocks())
        {
            std::cerr << "via: " << path << " was built with --no-trace-pc: loops that poll plain"
                      << " memory never see time pass\n";
        }
    }
    return *image;
}

std::uint32_t
Cluster::AddProgram(const ProgramSpec& spec)
{
    const std::uint32_t rank = m_processCount;
    const ProgramImage& image = Image(spec.path);
    const std::map<std::string, std::string> values = {{"rank", std::to_string(rank)},
                                                       {"size", std::to_string(spec.size)},
                                                       {"host", CheckedHost(spec.node).Name()}};
    ProgramOptions options;
    for (const std::string& argument : spec.arguments)
    {
        options.arguments.push_back(Replace(argument, values));
    }
    for (const std::string& variable : spec.environment)
    {
        options.environment.push_back(Replace(variable, values));
    }
    options.environment.push_back("VIA_RANK=" + values.at("rank"));
    options.environment.push_back("VIA_SIZE=" + values.at("size"));
    const std::string perNode = "VIA_PROCS_PER_NODE=";
    const bool saysPerNode =
        std::any_of(spec.environment.begin(), spec.environment.end(), [&](const std::string& one) {
            return one.compare(0, perNode.size(), perNode) == 0;
        });
    if (!saysPerNode)
    {
        options.environment.push_back(perNode + "1");
    }
    options.libc.cwd = Replace(spec.directory, values);
    options.libc.input = spec.input;
    if (spec.prefix)
    {
        options.libc.prefix = "[" + values.at("host") + "." + std::to_string(spec.slot) + "] ";
    }
    const auto make = [this, node = spec.node, &image, options](std::uint32_t number) {
        return WithNics(std::make_unique<ViplProcess>(*m_nics[node],
                                                      number,
                                                      m_kinds.Of(node).setting,
                                                      image,
                                                      options),
                        node);
    };
    return StartNew(spec.node, make, spec.start, spec.stop);
}

std::unique_ptr<ViplProcess>
Cluster::WithNics(std::unique_ptr<ViplProcess> process, std::uint32_t node)
{
    for (std::uint32_t card = 1; card < m_topology.rails; ++card)
    {
        process->AddNic(NicAt(node, card));
    }
    return process;
}

std::uint32_t
Cluster::StartNew(std::uint32_t node, ProcessMaker make, Ps start, Ps stop)
{
    const std::uint32_t number = m_processCount++;
    if (m_crossings != nullptr && !m_crossings->IsOurs(node))
    {
        return number;
    }
    m_processes.push_back(make(number));
    if (m_faults != nullptr)
    {
        m_makers[number] = {node, std::move(make)};
    }
    ViplProcess& process = *m_processes.back();
    process.Start(start);
    if (stop != PS_NEVER)
    {
        process.KillAt(stop);
    }
    return number;
}

Host&
Cluster::CheckedHost(std::uint32_t node)
{
    if (node >= m_config.nodes)
    {
        throw ConfigError("node",
                          std::to_string(node),
                          "the cluster has nodes 0 to " + std::to_string(m_config.nodes - 1));
    }
    return *m_hosts[node];
}

std::uint32_t
Cluster::AddProcess(std::uint32_t node, std::function<int()> body, Ps start, Ps stop)
{
    CheckedHost(node);
    const auto make = [this, node, run = std::move(body)](std::uint32_t number) {
        const ViplSetting& setting = m_kinds.Of(node).setting;
        return WithNics(std::make_unique<ViplProcess>(*m_nics[node], number, setting, run), node);
    };
    return StartNew(node, make, start, stop);
}

void
Cluster::AddWorkload(const std::string& name, const std::map<std::string, std::string>& parameters)
{
    if (m_workload != nullptr || m_processCount > 0)
    {
        throw ConfigError("workload", name, "a run has one workload, or programs");
    }
    WorkloadContext context;
    context.costs = &m_kinds.Of(m_config.nodes).setting.costs; // of nodes like the cluster
    context.otherCosts = m_kinds.OtherCosts();
    context.ip = [this]() -> IpNetwork& { return Ip(); };
    context.ranks = m_crossings.get();
    for (std::uint32_t node = 0; node < m_config.nodes; ++node)
    {
        context.nics.push_back(m_nics[node].get());
    }
    m_workload = MakeWorkload(name, parameters, context);
    m_workloadName = name;
    m_workload->Start();
}

void
Cluster::Simulate()
{
    if (m_crossings != nullptr)
    {
        DropWorkOfOthers(*this);
    }
    m_world.agenda.Arm();
    Simulator::Run();
    if (RunControl::Ended().target != nullptr)
    {
        throw NoProgress(StandstillText());
    }
}

std::string
Cluster::StandstillText() const
{
    const Standstill& why = RunControl::Ended();
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(why.target, nullptr, nullptr, nullptr),
        std::free);
    const std::uint32_t nodes = m_config.nodes;
    std::string text = "no progress: time has stood still at " + std::to_string(why.at) +
                       " ps for " + std::to_string(RunControl::LimitSeconds()) +
                       " s of CPU time (--watchdog), " + std::to_string(m_world.agenda.Size()) +
                       " pieces of work are planned; " +
                       (why.component < nodes ? "n" + std::to_string(why.component)
                                              : "s" + std::to_string(why.component - nodes)) +
                       " does work " + std::to_string(why.kind) + " of " +
                       (name ? name.get() : why.target) + " at port " + std::to_string(why.port);
    for (const auto& process : m_processes)
    {
        if (process->GetHost().Id() == why.component && !process->WaitsFor().empty())
        {
            text += "; rank " + std::to_string(process->Rank()) + " " + process->WaitsFor();
        }
    }
    return text;
}

RunReport
Cluster::Run()
{
    Simulate();
    EndCapture();
    return Finish();
}

RunReport
Cluster::Finish()
{
    if (m_workload != nullptr)
    {
        m_workload->Conclude();
    }
    return MakeReport(*this);
}

std::vector<MessageRow>
Cluster::Messages() const
{
    return MessageRows(m_world.messages);
}

std::vector<BreakdownRow>
Cluster::Breakdown() const
{
    std::vector<std::string> names;
    for (const auto& host : m_hosts)
    {
        names.push_back(host->Name());
    }
    for (const auto& one : m_switches)
    {
        names.push_back(one->Name());
    }
    return BreakdownRows(m_world.messages, m_world.spans, names);
}

} // namespace via
} // namespace ns3
