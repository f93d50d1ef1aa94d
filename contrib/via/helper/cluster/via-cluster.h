/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster: hosts with NICs, a fabric between them, and the processes that run there.

#ifndef VIA_CLUSTER_H
#define VIA_CLUSTER_H

#include "ns3/via-cluster-capture.h"
#include "ns3/via-fault-plan.h"
#include "ns3/via-feedback.h"
#include "ns3/via-ip-network.h"
#include "ns3/via-nic.h"
#include "ns3/via-node-kinds.h"
#include "ns3/via-program-image.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-rank-crossings.h"
#include "ns3/via-run-report.h"
#include "ns3/via-switch.h"
#include "ns3/via-topology.h"
#include "ns3/via-vipl-process.h"
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
    std::uint32_t nodes{2};                      ///< 1 .. 65535
    std::uint64_t seed{1};                       ///< phases of all clocks
    bool reference{false};                       ///< no fused steps
    bool payloadDigest{true}; ///< hash the bytes of delivered messages: RunReport::payloadDigest
    bool allowPlugIns{false}; ///< the user lets profiles run shared objects
    bool record{false};       ///< keep messages and spans: Messages(), Breakdown()
    Ps stop{PS_NEVER};        ///< nothing happens later
    std::string faults;       ///< file of what goes wrong, see FaultPlan; empty: `plan` says it
    FaultPlan plan;
    CaptureConfig capture;          ///< what is wanted of the packets at the NICs' ports
    Ps patience{Patience::DEFAULT}; ///< what polls or computes for longer, alone, ends
    std::map<std::string, std::string> overrides; ///< profile keys to change, for what-if runs
    bool ownsSimulator{true}; ///< false: whoever built it runs and destroys ns-3's Simulator
    std::shared_ptr<const RankConfig> ranks; ///< null: one rank does it all
    bool fastScheduler{true}; ///< choose ns-3's quickest scheduler; false: leave the user's
};

/// A VIPL program to be started.
struct ProgramSpec
{
    std::string path; ///< shared object made by `./via cc`
    std::uint32_t node{0};
    std::uint32_t slot{0};                ///< which of the node's processes, for the prefix
    std::uint32_t size{1};                ///< processes of the run: {size} and VIA_SIZE
    std::vector<std::string> arguments;   ///< without argv[0]; {rank}, {size}, {host} are replaced
    std::vector<std::string> environment; ///< NAME=VALUE; the same replacements
    std::string directory;                ///< working directory; the same replacements
    std::string input;                    ///< file for stdin; empty: nothing to read
    bool prefix{false};                   ///< write "[n3.0] " before each output line
    Ps start{0};
    Ps stop{PS_NEVER}; ///< when it is killed
};

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
     * @brief IPv4 on the hosts' cards, beside VIA. Made when it is first asked for, before time
     * starts; not together with ViaIpHelper.
     * @throws ConfigError as RequireKernel
     */
    IpNetwork& Ip();

    const NodeKinds& Kinds() const
    {
        return m_kinds;
    }

    const Topology& GetTopology() const
    {
        return m_topology;
    }

    Host& HostAt(std::uint32_t node)
    {
        return *m_hosts[node];
    }

    /// @param card number of the card in its host: below GetTopology().rails
    Nic& NicAt(std::uint32_t node, std::uint32_t card = 0)
    {
        return *m_nics[card * m_config.nodes + node];
    }

    World& GetWorld()
    {
        return m_world;
    }

    /// Reads and checks a program, once per path. Warns of one that does not report basic blocks.
    const ProgramImage& Image(const std::string& path);

    /// Adds a process that runs a program. @return its rank
    std::uint32_t AddProgram(const ProgramSpec& spec);

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
                             Ps stop = PS_NEVER);

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

    /// The name that was given to AddWorkload; empty if it was not called.
    const std::string& WorkloadName() const
    {
        return m_workloadName;
    }

    /// Runs ns-3's Simulator to the end, and reports. To be called once.
    RunReport Run();

    /// Runs ns-3's Simulator until nothing is left, or until it is stopped from outside: then it
    /// may be called again. Run() for those who do the rest of it themselves.
    void Simulate();

    /// What is known of the run by now. For whoever runs the Simulator himself.
    RunReport Finish();

    /// Nothing is left to happen: completes the capture (config.capture). Run does so itself.
    void EndCapture()
    {
        m_capture.End();
    }

    /// The messages of the run (config.record).
    std::vector<MessageRow> Messages() const;

    /// The critical paths of the messages of the run (config.record).
    std::vector<BreakdownRow> Breakdown() const;

    const std::vector<std::unique_ptr<Switch>>& Switches() const
    {
        return m_switches;
    }

    /// What goes to other ranks; null: one rank does it all.
    RankCrossings* Crossings()
    {
        return m_crossings.get();
    }

    /// The wire that leaves from @p end.
    Link& LinkFrom(const Endpoint& end);

    /// Every wire, one direction after the other.
    std::vector<const Link*> Links() const;

    /// What is to go wrong; null: nothing.
    const FaultDriver* Faults() const
    {
        return m_faults.get();
    }

    /// Ends what runs on @p node. @return the numbers of its processes
    std::vector<std::uint32_t> KillProcesses(std::uint32_t node);

    /// Process @p number, which was killed, starts again from the beginning, as a new one.
    void StartAgain(std::uint32_t number, Ps at);

    /// How often a switch told a source that its way is full (`switch.feedback`).
    std::uint64_t CongestionNotices() const
    {
        return m_feedback == nullptr ? 0 : m_feedback->Notices();
    }

    /// The links from hosts into the fabric, by card, then by node.
    const std::vector<std::unique_ptr<Link>>& Uplinks() const
    {
        return m_uplinks;
    }

    /// The processes added with AddProgram and AddProcess, by rank; but for those that other ranks
    /// of the run have.
    const std::vector<std::unique_ptr<ViplProcess>>& Processes() const
    {
        return m_processes;
    }

  private:
    /// Makes a process of a run, given its number.
    using ProcessMaker = std::function<std::unique_ptr<ViplProcess>(std::uint32_t)>;

    static ProviderProfile LoadProfile(const ClusterConfig& config);
    void BuildHosts();
    std::string StandstillText() const;
    void BuildSwitches();
    void BuildCables();
    void Plug(const Endpoint& from, const Endpoint& to, std::uint32_t lengthMm, Crossing* crossing);
    void PlugCable(std::uint32_t index);
    Component& ComponentAt(const Endpoint& end);
    void PlugSwitch(Link& link, const Endpoint& to, Crossing* crossing);
    void PutRoutesIntoHeads();
    void BuildFeedback();
    std::unique_ptr<ViplProcess> WithNics(std::unique_ptr<ViplProcess> process, std::uint32_t node);
    LinkCosts WireCosts() const;
    Host& CheckedHost(std::uint32_t node);
    std::uint32_t StartNew(std::uint32_t node, ProcessMaker make, Ps start, Ps stop);
    void BuildFaults();

    ClusterConfig m_config;
    ProviderProfile m_profile;
    Topology m_topology;
    Adjacency m_graph; ///< of m_topology
    NodeKinds m_kinds;
    World m_world;
    std::vector<std::unique_ptr<Host>> m_hosts;
    std::vector<std::unique_ptr<Nic>> m_nics;     ///< by card, then by node
    std::vector<std::unique_ptr<Link>> m_uplinks; ///< host to fabric, by card, then by node
    std::vector<std::unique_ptr<Switch>> m_switches;
    std::unique_ptr<RankCrossings> m_crossings; ///< null: one rank does it all
    std::map<std::string, std::unique_ptr<ProgramImage>> m_images;
    std::vector<std::unique_ptr<ViplProcess>> m_processes;
    std::uint32_t m_processCount{0}; ///< with those that other ranks have
    std::map<std::uint32_t, std::pair<std::uint32_t, ProcessMaker>>
        m_makers; ///< node and maker by number, of the processes that may start again
    std::unique_ptr<Workload> m_workload;
    std::string m_workloadName;
    std::unique_ptr<FaultDriver> m_faults;
    std::vector<std::unique_ptr<PairOrder>> m_orders; ///< of hosts, if packets may overtake
    std::unique_ptr<Feedback> m_feedback;             ///< null: the product has none
    std::unique_ptr<IpNetwork> m_ip;                  ///< null: nobody asked
    ClusterCapture m_capture;                         ///< goes first: it may hold packets
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_H
