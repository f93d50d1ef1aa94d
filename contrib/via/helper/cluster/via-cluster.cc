/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster: hosts with NICs, a fabric between them, and the processes that run there.

#include "via-cluster.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/via-cached-head-scheduler.h"
#include "ns3/via-cluster-report.h"
#include "ns3/via-error.h"
#include "ns3/via-fault-driver.h"
#include "ns3/via-huge-pages.h"
#include "ns3/via-low-memory.h"
#include "ns3/via-run-control.h"
#include "ns3/via-vipl-costs.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <malloc.h>
#include <set>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// When a run with IP ends at the latest, in ps: after 30 days. ns-3's TCP probes a shut window
/// as long as time goes on.
constexpr Ps LAST_OF_TCP = Ps{30} * 24 * 3600 * 1'000'000 * PS_PER_US;

bool g_clusterExists = false;

/// What a host needs with its NIC and 23 VIs (barrier of 4,096 nodes), measured: for UseHugePages
/// only.
constexpr std::uint64_t BYTES_OF_A_NODE = 24 << 10;

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
    if (nodes < 1 || nodes > MOST_HOSTS)
    {
        throw ConfigError("--nodes",
                          std::to_string(nodes),
                          "a whole number from 1 to " + std::to_string(MOST_HOSTS));
    }
}

} // namespace

ProviderProfile
ProfileOf(const ClusterConfig& config)
{
    const ProviderProfile profile =
        ProviderProfile::Load(config.profile, config.host, config.kernel);
    const auto isKernels = [](const auto& change) {
        const ProfileKey* key = FindProfileKey(change.first);
        return key != nullptr && key->scope == ProfileScope::KERNEL;
    };
    const bool changesKernel =
        std::any_of(config.overrides.begin(), config.overrides.end(), isKernels);
    const bool lacksOne = changesKernel && profile.Kernel().empty();
    return (lacksOne ? profile.WithKernel() : profile).With(config.overrides);
}

std::shared_ptr<const Topology>
TopologyOf(const ClusterConfig& config, const ProviderProfile& profile)
{
    CheckNodes(config.nodes);
    if (config.graph == nullptr)
    {
        return std::make_shared<const Topology>(
            ParseTopology(config.topology, config.nodes, profile));
    }
    if (config.graph->hosts != config.nodes)
    {
        throw ConfigError("--nodes",
                          std::to_string(config.nodes),
                          "the topology " + config.graph->name + " connects " +
                              std::to_string(config.graph->hosts));
    }
    return config.graph;
}

Cluster::Cluster(const ClusterConfig& config)
    : m_config(config),
      m_profile(ProfileOf(config)),
      m_topology(TopologyOf(config, m_profile)),
      m_graph(*m_topology),
      m_kinds(m_profile,
              {config.profile,
               config.overrides,
               config.nodes,
               !m_topology->switches.empty(),
               config.allowPlugIns,
               m_topology->LeastRoom(),
               [this](NodeId from, NodeId to) { return m_topology->Hops(m_graph, from, to); }},
              config.others),
      m_fabric(m_world, m_profile, *m_topology, m_graph, config.nodes),
      m_processes(*this),
      m_capture(config.capture, m_world, [this](NodeId node) { return m_nics[node].get(); })
{
    if (g_clusterExists)
    {
        throw ConfigError("Cluster", "a second one", "only one may exist at a time");
    }
    RequirePicoseconds(config.ownsSimulator);
    if (config.controlNetwork && !m_profile.MayHaveKernel())
    {
        throw ConfigError("--control-network",
                          "on",
                          "host " + m_profile.Host() +
                              " has no network stack: choose one (kernel)");
    }
    if (!config.faults.empty())
    {
        m_config.plan = FaultPlan::Read(config.faults);
    }
    m_config.plan.Check(*m_topology);
    m_world.lossy = !m_config.plan.IsEmpty() || LinkCosts::From(m_profile).IsLossy();
    m_world.payloadDigest = config.payloadDigest;
    if (config.fastScheduler)
    {
        ObjectFactory scheduler;
        scheduler.SetTypeId("ns3::via::CachedHeadScheduler");
        Simulator::SetScheduler(scheduler);
    }
    m_world.seed = config.seed;
    m_world.reference = config.reference;
    m_world.agenda.StopAt(config.stop);
    // what others will do is not known here: who polls in vain polls until --stop
    m_world.pollWatchdog.SetLimit(config.partition == nullptr ? config.patience : PS_NEVER);
    const auto components = static_cast<ComponentId>(config.nodes + m_topology->switches.size());
    m_world.agenda.SetComponents(
        components + (config.partition == nullptr ? 0 : RemoteLinks::Count(*m_topology)));
    if (config.partition != nullptr)
    {
        RequirePartitionsCan(*this, config);
        m_fabric.Divide(*config.partition, components);
    }
    ChooseHosts();
    UseHugePages(BYTES_OF_A_NODE * m_hostsHere.size());
    if (config.record)
    {
        const PartitionPlan plan =
            config.partition == nullptr ? PartitionPlan{} : config.partition->plan;
        m_world.spans.Enable(plan.self, plan.partitions);
        m_world.messages.Enable();
    }
    BuildHosts();
    m_fabric.Build({m_hosts, m_nics}, m_capture);
    if (!m_config.plan.IsEmpty())
    {
        m_faults =
            std::make_unique<FaultDriver>(*this, m_config.plan.Expand(*m_topology, config.seed));
    }
    LowMemory::Instance().Want(config.lowMemory);
    g_clusterExists = true;
}

Cluster::~Cluster()
{
    m_workload.reset();
    m_processes.Clear();
    LowMemory::Instance().Want(false);
    if (m_config.ownsSimulator)
    {
        Simulator::Destroy();
    }
    g_clusterExists = false;
}

void
Cluster::ChooseHosts()
{
    std::set<const NodeKind*> known; // LeastLeads() asks one of each kind
    for (NodeId node = 0; node < m_config.nodes; ++node)
    {
        const bool isFirst = known.insert(&m_kinds.Of(node)).second;
        if (isFirst || m_fabric.IsOurs(node))
        {
            m_hostsHere.push_back(node);
        }
    }
}

void
Cluster::BuildHosts()
{
    m_hosts.resize(m_config.nodes);
    m_nics.resize(std::size_t{m_config.nodes} * m_topology->rails);
    for (const NodeId node : m_hostsHere)
    {
        RunControl::Check();
        const NodeKind& kind = m_kinds.Of(node);
        m_hosts[node] =
            std::make_unique<Host>(m_world, node, "n" + std::to_string(node), kind.host);
        Host& host = *m_hosts[node];
        for (std::uint32_t card = 0; card < m_topology->rails; ++card) // near their host in memory
        {
            const std::size_t place = std::size_t{card} * m_config.nodes + node;
            m_nics[place] = std::make_unique<Nic>(host, kind.nic, kind.limits, card);
            if (m_fabric.IsOurs(node))
            {
                m_fabric.AddUplink(host, card);
            }
        }
    }
}

void
Cluster::RequireKernel()
{
    if (m_profile.Kernel().empty())
    {
        m_profile = m_profile.WithKernel();
    }
}

IpNetwork&
Cluster::Ip()
{
    if (m_ip == nullptr)
    {
        RequireKernel();
        m_world.leads = {}; // a program may ask for IP in the middle of a run
        std::vector<Nic*> nics;
        for (std::uint32_t node = 0; node < m_config.nodes; ++node)
        {
            nics.push_back(m_nics[node].get()); // IP is on the first card
        }
        m_ip = std::make_unique<IpNetwork>(nics, m_profile, [this](NodeId host) {
            return m_fabric.IsOurs(host);
        });
    }
    return *m_ip;
}

void
Cluster::AddWorkload(const std::string& name, const std::map<std::string, std::string>& parameters)
{
    if (m_workload != nullptr || m_processes.Count() > 0)
    {
        throw ConfigError("workload", name, "a run has either one workload or programs");
    }
    WorkloadContext context;
    context.costs = &m_kinds.Of(m_config.nodes).setting.costs; // of nodes like the cluster
    context.otherCosts = m_kinds.OtherCosts();
    context.ip = [this]() -> IpNetwork& { return Ip(); };
    context.partition = m_fabric.GetRemoteLinks();
    context.words = m_fabric.LongestFlight();
    context.limits = *m_kinds.Of(0).limits;
    context.seed = m_config.seed;
    for (std::uint32_t node = 0; node < m_config.nodes; ++node)
    {
        context.nics.push_back(m_nics[node].get());
    }
    m_workload = MakeWorkload(name, parameters, context);
    for (const auto& process : m_workload->Processes())
    {
        if (process != nullptr && m_faults != nullptr)
        {
            process->ExpectKill(m_faults->NextCrash(process->GetHost().Id(), 0));
        }
    }
    m_workload->Start();
}

void
Cluster::PrepareAgenda()
{
    const OtherEvents* const known =
        m_config.fastScheduler ? CachedHeadScheduler::Latest() : nullptr;
    const OtherEvents* next = known;
    if (const RemoteLinks* remote = m_fabric.GetRemoteLinks())
    {
        DropWorkOfOthers(*this);
        next = remote->Outside(known);
        m_world.agenda.HeedPartitions(next);
    }
    // ns-3's clock is of interest to its own IP stacks, and to whoever else uses this simulator
    const bool isAlone = m_config.ownsSimulator && m_ip == nullptr;
    m_world.agenda.RunOn(isAlone ? next : nullptr);
    m_world.agenda.Know(known);
    m_world.leads = LeastLeads();
    if (m_fabric.GetRemoteLinks() != nullptr && next == nullptr)
    {
        m_world.leads.control = 0; // what others announce may come too late
    }
    WatchInbound();
}

void
Cluster::WatchInbound()
{
    if (m_world.leads.control > 0 && m_world.agenda.Now() == 0)
    {
        m_world.inbound.Watch(m_hosts.size(), SwitchCosts::From(m_profile).feedbackMark > 0);
        if (RemoteLinks* remote = m_fabric.GetRemoteLinks())
        {
            remote->CountInbound(m_world.inbound);
        }
    }
    else if (!m_world.inbound.IsWatched())
    {
        m_world.leads.control = 0; // what is under way was not counted
    }
}

void
Cluster::Simulate()
{
    PrepareAgenda();
    m_world.agenda.Arm();
    EventId last;
    if (m_ip != nullptr && m_config.ownsSimulator)
    {
        const Ps at = LastInstant() + 1;
        last = Simulator::Schedule(TimeStep(static_cast<std::uint64_t>(at)) - Simulator::Now(),
                                   static_cast<void (*)()>(&Simulator::Stop));
    }
    Simulator::Run();
    Simulator::Remove(last);
    if (RunControl::Ended().target != nullptr)
    {
        throw NoProgress(StandstillText());
    }
}

Ps
Cluster::LastInstant() const
{
    const Ps limit = m_world.agenda.Limit();
    return m_ip == nullptr ? limit : std::min(limit, LAST_OF_TCP);
}

bool
Cluster::IsOver() const
{
    const Ps next = CachedHeadScheduler::Latest()->NextAt();
    return next == PS_NEVER || next > LastInstant();
}

Leads
Cluster::LeastLeads() const
{
    const bool isUnknown = m_world.lossy; // cells that were lost are sent again
    Leads least{PS_NEVER, isUnknown ? 0 : PS_NEVER, PS_NEVER, isUnknown ? 0 : PS_NEVER};
    const ViplCosts costs = ViplCosts::From(m_profile);
    for (const NodeId node : m_hostsHere)
    {
        const ClockDomain& clock = m_hosts[node]->CpuClock();
        const auto span = [&clock](Cycles n) { return clock.Span(n); };
        const Ps harvest = std::min(span(costs.doneHit), span(costs.cqDoneHit));
        const Ps calls = harvest + span(costs.postSend) - 2; // rounded
        least.call = std::min(least.call, std::max(calls, Ps{0}));
    }
    for (const auto& nic : m_nics)
    {
        if (nic == nullptr)
        {
            continue;
        }
        const Leads leads = nic->LeastLeads();
        least.program = std::min(least.program, leads.program);
        least.send = std::min(least.send, leads.send);
        least.control = std::min(least.control, leads.control);
    }
    least.control = std::min(least.control, least.program); // a card's work may wake a program
    return least;
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
                       " events pending; " +
                       (why.component < nodes ? "n" + std::to_string(why.component)
                                              : "s" + std::to_string(why.component - nodes)) +
                       " is handling event " + std::to_string(why.kind) + " of " +
                       (name ? name.get() : why.target) + " at port " + std::to_string(why.port);
    for (const auto& process : m_processes.List())
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
    CompleteOutputs();
    return Finish();
}

void
Cluster::CompleteOutputs()
{
    for (const auto& process : m_processes.List())
    {
        process->CompleteOutput();
    }
    m_capture.End();
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

void
Cluster::DropWorkload()
{
    m_workload.reset();
    malloc_trim(0); // it is spread over pages of what stays
}

std::vector<MessageRow>
Cluster::Messages() const
{
    MessageRecords records = m_world.messages.Records();
    SortByEnd(records);
    return MessageRows(records);
}

std::vector<BreakdownRow>
Cluster::Breakdown() const
{
    return BreakdownRows(FindCriticalPaths(m_world.messages.Records(), m_world.spans),
                         m_config.nodes);
}

RunLog
Cluster::TakeLog()
{
    return {m_world.messages.TakeRecords(), std::move(m_world.spans), m_config.nodes};
}

} // namespace via
} // namespace ns3
