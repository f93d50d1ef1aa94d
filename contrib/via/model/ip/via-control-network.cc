/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A second network of the hosts, over which bytes arrive at once and at no cost.

#include "via-control-network.h"

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t CONTROL_SUBNET = 0xAC100000; // 172.16.0.0
constexpr std::uint32_t CONTROL_MASK = 0xFFF00000;   // /12

} // namespace

Ipv4Address
ControlNetwork::AddressOf(NodeId host)
{
    return Ipv4Address(CONTROL_SUBNET + host + 1);
}

bool
ControlNetwork::Has(Ipv4Address address)
{
    return (address.Get() & CONTROL_MASK) == CONTROL_SUBNET;
}

std::optional<NodeId>
ControlNetwork::HostOf(Ipv4Address address) const
{
    const std::uint32_t number = address.Get() - CONTROL_SUBNET;
    return Has(address) && number >= 1 && number <= m_hosts ? std::optional<NodeId>(number - 1)
                                                            : std::nullopt;
}

} // namespace via
} // namespace ns3
