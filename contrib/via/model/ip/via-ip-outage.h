/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The effect of a machine's crash and return on its ns-3 IP stack.

#ifndef VIA_IP_OUTAGE_H
#define VIA_IP_OUTAGE_H

#include "ns3/ipv6-interface-address.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Ends a TCP connection or listener at once: it sends nothing to its peer, its timers stop,
 * and later segments for it find no socket.
 */
void EndTcpSocket(const Ptr<Socket>& socket);

/**
 * @brief The outage of a node's IP stack while its machine is crashed.
 *
 * All interfaces but the loopback go down, neighbour entries are dropped, and each TCP connection
 * ends; its owner gets the error callback of Socket::SetCloseCallbacks. ns-3 applications,
 * listening sockets and datagram sockets come back with the machine, like services started at boot.
 * Routes added to Ipv4StaticRouting by hand are lost with the interface, as always in ns-3.
 */
class StackOutage
{
  public:
    /// Takes the stack of @p node down, if it has one.
    void Begin(const Ptr<Node>& node);

    /// Brings the interfaces that were up before up again, with the addresses they had.
    void End(const Ptr<Node>& node);

  private:
    void BeginIpv4(const Ptr<Node>& node);
    void BeginIpv6(const Ptr<Node>& node);

    std::vector<std::uint32_t> m_ipv4;                                 ///< interfaces that were up
    std::map<std::uint32_t, std::vector<Ipv6InterfaceAddress>> m_ipv6; ///< the same, by number
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_OUTAGE_H
