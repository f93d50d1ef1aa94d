/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Owns the cluster of the VIA NICs of ns-3 nodes, from Install to Simulator::Destroy.

#include "via-network.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/via-cluster-report.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"
#include "ns3/via-process-application.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

NS_LOG_COMPONENT_DEFINE("ViaNetwork");

namespace
{

void
CheckNodes(const NodeContainer& nodes)
{
    if (nodes.GetN() == 0)
    {
        throw ConfigError("ViaHelper::Install", "no nodes", "a cluster needs at least one");
    }
    for (std::uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const std::string name = "node " + std::to_string(nodes.Get(i)->GetId());
        if (nodes.Get(i)->GetObject<ViaNicObject>() != nullptr)
        {
            throw ConfigError("ViaHelper::Install", name, "it already has a VIA NIC");
        }
        for (std::uint32_t j = 0; j < i; ++j)
        {
            if (nodes.Get(i) == nodes.Get(j))
            {
                throw ConfigError("ViaHelper::Install", name, "it is in the container twice");
            }
        }
    }
}

} // namespace

ViaNetwork::ViaNetwork(ClusterConfig config, const NodeContainer& nodes)
    : m_nodes(nodes)
{
    CheckNodes(nodes);
    config.nodes = nodes.GetN();
    config.ownsSimulator = false;
    config.fastScheduler = false;
    config.capture.canGrow = true; // EnablePcap comes after Install
    m_cluster = std::make_unique<Cluster>(config);
    m_cluster->GetWorld().messages.SetListener(this);
    for (std::uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        nodes.Get(i)->AggregateObject(CreateObject<ViaNicObject>(Ptr<ViaNetwork>(this), i));
    }
    BuildFabricObject();
    Simulator::ScheduleDestroy(&ViaNetwork::Close, Ptr<ViaNetwork>(this));
    NS_LOG_INFO("cluster of " << config.nodes << " hosts with " << config.profile << " on "
                              << m_cluster->GetTopology().name << ", seed " << config.seed);
}

void
ViaNetwork::BuildFabricObject()
{
    m_fabric = CreateObject<ViaFabricObject>();
    for (const auto& each : m_cluster->GetFabric().Switches())
    {
        m_fabric->Add(CreateObject<ViaSwitchObject>(*each));
    }
    Config::RegisterRootNamespaceObject(m_fabric);
}

ViaNetwork::~ViaNetwork() = default;

Cluster&
ViaNetwork::GetCluster()
{
    NS_ABORT_MSG_IF(m_cluster == nullptr, "Simulator::Destroy() has destroyed the cluster");
    return *m_cluster;
}

RunReport
ViaNetwork::Report()
{
    return m_cluster == nullptr ? m_report : m_cluster->Finish();
}

void
ViaNetwork::Enrol()
{
    std::vector<Ptr<ViaProcessApplication>> fresh;
    std::vector<std::uint32_t> hosts;
    for (std::uint32_t host = 0; host < m_nodes.GetN(); ++host)
    {
        const Ptr<Node> node = m_nodes.Get(host);
        for (std::uint32_t i = 0; i < node->GetNApplications(); ++i)
        {
            const auto one = DynamicCast<ViaProcessApplication>(node->GetApplication(i));
            if (one != nullptr && !one->IsEnrolled())
            {
                fresh.push_back(one);
                hosts.push_back(host);
            }
        }
    }
    const auto size = static_cast<std::uint32_t>(m_cluster->GetProcesses().Count() + fresh.size());
    for (std::size_t i = 0; i < fresh.size(); ++i)
    {
        fresh[i]->Enrol(*m_cluster, hosts[i], size);
    }
}

const Shared<KernelCosts>&
ViaNetwork::Kernel()
{
    if (m_kernel == nullptr)
    {
        GetCluster().RequireKernel();
        m_kernel = std::make_unique<Shared<KernelCosts>>(KernelCosts::From(m_cluster->Profile()));
    }
    return *m_kernel;
}

Ptr<ViaIpChannel>
ViaNetwork::IpChannel()
{
    if (m_ipChannel == nullptr)
    {
        m_ipChannel = CreateObject<ViaIpChannel>();
    }
    return m_ipChannel;
}

Ptr<ViaFabricObject>
ViaNetwork::Fabric() const
{
    return m_fabric;
}

void
ViaNetwork::OnMessage(const MessageRecord& record)
{
    // a workload has one process on each of the first nodes
    const ClusterProcesses& processes = m_cluster->GetProcesses();
    const std::uint32_t host =
        processes.Count() == 0 ? record.destinationRank : processes.NodeOf(record.destinationRank);
    const Ptr<ViaNicObject> nic = m_nodes.Get(host)->GetObject<ViaNicObject>();
    if (nic != nullptr)
    {
        nic->NoteMessage(record);
    }
}

void
ViaNetwork::Close()
{
    m_cluster->CompleteOutputs();
    m_report = m_cluster->Finish();
    NS_LOG_INFO("cluster closes after " << m_report.messages << " messages, digest "
                                        << m_report.digest);
    Config::UnregisterRootNamespaceObject(m_fabric);
    m_fabric->Dispose();
    m_fabric = nullptr;
    m_cluster->GetWorld().messages.SetListener(nullptr);
    for (std::uint32_t host = 0; host < m_nodes.GetN(); ++host)
    {
        m_cluster->NicAt(host).SetListener(nullptr);
        m_cluster->GetFabric().Uplinks()[host]->DropCreditListeners();
    }
    m_cluster.reset();
    m_nodes = NodeContainer();
    m_ipChannel = nullptr;
}

} // namespace via
} // namespace ns3
