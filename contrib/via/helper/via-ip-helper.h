/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Makes the VIA NICs of ns-3 nodes network interfaces for ns-3's Internet stack.

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
 * @brief IP over the wire, the switches, the bus and the CPU that VIA messages use.
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
     * @param name of an attribute of ViaIpDevice, such as "Mtu" or "Arp"
     * @param value for all devices made from now on
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// @param size of the queue between stack and driver, e.g. "100p" (the default) or "64000B"
    void SetQueueSize(const std::string& size);

    /// Queues do not tell the stack's queueing disciplines when they are full, they drop.
    void DisableFlowControl();

    /**
     * @brief A device for each node.
     * @param nodes some of those given to ViaHelper::Install, each once
     * @return the devices, in the order of the nodes
     * @throws ConfigError when a node has no VIA NIC or a device already, or when no kernel is
     *         known: see ViaHelper::SetKernel
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
