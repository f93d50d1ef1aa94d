/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// IP for the hosts of a cluster that are no ns-3 nodes of the user's: nodes, stacks and addresses.

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
     * @param isHere says which hosts are simulated here: the others have an address, and no node
     */
    IpNetwork(const std::vector<Nic*>& nics,
              const ProviderProfile& profile,
              const std::function<bool(NodeId)>& isHere);

    /// The address of @p host: 10.0.0.1 for the first.
    static Ipv4Address AddressOf(NodeId host);

    /// A socket of @p host, which is simulated here.
    std::unique_ptr<KernelSocket> MakeSocket(KernelSocket::Transport transport,
                                             NodeId host,
                                             std::uint16_t port) const
    {
        return KernelSocket::Make(transport, m_devices[host], port);
    }

  private:
    std::vector<Ptr<ViaIpDevice>> m_devices; ///< by host; null: elsewhere
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_NETWORK_H
