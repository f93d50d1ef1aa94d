/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the crash of a machine does to its ns-3 IP stack, and what its return does.

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
 * @brief Ends a TCP connection or listener at once: its peer is told nothing, no timer of it runs,
 * and segments that still come for it are for nobody.
 */
void EndTcpSocket(const Ptr<Socket>& socket);

/**
 * @brief The time for which the stack of a node is down because its machine has crashed.
 *
 * All interfaces go down but the loopback, what neighbours were known is forgotten, and each TCP
 * connection ends; its owner is told by the error callback of Socket::SetCloseCallbacks. ns-3's
 * applications and the sockets that they listen at or send datagrams through are there again when
 * the machine is, like services that its start-up begins. Routes that Ipv4StaticRouting was given
 * by hand are lost with the interface, as always in ns-3.
 */
class StackOutage
{
  public:
    /// The stack of @p node, if it has one, goes down.
    void Begin(const Ptr<Node>& node);

    /// The interfaces that were up before are up again, with the addresses that they had.
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
