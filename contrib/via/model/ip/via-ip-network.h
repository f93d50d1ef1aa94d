/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// IP for cluster hosts that are not the user's ns-3 nodes: nodes, stacks and addresses.

#ifndef VIA_IP_NETWORK_H
#define VIA_IP_NETWORK_H

#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One subnet, 10.0.0.0/8, with an IPv4 stack for each host; it scales to thousands of hosts.
 *
 * Every host is on-link: one route, no ARP, no queueing discipline, and neighbours by address
 * (ViaIpDevice's Arp = false). The cost of a message does not depend on the number of hosts.
 */
class IpNetwork
{
  public:
    /**
     * @param nics of all hosts, by number; must outlive the Simulator's run
     * @param profile of the cluster, with a kernel
     * @param isHere whether this partition simulates a host: the others get an address, but no node
     */
    IpNetwork(const std::vector<Nic*>& nics,
              const ProviderProfile& profile,
              const std::function<bool(NodeId)>& isHere);

    /// @return the address of @p host: 10.0.0.1 for the first
    static Ipv4Address AddressOf(NodeId host);

    /// Makes a socket of @p host, which this partition simulates.
    std::unique_ptr<KernelSocket> MakeSocket(KernelSocket::Transport transport,
                                             NodeId host,
                                             std::uint16_t port) const
    {
        return KernelSocket::Make(transport, m_devices[host], port);
    }

    /// @return the interface of @p host, which this partition simulates
    const Ptr<ViaIpDevice>& DeviceOf(NodeId host) const
    {
        return m_devices[host];
    }

  private:
    std::vector<Ptr<ViaIpDevice>> m_devices; ///< by host; null: in another partition
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_NETWORK_H
