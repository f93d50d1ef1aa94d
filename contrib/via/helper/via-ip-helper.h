/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Adds a network interface for ns-3's Internet stack to the VIA NICs of ns-3 nodes.

#ifndef VIA_IP_HELPER_H
#define VIA_IP_HELPER_H

#include "ns3/attribute.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/trace-helper.h"
#include "ns3/via-ip-device.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief IP over the same wires, switches, bus and CPU as VIA messages.
 *
 *     ViaHelper via;
 *     via.SetKernel("linux-2.2");
 *     via.Install(nodes);
 *     InternetStackHelper().Install(nodes);
 *     ViaIpHelper ip;
 *     NetDeviceContainer devices = ip.Install(nodes);
 *     Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(devices);
 *     ip.EnablePcapAll("run");
 */
class ViaIpHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    /**
     * @param name attribute of ViaIpDevice, such as "Mtu" or "Arp"
     * @param value for all devices created later
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// @param size size of the queue between stack and driver, e.g. "100p" (the default) or
    /// "64000B"
    void SetQueueSize(const std::string& size);

    /// Full queues drop packets instead of stopping the stack's queueing disciplines.
    void DisableFlowControl();

    /**
     * @brief Adds a device to each node.
     * @param nodes some of those given to ViaHelper::Install, each once
     * @return the devices, in the order of the nodes
     * @throws ConfigError when a node has no VIA NIC or already has a device, or when no kernel is
     * known: see ViaHelper::SetKernel
     */
    NetDeviceContainer Install(const NodeContainer& nodes);

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    std::vector<std::pair<std::string, Ptr<AttributeValue>>> m_attributes;
    std::string m_queueSize{"100p"};
    bool m_flowControl{true};
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_HELPER_H
