/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Installs VIA NICs in ns-3 nodes and processes on them.

#ifndef VIA_HELPER_H
#define VIA_HELPER_H

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/via-network.h"
#include "ns3/via-nic-container.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @defgroup via VIA clusters
 *
 * Clusters whose nodes communicate through Virtual Interface Architecture NICs.
 */

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief The module's entry point for a simulation script in C++.
 *
 *     Time::SetResolution(Time::PS);
 *     NodeContainer nodes(2);
 *     ViaHelper via;
 *     via.SetProfile("giganet-clan1000");
 *     via.Install(nodes);
 *     via.InstallProgram(nodes, "ping-pong.so").Start(MicroSeconds(5));
 *     Simulator::Run();
 *     RunReport report = via.GetReport();
 *     Simulator::Destroy();
 *
 * Defaults come from ns-3's GlobalValues ViaProfile, ViaTopology and ViaReferenceMode, which every
 * script that parses a CommandLine accepts as arguments. The default seed is RngRun, so
 * `--RngRun=2` gives a different run.
 *
 * Call all setters before Install: later they would change nothing, and throw a ConfigError. One
 * cluster can exist at a time, from Install to Simulator::Destroy().
 */
class ViaHelper
{
  public:
    ViaHelper();

    /**
     * @param profile name of a product, or path of a profile file
     * @param host test bed that holds the card; empty: the product's default
     */
    void SetProfile(const std::string& profile, const std::string& host = "");

    /// @param kernel its network stack and driver carry IP; default: the kernel of the host
    void SetKernel(const std::string& kernel);

    /// @param topology "star", "back-to-back", "crossbar" or "fat-tree:k=K,n=N"
    void SetTopology(const std::string& topology);

    /// @param graph a custom topology, with one host for each node passed to Install
    void SetTopology(const Topology& graph);

    /**
     * @brief Gives one node a different card or host.
     * @param host index of the node in the container passed to Install
     * @param profile name or path of its product; empty: the cluster's
     * @param testBed holds the card; empty: the product's default
     */
    void SetNodeProfile(std::uint32_t host,
                        const std::string& profile,
                        const std::string& testBed = "");

    /**
     * @brief Sets the phases of all clocks. Default: ns-3's RngRun; each RngSeed above 1 gives
     * different runs.
     * @param seed the same seed, profile and programs give the same digest
     */
    void SetSeed(std::uint64_t seed);

    /**
     * @brief Changes one number of the profile, for what-if runs.
     * @param key e.g. "nic.clock"
     * @param value as in the profile's file
     */
    void SetProfileValue(const std::string& key, const std::string& value);

    /// @param reference true: an event for each step that takes time; the same results, slower
    void SetReferenceMode(bool reference);

    /// Allows the shared objects that profiles name in `nic.plug_in`; they are refused otherwise.
    void AllowPlugIns();

    /// @param file faults of the run, TOML or JSON (see doc/faults.md)
    void SetFaults(const std::string& file);

    /// @param plan the faults as values
    void SetFaults(const FaultPlan& plan);

    /// Records all messages and spans, for GetCluster().Messages() and Breakdown().
    void EnableRecording();

    /**
     * @brief Captures all packets at the NICs' ports, for Wireshark (see doc/capture.md).
     * @param file pcapng; complete after Simulator::Destroy()
     * @param snapLength bytes of payload to keep of each packet, 0 to 261976
     */
    void EnableCapture(const std::string& file,
                       std::uint32_t snapLength = CaptureFile::SNAP_LENGTH);

    /**
     * @brief Captures the packets at the ports of a NIC in a file of its own. Call it after
     * Install, before time starts.
     * @param prefix the file is `prefix-NODE-via.pcapng`, where NODE is the node's name in
     * ns3::Names or its number; complete after Simulator::Destroy()
     * @param nic installed by this helper
     * @param explicitFilename the prefix is the whole name
     * @throws ConfigError before Install, after time has started, for another helper's NIC, for
     * a file that another capture writes, and when the file cannot be written
     */
    void EnablePcap(const std::string& prefix,
                    Ptr<ViaNicObject> nic,
                    bool explicitFilename = false) const;

    /// The same for each of some NICs.
    void EnablePcap(const std::string& prefix, const ViaNicContainer& nics) const;

    /// The same for the NICs of some nodes.
    void EnablePcap(const std::string& prefix, const NodeContainer& nodes) const;

    /// The same for all NICs of this helper.
    void EnablePcapAll(const std::string& prefix) const;

    /**
     * @brief Gives each node a NIC and cables the fabric.
     *
     * Node i of the container becomes host i; programs know it as "n<i>".
     *
     * @return the NICs, in the order of the nodes
     * @throws ConfigError when ns-3's resolution is not 1 ps, a node already has a NIC, a cluster
     * already exists, or a setting is wrong; the message names option, value and limit
     */
    ViaNicContainer Install(const NodeContainer& nodes);

    /**
     * @brief Installs a process on each node that runs a program. Ranks are assigned when time
     * starts, in the order of the nodes in Install.
     * @param nodes some of those given to Install
     * @param path shared object made by `./via cc`
     * @param arguments without argv[0]; {rank}, {size} and {host} are replaced
     * @return applications, for Start(Time) and Stop(Time)
     * @throws ConfigError before Install, for nodes not in the cluster, and when the program cannot
     * run here
     */
    ApplicationContainer InstallProgram(const NodeContainer& nodes,
                                        const std::string& path,
                                        const std::vector<std::string>& arguments = {});

    /**
     * @brief Installs a process on each node that runs @p body: blocking C++ code that may call
     * <vipl.h>.
     * @param nodes some of those given to Install
     *
     * The body uses the simulator's heap. The cost of a registration depends on the pages it
     * touches, so align registered memory to pages: otherwise the digest depends on where malloc
     * put it.
     *
     * @param body runs once per node, each time on its own stack; returns the exit code
     * @return applications, for Start(Time) and Stop(Time)
     * @throws ConfigError before Install, for nodes not in the cluster, and without a body
     */
    ApplicationContainer InstallProcess(const NodeContainer& nodes, std::function<int()> body);

    /// @return digest, end times and exit codes so far; after Simulator::Destroy(), the state at
    /// that time
    RunReport GetReport() const;

    /// @return the cluster
    /// @throws ConfigError before Install, and after Simulator::Destroy(), which destroys it
    Cluster& GetCluster() const;

  private:
    ClusterConfig& Settings(const char* call);
    ViaNetwork& Installed(const char* call) const;
    void RequireNics(const char* call, const NodeContainer& nodes) const;

    ClusterConfig m_config;
    bool m_isSeedSet{false};
    Ptr<ViaNetwork> m_network;
    ViaNicContainer m_nics;
};

} // namespace via
} // namespace ns3

#endif // VIA_HELPER_H
