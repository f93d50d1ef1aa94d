/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Puts VIA NICs into ns-3 nodes and processes onto them.

#ifndef VIA_HELPER_H
#define VIA_HELPER_H

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/via-network.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @defgroup via VIA clusters
 *
 * Clusters whose nodes talk through Virtual Interface Architecture NICs.
 */

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief The way into the module for a simulation script in C++.
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
 * Where nothing is set, ns-3's GlobalValues ViaProfile, ViaTopology and ViaReferenceMode decide,
 * which every script that parses a CommandLine takes as arguments; and the seed is RngRun, so that
 * `--RngRun=2` is another run.
 *
 * All choices are made before Install. One cluster can exist at a time, from Install to
 * Simulator::Destroy().
 */
class ViaHelper
{
  public:
    ViaHelper();

    /**
     * @param profile name of a product, or path of a profile
     * @param host test bed that it is plugged into; empty: the product's own
     */
    void SetProfile(const std::string& profile, const std::string& host = "");

    /// @param kernel whose network stack and driver carry IP; the host's own when this is not
    /// called
    void SetKernel(const std::string& kernel);

    /// @param topology "star", "back-to-back", "crossbar" or "fat-tree:k=K,n=N"
    void SetTopology(const std::string& topology);

    /// @param graph a topology of one's own, with as many hosts as Install is given nodes
    void SetTopology(const Topology& graph);

    /**
     * @brief Gives a node another card or host than the others have.
     * @param host number of the node in the container of Install
     * @param profile name or path of its product; empty: that of the cluster
     * @param testBed that it is plugged into; empty: the product's own
     */
    void SetNodeProfile(std::uint32_t host,
                        const std::string& profile,
                        const std::string& testBed = "");

    /**
     * @brief Phases of all clocks; not called: ns-3's RngRun, and each RngSeed above 1 other runs.
     * @param seed the same seed, profile and programs give the same digest
     */
    void SetSeed(std::uint64_t seed);

    /**
     * @brief Changes one number of the profile, for what-if runs.
     * @param key e.g. "nic.clock"
     * @param value as in the profile's file
     */
    void SetProfileValue(const std::string& key, const std::string& value);

    /// @param reference an event per bus transaction and per cell: slower, no fused steps
    void SetReferenceMode(bool reference);

    /// Lets the shared objects run that profiles name in `nic.plug_in`; without it they are
    /// refused.
    void AllowPlugIns();

    /// @param file what goes wrong in the run, TOML or JSON (see doc/faults.md)
    void SetFaults(const std::string& file);

    /// @param plan the same as values
    void SetFaults(const FaultPlan& plan);

    /// Keeps all messages and spans, for GetCluster().Messages() and Breakdown().
    void EnableRecording();

    /**
     * @brief Captures all packets at the NICs' ports, for Wireshark (see doc/capture.md).
     * @param file pcapng; it is complete after Simulator::Destroy()
     * @param snapLength bytes of payload that are kept of each packet, 0 to 261976
     */
    void EnableCapture(const std::string& file,
                       std::uint32_t snapLength = CaptureFile::SNAP_LENGTH);

    /**
     * @brief Gives each node a NIC, and cables the fabric.
     *
     * Node i of the container is host i, which programs know as "n<i>".
     *
     * @throws ConfigError when ns-3's resolution is not 1 ps, a node has a NIC already, a cluster
     *         exists already, or a choice is wrong; it names option, value and limit
     */
    void Install(const NodeContainer& nodes);

    /**
     * @brief A process on each node that runs a program. Ranks are given when time starts, in
     * the order of the nodes in Install.
     * @param nodes some of those given to Install
     * @param path shared object made by `./via cc`
     * @param arguments without argv[0]; {rank}, {size} and {host} are replaced
     * @return applications, for Start(Time) and Stop(Time)
     * @throws ConfigError before Install, for other nodes, and when the program cannot run here
     */
    ApplicationContainer InstallProgram(const NodeContainer& nodes,
                                        const std::string& path,
                                        const std::vector<std::string>& arguments = {});

    /**
     * @brief A process on each node that runs @p body: blocking C++ code that may call <vipl.h>.
     * @param nodes some of those given to Install
     *
     * Its heap is the simulator's. A registration costs by the pages it touches, so memory that is
     * registered should be aligned to pages: else the digest depends on where malloc found room.
     *
     * @param body runs once per node, each time on a stack of its own; returns the exit code
     * @return applications, for Start(Time) and Stop(Time)
     * @throws ConfigError before Install, and for other nodes
     */
    ApplicationContainer InstallProcess(const NodeContainer& nodes, std::function<int()> body);

    /// @return digest, ends and exit codes by now; after Simulator::Destroy(), as it was then
    RunReport GetReport() const;

    /// @return the cluster, until Simulator::Destroy()
    Cluster& GetCluster() const;

  private:
    ViaNetwork& Installed(const char* call) const;
    void RequireNics(const char* call, const NodeContainer& nodes) const;

    ClusterConfig m_config;
    bool m_isSeedSet{false};
    Ptr<ViaNetwork> m_network;
};

} // namespace via
} // namespace ns3

#endif // VIA_HELPER_H
