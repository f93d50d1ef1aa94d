/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// IP for the hosts of a cluster that are no ns-3 nodes of the user's: nodes, stacks and addresses.

#ifndef VIA_IP_NETWORK_H
#define VIA_IP_NETWORK_H

#include "ns3/node-container.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One subnet, 10.0.0.0/8, with an IPv4 stack for each host, made for thousands of them.
 *
 * Every host is on-link: one route, no ARP, no queueing discipline, neighbours by address
 * (ViaIpDevice's Arp = false). So a message costs the same however many hosts there are.
 */
class IpNetwork
{
  public:
    /**
     * @param nics of all hosts, by number; must outlive the Simulator's run
     * @param profile of the cluster, with a kernel
     */
    IpNetwork(const std::vector<Nic*>& nics, const ProviderProfile& profile);

    Ptr<ViaIpDevice> DeviceAt(NodeId host) const
    {
        return m_devices[host];
    }

    /// The address of @p host: 10.0.0.1 for the first.
    static Ipv4Address AddressOf(NodeId host);

    /// A socket of @p host.
    std::unique_ptr<KernelSocket> MakeSocket(KernelSocket::Transport transport,
                                             NodeId host,
                                             std::uint16_t port) const
    {
        return KernelSocket::Make(transport, m_devices[host], port);
    }

  private:
    NodeContainer m_nodes;
    std::vector<Ptr<ViaIpDevice>> m_devices;
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_NETWORK_H
