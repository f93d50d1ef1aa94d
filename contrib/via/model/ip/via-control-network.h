/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A second network of the hosts, over which bytes arrive at once and at no cost.

#ifndef VIA_CONTROL_NETWORK_H
#define VIA_CONTROL_NETWORK_H

#include "ns3/ipv4-address.h"
#include "ns3/via-packet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace ns3
{
namespace via
{

class ControlDatagrams;
class ControlStream;

/**
 * @brief The addresses and ports of the control network, 172.16.0.0/12.
 *
 * It carries what programs have to tell each other before the part that is measured. It takes no
 * simulated time, neither of the wire nor of a CPU. What is sent at an instant arrives there, in
 * the order in which the hosts call the simulated kernel (KernelGate).
 */
class ControlNetwork
{
  public:
    /// @param hosts of the cluster
    explicit ControlNetwork(std::uint32_t hosts)
        : m_hosts(hosts)
    {
    }

    /// @return the address of @p host: 172.16.0.1 for the first
    static Ipv4Address AddressOf(NodeId host);

    /// @return whether @p address is one of this network
    static bool Has(Ipv4Address address);

    /// @return the host with @p address; none: there is no such host
    std::optional<NodeId> HostOf(Ipv4Address address) const;

    /// Who has which port of which host.
    template <class Endpoint>
    class Ports
    {
      public:
        /// @param port 0: any. @return the port; 0: it belongs to another endpoint
        std::uint16_t Take(NodeId host, std::uint16_t port, Endpoint& owner);

        void Release(NodeId host, std::uint16_t port)
        {
            m_owners.erase({host, port});
        }

        /// @return null: nobody
        Endpoint* Find(NodeId host, std::uint16_t port) const
        {
            const auto found = m_owners.find({host, port});
            return found == m_owners.end() ? nullptr : found->second;
        }

      private:
        /// Below the ports that the stack of the simulated wire chooses from.
        static constexpr std::uint16_t FIRST = 32768;
        static constexpr std::uint16_t LAST = 49151;

        std::map<std::pair<NodeId, std::uint16_t>, Endpoint*> m_owners;
    };

    Ports<ControlStream> streams;
    Ports<ControlDatagrams> datagrams;

  private:
    std::uint32_t m_hosts;
};

template <class Endpoint>
std::uint16_t
ControlNetwork::Ports<Endpoint>::Take(NodeId host, std::uint16_t port, Endpoint& owner)
{
    const std::uint16_t last = port == 0 ? LAST : port;
    for (std::uint32_t free = port == 0 ? FIRST : port; free <= last; ++free)
    {
        const auto number = static_cast<std::uint16_t>(free);
        if (m_owners.emplace(std::pair(host, number), &owner).second)
        {
            return number;
        }
    }
    return 0;
}

} // namespace via
} // namespace ns3

#endif // VIA_CONTROL_NETWORK_H
