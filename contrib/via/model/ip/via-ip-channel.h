/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cluster as one Ethernet segment: who is on it, and who has which address.

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
 * @ingroup via
 * @brief What ns-3 sees of the fabric: a segment that every ViaIpDevice of a cluster is on.
 *
 * It carries nothing itself: frames go through NICs, links and switches of the cluster. There is no
 * broadcast in those, so the sender's driver makes a copy for each other host.
 */
class ViaIpChannel : public ns3::Channel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ViaIpChannel();
    ~ViaIpChannel() override;

    /// @param device that is on it from now on; host @p node of the cluster is its own
    void Attach(Ptr<ViaIpDevice> device, NodeId node);

    /// Host @p node of the cluster, which another rank simulates, is on it, too, with @p address.
    void AttachFar(NodeId node, Ipv4Address address);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @return the address of host @p node's device: 02:00:00:00:hi:lo, as VIPL programs know it
    static Mac48Address AddressOf(NodeId node);

    /// @return whose device has @p address; none if it is nobody's on this segment
    std::optional<NodeId> HostOf(Mac48Address address) const;

    /**
     * @brief Static neighbours without a table at each host: who has an address, whoever asks.
     *
     * Addresses are looked up in the stacks of the nodes when one is asked for that is not known.
     *
     * @return the host, none if no interface on this segment has the address
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
    std::map<Ipv4Address, NodeId> m_far; ///< hosts without a device on this rank
    std::map<Ipv4Address, NodeId> m_ipv4;
    std::map<Ipv6Address, NodeId> m_ipv6;
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_CHANNEL_H
