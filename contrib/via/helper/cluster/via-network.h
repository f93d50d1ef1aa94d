/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cluster behind the VIA NICs of ns-3 nodes, from ViaHelper::Install to Simulator::Destroy.

#ifndef VIA_NETWORK_H
#define VIA_NETWORK_H

#include "ns3/node-container.h"
#include "ns3/simple-ref-count.h"
#include "ns3/via-cluster.h"
#include "ns3/via-fabric-object.h"
#include "ns3/via-ip-channel.h"
#include "ns3/via-kernel-costs.h"

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief Ties a Cluster to ns-3: nodes to hosts, applications to processes, ends to Destroy.
 *
 * Node i of the container is host i. Shared by the helper, the NIC objects and the applications;
 * made by ViaHelper::Install, closed by Simulator::Destroy().
 */
class ViaNetwork final : public SimpleRefCount<ViaNetwork>, private MessageListener
{
  public:
    /**
     * @param config of the cluster; nodes and ownsSimulator are set here
     * @param nodes its hosts; each gets a ViaNicObject
     * @throws ConfigError when a node has a NIC already, and as Cluster does
     */
    ViaNetwork(ClusterConfig config, const NodeContainer& nodes);
    ~ViaNetwork();

    /// @return the cluster. Aborts after Simulator::Destroy().
    Cluster& GetCluster();

    /// @return what is known of the run by now; after Simulator::Destroy(), what was known then
    RunReport Report();

    /**
     * @brief Gives ranks to the applications that have none yet, and plans their processes.
     *
     * Ranks count the applications of node 0, then of node 1, and so on. Called by the first
     * application that ns-3 initializes, and by those that are added later.
     */
    void Enrol();

    /// @return what its kernel costs; the profile gets one if it has none (Cluster::RequireKernel)
    const Shared<KernelCosts>& Kernel();

    /// @return the segment that IP devices of its nodes are on
    Ptr<ViaIpChannel> IpChannel();

    /// @return its switches; null after Simulator::Destroy()
    Ptr<ViaFabricObject> Fabric() const;

  private:
    void OnMessage(const MessageRecord& record) override;
    void BuildFabricObject();
    void Close();

    NodeContainer m_nodes;
    std::unique_ptr<Cluster> m_cluster;
    std::unique_ptr<Shared<KernelCosts>> m_kernel; ///< null: no IP
    Ptr<ViaIpChannel> m_ipChannel;                 ///< null: no IP
    Ptr<ViaFabricObject> m_fabric;
    RunReport m_report; ///< valid once m_cluster is gone
};

} // namespace via
} // namespace ns3

#endif // VIA_NETWORK_H
