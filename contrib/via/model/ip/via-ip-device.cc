/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of a host as a network interface: frames on their way, attributes, trace sources.

#include "via-ip-device.h"

#include "ns3/boolean.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

NS_LOG_COMPONENT_DEFINE("ViaIpDevice");

namespace
{

constexpr std::size_t WORD = 4; // ns-3 writes words of a packet where words can be written

Ps
PresentPs()
{
    return Simulator::Now().GetTimeStep();
}

/// Where ns-3's own image of a frame of @p bytes begins.
std::size_t
ImageAt(std::size_t bytes)
{
    return (bytes + WORD - 1) / WORD * WORD;
}

/// The frame that a datagram carries, with ns-3's tags.
Ptr<ns3::Packet>
FrameOf(const Packet& packet)
{
    const std::size_t from = ImageAt(packet.frame);
    return Create<ns3::Packet>(packet.bytes.data() + from,
                               static_cast<std::uint32_t>(packet.bytes.size() - from),
                               true);
}

} // namespace

ViaIpDevice::Setting
ViaIpDevice::Setting::From(Nic& nic, std::uint32_t hosts, const ProviderProfile& profile)
{
    constexpr std::uint32_t header = DatagramKind::FRAME_HEADER;
    const std::uint64_t overhead =
        profile.Number("link.cell_bytes") - profile.Number("link.cell_payload");
    return {&nic,
            hosts,
            overhead < header ? header : 0, // else the wire's own header has room for it
            profile.Number32("link.message_header")};
}

void
ViaIpDevice::Plug(const Setting& setting,
                  const Shared<KernelCosts>& costs,
                  Ptr<ViaIpChannel> channel)
{
    m_setting = setting;
    IpKernelUser& user = *this;
    m_kernel = std::make_unique<IpKernel>(*setting.nic, costs, setting.hosts, user);
    m_channel = channel;
    const NodeId host = setting.nic->GetHost().Id();
    m_address = ViaIpChannel::AddressOf(host);
    m_mtu = static_cast<std::uint16_t>(costs->mtu);
    channel->Attach(this, host);
}

bool
ViaIpDevice::Send(Ptr<ns3::Packet> packet, const Address& to, std::uint16_t protocol)
{
    return SendFrom(packet, m_address, to, protocol);
}

bool
ViaIpDevice::SendFrom(Ptr<ns3::Packet> packet,
                      const Address& from,
                      const Address& to,
                      std::uint16_t protocol)
{
    const Mac48Address target = Mac48Address::ConvertFrom(to);
    const bool fits = packet->GetSize() <= m_mtu;
    const std::optional<NodeId> host = FindHost(*packet, target, protocol);
    const Ptr<ns3::Packet> frame = packet->Copy();
    EthernetHeader header(false);
    header.SetSource(Mac48Address::ConvertFrom(from));
    header.SetDestination(host && *host != IpKernel::EVERYBODY ? ViaIpChannel::AddressOf(*host)
                                                               : target);
    header.SetLengthType(protocol);
    frame->AddHeader(header);
    if (!fits || !host || !IsLinkUp() || !m_queue->Enqueue(frame))
    {
        NS_LOG_LOGIC(m_address << " drops a frame of " << frame->GetSize() << " bytes to "
                               << target);
        m_macTxDrop(frame);
        return false;
    }
    NS_LOG_LOGIC(m_address << " takes a frame of " << frame->GetSize() << " bytes to " << target);
    m_macTx(frame);
    const Ps now = PresentPs();
    m_tickets.push_back({*host, CauseAt(now)});
    ++m_enqueued;
    m_kernel->Kick(now);
    return true;
}

SpanId
ViaIpDevice::CauseAt(Ps now)
{
    if (m_cause.at >= now || m_cause.cause == 0)
    {
        return m_cause.at == now ? m_cause.cause : 0;
    }
    // a timer of the stack, which something before it has set
    Host& host = m_kernel->GetNic().GetHost();
    return host.Wait(m_cause, Stage::TIME_OUT, Engine::CPU, now).cause;
}

std::optional<NodeId>
ViaIpDevice::FindHost(const ns3::Packet& packet, Mac48Address to, std::uint16_t type)
{
    if (m_channel == nullptr)
    {
        return std::nullopt;
    }
    if (to.IsGroup() && !m_arp && type == DatagramKind::ETHER_IPV4)
    {
        Ipv4Header header;
        packet.PeekHeader(header);
        if (const auto host = m_channel->HostOf(header.GetDestination()))
        {
            return host;
        }
    }
    if (to.IsGroup() && !m_arp && type == DatagramKind::ETHER_IPV6)
    {
        Ipv6Header header;
        packet.PeekHeader(header);
        if (const auto host = m_channel->HostOf(header.GetDestination()))
        {
            return host;
        }
    }
    return to.IsGroup() ? std::optional<NodeId>(IpKernel::EVERYBODY) : m_channel->HostOf(to);
}

Packet*
ViaIpDevice::TakeNext()
{
    const Ptr<ns3::Packet> frame = m_queue->Dequeue();
    if (frame == nullptr)
    {
        return nullptr;
    }
    const Ticket ticket = m_tickets.front();
    m_tickets.pop_front();
    Packet* packet = ToCard(frame, ticket.to);
    packet->after = ticket.cause;
    return packet;
}

Packet*
ViaIpDevice::ToCard(Ptr<ns3::Packet> frame, NodeId to)
{
    Host& host = m_setting.nic->GetHost();
    Packet* packet = host.GetWorld().packets.NewPacket();
    packet->kind = PacketKind::DATAGRAM;
    packet->source = host.Id();
    packet->destination = to;
    packet->frame = frame->GetSize();
    const std::uint32_t content = packet->frame - DatagramKind::FRAME_HEADER + m_setting.wireHeader;
    // the card's own header would tell a message's VI: a frame needs none of it
    packet->length = content - std::min(content, m_setting.messageHeader);
    const std::size_t image = ImageAt(packet->frame);
    packet->bytes.resize(image + frame->GetSerializedSize());
    frame->CopyData(packet->bytes.data(), packet->frame);
    frame->Serialize(packet->bytes.data() + image, frame->GetSerializedSize());
    return packet;
}

void
ViaIpDevice::OnStarted(const Packet& packet, Moment at)
{
    if (!m_phyTxBegin.IsEmpty() || !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty())
    {
        const Ptr<const ns3::Packet> frame = FrameOf(packet);
        m_sniffer(frame);
        m_promiscSniffer(frame);
        m_phyTxBegin(frame);
    }
    NoteStarted(at);
}

void
ViaIpDevice::NoteStarted(Moment at)
{
    ++m_started;
    while (!m_waiting.empty() && m_waiting.front().count <= m_started)
    {
        const auto then = std::move(m_waiting.front().then);
        m_waiting.pop_front();
        then(at);
    }
}

void
ViaIpDevice::WhenStarted(std::uint64_t count, std::function<void(Moment)> then)
{
    m_waiting.push_back({count, std::move(then)});
}

void
ViaIpDevice::OnSent(const Packet& packet)
{
    if (!m_phyTxEnd.IsEmpty())
    {
        m_phyTxEnd(FrameOf(packet));
    }
}

void
ViaIpDevice::OnLost(const Packet& packet)
{
    if (!m_phyRxDrop.IsEmpty())
    {
        m_phyRxDrop(FrameOf(packet));
    }
}

void
ViaIpDevice::OnUnsent(const Packet& packet)
{
    if (!m_phyTxDrop.IsEmpty())
    {
        m_phyTxDrop(FrameOf(packet));
    }
}

void
ViaIpDevice::OnCrash()
{
    m_hasCrashed = true;
    ++m_life;
    m_queue->Flush();
    m_tickets.clear();
    m_waiting.clear(); // processes, which are about to be killed
    m_started = m_enqueued;
    Simulator::ScheduleWithContext(m_node->GetId(), Time(0), &ViaIpDevice::EndStack, this);
}

void
ViaIpDevice::OnReturn()
{
    m_hasCrashed = false;
    Simulator::ScheduleWithContext(m_node->GetId(), Time(0), &ViaIpDevice::BeginStack, this);
}

void
ViaIpDevice::EndStack()
{
    if (m_node != nullptr)
    {
        m_outage.Begin(m_node);
        m_linkChange();
    }
}

void
ViaIpDevice::BeginStack()
{
    if (m_node != nullptr)
    {
        m_linkChange();
        m_outage.End(m_node);
    }
}

void
ViaIpDevice::OnReceived(const Packet& packet, Moment at)
{
    m_cause = at;
    Simulator::ScheduleWithContext(m_node->GetId(),
                                   Time(0),
                                   &ViaIpDevice::Deliver,
                                   this,
                                   FrameOf(packet),
                                   m_life);
}

void
ViaIpDevice::Deliver(Ptr<ns3::Packet> frame, std::uint32_t life)
{
    if (m_kernel != nullptr && life == m_life)
    {
        HandUp(frame);
        m_kernel->OnDelivered(PresentPs());
    }
}

void
ViaIpDevice::HandUp(Ptr<ns3::Packet> frame)
{
    m_phyRxEnd(frame);
    const Ptr<ns3::Packet> packet = frame->Copy();
    EthernetHeader header(false);
    packet->RemoveHeader(header);
    const Mac48Address to = header.GetDestination();
    PacketType type = PACKET_OTHERHOST;
    if (to.IsBroadcast())
    {
        type = PACKET_BROADCAST;
    }
    else if (to.IsGroup())
    {
        type = PACKET_MULTICAST;
    }
    else if (to == m_address)
    {
        type = PACKET_HOST;
    }
    m_promiscSniffer(frame);
    if (!m_promiscuous.IsNull())
    {
        m_macPromiscRx(frame);
        m_promiscuous(this, packet->Copy(), header.GetLengthType(), header.GetSource(), to, type);
    }
    if (type != PACKET_OTHERHOST)
    {
        m_sniffer(frame);
        m_macRx(frame);
        if (!m_receive.IsNull())
        {
            m_receive(this, packet, header.GetLengthType(), header.GetSource());
        }
    }
}

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
                          "MAC address of the host in the cluster, 02:00:00:00:hi:lo",
                          TypeId::ATTR_GET,
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&ViaIpDevice::m_address),
                          MakeMac48AddressChecker())
            .AddAttribute("Mtu",
                          "Largest IP packet in bytes; set from ip.mtu of the kernel's profile",
                          TypeId::ATTR_SGC,
                          UintegerValue(1500),
                          MakeUintegerAccessor(&ViaIpDevice::SetMtu, &ViaIpDevice::GetMtu),
                          MakeUintegerChecker<std::uint16_t>(LEAST_MTU))
            .AddAttribute("Arp",
                          "Resolve IP addresses by ARP and neighbour discovery. If false, look up "
                          "the host with that address on the segment, without messages or a cache",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ViaIpDevice::SetArp, &ViaIpDevice::GetArp),
                          MakeBooleanChecker())
            .AddAttribute("TxQueue",
                          "FIFO queue of frames that wait for the driver",
                          PointerValue(),
                          MakePointerAccessor(&ViaIpDevice::SetQueue, &ViaIpDevice::GetQueue),
                          MakePointerChecker<Queue<ns3::Packet>>()),
        {
            {"MacTx",
             "The device accepted a frame from the stack",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macTx)},
            {"MacTxDrop",
             "The device refused a frame: too long, no such host, queue full, or machine down",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macTxDrop)},
            {"MacPromiscRx",
             "The device passes a frame to a promiscuous receiver",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macPromiscRx)},
            {"MacRx",
             "The device passes a frame to the stack",
             MakeTraceSourceAccessor(&ViaIpDevice::m_macRx)},
            {"PhyTxBegin",
             "The card has been notified of a frame",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyTxBegin)},
            {"PhyTxEnd",
             "The last bit of a frame has left; a broadcast fires once per copy",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyTxEnd)},
            {"PhyTxDrop",
             "The machine crashed before a frame reached the card",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyTxDrop)},
            {"PhyRxEnd",
             "The kernel has processed a frame",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyRxEnd)},
            {"PhyRxDrop",
             "A frame had lost cells, the driver's ring was full, or the machine crashed",
             MakeTraceSourceAccessor(&ViaIpDevice::m_phyRxDrop)},
            {"Sniffer",
             "Frames as tcpdump sees them, only those for this host",
             MakeTraceSourceAccessor(&ViaIpDevice::m_sniffer)},
            {"PromiscSniffer",
             "All frames as tcpdump sees them",
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
    NS_ABORT_MSG("a ViaIpDevice has the address of its host in the cluster");
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
