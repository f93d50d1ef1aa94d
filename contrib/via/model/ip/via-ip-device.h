/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of a host as a network interface: what ns-3's IP stack sends and receives through.

#ifndef VIA_IP_DEVICE_H
#define VIA_IP_DEVICE_H

#include "ns3/ethernet-header.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"
#include "ns3/via-ip-channel.h"
#include "ns3/via-ip-kernel.h"
#include "ns3/via-ip-outage.h"

#include <deque>
#include <functional>
#include <memory>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief An Ethernet-like interface on a VIA card: its driver emulates a LAN over the fabric.
 *
 * IP packets and VIA messages share bus, card, wire and switches; IP's processing takes the CPU of
 * programs. ViaIpHelper makes one for each host.
 *
 * Frames are Ethernet's in all traces: 14 bytes of header, payload, no check sequence. On the wire
 * the header takes room where the overhead of the wire's own packets is smaller than it (as with
 * cells); Ethernet's frames have it already.
 */
class ViaIpDevice : public NetDevice, private IpKernelUser
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ViaIpDevice();
    ~ViaIpDevice() override;

    /// What a device is plugged into.
    struct Setting
    {
        /**
         * @param nic its card
         * @param hosts of the cluster
         * @param profile of the product
         */
        static Setting From(Nic& nic, std::uint32_t hosts, const ProviderProfile& profile);

        Nic* nic{nullptr};              ///< its card; must live until the device is disposed
        std::uint32_t hosts{0};         ///< of the cluster
        std::uint32_t wireHeader{0};    ///< bytes of the frame's header that take room on the wire
        std::uint32_t messageHeader{0}; ///< of the card's packets: frames use its room
    };

    /// Plugs it in. To be called once, by who made it.
    void Plug(const Setting& setting, const Shared<KernelCosts>& costs, Ptr<ViaIpChannel> channel);

    /// @return the kernel's part; null before Plug and after the node was disposed
    IpKernel* GetKernel() const;

    /// @return what waits for the driver
    Ptr<Queue<ns3::Packet>> GetQueue() const;
    void SetQueue(Ptr<Queue<ns3::Packet>> queue);

    /// @return whether frames find their hosts by ARP or ND; else by who has the IP address
    bool GetArp() const;
    void SetArp(bool arp);

    /**
     * @brief Whose path is it that goes on in the stack now? For who calls the stack.
     * @param now what happens from now on is caused by it
     */
    void SetCause(Moment now);

    /// @return the end of the kernel's work on what the stack gets just now
    Moment Cause() const;

    /// Frames taken from the stack so far.
    std::uint64_t Enqueued() const;

    /// @return true until the machine is back
    bool HasCrashed() const
    {
        return m_hasCrashed;
    }

    /// Calls @p then when the first @p count frames have been handed to the card or dropped.
    void WhenStarted(std::uint64_t count, std::function<void(Moment)> then);

    // ---- NetDevice
    void SetIfIndex(const std::uint32_t index) override;
    std::uint32_t GetIfIndex() const override;
    Ptr<ns3::Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const std::uint16_t mtu) override;
    std::uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<ns3::Packet> packet, const Address& to, std::uint16_t protocol) override;
    bool SendFrom(Ptr<ns3::Packet> packet,
                  const Address& from,
                  const Address& to,
                  std::uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    via::Packet* TakeNext() override;
    void OnStarted(const via::Packet& packet, Moment at) override;
    void OnSent(const via::Packet& packet) override;
    void OnReceived(const via::Packet& packet, Moment at) override;
    void OnLost(const via::Packet& packet) override;
    void OnUnsent(const via::Packet& packet) override;
    void OnCrash() override;
    void OnReturn() override;

    /// What makes the stack send at @p now.
    SpanId CauseAt(Ps now);

    std::optional<NodeId> FindHost(const ns3::Packet& packet, Mac48Address to, std::uint16_t type);
    via::Packet* ToCard(Ptr<ns3::Packet> frame, NodeId to);
    void Deliver(Ptr<ns3::Packet> frame, std::uint32_t life);
    void EndStack();
    void BeginStack();
    void HandUp(Ptr<ns3::Packet> frame);
    void NoteStarted(Moment at);

    struct Waiting
    {
        std::uint64_t count;
        std::function<void(Moment)> then;
    };

    /// What of a frame the queue does not hold.
    struct Ticket
    {
        NodeId to;
        SpanId cause;
    };

    Setting m_setting;
    std::unique_ptr<IpKernel> m_kernel;
    Ptr<ViaIpChannel> m_channel;
    Ptr<Node> m_node;
    Mac48Address m_address;
    std::uint32_t m_ifIndex{0};
    std::uint16_t m_mtu{0};
    bool m_arp{true};
    bool m_hasCrashed{false};
    std::uint32_t m_life{0}; ///< crashes so far
    StackOutage m_outage;
    Ptr<Queue<ns3::Packet>> m_queue;
    std::deque<Ticket> m_tickets; ///< of the frames in the queue
    Moment m_cause;
    std::uint64_t m_enqueued{0};
    std::uint64_t m_started{0};
    std::deque<Waiting> m_waiting;
    NetDevice::ReceiveCallback m_receive;
    NetDevice::PromiscReceiveCallback m_promiscuous;
    TracedCallback<> m_linkChange;

    TracedCallback<Ptr<const ns3::Packet>> m_macTx;
    TracedCallback<Ptr<const ns3::Packet>> m_macTxDrop;
    TracedCallback<Ptr<const ns3::Packet>> m_macPromiscRx;
    TracedCallback<Ptr<const ns3::Packet>> m_macRx;
    TracedCallback<Ptr<const ns3::Packet>> m_phyTxBegin;
    TracedCallback<Ptr<const ns3::Packet>> m_phyTxEnd;
    TracedCallback<Ptr<const ns3::Packet>> m_phyTxDrop;
    TracedCallback<Ptr<const ns3::Packet>> m_phyRxEnd;
    TracedCallback<Ptr<const ns3::Packet>> m_phyRxDrop;
    TracedCallback<Ptr<const ns3::Packet>> m_sniffer;
    TracedCallback<Ptr<const ns3::Packet>> m_promiscSniffer;
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_DEVICE_H
