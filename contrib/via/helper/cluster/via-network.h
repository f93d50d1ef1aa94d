/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Owns the cluster of the VIA NICs of ns-3 nodes, from Install to Simulator::Destroy.

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
 * @brief Connects a Cluster to ns-3: nodes to hosts, applications to processes, its end to Destroy.
 *
 * Node i of the container is host i. The helper, the NIC objects and the applications share it.
 * ViaHelper::Install creates it, Simulator::Destroy() closes it.
 */
class ViaNetwork final : public SimpleRefCount<ViaNetwork>, private MessageListener
{
  public:
    /**
     * @param config configuration of the cluster; its nodes and ownsSimulator are set here
     * @param nodes hosts of the cluster; each gets a ViaNicObject
     * @throws ConfigError when a node already has a NIC, and see Cluster
     */
    ViaNetwork(ClusterConfig config, const NodeContainer& nodes);
    ~ViaNetwork();

    /// @return whether the cluster exists: until Simulator::Destroy()
    bool IsOpen() const
    {
        return m_cluster != nullptr;
    }

    /// @return the cluster. Aborts after Simulator::Destroy().
    Cluster& GetCluster();

    /// @return the report of the run so far; after Simulator::Destroy(), as of that time
    RunReport Report();

    /**
     * @brief Assigns ranks to the applications that have none, and schedules their processes.
     *
     * Ranks count the applications of node 0, then of node 1, and so on. The first application that
     * ns-3 initializes calls this, and so does each application added later.
     */
    void Enrol();

    /// @return the costs of the kernel; a profile without a kernel gets one
    /// (Cluster::RequireKernel)
    const Shared<KernelCosts>& Kernel();

    /// @return the channel of the nodes' IP devices
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
