/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Adds a network interface for ns-3's Internet stack to the VIA NICs of ns-3 nodes.

#include "via-ip-helper.h"

#include "ns3/config.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"

#include <set>

namespace ns3
{
namespace via
{

namespace
{

/// The NIC of a node. @throws ConfigError if the node cannot get a device
Ptr<ViaNicObject>
CheckedNic(Ptr<Node> node)
{
    const std::string name = "node " + std::to_string(node->GetId());
    const Ptr<ViaNicObject> nic = node->GetObject<ViaNicObject>();
    if (nic == nullptr)
    {
        throw ConfigError("ViaIpHelper::Install",
                          name,
                          "it has no VIA NIC: give it to ViaHelper::Install first");
    }
    for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (DynamicCast<ViaIpDevice>(node->GetDevice(i)) != nullptr)
        {
            throw ConfigError("ViaIpHelper::Install", name, "it already has a ViaIpDevice");
        }
    }
    return nic;
}

} // namespace

void
ViaIpHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_attributes.emplace_back(name, value.Copy());
}

void
ViaIpHelper::SetQueueSize(const std::string& size)
{
    m_queueSize = size;
}

void
ViaIpHelper::DisableFlowControl()
{
    m_flowControl = false;
}

NetDeviceContainer
ViaIpHelper::Install(const NodeContainer& nodes)
{
    std::set<std::uint32_t> seen;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        CheckedNic(*node);
        if (!seen.insert((*node)->GetId()).second)
        {
            throw ConfigError("ViaIpHelper::Install",
                              "node " + std::to_string((*node)->GetId()),
                              "it is in the container twice");
        }
    }
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const Ptr<ViaNicObject> nic = (*node)->GetObject<ViaNicObject>();
        ViaNetwork& network = *nic->GetNetwork();
        const Shared<KernelCosts>& kernel = network.Kernel();
        const auto device = CreateObject<ViaIpDevice>();
        device->SetQueue(CreateObjectWithAttributes<DropTailQueue<ns3::Packet>>(
            "MaxSize",
            QueueSizeValue(QueueSize(m_queueSize))));
        Cluster& cluster = network.GetCluster();
        device->Plug(
            ViaIpDevice::Setting::From(nic->GetNic(), cluster.Config().nodes, cluster.Profile()),
            kernel,
            network.IpChannel());
        for (const auto& [name, value] : m_attributes)
        {
            device->SetAttribute(name, *value);
        }
        (*node)->AddDevice(device);
        if (m_flowControl)
        {
            const auto queues = CreateObject<NetDeviceQueueInterface>();
            queues->GetTxQueue(0)->ConnectQueueTraces(device->GetQueue());
            device->AggregateObject(queues);
        }
        devices.Add(device);
    }
    return devices;
}

void
ViaIpHelper::EnablePcapInternal(std::string prefix,
                                Ptr<NetDevice> device,
                                bool promiscuous,
                                bool explicitFilename)
{
    const auto ours = DynamicCast<ViaIpDevice>(device);
    if (ours == nullptr)
    {
        return; // EnablePcapAll offers all devices
    }
    PcapHelper pcap;
    const std::string name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    const Ptr<PcapFileWrapper> file = pcap.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<ViaIpDevice>(ours, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void
ViaIpHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                 std::string prefix,
                                 Ptr<NetDevice> device,
                                 bool explicitFilename)
{
    const auto ours = DynamicCast<ViaIpDevice>(device);
    if (ours == nullptr)
    {
        return; // EnableAsciiAll offers all devices
    }
    ns3::Packet::EnablePrinting();
    AsciiTraceHelper ascii;
    if (stream == nullptr)
    {
        stream = ascii.CreateFileStream(
            explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device));
        ascii.HookDefaultReceiveSinkWithoutContext<ViaIpDevice>(ours, "MacRx", stream);
        const Ptr<Queue<ns3::Packet>> queue = ours->GetQueue();
        ascii.HookDefaultEnqueueSinkWithoutContext<Queue<ns3::Packet>>(queue, "Enqueue", stream);
        ascii.HookDefaultDropSinkWithoutContext<Queue<ns3::Packet>>(queue, "Drop", stream);
        ascii.HookDefaultDequeueSinkWithoutContext<Queue<ns3::Packet>>(queue, "Dequeue", stream);
        ascii.HookDefaultDropSinkWithoutContext<ViaIpDevice>(ours, "PhyRxDrop", stream);
        return;
    }
    const std::string path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) +
                             "/DeviceList/" + std::to_string(device->GetIfIndex()) +
                             "/$ns3::via::ViaIpDevice/";
    const auto hook = [&path, stream](const char* source, auto sink) {
        Config::Connect(path + source, MakeBoundCallback(sink, stream));
    };
    hook("MacRx", &AsciiTraceHelper::DefaultReceiveSinkWithContext);
    hook("TxQueue/Enqueue", &AsciiTraceHelper::DefaultEnqueueSinkWithContext);
    hook("TxQueue/Dequeue", &AsciiTraceHelper::DefaultDequeueSinkWithContext);
    hook("TxQueue/Drop", &AsciiTraceHelper::DefaultDropSinkWithContext);
    hook("PhyRxDrop", &AsciiTraceHelper::DefaultDropSinkWithContext);
}

} // namespace via
} // namespace ns3
