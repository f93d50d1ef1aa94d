/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster: hosts with NICs, a fabric between them, and the processes that run there.

#ifndef VIA_CLUSTER_H
#define VIA_CLUSTER_H

#include "ns3/via-cluster-capture.h"
#include "ns3/via-cluster-fabric.h"
#include "ns3/via-cluster-processes.h"
#include "ns3/via-fault-plan.h"
#include "ns3/via-ip-network.h"
#include "ns3/via-nic.h"
#include "ns3/via-node-kinds.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-run-log.h"
#include "ns3/via-topology.h"
#include "ns3/via-workload.h"

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class FaultDriver;

/// What a cluster is made of.
struct ClusterConfig
{
    std::string profile{"giganet-clan1000"}; ///< name or path, see ProviderProfile::Load
    std::string host;                        ///< test bed; empty: the product's own
    std::string kernel; ///< network stack; empty: the host's own once IP or one of its keys is used
    std::map<std::uint32_t, NodeProfile> others; ///< nodes with another card or host
    std::string topology{"star"};                ///< see ParseTopology
    std::shared_ptr<const Topology> graph;       ///< in place of a name: as many hosts as nodes
    std::uint32_t nodes{2};                      ///< 1 .. MOST_HOSTS
    std::uint64_t seed{1};                       ///< phases of all clocks
    bool reference{false};                       ///< an event for each step that takes time
    bool payloadDigest{true}; ///< hash the bytes of delivered messages: RunReport::payloadDigest
    bool allowPlugIns{false}; ///< the user lets profiles run shared objects
    bool record{false};       ///< keep messages and spans: Messages(), Breakdown()
    Ps stop{PS_NEVER};        ///< nothing happens later
    std::string faults;       ///< file of what goes wrong, see FaultPlan; empty: `plan` says it
    FaultPlan plan;
    CaptureConfig capture;              ///< what is wanted of the packets at the NICs' ports
    Ps patience{PollWatchdog::DEFAULT}; ///< what polls or computes for longer, alone, ends
    bool lowMemory{false};              ///< programs live below 2 GiB, see LowMemory
    bool controlNetwork{false};         ///< programs have a network at no cost, see ControlNetwork
    std::map<std::string, std::string> overrides; ///< profile keys to change, for what-if runs
    bool ownsSimulator{true}; ///< false: whoever built it runs and destroys ns-3's Simulator
    std::shared_ptr<const PartitionConfig> partition; ///< null: one does it all
    bool fastScheduler{true}; ///< choose ns-3's quickest scheduler; false: leave the user's
};

/// The profile of a cluster: with its host, its kernel and its overrides. @throws ConfigError
ProviderProfile ProfileOf(const ClusterConfig& config);

/// The topology of a cluster, never null: that of @p config, or a new one. @throws ConfigError
/// naming --nodes or --topology
std::shared_ptr<const Topology> TopologyOf(const ClusterConfig& config,
                                           const ProviderProfile& profile);

/**
 * @brief Builds a cluster from a profile and a topology, runs processes on it, and reports.
 *
 * Use: construct, add processes (AddProgram, AddProcess) or give a workload, Run() once, read the
 * results. Only one cluster may exist at a time, because ns-3's Simulator is one per OS process.
 * The destructor calls Simulator::Destroy(), unless config.ownsSimulator is false: then the
 * cluster must go while the Simulator still exists, and Finish() takes the place of Run().
 *
 * @throws ConfigError from the constructor and the Add calls, naming option, value and limit.
 */
class Cluster
{
  public:
    explicit Cluster(const ClusterConfig& config);
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    const ClusterConfig& Config() const
    {
        return m_config;
    }

    const ProviderProfile& Profile() const
    {
        return m_profile;
    }

    /// Sees to it that the profile has a kernel: the one that was chosen, or the host's own.
    /// @throws ConfigError when there is none
    void RequireKernel();

    /**
     * @brief IPv4 on the hosts' cards, beside VIA. Made when it is first asked for: before time
     * starts, or by a program's first socket; not together with ViaIpHelper.
     * @throws ConfigError as RequireKernel
     */
    IpNetwork& Ip();

    const NodeKinds& Kinds() const
    {
        return m_kinds;
    }

    const Topology& GetTopology() const
    {
        return *m_topology;
    }

    /// The hosts that exist: all, or in one partition of several its own and the first of
    /// each kind.
    const std::vector<NodeId>& HostsHere() const
    {
        return m_hostsHere;
    }

    /// @param node one of HostsHere()
    Host& HostAt(std::uint32_t node)
    {
        return *m_hosts[node];
    }

    /// @param node one of HostsHere()
    /// @param card number of the card in its host: below GetTopology().rails
    Nic& NicAt(std::uint32_t node, std::uint32_t card = 0)
    {
        return *m_nics[card * m_config.nodes + node];
    }

    /// What any host and card of the cluster needs at least until a first cell leaves.
    Leads LeastLeads() const;

    World& GetWorld()
    {
        return m_world;
    }

    /// See ClusterProcesses.
    std::uint32_t AddProgram(const ProgramSpec& spec)
    {
        return m_processes.AddProgram(spec);
    }

    /**
     * @brief Adds a process that runs @p body, blocking C++ code, as a simulated program.
     *
     * Its heap is the simulator's: what it registers is counted as if it began at a page.
     *
     * @param stop when it is killed; PS_NEVER: it is not
     * @return its rank
     */
    std::uint32_t AddProcess(std::uint32_t node,
                             std::function<int()> body,
                             Ps start = 0,
                             Ps stop = PS_NEVER)
    {
        return m_processes.AddProcess(node, std::move(body), start, stop);
    }

    /**
     * @brief Adds a built-in workload: one process on each of the first nodes.
     * @param name "ping-pong", "stream", "barrier" or "all-to-all"
     * @param parameters e.g. {"size": "4", "rounds": "1000"}; see WorkloadParameters
     */
    void AddWorkload(const std::string& name, const std::map<std::string, std::string>& parameters);

    /// The workload that was added; null if none was.
    const Workload* GetWorkload() const
    {
        return m_workload.get();
    }

    Workload* GetWorkload()
    {
        return m_workload.get();
    }

    /// Runs ns-3's Simulator to the end, and reports. To be called once.
    RunReport Run();

    /// Runs ns-3's Simulator until nothing is left, or until it is stopped from outside: then it
    /// may be called again. Run() for those who do the rest of it themselves.
    void Simulate();

    /// Whether Simulate() would find nothing to do: no work of a component, and none of ns-3's own,
    /// such as the timers of its TCP. Only in simulators with a CachedHeadScheduler.
    bool IsOver() const;

    /// What is known of the run by now. For whoever runs the Simulator himself.
    RunReport Finish();

    /// After Finish: destroys the workload, and gives its memory back. The rest stays to be read.
    void DropWorkload();

    /// Captures the packets at a host's ports in a file of its own. @see ClusterCapture::Add
    void Capture(std::uint32_t node, const std::string& file)
    {
        m_capture.Add(node, file);
    }

    /// Nothing is left to happen: completes what processes print, then the capture
    /// (config.capture). Run does so itself.
    void CompleteOutputs();

    /// The messages of the run (config.record).
    std::vector<MessageRow> Messages() const;

    /// The critical paths of the messages of the run (config.record).
    std::vector<BreakdownRow> Breakdown() const;

    /// Hands over the records of the run, which is over (config.record); the cluster has none then.
    RunLog TakeLog();

    /// Its switches and wires.
    const ClusterFabric& GetFabric() const
    {
        return m_fabric;
    }

    /// What is to go wrong; null: nothing.
    const FaultDriver* Faults() const
    {
        return m_faults.get();
    }

    /// Its processes, to be killed and started again.
    ClusterProcesses& GetProcesses()
    {
        return m_processes;
    }

    /// The processes added with AddProgram and AddProcess, by rank; but for those that other
    /// partitions of the run have.
    const std::vector<std::unique_ptr<ViplProcess>>& Processes() const
    {
        return m_processes.List();
    }

  private:
    /// Nothing happens later.
    Ps LastInstant() const;
    /// Tells the agenda, before it runs, who else may give work, and when.
    void PrepareAgenda();
    /// Counts what is bound for hosts, if that helps.
    void WatchInbound();
    /// Chooses HostsHere.
    void ChooseHosts();
    void BuildHosts();
    std::string StandstillText() const;

    ClusterConfig m_config;
    ProviderProfile m_profile;
    std::shared_ptr<const Topology> m_topology; ///< large, and Python may have it, too
    Adjacency m_graph;                          ///< of m_topology
    NodeKinds m_kinds;
    World m_world;
    std::vector<std::unique_ptr<Host>> m_hosts; ///< by node; null: not one of m_hostsHere
    std::vector<std::unique_ptr<Nic>> m_nics;   ///< by card, then by node; null: as m_hosts
    std::vector<NodeId> m_hostsHere;            ///< see HostsHere
    ClusterFabric m_fabric;
    ClusterProcesses m_processes;
    std::unique_ptr<Workload> m_workload;
    std::unique_ptr<FaultDriver> m_faults;
    std::unique_ptr<IpNetwork> m_ip; ///< null: nobody asked
    ClusterCapture m_capture;        ///< goes first: it may hold packets
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_H
