/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of a host as a network interface: attributes, trace sources and plain answers.

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/via-ip-device.h"

namespace ns3
{
namespace via
{

NS_OBJECT_ENSURE_REGISTERED(ViaIpDevice);

namespace
{

constexpr std::uint16_t LEAST_MTU = 68; // of IPv4

/// The trace sources, named as other devices name theirs.
TypeId
WithTraces(TypeId tid,
           const std::vector<std::tuple<const char*, const char*, Ptr<const TraceSourceAccessor>>>&
               sources)
{
    for (const auto& [name, help, accessor] : sources)
    {
        tid.AddTraceSource(name, help, accessor, "ns3::Packet::TracedCallback");
    }
    return tid;
}

} // namespace

TypeId
ViaIpDevice::GetTypeId()
{
    static TypeId tid = WithTraces(
        TypeId("ns3::via::ViaIpDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Via")
            .AddConstructor<ViaIpDevice>()
            .AddAttribute("Address",
                          "MAC address: that of the host in the cluster, 02:00:00:00:hi:lo",
                          TypeId::ATTR_GET,
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&ViaIpDevice::m_address),
                          MakeMac48AddressChecker())
            .AddAttribute("Mtu",
                          "Largest IP packet, bytes; set from ip.mtu of the kernel's profile",
                          TypeId::ATTR_SGC,
                          UintegerValue(1500),
                          MakeUintegerAccessor(&ViaIpDevice::SetMtu, &ViaIpDevice::GetMtu),
                          MakeUintegerChecker<std::uint16_t>(LEAST_MTU))
            .AddAttribute("Arp",
                          "Frames find their hosts by ARP and neighbour discovery. If not, by who "
                          "on the segment has the IP address: nobody is asked, no table is kept",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ViaIpDevice::SetArp, &ViaIpDevice::GetArp),
                          MakeBooleanChecker())
            .AddAttribute("TxQueue",
                          "First in, first out: frames that wait for the driver",
                          PointerValue(),
                          MakePointerAccessor(&ViaIpDevice::SetQueue, &ViaIpDevice::GetQueue),
                          MakePointerChecker<Queue<ns3::Packet>>()),
        {
            {"MacTx",
             "A frame was taken from the stack",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macTx)},
            {"MacTxDrop",
             "A frame was not taken: too long, no such host, the queue full, or the machine down",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macTxDrop)},
            {"MacPromiscRx",
             "A frame goes to a promiscuous receiver",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macPromiscRx)},
            {"MacRx",
             "A frame goes up to the stack",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macRx)},
            {"PhyTxBegin",
             "The card has been told of a frame",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyTxBegin)},
            {"PhyTxEnd",
             "The last bit of a frame has left; a broadcast has one for each copy",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyTxEnd)},
            {"PhyTxDrop",
             "A frame was on its way to the card when the machine crashed",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyTxDrop)},
            {"PhyRxEnd",
             "The kernel has processed a frame",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyRxEnd)},
            {"PhyRxDrop",
             "A frame had lost cells, found the driver's ring full, or the machine crashed",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyRxDrop)},
            {"Sniffer",
             "Frames as tcpdump sees them, those for this host alone",
             MakeTraceSourceAccessor(&ViaIpDevice::m_sniffer)},
            {"PromiscSniffer",
             "Frames as tcpdump sees them, all",
             MakeTraceSourceAccessor(&ViaIpDevice::m_promiscSniffer)},
        });
    return tid;
}

ViaIpDevice::ViaIpDevice() = default;

ViaIpDevice::~ViaIpDevice() = default;

void
ViaIpDevice::DoDispose()
{
    m_kernel.reset();
    m_channel = nullptr;
    m_node = nullptr;
    m_queue = nullptr;
    m_waiting.clear();
    m_receive.Nullify();
    m_promiscuous.Nullify();
    NetDevice::DoDispose();
}

IpKernel*
ViaIpDevice::GetKernel() const
{
    return m_kernel.get();
}

Ptr<Queue<ns3::Packet>>
ViaIpDevice::GetQueue() const
{
    return m_queue;
}

void
ViaIpDevice::SetQueue(Ptr<Queue<ns3::Packet>> queue)
{
    m_queue = queue;
}

bool
ViaIpDevice::GetArp() const
{
    return m_arp;
}

void
ViaIpDevice::SetArp(bool arp)
{
    m_arp = arp;
}

void
ViaIpDevice::SetCause(Moment now)
{
    m_cause = now;
}

Moment
ViaIpDevice::Cause() const
{
    return m_cause;
}

std::uint64_t
ViaIpDevice::Enqueued() const
{
    return m_enqueued;
}

void
ViaIpDevice::SetIfIndex(const std::uint32_t index)
{
    m_ifIndex = index;
}

std::uint32_t
ViaIpDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<ns3::Channel>
ViaIpDevice::GetChannel() const
{
    return m_channel;
}

void
ViaIpDevice::SetAddress(Address)
{
    NS_ABORT_MSG("the address of a ViaIpDevice is that of its host in the cluster");
}

Address
ViaIpDevice::GetAddress() const
{
    return m_address;
}

bool
ViaIpDevice::SetMtu(const std::uint16_t mtu)
{
    if (mtu < LEAST_MTU)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

std::uint16_t
ViaIpDevice::GetMtu() const
{
    return m_mtu;
}

bool
ViaIpDevice::IsLinkUp() const
{
    return m_kernel != nullptr && !m_hasCrashed;
}

void
ViaIpDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
ViaIpDevice::IsBroadcast() const
{
    return true;
}

Address
ViaIpDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
ViaIpDevice::IsMulticast() const
{
    return true;
}

Address
ViaIpDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
ViaIpDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
ViaIpDevice::IsBridge() const
{
    return false;
}

bool
ViaIpDevice::IsPointToPoint() const
{
    return false;
}

Ptr<Node>
ViaIpDevice::GetNode() const
{
    return m_node;
}

void
ViaIpDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
ViaIpDevice::NeedsArp() const
{
    return m_arp;
}

void
ViaIpDevice::SetReceiveCallback(NetDevice::ReceiveCallback callback)
{
    m_receive = callback;
}

void
ViaIpDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback callback)
{
    m_promiscuous = callback;
}

bool
ViaIpDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace via
} // namespace ns3
