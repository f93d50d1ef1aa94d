/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cluster as one Ethernet segment: its hosts and their addresses.

#ifndef VIA_IP_CHANNEL_H
#define VIA_IP_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/mac48-address.h"
#include "ns3/via-packet.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3
{
namespace via
{

class ViaIpDevice;

/**
 * @brief The fabric as ns-3 sees it: one segment with every ViaIpDevice of a cluster.
 *
 * The channel itself carries nothing: frames go through the NICs, links and switches of the
 * cluster. The fabric has no broadcast, so the sender's driver makes a copy for each other host.
 */
class ViaIpChannel : public ns3::Channel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ViaIpChannel();
    ~ViaIpChannel() override;

    /// @param device joins the segment; it belongs to host @p node of the cluster
    void Attach(Ptr<ViaIpDevice> device, NodeId node);

    /// Adds host @p node, which another partition simulates, with @p address.
    void AttachFar(NodeId node, Ipv4Address address);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @return the MAC address of host @p node: 02:00:00:00:hi:lo, the one VIPL programs use
    static Mac48Address AddressOf(NodeId node);

    /// @return the host whose device has @p address; none if no device on this segment has it
    std::optional<NodeId> HostOf(Mac48Address address) const;

    /**
     * @brief Finds the host that has an IP address, in place of a neighbour table at each host.
     *
     * An unknown address is looked up in the IP stacks of the nodes.
     *
     * @return the host; none if no interface on this segment has the address
     */
    std::optional<NodeId> HostOf(Ipv4Address address);
    std::optional<NodeId> HostOf(Ipv6Address address);

  protected:
    void DoDispose() override;

  private:
    void LearnAll();
    void NoteHere(NodeId node);

    std::vector<Ptr<ViaIpDevice>> m_devices;
    std::vector<bool> m_isHere;          ///< by host
    std::vector<NodeId> m_hosts;         ///< of each device
    std::map<Ipv4Address, NodeId> m_far; ///< hosts that other partitions simulate
    std::map<Ipv4Address, NodeId> m_ipv4;
    std::map<Ipv6Address, NodeId> m_ipv6;
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_CHANNEL_H
